"""Pages of hostile notebooks: nothing of them runs in a real browser, whatever is clicked; charts stay as pictures."""
import json
import os
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from testsize import part

ROOT = Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ["ARRAYREPL_BIN"])
SHOTS = Path(BIN).parent / "screenshots"
HOSTILE = json.loads((ROOT / "kernel/notebook/export/testdata/hostile.json").read_text())


def hostile(path):
    """A notebook with all hostile texts in all places where a notebook has some."""
    v4, cells = nbformat.v4, []
    for h in HOSTILE:
        text = h["text"]
        outputs = [v4.new_output("display_data", {mime: text}) for mime in ("text/html", "text/markdown", "image/svg+xml", "text/latex")]
        cells += [v4.new_markdown_cell(text), v4.new_code_cell("x", outputs=outputs)]
    path.write_text(json.dumps(v4.new_notebook(cells=cells)))


def watched(page):
    """Records calls of hit, dialogs, other pages and requests that leave the disk."""
    page.seen = []
    page.expose_function("hit", lambda: page.seen.append("hit"))
    page.on("dialog", lambda d: (page.seen.append("dialog"), d.dismiss()))
    page.on("popup", lambda p: page.seen.append("popup"))
    page.on("request", lambda r: page.seen.append(r.url) if not r.url.startswith(("file:", "data:image/")) else None)
    return page.seen


@pytest.mark.parametrize("policy", ["policy", "no policy"])
def test_nothing_runs(page, tmp_path, policy):
    hostile(tmp_path / "stranger.ipynb")
    said = subprocess.run([BIN, "export", tmp_path / "stranger.ipynb"], check=True, capture_output=True, text=True).stdout
    assert "signature" in said and "--trust" in said
    html = tmp_path / "stranger.html"
    if policy == "no policy":  # the sanitised text alone must do
        text = html.read_text()
        assert text.count("Content-Security-Policy") == 1
        html.write_text(text.replace("Content-Security-Policy", "x"))
    seen = watched(page)
    page.goto(html.as_uri())
    page.wait_for_timeout(500)
    assert seen == []
    links = page.locator("a")
    for i in range(links.count()):
        href = links.nth(i).get_attribute("href") or ""
        assert not href.lower().strip().startswith(("javascript", "data", "vbscript")), href
    page.evaluate("""for (const e of document.querySelectorAll('*')) for (const kind of ['click', 'mouseover', 'focus', 'toggle', 'load', 'error'])
        e.dispatchEvent(new Event(kind, {bubbles: false}))""")
    page.wait_for_timeout(300)
    assert seen == []


def test_the_texts_are_hostile(page, tmp_path):
    """The judge sees what runs where nothing is taken out."""
    (tmp_path / "raw.html").write_text("<body><script>hit()</script><img src=x onerror=hit()>")
    seen = watched(page)
    page.goto((tmp_path / "raw.html").as_uri())
    for _ in range(300):
        if len(seen) == 2:
            break
        page.wait_for_timeout(100)
    assert seen == ["hit", "hit"]


@pytest.mark.parametrize("width, scheme", [(w, s) for i, w in enumerate([650, 1400]) for j, s in enumerate(["light", "dark"]) if part(i + j, 2)])
def test_charts_are_pictures(page, executed_tour, tmp_path, width, scheme):
    out = shutil.copy(executed_tour, tmp_path / "tour.ipynb")
    subprocess.run([BIN, "export", out, "--sanitize"], check=True, capture_output=True)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 2600})
    page.goto((tmp_path / "tour.html").as_uri())
    charts = page.locator(".arrayrepl-chart img")
    assert charts.count() >= 3
    for i in range(charts.count()):
        assert charts.nth(i).is_visible() and charts.nth(i).evaluate("i => i.complete && i.naturalWidth > 0")
    assert page.locator("script").count() == 0 and page.locator("canvas").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"sanitised-{scheme}-{width}.png")
    assert page.errors == []
