"""The kernel, installed as its command installs it, in an empty home."""
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

BIN = os.environ.get("ARRAYREPL_BIN")


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory):
    if not BIN:
        raise pytest.UsageError("ARRAYREPL_BIN must name the kernel's program")
    home = tmp_path_factory.mktemp("home")
    for name in [n for n in os.environ if n.startswith(("JUPYTER", "XDG", "IPYTHON"))]:
        del os.environ[name]
    os.environ.update(HOME=str(home), PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", JUPYTER_PATH=str(home / "site/share/jupyter"))
    subprocess.run([BIN, "install", "--prefix", home / "site"], check=True, capture_output=True)
    return home


@pytest.fixture
def notebook(tmp_path):
    """Writes a notebook of some cells that have not been run."""
    def written(*cells):
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
        nb.metadata["language_info"] = {"name": "go", "mimetype": "text/x-go", "file_extension": ".go"}
        nbformat.write(nb, tmp_path / "nb.ipynb")
        return tmp_path / "nb.ipynb"
    return written
