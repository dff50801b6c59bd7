"""Which notebooks an export takes for the user's own: Jupyter's signatures, made by nbformat itself, and those of arrayrepl run."""
import os
import subprocess

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from conftest import BIN, FAKE, TIMEOUT

pytestmark = pytest.mark.skipif(FAKE, reason="needs the whole program")
SCRIPT = "<script>mine()</script>"


@pytest.fixture
def export(tmp_path):
    """Exports a notebook in an empty home and returns whether its scripts are there."""
    env = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "config"), "JUPYTER_DATA_DIR": str(tmp_path / "data")}
    for name in ("home", "config", "data"):
        (tmp_path / name).mkdir()

    def run(*args):
        return subprocess.run([BIN, *map(str, args)], capture_output=True, text=True, timeout=TIMEOUT, check=True, env=env)

    def kept(path, *flags):
        run("export", path, *flags)
        return SCRIPT in path.with_suffix(".html").read_text()

    kept.run = run
    return kept


def notebook(path):
    v4 = nbformat.v4
    outputs = [v4.new_output("display_data", {"text/html": SCRIPT, "application/json": {"a": [1, 2.5, 1e-7, 1e22, 100000.0, -0.0, True, None], "é": {}}})]
    cells = [v4.new_markdown_cell("# one\n\ntwo", attachments={"a.png": {"image/png": "AA=="}}),
             v4.new_code_cell("display.HTML(\"" + SCRIPT + "\")", outputs=outputs, metadata={"x": 1.0, "trusted": True})]
    nb = v4.new_notebook(cells=cells, metadata={"language_info": {"name": "go"}, "numbers": [1, 12345678901234567890, 0.1]})
    nbformat.write(nb, path)
    return path


def test_jupyters_signatures(export, tmp_path):
    path = notebook(tmp_path / "a.ipynb")
    assert not export(path)
    assert export(path, "--trust")
    notary = NotebookNotary(data_dir=str(tmp_path / "data"))
    notary.sign(nbformat.read(path, 4))
    notary.close()
    assert export(path)
    assert not export(path, "--sanitize")
    path.write_text(path.read_text().replace("# one", "# another"))
    assert not export(path)


def test_what_run_has_written(export, tmp_path):
    path, out = notebook(tmp_path / "a.ipynb"), tmp_path / "out.ipynb"
    export.run("run", path, "-o", out)
    assert not export(path) and export(out)
    out.write_text(out.read_text().replace("# one", "# another"))
    assert not export(out)
    assert (tmp_path / "config" / "arrayrepl" / "trusted").exists() or os.name != "posix" or os.uname().sysname != "Linux"
