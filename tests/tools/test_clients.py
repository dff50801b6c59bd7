"""qtconsole, euporie and voila: what they show of cells, seen as a person sees it."""
import os
import re
import subprocess
import sys
import time
import urllib.request

import pytest

TIMEOUT = 90


@pytest.fixture
def console(monkeypatch):
    """A qtconsole without a screen: run(cell, texts) returns when it shows them all."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    from qtconsole.manager import QtKernelManager
    from qtconsole.rich_jupyter_widget import RichJupyterWidget
    from qtpy import QtWidgets

    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])
    km = QtKernelManager(kernel_name="arrayrepl")
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    widget = RichJupyterWidget()
    widget.kernel_manager, widget.kernel_client = km, kc
    widget.show()

    def until(*texts):  # in any order: replies and outputs come by different sockets
        deadline = time.time() + TIMEOUT
        while not all(text in widget._control.toPlainText() for text in texts):
            app.processEvents()
            assert time.time() < deadline, widget._control.toPlainText()
            time.sleep(0.01)
        return widget._control.toPlainText()

    def run(cell, *texts):
        widget.execute(cell)
        until(*texts)

    run.begun = until("]: ")
    yield run
    kc.stop_channels()
    km.shutdown_kernel(now=True)


def test_qtconsole(console):
    """The first prompt is the first cell's; values, pictures and errors are shown."""
    assert console.begun.endswith("In [1]: ")
    console("x := 3\nx * 2", "Out[1]: 6\n", "In [2]: ")
    console("viz.Line(nil, []int{1, 4, 9})", "\ufffc", "In [3]: ")  # a picture
    console("nothing", "undefined: nothing", "In [4]: ")


def test_euporie(notebook):
    """A terminal shows tables with room between their columns, and charts as pictures."""
    path = notebook("np.Arange(6).Reshape(2, 3)", "viz.Line(nil, []int{1, 4, 9})", 'widgets.IntSlider("depth", 0, 100, 10)')
    done = subprocess.run(["euporie-preview", "--run", "--color-depth=24", str(path)], text=True, capture_output=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL,
                          env=os.environ | {"COLUMNS": "100", "LINES": "50", "TERM": "xterm-256color"})
    assert done.returncode == 0, done.stderr
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.stdout)
    assert re.search(r"0 +0 +1 +2", shown) and re.search(r"1 +3 +4 +5", shown), shown
    assert shown.count("▄") > 100, "the chart's pixels"
    assert re.search(r"depth .*●", shown), "a slider"


def test_voila(notebook):
    """A page of a notebook has views of its widgets, whose state the kernel gives, and what they show."""
    path = notebook('n := widgets.IntSlider("depth", 0, 100, 10)\nn', 'widgets.Interact(func(k int) any { return fmt.Sprint("twice is ", 2*k) }, widgets.Arg("k", 21))')
    server = subprocess.Popen([sys.executable, "-m", "voila", "--no-browser", "--port=18041", "--show_tracebacks=True", str(path)], stderr=subprocess.PIPE, text=True)
    try:
        for line in server.stderr:
            if "running at" in line:
                break
        page = urllib.request.urlopen("http://localhost:18041/", timeout=TIMEOUT).read().decode()
    finally:
        server.terminate()
        server.wait(30)
    assert page.count("application/vnd.jupyter.widget-view+json") >= 2 and "twice is 42" in page
