"""What a person does with a chart: rests the pointer on its marks, turns the wheel, drags over a range."""

# Places on the chart that are painted, a dozen for each colour: marks are among them, whatever the chart is.
PAINTED = """c => {
    const k = c.querySelector('canvas'), s = k.width / k.clientWidth, d = k.getContext('2d').getImageData(0, 0, k.width, k.height).data, by = new Map();
    for (let y = Math.round(60 * s); y < k.height; y += 3) for (let x = 0; x < k.width; x += 3) {
        const i = 4 * (y * k.width + x), top = Math.max(d[i], d[i+1], d[i+2]), low = Math.min(d[i], d[i+1], d[i+2]);
        if (d[i+3] < 150) continue;
        const key = top - low < 24 ? 'grey' + (top >> 5) : [d[i] >> 4, d[i+1] >> 4, d[i+2] >> 4].join();
        if (!by.has(key)) by.set(key, []);
        by.get(key).push([x / s, y / s]);
    }
    const out = [], grey = [];
    for (const [key, points] of by) for (let n = 0; n < 12; n++)
        (key.startsWith('grey') ? grey : out).push(points[Math.floor((n + 0.5) / 12 * points.length)]);
    return out.concat(grey);
}"""

TIP = """c => [...c.querySelectorAll('.arrayrepl-live > div')].filter(d => !d.querySelector('canvas') && d.style.opacity !== '0'
    && getComputedStyle(d).visibility === 'visible' && getComputedStyle(d).display !== 'none').map(d => d.innerText).join('')"""

# The picture below the tools, whose colours tell what can be undone.
PICTURE = """c => { const k = c.querySelector('canvas'), top = Math.round(34 * k.width / k.clientWidth);
    return [...k.getContext('2d').getImageData(0, top, k.width, k.height - top).data].reduce((h, v) => (Math.imul(h, 31) + v) | 0, 7); }"""


def hover(page, chart):
    """What the chart says of its marks: the first that says anything, and where; None when none does."""
    live = chart.query_selector(".arrayrepl-live")
    live.scroll_into_view_if_needed()
    for x, y in page.evaluate(PAINTED, chart):
        box = live.bounding_box()
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.wait_for_timeout(20)
        if text := page.evaluate(TIP, chart).strip():
            return text, (x, y)
    return None


def still(page, chart):
    """What stands for the picture of the chart, with the pointer elsewhere and when nothing moves any more."""
    page.mouse.move(2, 2)
    last = None
    for _ in range(20):
        page.wait_for_timeout(80)
        now = page.evaluate(PICTURE, chart)
        if now == last:
            break
        last = now
    return last


def other(page, chart, before):
    """What stands for the picture as still gives it, when it is another than before; a busy machine may take long to draw it. After ten
    seconds it is as before."""
    for _ in range(40):
        now = still(page, chart)
        if now != before:
            break
    return now


def wheel(page, chart, spot, by, ctrl):
    """Turns the wheel over a spot of the chart."""
    box = chart.query_selector(".arrayrepl-live").bounding_box()
    page.mouse.move(box["x"] + spot[0], box["y"] + spot[1])
    if ctrl:
        page.keyboard.down("Control")
    page.mouse.wheel(0, by)
    page.wait_for_timeout(60)
    if ctrl:
        page.keyboard.up("Control")


def drag(page, chart, spot):
    """Drags over a range from a spot of the chart."""
    box = chart.query_selector(".arrayrepl-live").bounding_box()
    x, y = box["x"] + spot[0], box["y"] + spot[1]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y - 15, steps=4)
    page.mouse.move(x - 90, y - 30, steps=4)
    page.mouse.up()


def whole(page, chart, spot):
    """Double-clicks."""
    box = chart.query_selector(".arrayrepl-live").bounding_box()
    page.mouse.dblclick(box["x"] + spot[0], box["y"] + spot[1])


def scrolled(page, before):
    """Whether the page is elsewhere than before, within a second: it may scroll smoothly."""
    for _ in range(20):
        if page.evaluate("scrollY") != before:
            return True
        page.wait_for_timeout(50)
    return False
