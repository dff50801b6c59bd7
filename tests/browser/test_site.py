"""A directory of notebooks exported as a site: from the disk, its charts live, and as pictures where no scripts run."""
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ["ARRAYREPL_BIN"])
SHOTS = Path(BIN).parent / "screenshots"
NEXT = "30-where-did-my-lanes-go"  # has charts, and takes little to run


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of two of the notebooks, run anew, in a copy of the repository's texts."""
    root = tmp_path_factory.mktemp("repository")
    (root / ".git").mkdir()
    shutil.copy(ROOT / "README.md", root)
    shutil.copytree(ROOT / "docs", root / "docs")
    shutil.copytree(ROOT / "notebooks" / "data", root / "notebooks" / "data")
    for name in ("01-tour.ipynb", f"{NEXT}.ipynb"):
        shutil.copy(ROOT / "notebooks" / name, root / "notebooks")
    before = {p: p.read_bytes() for p in root.glob("notebooks/*.ipynb")}
    dest = tmp_path_factory.mktemp("site")
    p = subprocess.run([BIN, "export", root / "notebooks", "--to", "html", "-o", dest], capture_output=True, text=True, timeout=600)
    assert p.returncode == 0, p.stdout + p.stderr
    assert before == {p: p.read_bytes() for p in root.glob("notebooks/*.ipynb")}
    return dest


def test_links_and_scripts(site):
    """Every relative link leads to a file of the site, and the charts' script is there once."""
    pages = list(site.rglob("*.html"))
    assert {"index.html", "01-tour.html", f"{NEXT}.html", "charts.html"} <= {p.name for p in pages}
    for page in pages:
        text = page.read_text()
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            u = urlsplit(link)
            if not u.scheme and u.path:
                assert (page.parent / unquote(u.path)).exists(), f"{page.name}: {link}"
    assert len(list(site.glob("assets/*.js"))) == 1
    assert (site / "notebooks" / "01-tour.html").stat().st_size < 500_000


def test_reading_the_site(site, page):
    """From the index to the tour, its charts, the next notebook and a page of the documentation."""
    asked = []
    page.on("request", lambda r: asked.append(r.url))
    page.goto((site / "index.html").as_uri())
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "site-index.png")
    page.locator("h2 a").first.click()
    page.wait_for_url("**/01-tour.html")  # and its load
    charts = page.locator(".arrayrepl-chart")
    assert charts.count() >= 3
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        charts.nth(i).locator("canvas").first.wait_for(timeout=30_000)
    page.screenshot(path=SHOTS / "site-tour.png")
    page.locator("nav a", has_text=NEXT).first.click()
    page.wait_for_url(f"**/{NEXT}.html")
    page.locator(".arrayrepl-chart canvas").first.wait_for(timeout=30_000)
    page.screenshot(path=SHOTS / "site-next.png")
    page.goto((site / "docs" / "charts.html").as_uri())
    assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    page.screenshot(path=SHOTS / "site-docs.png")
    assert [u for u in asked if not u.startswith(("file:", "data:", "blob:"))] == []
    assert page.errors == []


def test_without_scripts(site, page):
    plain = page.context.browser.new_context(java_script_enabled=False, viewport={"width": 1100, "height": 3000}).new_page()
    plain.goto((site / "notebooks" / "01-tour.html").as_uri())
    pictures = plain.locator(".arrayrepl-chart img")
    assert pictures.count() >= 3
    for i in range(pictures.count()):
        assert pictures.nth(i).is_visible() and pictures.nth(i).bounding_box()["height"] > 100
    assert not plain.locator(".arrayrepl-missing").first.is_visible()
    plain.screenshot(path=SHOTS / "site-no-scripts.png")
