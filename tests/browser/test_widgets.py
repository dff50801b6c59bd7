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


def test_a_slider_moves_by_its_step(lab, page):
    url, work = lab
    code = """widgets.Interact(func(tile int, x float64) any { return fmt.Sprintf("tile %d, x %.3f.", tile, x) },
    widgets.IntRange("tile", 16, 512, 64, 16), widgets.FloatRange("x", 0, 1, 0.5, 0.125))"""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "steps.ipynb")
    open_notebook(page, url, "steps.ipynb")
    run_all(page)
    page.wait_for_selector("text=tile 64, x 0.500.", timeout=30_000)
    page.wait_for_selector(".jp-OutputArea .noUi-handle", timeout=30_000)
    tile, x = page.locator(".jp-OutputArea .noUi-handle").all()
    tile.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=tile 96, x 0.500.", timeout=30_000)
    x.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=tile 96, x 0.375.", timeout=30_000)
    assert page.locator(".jp-OutputArea .widget-readout").all_inner_texts() == ["96", "0.375"]
    assert [e for e in page.errors if "favicon" not in e] == []
