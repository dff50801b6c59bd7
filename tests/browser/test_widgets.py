"""A slider that calls a Go function, moved as a person moves it."""

import nbformat

from notebook_page import open_notebook, run_all

CELL = """\
widgets.Interact(func(n int) any { return fmt.Sprintf("the square of %d is %d", n, n*n) }, widgets.IntRange("n", 0, 20, 3))
"""


def test_a_slider_calls_a_go_function(lab, page):
    url, work = lab
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "slider.ipynb")
    open_notebook(page, url, "slider.ipynb")
    run_all(page)
    page.wait_for_selector("text=the square of 3 is 9", timeout=30_000)
    handle = page.wait_for_selector(".jp-OutputArea .noUi-handle", timeout=30_000)
    handle.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=the square of 7 is 49", timeout=30_000)
    assert [e for e in page.errors if "favicon" not in e] == []
