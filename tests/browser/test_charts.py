"""The gallery in JupyterLab: every chart is drawn from a real trace, without a console error, in both themes; a notebook of
thirty charts opens fast; without the script, untrusted, or without scripts at all, the pictures show."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import chart_page
from notebook_page import charts_on, open_notebook, run_all
from testsize import part
from texts import BAD, TEXTS

BIN = os.environ["ARRAYREPL_BIN"]
SHOTS = Path(BIN).parent / "screenshots"


def ours(page):
    return [e for e in page.errors if "favicon" not in e]


@pytest.fixture(scope="module")
def executed(lab):
    """The gallery, run, with all forms of all charts, and the place where the server finds it."""
    return ran(lab, "90-gallery.ipynb", "executed.ipynb")


def ran(lab, name, to):
    _, work = lab
    out = work / to
    subprocess.run([BIN, "run", str(work / name), "-o", str(out)], check=True, timeout=300)
    return out


def charts_of(nb):
    return [o for c in nb.cells if c.cell_type == "code" for o in c.outputs if "arrayrepl-chart" in o.get("data", {}).get("text/html", "")]


def trust(path, work):
    """Signs a notebook for the server, as its Trust button does: without that JupyterLab runs no scripts of outputs."""
    home = next(work.parents[1].glob("home*"))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON"))}
    subprocess.run([sys.executable, "-m", "jupyter", "trust", str(path)], env={**env, "HOME": str(home)}, check=True, capture_output=True, timeout=600)


def drawn(page, chart):
    chart.scroll_into_view_if_needed()
    page.wait_for_function("c => c.dataset.live === '1' && c.querySelector('canvas')", arg=chart, timeout=60_000)


def test_every_chart_is_drawn(lab, page, executed):
    url, work = lab
    wanted = len(charts_of(nbformat.read(executed, 4)))
    assert wanted >= 27
    open_notebook(page, url, "90-gallery.ipynb")
    run_all(page, 240_000)
    page.wait_for_selector(".jp-OutputArea canvas", timeout=60_000)
    charts = charts_on(page, wanted)
    SHOTS.mkdir(exist_ok=True)
    for i, chart in enumerate(charts):
        drawn(page, chart)
        page.wait_for_timeout(50)
        chart.screenshot(path=SHOTS / f"gallery-{i:02d}.png")
        # Something was painted: not one colour all over.
        assert page.evaluate("""c => { const k = c.querySelector('canvas'), d = k.getContext('2d').getImageData(0, 0, k.width, k.height).data;
            const seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 24 | d[i+1] << 16 | d[i+2] << 8 | d[i+3]); return seen.size; }""", chart) > 10
    assert ours(page) == [], "console errors"

    # What plays: the slider of the reconvergence view covers what is to come, and its words follow; surfaces turn.
    lines = page.query_selector_all(".arrayrepl-controls")
    assert len(lines) == 2
    for line, first in zip(lines, ["before the first of", "turned by 0°"]):
        line.scroll_into_view_if_needed()
        slider, words = line.query_selector("input"), line.query_selector("span")
        picture = "l => l.parentElement.querySelector('canvas').toDataURL()"
        before = page.evaluate(picture, line)
        slider.evaluate("s => { s.value = s.min; s.dispatchEvent(new Event('input')); }")
        assert words.inner_text().startswith(first)
        page.wait_for_timeout(200)
        assert page.evaluate(picture, line) != before
        line.query_selector("button").click()
        page.wait_for_timeout(900)
        assert not words.inner_text().startswith(first), "▶ does nothing"
        line.query_selector("button").click()
    assert ours(page) == [], "console errors"


@pytest.fixture(scope="module")
def exported(executed, tmp_path_factory):
    """The executed gallery as nbconvert's page, light and dark."""
    return pages_of(executed, tmp_path_factory)


def pages_of(notebook, tmp_path_factory):
    folder, pages = tmp_path_factory.mktemp("exported"), {}
    for theme in ["light", "dark"]:
        pages[theme] = folder / f"{theme}.html"
        subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--theme", theme, "--output", str(pages[theme]), str(notebook)],
                       check=True, timeout=300, capture_output=True)
    return pages


@pytest.fixture(scope="module")
def second(lab, tmp_path_factory):
    """The same of the gallery's second part."""
    return pages_of(ran(lab, "90b-more-charts.ipynb", "second.ipynb"), tmp_path_factory)


