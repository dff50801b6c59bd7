"""A notebook exported as one page: opened from the disk, without a server or the Internet, its charts live."""
import os
import shutil
import subprocess
from pathlib import Path

BIN = os.environ["ARRAYREPL_BIN"]
SHOTS = Path(BIN).parent / "screenshots"


def test_exported_page(page, executed_tour, tmp_path):
    out = shutil.copy(executed_tour, tmp_path / "tour.ipynb")
    subprocess.run([BIN, "export", out, "--to", "html"], check=True, capture_output=True)
    asked = []
    page.on("request", lambda r: asked.append(r.url))
    html = tmp_path / "tour.html"
    page.goto(html.as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=30_000)
    charts = page.locator(".arrayrepl-chart")
    assert charts.count() >= 3
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        charts.nth(i).locator("canvas").first.wait_for(timeout=30_000)
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "exported.png")
    # live: what lies under the mouse is told
    charts.first.scroll_into_view_if_needed()
    box = charts.first.bounding_box()
    before = charts.first.inner_html()
    for i in range(150):
        page.mouse.move(box["x"] + box["width"] * (0.3 + 0.002 * i), box["y"] + box["height"] * 0.45)
        page.wait_for_timeout(200)
        if charts.first.inner_html() != before:
            break
    else:
        raise AssertionError("the chart does not answer the mouse")
    assert [u for u in asked if not u.startswith(("file:", "data:", "blob:"))] == []
    assert page.errors == []
