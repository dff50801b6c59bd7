"""The answers of exercises, which readers unfold: each is run where it stands, and shows what its text says.

A number that stands bold in an answer is one that its cells show, and so is a text that stands bold and as code. A fence that begins with
"go fails" ends with an error, which the text quotes. Short tests take a third of the notebooks, each commit another, as all of a
notebook's cells run before an answer. Each exercise has an answer with a cell and such a claim.
"""

import re

import nbformat
import pytest
from notebook_text import ANSWER, ANSWERED, NOTEBOOKS, ROOT, said
from test_claims import claims, numbers, shown

# *Exercise 2.1.*, **Exercise.**, or the exercise is what one unfolds.
EXERCISE = re.compile(r"\*{1,2}Exercise[ \d.]*\*{1,2}|<summary>Exercise")
QUOTED = re.compile(r"\*\*`([^`\n]+)`\*\*")


def errors(cell):
    return [re.sub("\x1b\\[[0-9;]*m", "", o.evalue) for o in cell.outputs if o.output_type == "error"]


@pytest.mark.parametrize("name", ANSWERED)
def test_answers_are_right(name, answered):
    for text, cells in answered(name):
        output = "\n".join(said(c.outputs) for c in cells)
        assert [claim for claim in claims(text) if not numbers(claim) <= shown(output)] == [], f"{text}\n\nshows\n\n{output}"
        assert [quoted for quoted in QUOTED.findall(text) if quoted not in output] == [], f"{text}\n\nshows\n\n{output}"
        for cell in cells:
            assert bool(errors(cell)) == cell.metadata.get("fails"), f"{cell.source}\n\n{errors(cell)}"
            quoted = re.findall("`([^`\n]+)`", text)
            assert all(any(q in e for q in quoted) for e in errors(cell)), f"{errors(cell)} is not in\n{text}"
            assert errors(cell) or said(cell.outputs), f"an answer that shows nothing:\n{cell.source}"


def unanswered(markdown):
    """What is wrong with the exercises of a cell: one without an answer that is run, or an answer that claims nothing."""
    answers = [a for a in ANSWER.findall(markdown) if re.search("<summary>(Answer|Exercise)", a)]
    exercises = EXERCISE.findall(markdown)
    bad = [f"{len(exercises)} exercises, {len(answers)} answers with code"] if len(exercises) != len(answers) else []
    return bad + [a for a in answers if not claims(a) and not QUOTED.search(a) and "```go fails" not in a]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_exercise_has_an_answer_that_claims_something(name):
    cells = nbformat.read(ROOT / "notebooks" / name, 4).cells
    assert [(c.id, bad) for c in cells if c.cell_type == "markdown" for bad in unanswered(c.source)] == []


def test_exercises_without_answers_are_found():
    code = "```go\nf(1)\n```"
    good = f"*Exercise 1.1.* Why?\n\n<details><summary>Answer</summary>\n\n{code}\n\nIt is **3**, and **`true`**.\n\n</details>"
    assert unanswered(good) == [] == unanswered("No exercise.")
    assert unanswered("*Exercise 1.1.* Why?") == ["1 exercises, 0 answers with code"]
    assert unanswered(good.replace(code, "")) == ["1 exercises, 0 answers with code"]
    assert len(unanswered(good.replace("**", ""))) == 1
    assert len(unanswered("**Exercise.** And why?\n" + good)) == 1
