"""Notebooks that were written for gophernotes: its own examples, with the metadata that name its kernel, show what they showed."""
import json
import os
import pathlib
import subprocess

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

from conftest import BIN, TIMEOUT

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Cells that need the Internet, a package of others, or a compiler that takes functions without a body.
NOT_HERE = ("http.Get", "gonum.org", "func JPEG([]byte)", "func JPEG(", "Render() Data", "mat.", "fa :=")


@pytest.fixture(scope="module")
def examples():
    module = "github.com/gopherdata/gophernotes"
    subprocess.run(["go", "mod", "download", module], cwd=ROOT, check=True)
    found = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", module], cwd=ROOT, check=True, capture_output=True, text=True)
    return pathlib.Path(found.stdout.strip()) / "examples"


@pytest.fixture(scope="module", autouse=True)
def alias():
    data = os.environ["JUPYTER_DATA_DIR"]
    subprocess.run([BIN, "install", "--alias", "gophernotes", "--name", "for-gophernotes"], check=True, capture_output=True)
    yield
    subprocess.run([BIN, "uninstall", "--name", "for-gophernotes"], check=True, capture_output=True)
    assert "gophernotes" not in KernelSpecManager(data_dir=data).find_kernel_specs()


@pytest.mark.parametrize("name, cells", [("Display", 5), ("Worker_Pools", 5)])
def test_examples_of_gophernotes(examples, name, cells):
    before = nbformat.read(examples / f"{name}.ipynb", 4)
    assert before.metadata.kernelspec.name == "gophernotes"
    before.cells = [c for c in before.cells if c.cell_type == "code" and not any(n in c.source for n in NOT_HERE)]
    assert len(before.cells) == cells
    now = nbformat.from_dict(json.loads(json.dumps(before)))
    NotebookClient(now, timeout=TIMEOUT).execute()
    for was, cell in zip(before.cells, now.cells):
        displays = [set(o.data) for o in cell.outputs if "data" in o]
        wanted = [set(o.data) for o in was.outputs if "data" in o]
        if name == "Worker_Pools":
            wanted = []  # there gophernotes showed what Sleep returned
        assert len(displays) == len(wanted), cell.source
        for shown, want in zip(displays, wanted):
            assert shown >= want, cell.source
        for o, w in zip(cell.outputs, was.outputs):
            for mime in set(o.get("data", {})) & set(w.get("data", {})) - {"text/plain"}:
                assert o.data[mime] == w.data[mime]
    if name == "Worker_Pools":
        assert sum(o.text.count("processing job") for c in now.cells for o in c.outputs) == 9
