"""Notebooks, each run once whatever the number of tests that look at it, from an empty home with the kernel installed."""

import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for testsize
from notebook_text import ANSWER, BIN, CONVERTED, RESTS, ROOT, TRIED, call, long, once
from testsize import SHORT


@pytest.fixture(scope="session")
def env(tmp_path_factory):
    """An empty home with the kernel installed for its user."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON"))}
    env["HOME"] = str(tmp_path_factory.mktemp("home"))
    call([BIN, "install", "--user"], env=env)
    return env


@pytest.fixture(scope="session")
def copied(tmp_path_factory):
    """A function that copies notebooks/ to a new directory."""
    return lambda: Path(shutil.copytree(ROOT / "notebooks", tmp_path_factory.mktemp("work") / "notebooks"))


@pytest.fixture(scope="session")
def pool():
    """What runs notebooks: as many side by side as there are processors."""
    pool = ThreadPoolExecutor(os.cpu_count())
    yield pool
    pool.shutdown(cancel_futures=True)


def asked(request, fixture=None):
    """The notebooks that tests will ask the fixture for by their parameter: they are run while other tests look at others."""
    return dict.fromkeys(item.callspec.params["name"] for item in request.session.items
                         if (fixture or request.fixturename) in item.fixturenames and hasattr(item, "callspec") and "name" in item.callspec.params)


def convert(path, env, *options):
    """The notebook at path as nbconvert leaves it, which runs cells through nbclient."""
    call([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.kernel_name=arrayrepl", *options,
          "--output", "done.ipynb", path.name], cwd=path.parent, env=env)
    return nbformat.read(path.parent / "done.ipynb", 4)


@pytest.fixture(scope="session")
def executed(request, env, copied, pool):
    """executed("01-tour"): the notebook as nbconvert leaves it."""
    return once(lambda name: convert(copied() / name, env), pool, [name for name in asked(request) if name in CONVERTED or not SHORT])  # asked counts what asks by way of ran


CODE = re.compile(r"^```go( fails)?\n(.*?)^```$", re.M | re.S)


@pytest.fixture(scope="session")
def tried(request, env, copied, pool):
    """tried("01-tour"): the notebook after its hidden answers have been run where they stand, each after the cell that holds it, among
    the notebook's own; and the answers, each as its text and its code cells."""
    def run(name):
        path = copied() / name
        nb = nbformat.read(path, 4)
        cells, found = [], []
        for cell in nb.cells:
            cells.append(cell)
            for text in ANSWER.findall(cell.source) if cell.cell_type == "markdown" else ():
                code = [nbformat.v4.new_code_cell(source, metadata={"fails": bool(fails)}) for fails, source in CODE.findall(text)]
                cells += code
                found.append((text, [c.id for c in code]))
        nb.cells = cells
        nbformat.write(nb, path)
        if long(name):
            nb = convert(path, env, "--allow-errors")
        else:
            call([BIN, "run", "--allow-errors", path, "-o", path.parent / "done.ipynb"], cwd=path.parent, env=env)
            nb = nbformat.read(path.parent / "done.ipynb", 4)
        done = {c.id: c for c in nb.cells}
        answers = [(text, [done.pop(id) for id in ids]) for text, ids in found]
        nb.cells = list(done.values())
        return nb, answers
    return once(run, pool, [name for name in asked(request) if name in TRIED] or asked(request, "answered"))


@pytest.fixture(scope="session")
def answered(tried):
    """answered("01-tour"): the hidden answers of a notebook, each as its text and its code cells, which have been run."""
    return lambda name: tried(name)[1]


@pytest.fixture(scope="session")
def ran(request, env, copied, pool, executed, tried):
    """ran("01-tour"): the notebook as `arrayrepl run` leaves it, or, where short tests have those run it, nbconvert or a reader who
    tries the answers where they stand. Those that take long are run at one commit of three."""
    def run(name):
        path = copied() / name
        out, before = path.parent.parent / "out.ipynb", path.read_bytes()
        call([BIN, "run", path, "-o", out], cwd=ROOT, env=env)
        assert path.read_bytes() == before
        return nbformat.read(out, 4)
    get = once(run, pool, [name for name in asked(request) if name not in CONVERTED + TRIED + RESTS])

    def of(name):
        name = name.removesuffix(".ipynb") + ".ipynb"
        if name in RESTS:
            pytest.skip("it takes long: one commit of three runs this notebook")
        return executed(name) if name in CONVERTED else tried(name)[0] if name in TRIED else get(name)
    return of
