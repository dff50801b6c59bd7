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
from notebook_text import ANSWER, BIN, CONVERTED, ROOT, call, once
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


def asked(request):
    """The notebooks that tests will ask the fixture for by their parameter: they are run while other tests look at others."""
    return dict.fromkeys(item.callspec.params["name"] for item in request.session.items
                         if request.fixturename in item.fixturenames and hasattr(item, "callspec") and "name" in item.callspec.params)


@pytest.fixture(scope="session")
def executed(request, env, copied, pool):
    """executed("01-tour"): the notebook as nbconvert leaves it, which runs cells through nbclient."""
    def run(name):
        work = copied()
        call([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.kernel_name=arrayrepl",
              "--output", "done.ipynb", name], cwd=work, env=env)
        return nbformat.read(work / "done.ipynb", 4)
    return once(run, pool, [name for name in asked(request) if name in CONVERTED or not SHORT])  # asked counts what asks by way of ran


@pytest.fixture(scope="session")
def ran(request, env, copied, pool, executed):
    """ran("01-tour"): the notebook as `arrayrepl run` leaves it, or nbconvert where short tests have that run it."""
    def run(name):
        path = copied() / name
        out, before = path.parent.parent / "out.ipynb", path.read_bytes()
        call([BIN, "run", path, "-o", out], cwd=ROOT, env=env)
        assert path.read_bytes() == before
        return nbformat.read(out, 4)
    get = once(run, pool, [name for name in asked(request) if name not in CONVERTED])
    return lambda name: (executed if name.removesuffix(".ipynb") + ".ipynb" in CONVERTED else get)(name)


CODE = re.compile(r"^```go( fails)?\n(.*?)^```$", re.M | re.S)


@pytest.fixture(scope="session")
def answered(request, env, copied, pool):
    """answered("01-tour"): the hidden answers of a notebook, each as its text and its code cells, which have been run where they stand:
    after the cell that holds them, among the notebook's own."""
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
        if not found:
            return []
        nb.cells = cells
        nbformat.write(nb, path)
        call([BIN, "run", "--allow-errors", path, "-o", path.parent / "done.ipynb"], cwd=path.parent, env=env)
        done = {c.id: c for c in nbformat.read(path.parent / "done.ipynb", 4).cells}
        return [(text, [done[id] for id in ids]) for text, ids in found]
    return once(run, pool, asked(request))
