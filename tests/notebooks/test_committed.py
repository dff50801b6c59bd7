"""Notebooks as they are committed: to be read without running them; and every link of the documentation leads somewhere."""

import re
import urllib.parse

import nbformat
import pytest
from notebook_text import NOTEBOOKS, ROOT, outputs
from test_claims import FENCED

PAGES = [p.relative_to(ROOT) for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("notebooks/**/*.md")]]
LINK = re.compile(r"\]\(<?([^()\s>]+)>?(?:\s+\"[^\"]*\")?\)|(?:src|href)=[\"']([^\"']+)[\"']")


def read(name):
    return nbformat.read(ROOT / "notebooks" / name, 4)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_form(name):
    path = ROOT / "notebooks" / name
    assert path.stat().st_size < 800_000, "GitHub and nbviewer show large notebooks badly or not at all"
    nb = read(name)
    nbformat.validate(nb)
    assert (nb.nbformat, nb.nbformat_minor) == (4, 5)
    assert nb.metadata.kernelspec == {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    assert nb.metadata.language_info.name == "go" and nb.metadata.language_info.file_extension == ".go"
    assert nb.cells[0].cell_type == "markdown" and nb.cells[0].source.startswith("# ")
    long = {c.id: n for c in nb.cells if c.cell_type == "code" and (n := len(c.source.splitlines())) > 25}
    assert long == {}, "cells of more than 25 lines, which nobody reads in one look"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_outputs_can_be_read_anywhere(name):
    """make notebooks writes such outputs: pictures, tables and texts, nothing that needs a script or a kernel."""
    nb = read(name)
    assert all(c.execution_count for c in nb.cells if c.cell_type == "code" and c.source.strip()), "a cell has not been run: make notebooks"
    assert [o.evalue for o in outputs(nb) if o.output_type == "error"] == []
    for data in (o.data for o in outputs(nb) if "data" in o):
        assert "<script" not in data.get("text/html", "") and "arrayrepl-chart" not in data.get("text/html", "")
        assert "application/vnd.jupyter.widget-view+json" not in data
        assert data.get("text/plain"), "an output without a text"
        assert "image/svg+xml" not in data, "JupyterLab shows no SVG in a notebook that is not trusted: make notebooks keeps PNG"
    assert "widgets" not in nb.metadata


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_answers_are_folded(name):
    """Markdown in <details> is Markdown only with empty lines around it."""
    for cell in read(name).cells:
        if cell.cell_type == "markdown":
            text = FENCED.sub("", cell.source)
            n = text.count("<details>")
            assert n == text.count("</details>") == len(re.findall(r"<details>\s*<summary>[^<]+</summary>\n\n", text)), cell.source
            assert n == len(re.findall(r"\n\n</details>", text)), cell.source


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCED.sub("", path.read_text())
    heads = [re.sub(r"[`*]|\[|\]\([^)]*\)", "", h).strip().lower() for h in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", h).replace(" ", "-") for h in heads}


def broken(base, text):
    """The links to files that are not there, and to headings."""
    text = re.sub(r"`[^`\n]*`", "``", FENCED.sub("", text))
    for link in ("".join(found) for found in LINK.findall(text)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = urllib.parse.unquote(link).partition("#")
        target = (base.parent / file) if file else base
        if not target.exists() or not target.resolve().is_relative_to(ROOT):
            yield link
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_of_a_page(page):
    assert list(broken(ROOT / page, (ROOT / page).read_text())) == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_a_notebook(name):
    text = "\n\n".join(c.source for c in read(name).cells if c.cell_type == "markdown")
    assert list(broken(ROOT / "notebooks" / name, text)) == []
