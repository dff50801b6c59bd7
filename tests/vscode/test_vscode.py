"""Notebooks in VS Code itself: saved charts are live in both themes; with the Jupyter extension, where it could
be had, cells run."""


import nbformat
import pytest

from conftest import BIN, VSCODE
from workbench import CHARTS, choose_kernel, ours, outputs_frame, to_the_end

SHOTS = BIN.parent / "screenshots"


def charts_in(path):
    return [o for c in nbformat.read(path, 4).cells if c.cell_type == "code" for o in c.outputs if "arrayrepl-chart" in o.get("data", {}).get("text/html", "")]


@pytest.mark.parametrize("name, theme", [("gallery", "Default Light Modern"), ("gallery", "Default Dark Modern"), ("tour", "Default Dark Modern")])
def test_saved_charts_are_live(vscode, work, page, name, theme):
    """Without a kernel: each chart of the notebook is drawn by the script, which came once, in ink that suits the theme."""
    saved = charts_in(work / f"{name}.ipynb")
    assert len(saved) >= (27 if name == "gallery" else 4)
    vscode.theme(theme)
    page.goto(vscode.address(f"{name}.ipynb"))
    frame = outputs_frame(page, CHARTS)
    to_the_end(page)
    frame.wait_for_function("n => document.querySelectorAll('.arrayrepl-chart[data-live=\"1\"] canvas').length >= n", arg=len(saved), timeout=120_000)
    assert frame.evaluate("Object.values(window.arrayreplCharts).filter(v => v && v.ready).length") == 1
    for ink, colours in frame.evaluate("""() => [...document.querySelectorAll('.arrayrepl-chart')].map(c => {
            const k = c.querySelector('canvas'), d = k.getContext('2d').getImageData(0, 0, k.width, k.height).data, seen = new Set();
            let n = 0, sum = 0;
            for (let i = 0; i < d.length; i += 4) {
                seen.add(d[i] << 24 | d[i+1] << 16 | d[i+2] << 8 | d[i+3]);
                if (i < 4 * 60 * k.width && d[i+3] > 200) { n++; sum += d[i] + d[i+1] + d[i+2]; }
            }
            return [sum / n, seen.size]; })"""):
        assert colours > 10
        assert (ink > 382) == ("Dark" in theme), "the title's ink"
    assert ours(page) == []
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"vscode-{name}-{theme.split()[1].lower()}.png")


@pytest.mark.skipif(not (VSCODE / "extensions/ms-toolsai.jupyter").exists() and not list((VSCODE / "extensions").glob("ms-toolsai.jupyter-*")),
                    reason="the Jupyter extension could not be downloaded")
def test_cells_run(vscode, work, page):
    """What docs/vscode.md says to click: the kernel is found by its kernelspec, and the tour runs with live charts."""
    page.goto(vscode.address("01-tour.ipynb"))
    page.wait_for_selector(".kernel-action-view-item, .kernel-label", timeout=120_000)
    page.wait_for_timeout(10_000)  # the extension starts
    choose_kernel(page)
    page.wait_for_timeout(3_000)
    page.get_by_role("button", name="Run All").first.click()
    frame = outputs_frame(page, f"{CHARTS} canvas", timeout=240)
    to_the_end(page)
    frame.wait_for_function("document.querySelectorAll('.arrayrepl-chart[data-live=\"1\"] canvas').length >= 4", timeout=240_000)
    assert ours(page) == []
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "vscode-run.png")
