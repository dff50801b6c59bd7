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
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    # The last code cell has a number when everything before it has run.
    page.wait_for_function(
        """() => { const p = [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')];
                   return p.length && p.every(e => /\\[\\d+\\]/.test(e.textContent)); }""", timeout=timeout)
