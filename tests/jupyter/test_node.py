"""The libraries that VS Code's Jupyter extension is made with, in node: zeromq and @jupyterlab/services (tests/node)."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from test_server import TOKEN, server  # noqa: F401  a fixture

# Where tests/node has been copied to and its packages are (make test-jupyter does that); empty where there is no npm.
NODE = os.environ.get("ARRAYREPL_NODE", "")

pytestmark = pytest.mark.skipif(not NODE or not shutil.which("node"), reason="no node and npm here, or ARRAYREPL_NODE is not set")


def run(script, *args):
    for name in ("cells.mjs", script):
        assert (Path(NODE) / name).read_text() == (Path(__file__).parent.parent / "node" / name).read_text(), "an old copy: make test-jupyter"
    done = subprocess.run(["node", script, *args], cwd=NODE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    assert done.returncode == 0 and "ok" in done.stdout, done.stdout


def test_a_kernel_without_a_server(kernelspec):
    run("rawkernel.mjs", str(kernelspec))


def test_a_kernel_behind_a_server(server):  # noqa: F811
    run("server.mjs", server + "/", TOKEN, "arrayrepl")
