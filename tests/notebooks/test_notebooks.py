"""Every notebook, executed from a clean state by Jupyter's own tools and by `arrayrepl run`; and what `run` does on failure."""

import json
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from notebook_text import BIN, NOTEBOOKS, ROOT, call, outputs
from testsize import part


@pytest.fixture
def work(copied):
    return copied()


def printed(nb):
    return "".join(o.text for o in outputs(nb) if o.output_type == "stream")


def check(nb, fewest=1):
    """No error, and every chart in three forms: interactive, a static picture, text."""
    nbformat.validate(nb)
    assert [o.evalue for o in outputs(nb) if o.output_type == "error"] == []
    assert all(c.execution_count for c in nb.cells if c.cell_type == "code")
    assert [t for o in outputs(nb) if (t := o.get("data", {}).get("text/plain", "")).startswith("viz: ")] == [], "a chart that has nothing to draw says why"
    charts = [o.data for o in outputs(nb) if "arrayrepl-chart" in o.get("data", {}).get("text/html", "")]
    assert len(charts) >= fewest
    for data in charts:
        assert data["image/svg+xml"].lstrip().startswith(("<svg", "<?xml")) and data["text/plain"]
        assert "http://" not in data["text/html"].replace("http://www.w3.org", "")[:2000]
    return nb


@pytest.mark.parametrize("name", [name for i, name in enumerate(NOTEBOOKS) if part(i)])
def test_nbconvert_executes(name, executed):
    check(executed(name))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_run_executes(name, ran):
    """By `arrayrepl run`, but for those that nbconvert has run."""
    check(ran(name))


@pytest.mark.skipif(not part(0), reason="one commit in three tries the second engine's kernel")
def test_an_engine_has_a_kernel_of_its_own(work, env):
    """The tour, by Jupyter, on the second engine."""
    call([BIN, "install", "--engine", "yaegi"], env=env)
    call([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.kernel_name=arrayrepl-yaegi",
          "--output", "done.ipynb", "01-tour.ipynb"], cwd=work, env=env)
    check(nbformat.read(work / "done.ipynb", 4), 3)


@pytest.mark.parametrize("engine", ["ixgo", pytest.param("yaegi", marks=pytest.mark.skipif(not part(1), reason="one commit in three tries it"))])
def test_the_tour_is_right(engine, work, env, ran):
    """The tour's numbers against NumPy's on the same file."""
    if engine == "ixgo":
        text = printed(check(ran("01-tour"), 3))
    else:
        out = work.parent / "out.ipynb"
        call([BIN, "run", "--engine", engine, work / "01-tour.ipynb", "-o", out], env=env)
        text = printed(check(nbformat.read(out, 4), 3))

    year, spots = np.loadtxt(work / "data" / "sunspots.csv", delimiter=",", skiprows=1, unpack=True)
    period = np.linspace(5, 20, 2000)
    angle = 2 * np.pi * year / period[:, None]
    swing = spots - spots.mean()
    strength = np.hypot((np.cos(angle) * swing).sum(axis=1), (np.sin(angle) * swing).sum(axis=1))
    best = period[strength.argmax()]
    assert f"repeats every {best:.1f} years" in text
    assert f"{100 / best:.1f} cycles a century" in text
    assert f"most active year was {year[spots.argmax()]:.0f}" in text
    around = np.array([spots[max(i - 5, 0):i + 6].mean() for i in range(len(spots))])
    assert f"those around {year[around.argmax()]:.0f}, with a mean of {around.max():.1f}" in text
    assert "angle: [2000 309] strength: [2000] kernels run so far: 0" in text, "something ran before it was asked for"


def write(path, *cells):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbformat.write(nb, path)


@pytest.mark.parametrize("cell, said", [
    ("y := x +", ["cell 2, line 1, column 9"]),
    ("a := 1\nb := nothing", ["cell 2, line 2, column 6", "nothing"]),
    ("x.Add(np.Zeros(3, 4))", ["(6,)", "(3,4)", "cell 2, line 1"]),
    ('np.Must(np.LoadCSV("data/absent.csv"))', ["data/absent.csv", "no such file"]),
    ('panic("boom")', ["boom", "cell 2, line 1"]),
    ('go func() { panic("far") }(); time.Sleep(time.Second)', ["far"]),
    ('np.Use("sim:none")', ["sim:none", "sim:v100"]),
    ("os.Exit(3)", ["os.Exit"]),
])
def test_run_reports_a_failure(cell, said, tmp_path, env):
    """Non-zero exit, the cell's error on standard error, and the outputs so far in the file."""
    src, out = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    write(src, "x := np.Arange(6)\nx.Sum()", cell, "x.Sum()")
    p = subprocess.run([BIN, "run", str(src), "-o", str(out)], env=env, capture_output=True, text=True, timeout=60)
    assert p.returncode == 1
    for s in said:
        assert s in p.stderr
    assert "\x1b" not in p.stderr, "colours, and it is not a terminal"
    nb = nbformat.read(out, 4)
    assert nb.cells[0].outputs[0].data["text/plain"] == "15"
    assert nb.cells[1].outputs[-1].output_type == "error" and nb.cells[2].outputs == []

    # With errors allowed the session goes on with its variables.
    p = subprocess.run([BIN, "run", "--allow-errors", str(src), "-o", str(out)], env=env, capture_output=True, text=True, timeout=60)
    assert p.returncode == 0, p.stderr
    assert nbformat.read(out, 4).cells[2].outputs[0].data["text/plain"] == "15"


@pytest.mark.parametrize("content, said", [
    (None, "no such file"), ("{", "notebook"), (json.dumps({"nbformat": 3, "worksheets": []}), "nbformat"),
])
def test_run_refuses_what_is_no_notebook(content, said, tmp_path, env):
    path = tmp_path / "x.ipynb"
    if content is not None:
        path.write_text(content)
    p = subprocess.run([BIN, "run", str(path)], env=env, capture_output=True, text=True, timeout=60)
    assert p.returncode == 1 and said in p.stderr and "x.ipynb" in p.stderr
