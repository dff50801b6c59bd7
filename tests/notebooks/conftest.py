"""Notebooks, each run once whatever the number of tests that look at it, from an empty home with the kernel installed."""

import os
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from notebook_text import BIN, ROOT, call, once


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
def executed(env, copied):
    """executed("01-tour"): the notebook as nbconvert leaves it, which runs cells through nbclient."""
    def run(name):
        work = copied()
        call([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.kernel_name=arrayrepl",
              "--output", "done.ipynb", name], cwd=work, env=env)
        return nbformat.read(work / "done.ipynb", 4)
    return once(run)


@pytest.fixture(scope="session")
def ran(env, copied):
    """ran("01-tour"): the notebook as `arrayrepl run` leaves it."""
    def run(name):
        path = copied() / name
        out, before = path.parent.parent / "out.ipynb", path.read_bytes()
        call([BIN, "run", path, "-o", out], cwd=ROOT, env=env)
        assert path.read_bytes() == before
        return nbformat.read(out, 4)
    return once(run)
