"""The tour, as a person opens it: in JupyterLab, all cells run, charts drawn."""

import os
from pathlib import Path

from notebook_page import charts_on, open_notebook, run_all

SHOTS = Path(os.environ["ARRAYREPL_BIN"]).parent / "screenshots"


def test_tour(lab, page):
    url, work = lab
    open_notebook(page, url, "01-tour.ipynb")
    SHOTS.mkdir(exist_ok=True)
    try:
        run_all(page)
    finally:
        page.screenshot(path=SHOTS / "tour-page.png")
    assert page.query_selector_all(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']") == []

    charts = charts_on(page, 3)
    for chart in charts:
        chart.scroll_into_view_if_needed()
        page.wait_for_function("c => c.querySelector('canvas')", arg=chart, timeout=60_000)

    for i, chart in enumerate(charts):
        chart.scroll_into_view_if_needed()
        chart.screenshot(path=SHOTS / f"tour-chart{i}.png")
    page.query_selector(".jp-Notebook").screenshot(path=SHOTS / "tour.png")

    ours = [e for e in page.errors if "favicon" not in e]
    assert ours == [], "console errors"

    page.keyboard.press("Control+s")
    for _ in range(600):
        text = (work / "01-tour.ipynb").read_text()
        if "image/svg+xml" in text:  # a static picture stands beside each interactive chart
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError("not saved, or without static pictures")
    assert '"output_type": "error"' not in text
