"""The panel of variables in JupyterLab: names, types and values, filled and refreshed without a debugger."""
import nbformat

from notebook_page import open_notebook, run_all

CELLS = ['type Point struct { X int; tags []string }\ncount := 3\nwhere := Point{1, []string{"a"}}\nx := np.Arange(6).Reshape(2, 3)', "count += 4"]


def test_the_panel_of_variables(lab, page):
    url, work = lab
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    nbformat.write(nb, work / "variables.ipynb")
    open_notebook(page, url, "variables.ipynb")
    run_all(page)
    page.locator(".jp-DebuggerBugButton, [data-command='debugger:toggle'], jp-button[title*='ebugger']").first.click()
    page.locator(".jp-DebuggerVariables").first.wait_for(timeout=60_000)  # it comes a moment later
    tree = page.locator(".jp-DebuggerVariables-body").first

    def says(*texts):
        for text in texts:
            tree.locator(f"text={text}").first.wait_for(timeout=60_000)

    says("count", "7", "where", "Point", "np.Array")
    tree.locator("text=where").first.click()
    says("tags")
    cell = page.locator(".jp-CodeCell").last
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    says("11")
