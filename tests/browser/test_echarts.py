"""Charts as those of go-echarts: displayed by a notebook with changed options, and on a page of that library."""

import gzip
import os
import subprocess
from pathlib import Path

import nbformat
import pytest

from testsize import part

BIN = os.environ["ARRAYREPL_BIN"]
ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(BIN).parent / "screenshots"

IMPORTS = """import (
    "os"
    "github.com/go-echarts/go-echarts/v2/charts"
    "github.com/go-echarts/go-echarts/v2/components"
    "github.com/go-echarts/go-echarts/v2/opts"
)"""

DATA = """np.Use("sim:v100")
x := np.Arange(400.0)
y := np.Sin(x / 30)
m := np.Sin(np.Reshape(x, 20, 20) / 9)
(y * 2).Array()"""

SHOWN = """e := viz.HeatMap(m, viz.Title("Old")).ECharts()
e.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: "New title"}))
e"""

PAGE = """page := components.NewPage()
page.AddCharts(viz.Line(x, y).ECharts(), viz.Timeline().ECharts(), viz.Occupancy().ECharts(), viz.HeatMap(m).ECharts(),
    viz.Contour(m).ECharts(), viz.Bar([]string{"a", "b"}, []float64{1, 2}).ECharts(), viz.TaskGraph().ECharts())
page.SetAssetsHost("./")
f, err := os.Create("page.html")
if err == nil { err = page.Render(f) }
f.Close()
err"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """A notebook that displays a chart of go-echarts and writes a page of them, run; beside it what the page loads."""
    work = tmp_path_factory.mktemp("echarts")
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in [IMPORTS, DATA, SHOWN, PAGE]],
                                  metadata={"kernelspec": {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}})
    nbformat.write(nb, work / "in.ipynb")
    subprocess.run([BIN, "run", "in.ipynb", "-o", "out.ipynb"], check=True, timeout=300, cwd=work)
    (work / "echarts.min.js").write_bytes(gzip.decompress((ROOT / "viz/assets/echarts.min.js.gz").read_bytes()))
    return work


INK = """c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;
    for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) n++; return n / c.width / c.height }"""


def test_a_page_of_go_echarts(notebook, page):
    page.set_viewport_size({"width": 900, "height": 3000})
    page.goto((notebook / "page.html").as_uri())
    page.wait_for_function("document.querySelectorAll('canvas').length === 7", timeout=60_000)
    page.screenshot(path=SHOTS / "go-echarts-page.png", full_page=True)
    assert not page.errors
    for canvas in page.query_selector_all("canvas"):
        assert page.evaluate(INK, canvas) > 0.004  # not an empty frame


@pytest.mark.parametrize("theme", [theme for i, theme in enumerate(["light", "dark"]) if part(i, 2)])
def test_a_notebook_shows_it(notebook, page, theme):
    subprocess.run([BIN, "export", "out.ipynb", "-o", f"{theme}.html"], check=True, timeout=300, cwd=notebook)
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": 650, "height": 1400})
    page.goto((notebook / f"{theme}.html").as_uri())
    page.wait_for_selector(".arrayrepl-chart[data-live='1'] canvas", timeout=60_000)
    page.screenshot(path=SHOTS / f"go-echarts-{theme}.png", full_page=True)
    assert not page.errors
    option = page.evaluate("""() => JSON.parse(document.querySelector('.arrayrepl-chart script[type="application/json"]').textContent).raw""")
    assert option["title"][0]["text"] == "New title"
    assert page.evaluate(INK, page.query_selector("canvas")) > 0.3  # the cells of the heat map
