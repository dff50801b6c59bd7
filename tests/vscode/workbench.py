"""What the tests do with VS Code's window."""

import time

CHARTS = ".arrayrepl-chart"


def outputs_frame(page, selector, timeout=120):
    """The frame with the notebook's outputs, once it has something that selector finds."""
    deadline = time.time() + timeout
    while time.time() < deadline:
        for f in page.frames:
            try:
                if f.query_selector(selector):
                    return f
            except Exception:  # it has gone, or is being loaded
                pass
        page.wait_for_timeout(300)
    raise AssertionError(f"no frame has {selector} after {timeout} s; frames: {[f.url for f in page.frames]}")


def to_the_end(page):
    """Scrolls through the notebook: VS Code draws outputs as they come near."""
    page.mouse.move(700, 700)
    for _ in range(30):
        page.mouse.wheel(0, 1000)
        page.wait_for_timeout(300)


def ours(page):
    """Console errors that do not come from VS Code's own scripts and requests."""
    return [e for e in page.errors if "/static/" not in e.split(": ")[0] and "ERR_NAME_NOT_RESOLVED" not in e or "arrayrepl" in e]


def command(page, name):
    page.keyboard.press("F1")
    page.wait_for_selector(".quick-input-widget input", timeout=20_000)
    page.keyboard.type(name)
    page.wait_for_timeout(1000)
    page.keyboard.press("Enter")


def choose_kernel(page):
    """Clicks what docs/vscode.md says: Select Kernel, Jupyter Kernel…, Go (arrayrepl)."""
    page.locator(".kernel-action-view-item, .kernel-label").first.click()
    for _ in range(120):
        rows = page.locator(".quick-input-list .monaco-list-row")
        ours = rows.filter(has_text="Go (arrayrepl)")
        if ours.count():
            ours.first.click()
            return
        for step in ["Jupyter Kernel", "Select Another Kernel"]:
            if rows.filter(has_text=step).count():
                rows.filter(has_text=step).first.click()
                break
        page.wait_for_timeout(500)
    raise AssertionError(f"Go (arrayrepl) is not among {page.locator('.quick-input-list .monaco-list-row').all_inner_texts()}")
