"""The answers of exercises, which readers unfold: each is run where it stands, and shows what its text says.

A number that stands bold in an answer is one that its cells show. A fence that begins with "go fails" ends with an error, which the
text quotes. Short tests take a third of the notebooks, each commit another, as all of a notebook's cells run before an answer.
"""

import re

import pytest
from notebook_text import ANSWERED, said
from test_claims import claims, numbers, shown


def errors(cell):
    return [re.sub("\x1b\\[[0-9;]*m", "", o.evalue) for o in cell.outputs if o.output_type == "error"]


@pytest.mark.parametrize("name", ANSWERED)
def test_answers_are_right(name, answered):
    for text, cells in answered(name):
        output = "\n".join(said(c.outputs) for c in cells)
        assert [claim for claim in claims(text) if not numbers(claim) <= shown(output)] == [], f"{text}\n\nshows\n\n{output}"
        for cell in cells:
            assert bool(errors(cell)) == cell.metadata.get("fails"), f"{cell.source}\n\n{errors(cell)}"
            quoted = re.findall("`([^`\n]+)`", text)
            assert all(any(q in e for q in quoted) for e in errors(cell)), f"{errors(cell)} is not in\n{text}"
            assert errors(cell) or said(cell.outputs), f"an answer that shows nothing:\n{cell.source}"