@pytest.mark.parametrize("theme", [theme for i, theme in enumerate(["light", "dark"]) if part(i, 2)])
def test_charts_follow_the_theme_of_an_exported_page(page, exported, theme):
    """It works offline, with the notebook's own charts, in their page's colours."""
    page.context.set_offline(True)
    page.errors.clear()
    page.goto(exported[theme].as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    for chart in page.query_selector_all(".arrayrepl-chart"):
        drawn(page, chart)
        light = page.evaluate("c => getComputedStyle(c).color.match(/\\d+/g).map(Number).reduce((a, b) => a + b) > 382", chart)
        assert light == (theme == "dark")
        # The title's ink is the page's.
        ink = page.evaluate("""c => { const k = c.querySelector('canvas'), d = k.getContext('2d').getImageData(0, 0, k.width / 2, 30).data; let n = 0, sum = 0;
            for (let i = 0; i < d.length; i += 4) if (d[i+3] > 200) { n++; sum += d[i] + d[i+1] + d[i+2]; } return sum / n; }""", chart)
        assert (ink > 382) == (theme == "dark")


WIDTHS = [(400, "light"), (650, "light"), (1100, "light"), (400, "dark"), (800, "light"), (1500, "light"), (1100, "dark")]


@pytest.mark.parametrize("width, theme", [w for i, w in enumerate(WIDTHS) if part(i)])
def test_no_text_lies_on_another(page, exported, width, theme):
    """At any width: titles and legends wrap, nothing is cut, and the tools lie on nothing."""
    assert bad_texts(page, exported[theme], width) == {}


@pytest.mark.parametrize("width, theme", [w for i, w in enumerate([(400, "dark"), (650, "light"), (1100, "dark")]) if part(i)])
def test_no_text_lies_on_another_in_the_second_part(page, second, width, theme):
    assert bad_texts(page, second[theme], width) == {}


def bad_texts(page, path, width):
    page.context.set_offline(True)
    page.add_init_script(TEXTS)
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path.as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    bad = {}
    for chart in page.query_selector_all(".arrayrepl-chart"):
        drawn(page, chart)
        page.wait_for_timeout(100)
        if found := page.evaluate(BAD, chart):
            bad[chart.query_selector(".arrayrepl-picture").get_attribute("alt").split(".")[0]] = found
    return bad


def test_every_chart_answers(page, exported):
    """Whatever the chart: hovering over a mark tells something, Ctrl and the wheel zoom, dragging too, a double click takes
    that back, and the wheel alone scrolls the page. A short test asks a third of the charts, each turn another."""
    page.context.set_offline(True)
    page.set_viewport_size({"width": 1100, "height": 700})
    page.goto(exported["light"].as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    charts, bad = page.query_selector_all(".arrayrepl-chart"), []
    assert len(charts) >= 28
    for i, chart in enumerate(charts):
        if not part(i):
            continue
        drawn(page, chart)
        name = f"{i}, {chart.query_selector('.arrayrepl-picture').get_attribute('alt').split('.')[0]}"
        before = chart_page.still(page, chart)
        found = chart_page.hover(page, chart)
        if not found:
            bad.append(f"{name}: hovering tells nothing")
            continue
        told, spot = found
        chart.screenshot(path=SHOTS / f"hover-{i:02d}.png")
        if "NaN" in told or "undefined" in told or len(told) < 5:
            bad.append(f"{name}: hovering tells {told!r}")
        at = page.evaluate("scrollY")
        chart_page.wheel(page, chart, spot, 60, ctrl=False)
        if not chart_page.scrolled(page, at):
            bad.append(f"{name}: the page does not scroll over it")
        chart_page.wheel(page, chart, spot, -60, ctrl=False)
        page.wait_for_timeout(100)
        # Four times: a few bars are zoomed by whole ones.
        zooms = [("Ctrl and the wheel", lambda: [chart_page.wheel(page, chart, spot, -600, ctrl=True) for _ in range(4)])]
        if "turn the surface" not in chart.inner_html():
            zooms.append(("dragging", lambda: chart_page.drag(page, chart, spot)))
        for how, zoom in zooms:
            chart.query_selector(".arrayrepl-live").scroll_into_view_if_needed()
            zoom()
            zoomed = chart_page.other(page, chart, before)
            if zoomed == before:
                bad.append(f"{name}: {how} does not zoom")
            chart_page.whole(page, chart, spot)
            if chart_page.other(page, chart, zoomed) == zoomed:
                bad.append(f"{name}: a double click after {how} changes nothing")
    assert not bad, "\n".join(bad)


def chart_named(page, words):
    return next(c for c in page.query_selector_all(".arrayrepl-chart") if c.query_selector(".arrayrepl-picture").get_attribute("alt").startswith(words))


@pytest.mark.skipif(not part(0), reason="one commit in three tries it")
def test_another_width_keeps_what_the_reader_has_done(page, exported):
    """A chart whose layout stays is not drawn again when its width changes; one whose layout changes is, and is zoomed as before, with its
    player where it was."""
    page.context.set_offline(True)
    page.set_viewport_size({"width": 1000, "height": 700})
    page.goto(exported["light"].as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    line, way = chart_named(page, "Sunspots, 1700 to 2008"), chart_named(page, "The path of a warp")
    for chart in (line, way):
        drawn(page, chart)
    told, spot = chart_page.hover(page, line)
    for _ in range(4):
        chart_page.wheel(page, line, spot, -600, ctrl=True)
    slider = way.query_selector(".arrayrepl-controls input")
    slider.fill("7")
    for chart in (line, way):
        page.evaluate("c => { c.querySelector('canvas').mine = true; }", chart)
    zoomed = chart_page.still(page, line)
    for width, stays in ((960, True), (420, False), (1000, False)):  # at 420 pixels the title of the second breaks
        page.set_viewport_size({"width": width, "height": 700})
        if stays:
            page.wait_for_timeout(400)
        else:
            page.wait_for_function("c => (k => k && !k.mine)(c.querySelector('canvas'))", arg=way, timeout=60_000)
        drawn(page, way)
        assert page.evaluate("c => c.querySelector('canvas').mine === true", line), f"drawn again at {width} pixels"
        assert page.evaluate("c => c.querySelector('canvas').mine === true", way) == stays, f"at {width} pixels"
        assert way.query_selector(".arrayrepl-controls input").input_value() == "7"
    assert chart_page.still(page, line) == zoomed, "the range that the reader has zoomed to is lost"


# The middle of the longest stretch of kernels' green in a row of the canvas.
GREEN = """c => { const k = c.querySelector('canvas'), s = k.width / k.clientWidth, d = k.getContext('2d').getImageData(0, 0, k.width, k.height).data;
    let best = [0, 0, 0];
    for (let y = Math.round(110 * s); y < k.height; y += 3) for (let x = 0, from = -1; x < k.width; x++) {
        const i = 4 * (y * k.width + x), green = Math.abs(d[i]) < 4 && Math.abs(d[i+1] - 158) < 4 && Math.abs(d[i+2] - 115) < 4;
        if (green && from < 0) from = x;
        if (!green) { if (from >= 0 && x - from > best[0]) best = [x - from, (x + from) / 2 / s, y / s]; from = -1; }
    }
    return best.slice(1); }"""


def test_a_kernel_of_the_timeline_is_picked_out_in_other_charts(page, exported):
    """A click on a bar makes the marks of other kernels pale; another click takes that back."""
    page.context.set_offline(True)
    page.set_viewport_size({"width": 1000, "height": 700})
    page.goto(exported["light"].as_uri())
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    timeline, stalls = chart_named(page, "Timeline"), chart_named(page, "What the warp schedulers did")
    drawn(page, stalls)
    before = chart_page.still(page, stalls)

    def click():
        live = timeline.query_selector(".arrayrepl-live")
        live.scroll_into_view_if_needed()
        drawn(page, timeline)
        box = live.bounding_box()
        page.mouse.click(box["x"] + spot[0], box["y"] + spot[1])
        page.wait_for_timeout(200)

    drawn(page, timeline)
    spot = page.evaluate(GREEN, timeline)
    click()
    pale = chart_page.other(page, stalls, before)
    assert pale != before
    click()
    assert chart_page.other(page, stalls, pale) == before


@pytest.fixture
def thirty(executed):
    """A notebook of thirty charts, the script in the first."""
    nb = nbformat.read(executed, 4)
    outs = charts_of(nb)
    source = list(outs)
    while len(source) < 30:
        source.append(copy.deepcopy(outs[1 + len(source) % (len(outs) - 1)]))
    cells = []
    for o in source[:30]:
        o = nbformat.v4.new_output("display_data", data=o["data"], metadata={})
        cells.append(nbformat.v4.new_code_cell("viz.Timeline()", outputs=[o], execution_count=1))
    new = nbformat.v4.new_notebook(cells=cells, metadata=nb.metadata)
    path = executed.parent / "thirty.ipynb"
    nbformat.write(new, path)
    trust(path, executed.parent)
    return path


@pytest.mark.skipif(not part(2), reason="one commit in three tries it")
def test_thirty_charts_open_fast(lab, page, thirty):
    """A notebook of thirty charts is under 5 MB and has the script once; opened again, its charts are live. Prints how fast."""
    url, _ = lab
    text = thirty.read_text()
    assert len(text.encode()) < 5_000_000
    assert text.count("DecompressionStream") == 1
    base, token = url.split("/lab")[0], url.split("token=")[1]
    page.set_viewport_size({"width": 1100, "height": 900})
    open_notebook(page, url, "thirty.ipynb")  # the lab's own scripts are in the browser's cache from here on
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), thirty.parent / "empty.ipynb")

    def opened(name, selector):
        """Milliseconds from the beginning of the page's load."""
        page.goto("about:blank")
        page.goto(f"{base}/doc/tree/{name}?token={token}&reset", wait_until="commit")
        page.wait_for_selector(selector, timeout=60_000)
        return page.evaluate("() => performance.now()")

    empty, charts = opened("empty.ipynb", ".jp-CodeCell"), opened("thirty.ipynb", ".arrayrepl-chart canvas")
    print(f"thirty charts, {len(text)/1e6:.2f} MB: the first is live after {charts:.0f} ms; an empty notebook shows its cell after {empty:.0f} ms")
    for chart in page.query_selector_all(".arrayrepl-chart")[:4]:
        drawn(page, chart)
    page.goto(f"{base}/lab?token={token}&reset")
    item = page.locator(".jp-DirListing-item", has_text="thirty.ipynb")
    item.wait_for(timeout=60_000)
    before = page.evaluate("() => performance.now()")
    item.dblclick()
    page.wait_for_selector(".arrayrepl-chart canvas", timeout=60_000)
    print(f"opened in a lab that runs: {page.evaluate('() => performance.now()') - before:.0f} ms")
    assert ours(page) == []


@pytest.mark.parametrize("trusted", [trusted for i, trusted in enumerate([False, True]) if part(i, 2)])
def test_without_the_script_the_picture_says_what_to_do(trusted, lab, page, executed):
    """The first chart's output is cleared: the others keep their pictures and say which cell to run; untrusted ones at once."""
    url, work = lab
    nb = nbformat.read(executed, 4)
    chart = charts_of(nb)[1]
    assert "DecompressionStream" not in chart["data"]["text/html"]
    cell = nbformat.v4.new_code_cell(f"viz.TaskGraph() // {trusted}", outputs=[nbformat.v4.new_output("display_data", data=chart["data"], metadata={})], execution_count=4)
    path = executed.parent / f"cleared-{trusted}.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=nb.metadata), path)
    if trusted:
        trust(path, work)
    open_notebook(page, url, path.name)
    picture = page.wait_for_selector(".arrayrepl-picture", timeout=60_000)
    assert picture.is_visible() and picture.get_attribute("alt")
    line = page.wait_for_selector(".arrayrepl-missing", timeout=60_000)  # visible
    assert "run cell [2], which has the charts' script, again" in line.inner_text()
    page.wait_for_function("p => p.naturalWidth === 760", arg=picture, timeout=60_000)


def test_pictures_without_any_script(page, executed, exported):
    """nbconvert's page in a browser that runs no scripts, as some viewers are, and printed to PDF from there."""
    html = exported["light"]
    context = page.context.browser.new_context(java_script_enabled=False, viewport={"width": 1000, "height": 900})
    still = context.new_page()
    still.goto(html.as_uri())
    pictures = still.query_selector_all(".arrayrepl-picture")
    assert len(pictures) == len(charts_of(nbformat.read(executed, 4)))
    for p in pictures:
        assert p.is_visible() and p.bounding_box()["height"] > 100
    pictures[1].screenshot(path=SHOTS / "no-scripts.png")
    still.emulate_media(media="print")
    assert all(p.is_visible() for p in pictures)
    pdf = still.pdf()
    assert pdf.startswith(b"%PDF") and len(pdf) > 200_000
    context.close()


def test_pictures_in_a_page_for_print(page, exported):
    """The page as nbconvert's webpdf prints it: for print from the start, scripts on. The pictures stay, none is cut at the
    page's edge, and no line says that something is missing."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 740, "height": 900})  # US letter, less margins
    page.goto(exported["light"].as_uri(), wait_until="networkidle")
    page.wait_for_function("() => [...document.querySelectorAll('.arrayrepl-chart')].every(c => c.dataset.live)")
    assert not page.query_selector_all(".arrayrepl-chart canvas")
    for chart in page.query_selector_all(".arrayrepl-chart"):
        picture = chart.query_selector(".arrayrepl-picture").bounding_box()
        assert picture["height"] > 50 and picture["x"] + picture["width"] <= 740
        assert not chart.query_selector(".arrayrepl-missing").is_visible()
    page.emulate_media(media="screen")


def test_every_chart_of_the_notebook_is_whole(executed):
    """Each chart of the notebook has all three forms, data that a browser can read, and alt text."""
    for o in charts_of(nbformat.read(executed, 4)):
        html = o["data"]["text/html"]
        page = json.loads(html.split('<script type="application/json">')[1].split("</script>")[0])
        assert page["option"]["series"] and page["option"]["title"][0]["text"] in o["data"]["image/svg+xml"]
        assert o["data"]["text/plain"].startswith(page["option"]["title"][0]["text"])
        assert 'alt="' in html and 'alt=""' not in html
