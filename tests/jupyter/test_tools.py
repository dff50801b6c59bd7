"""Tools that run and compare notebooks: nbval, nbdime, and what quarto asks of a kernel."""
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from conftest import FAKE, TIMEOUT
from testsize import part

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")

CHARTS = ["viz.Reproducible()", "x := np.Arange(100_000).Sqrt() * 2\nx.Sum()", "viz.Timeline()", "viz.Breakdown()",
          "h := np.Ones(10)\nh", 'fmt.Println("printed"); map[string]int{"b": 2, "a": 1}', "viz.Line(nil, []int{1, 4, 9})"]


def written(path, *cells):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c, id=f"c{i}") for i, c in enumerate(cells)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, path)
    return path


def tool(*argv, ok=True, cwd=None):
    done = subprocess.run([sys.executable, *map(str, argv)], text=True, capture_output=True, timeout=5 * TIMEOUT, cwd=cwd)
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr


def executed(path, to):
    tool("-m", "nbconvert", "--to", "notebook", "--execute", "--output", to, path)
    return path.parent / to


@pytest.mark.skipif(not part(1), reason="it runs nbconvert three times: one commit in three runs it")
def test_two_runs_are_the_same(tmp_path):
    """nbdime finds no difference between two runs of a reproducible notebook, and one in a notebook that shows measured times."""
    path = written(tmp_path / "same.ipynb", *CHARTS)
    from nbdime import diff_notebooks

    def ran(path, to):
        nb = nbformat.read(executed(path, to), 4)
        for cell in nb.cells:
            cell.metadata.pop("execution", None)  # when nbclient ran it
        return nb

    a, b = ran(path, "a.ipynb"), ran(path, "b.ipynb")
    assert diff_notebooks(a, b) == []
    assert "(measured)" not in json.dumps(a)
    shown = ran(written(tmp_path / "shown.ipynb", *CHARTS[1:]), "c.ipynb")
    assert "(measured)" in json.dumps(shown), "which the switch leaves out"


@pytest.mark.skipif(not part(2), reason="it takes 16 s of processor time: one commit in three runs it")
def test_nbval_on_a_shipped_notebook(tmp_path):
    """A notebook of the course, run twice with measured times left out, has the same outputs: nbval compares all of them. Committed
    outputs have other forms, made to be read without scripts."""
    nb = nbformat.read(ROOT / "notebooks" / "02-arrays.ipynb", 4)
    nb.cells.insert(0, nbformat.v4.new_code_cell("viz.Reproducible()"))
    nbformat.write(nb, tmp_path / "nb.ipynb")
    executed(tmp_path / "nb.ipynb", "done.ipynb")
    said = tool("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "done.ipynb", cwd=tmp_path)
    assert " passed" in said and "failed" not in said
    small = nbformat.read(executed(written(tmp_path / "small.ipynb", "6 * 7"), "ran.ipynb"), 4)
    small.cells[0].outputs[0].data["text/plain"] = "43"
    nbformat.write(small, tmp_path / "changed.ipynb")
    assert "Cell outputs differ" in tool("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "changed.ipynb", cwd=tmp_path, ok=False)


@pytest.mark.skipif(not part(0), reason="it runs nbconvert: one commit in three runs it")
def test_what_quarto_asks_of_a_kernel(tmp_path):
    """Quarto finds a kernel by the language of its cells, runs them by nbclient with options in comments, and sets plots from
    image/png or image/svg+xml, tables from text/html: https://quarto.org/docs/computations/using-jupyter.html. What `quarto check
    jupyter` prints is KernelSpecManager's list; a document's front matter is the notebook's first cell, a raw one, and stays as it is."""
    from jupyter_client.kernelspec import KernelSpecManager
    spec = KernelSpecManager().get_all_specs()["arrayrepl"]["spec"]
    assert spec["language"] == "go" and spec["display_name"] == "Go (arrayrepl)"
    path = written(tmp_path / "q.ipynb", "//| label: fig-line\n//| fig-cap: \"A line\"\nviz.Line(nil, []int{1, 4, 9})", "//| echo: false\nnp.Eye(2)")
    front = "---\ntitle: Lines\njupyter: arrayrepl\n---"
    nb = nbformat.read(path, 4)
    nb.cells.insert(0, nbformat.v4.new_raw_cell(front))
    nb.cells.append(nbformat.v4.new_code_cell("//| error: true\nnothing"))
    nb.cells[-1].metadata["tags"] = ["raises-exception"]  # as Quarto marks it
    nbformat.write(nb, path)
    nb = nbformat.read(executed(path, "done.ipynb"), 4)
    assert nb.cells[0].cell_type == "raw" and nb.cells[0].source == front
    assert "undefined: nothing" in nb.cells[-1].outputs[0].evalue
    chart, table = (c.outputs[0].data for c in nb.cells[1:3])
    assert chart["image/svg+xml"].startswith("<svg") and chart["image/png"]
    assert "<table" in table["text/html"] and nb.metadata.language_info.file_extension == ".go"
