"""What a notebook's text claims is what its cells show.

A number of a result stands bold in the text, **24 threads**, and the code cell that shows it has the tag `claim`. Numbers that
are not bold (a year, a size that the reader chooses) are not looked at, nor are names such as **float32** and **sim:v100**.
Answers of exercises have claims of their own: test_answers.
"""

import re

import nbformat
import pytest
from notebook_text import ANSWER, NOTEBOOKS, ROOT, claimed

FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.M | re.S)
BOLD = re.compile(r"\*\*((?:(?!\n\n).)+?)\*\*", re.S)
NUMBER = re.compile(r"(?<![\w.,:])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?|(?<=[\d\w,]-)\d+(?:\.\d+)?")


def numbers(text):
    """The numbers in a text: 2,000 is 2000, and a minus sign is a hyphen."""
    return {float(n.replace(",", "")) for n in NUMBER.findall(text.replace("\u2212", "-"))}


def shown(text):
    """The numbers that a cell shows; (2,000) may be a shape as well."""
    return numbers(text) | numbers(text.replace(",", " "))


def claims(markdown):
    """The bold texts with numbers, code left out."""
    text = re.sub(r"`[^`\n]*`", lambda m: m[0] if "**" not in m[0] else "", FENCED.sub("", markdown))
    return [bold for bold in BOLD.findall(text) if numbers(bold)]


def unfounded(nb):
    """The claims that no single cell with the tag shows."""
    cells = [shown(text) for text in claimed(nb)]
    made = [claim for cell in nb.cells if cell.cell_type == "markdown" for claim in claims(ANSWER.sub("", cell.source))]
    return [claim for claim in made if not any(numbers(claim) <= cell for cell in cells)]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_claims_hold_when_run(name, ran):
    assert unfounded(ran(name)) == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_claims_hold_as_committed(name):
    """For those who read without running."""
    assert unfounded(nbformat.read(ROOT / "notebooks" / name, 4)) == []


@pytest.mark.parametrize("text, want", [
    ("24 threads", {24}), ("2,000 of 1,000,000", {2000, 1e6}), ("-3 and \u22120.5", {-3, -0.5}), ("1.3x, 20% and 50 %", {1.3, 20, 50}),
    ("6e-12 s", {6e-12}), ("3-5 warps", {3, 5}), ("float32, V100, sim:v100 and cc1.0", set()), ("ends. 7.", {7}),
])
def test_numbers(text, want):
    assert numbers(text) == want


def test_claims_are_found_and_compared():
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    shows = code("", metadata={"tags": ["claim"]}, outputs=[nbformat.v4.new_output("stream", text="sum 24 of 1,024\n")])
    untagged = code("", outputs=[nbformat.v4.new_output("stream", text="99\n")])
    nb = nbformat.v4.new_notebook(cells=[shows, untagged, markdown("**24 threads** of **1,024**, in `2**3**2`; **99**\n\n```go\nx **5** y\n```\n**24 of 7**, **float32**")])
    assert unfounded(nb) == ["99", "24 of 7"]
