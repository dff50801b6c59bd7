"""What a person does with a notebook in JupyterLab or Notebook 7."""
import re


def as_bytes(frame):
    return frame if isinstance(frame, bytes) else frame.encode()


def open_notebook(page, url, name):
    base, kind, token = re.match(r"(.*)/(lab|tree)\?token=(.*)", url).groups()
    path = {"lab": "doc/tree", "tree": "notebooks"}[kind]  # JupyterLab's, in its simple interface, or Notebook 7's
    # JupyterLab drops what is run before it has a kernel, and shows "idle" then too: wait for the kernel's own answer.
    with page.expect_websocket(lambda ws: "/channels" in ws.url, timeout=60_000) as kernel:
        page.goto(f"{base}/{path}/{name}?token={token}&reset")
    kernel.value.wait_for_event("framereceived", lambda frame: b"kernel_info_reply" in as_bytes(frame), timeout=60_000)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)


def run_all(page, timeout=60_000):
    # JupyterLab attaches cells out of sight when it has time, so ask the server how many there are.
    cells = page.evaluate("""async () => {
        const [, base, name] = location.pathname.match(/(.*?)\\/(?:doc\\/tree|notebooks)\\/(.*)/);
        const notebook = await (await fetch(`${base}/api/contents/${name}?type=notebook`)).json();
        return notebook.content.cells.filter(c => c.cell_type === 'code').length; }""")
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    # The last code cell has a number when everything before it has run.
    page.wait_for_function(
        """cells => { const p = [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')];
                   return p.length >= cells && p.every(e => /\\[\\d+\\]/.test(e.textContent)); }""", arg=cells, timeout=timeout)


def charts_on(page, count):
    """The charts among the outputs, once there are so many: outputs are attached after their cells have their numbers."""
    page.wait_for_function("n => document.querySelectorAll('.jp-OutputArea .arrayrepl-chart').length >= n", arg=count, timeout=60_000)
    return page.query_selector_all(".jp-OutputArea .arrayrepl-chart")
