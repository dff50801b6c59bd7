"""Tools that run, compare and show notebooks: nbval, nbdime, qtconsole, and what quarto asks of a kernel."""
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from conftest import FAKE, TIMEOUT

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
    assert "measured" not in json.dumps(a)
    shown = ran(written(tmp_path / "shown.ipynb", *CHARTS[1:]), "c.ipynb")
    assert "measured" in json.dumps(shown), "which the switch leaves out"


def test_nbval(tmp_path):
    """nbval runs what was saved again and compares; and it notices a change."""
    path = executed(written(tmp_path / "nb.ipynb", *CHARTS), "kept.ipynb")
    assert "7 passed" in tool("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "kept.ipynb", cwd=tmp_path)
    nb = json.loads(path.read_text())
    nb["cells"][1]["outputs"][0]["data"]["text/plain"] = "42"
    path.write_text(json.dumps(nb))
    assert "1 failed" in tool("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "kept.ipynb", cwd=tmp_path, ok=False)


def test_nbval_on_a_shipped_notebook(tmp_path):
    """A notebook of the course, whose kept outputs are modelled times: nbval's own comparison of texts finds nothing."""
    (tmp_path / "data").symlink_to(ROOT / "notebooks" / "data")
    nb = nbformat.read(ROOT / "notebooks" / "11-inside-an-sm.ipynb", 4)
    nbformat.write(nb, tmp_path / "nb.ipynb")
    (tmp_path / "clean").write_text("")
    said = tool("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval-lax", "nb.ipynb", cwd=tmp_path)
    assert " passed" in said and "failed" not in said


QT = """
import sys, time
from qtpy import QtCore, QtGui, QtTest, QtWidgets
from qtconsole.manager import QtKernelManager
from qtconsole.rich_jupyter_widget import RichJupyterWidget

app = QtWidgets.QApplication([])
km = QtKernelManager(kernel_name="arrayrepl")
km.start_kernel()
kc = km.client()
kc.start_channels()
w = RichJupyterWidget()
w.kernel_manager, w.kernel_client = km, kc
w.show()

def until(what, name):
    deadline = time.time() + 60
    while not what():
        QtTest.QTest.qWait(30)
        if time.time() > deadline:
            print("no", name, "in", w._control.toPlainText())
            sys.exit(1)

def text():
    return w._control.toPlainText()

def key(k):
    QtTest.QTest.keyClick(w._control, k)

until(lambda: "In [1]: " in text(), "prompt")
w.execute("fmt.Println(strings.Repeat(\\"ab \\", 3)); 6 * 7")
until(lambda: "Out[1]: 42" in text() and "In [2]: " in text(), "result")
w.execute("viz.Line(nil, []int{1, 4, 9})")
until(lambda: "In [3]: " in text(), "chart")
assert "\\ufffc" in text(), "a picture"
w.execute("np.Arange(200)")
until(lambda: "In [4]: " in text(), "array")
assert max(len(line) for line in text().splitlines()) <= w.console_width, "lines fit"
w.input_buffer = "func f() int {"
w._control.moveCursor(QtGui.QTextCursor.End)
key(QtCore.Qt.Key_Return)
until(lambda: "\\n" in w.input_buffer, "second line")
assert w.input_buffer == "func f() int {\\n    ", repr(w.input_buffer)
w.input_buffer = "strings.Repea"
w._control.moveCursor(QtGui.QTextCursor.End)
key(QtCore.Qt.Key_Tab)
until(lambda: w.input_buffer == "strings.Repeat", "completion")
w.input_buffer = ""
w.execute("noSuchName")
until(lambda: "undefined: noSuchName" in text(), "error")
kc.stop_channels()
km.shutdown_kernel(now=True)
print("all seen")
"""


def test_qtconsole(tmp_path):
    """Results, a picture, lines that fit, indentation by blanks, completion and errors, in the Qt console without a screen."""
    (tmp_path / "console.py").write_text(QT)
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_API": "pyside6"}
    there = subprocess.run([sys.executable, "-c", "from PySide6 import QtWidgets"], env=env, text=True, capture_output=True)
    if there.returncode:
        pytest.skip("Qt's own libraries are not here: " + there.stderr.strip().splitlines()[-1])
    done = subprocess.run([sys.executable, "console.py"], env=env, text=True, capture_output=True, timeout=5 * TIMEOUT, cwd=tmp_path)
    assert done.stdout.endswith("all seen\n"), done.stdout + done.stderr


def test_what_quarto_asks_of_a_kernel(tmp_path):
    """Quarto finds a kernel by the language of its cells, runs them by nbclient with options in comments, and sets plots from
    image/png or image/svg+xml, tables from text/html: https://quarto.org/docs/computations/using-jupyter.html"""
    from jupyter_client.kernelspec import KernelSpecManager
    assert KernelSpecManager().get_kernel_spec("arrayrepl").language == "go"
    path = written(tmp_path / "q.ipynb", "//| label: fig-line\n//| fig-cap: \"A line\"\nviz.Line(nil, []int{1, 4, 9})", "//| echo: false\nnp.Eye(2)")
    nb = nbformat.read(executed(path, "done.ipynb"), 4)
    chart, table = (c.outputs[0].data for c in nb.cells)
    assert chart["image/svg+xml"].startswith("<svg") and chart["image/png"]
    assert "<table" in table["text/html"] and nb.metadata.language_info.file_extension == ".go"
