"""Notebooks that were written for gophernotes: its own examples, with the metadata that name its kernel, show what they showed."""
import json
import os
import pathlib
import subprocess

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

from conftest import BIN, TIMEOUT, Client

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


def code_cells(path, count):
    nb = nbformat.read(path, 4)
    assert nb.metadata.kernelspec.name == "gophernotes"
    nb.cells = [c for c in nb.cells if c.cell_type == "code" and not any(n in c.source for n in NOT_HERE)]
    assert len(nb.cells) == count
    return nb


def test_display(examples):
    before = code_cells(examples / "Display.ipynb", 5)
    now = nbformat.from_dict(json.loads(json.dumps(before)))
    NotebookClient(now, timeout=TIMEOUT).execute()
    for was, cell in zip(before.cells, now.cells):
        shown, wanted = [[o.data for o in c.outputs if "data" in o] for c in (cell, was)]
        assert len(shown) == len(wanted), cell.source
        for data, want in zip(shown, wanted):
            assert set(data) >= set(want), cell.source
            for mime in set(want) - {"text/plain"}:
                assert data[mime] == want[mime]


def test_worker_pools(examples):
    km = KernelManager(kernel_name="gophernotes")
    km.start_kernel()
    try:
        client = Client(km)
        sent = [client.kc.execute(cell.source) for cell in code_cells(examples / "Worker_Pools.ipynb", 5).cells]
        assert [client.reply(i)["content"]["status"] for i in sent] == ["ok"] * 5
        text = ""
        while text.count("processing job") < 9:  # the text of a goroutine belongs to the cell that started it
            msg = client.kc.get_iopub_msg(timeout=TIMEOUT)
            text += msg["content"].get("text", "") if msg["parent_header"].get("msg_id") == sent[3] else ""
        client.kc.stop_channels()
    finally:
        km.shutdown_kernel(now=True)
