"""The course's map, notebooks/README.md: which notebooks there are, in which order, and which words each introduces."""

import re

import nbformat
import pytest
from notebook_text import NOTEBOOKS, ROOT
from test_claims import BOLD, FENCED

MAP = re.findall(r"^\| (\d\d[a-z]?) \| \[.*?\]\((.*?)\) \| (\d+) \|.*\| ?([^|]*?) ?\|$", (ROOT / "notebooks" / "README.md").read_text(), re.M)

# The words without which one does not find one's way in the field's books, and in a profiler.
FIELD = ["SIMT", "warp", "thread", "block", "grid", "barrier", "race", "atomic", "contention", "coalescing", "sector", "latency", "throughput",
         "Little's law", "ILP", "occupancy", "spill", "shared memory", "bank conflict", "divergence", "reconvergence", "predication", "load imbalance",
         "reduction", "shuffle", "scan", "compaction", "stream", "event", "pinned memory", "overlap", "roofline", "arithmetic intensity", "memory bound",
         "compute bound", "lazy evaluation", "fusion", "paging", "cost model"]


def words(s):
    """A word in the form in which it is looked for: case and number do not count."""
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in re.findall(r"[\w'-]+", s.lower()))


# What a text says in place of the noun that the map has.
FORMS = {"fusion": ["fused"], "divergence": ["diverge"], "reconvergence": ["reconverge"], "pinned memory": ["pinned"]}


def introduced(markdown):
    """The bold words of a text. Those of tables, which sum up, introduce nothing."""
    text = "\n".join(line for line in FENCED.sub("", markdown).split("\n") if not line.startswith("|"))
    return [words(bold) for bold in BOLD.findall(text)]


def missing(markdown, terms):
    """The terms that a text does not introduce in bold."""
    bold = introduced(markdown)
    return [t for t in terms if not any(re.search(rf"\b{re.escape(words(form))}\b", b) for form in [t, *FORMS.get(t, [])] for b in bold)]


def test_the_map_has_every_notebook_in_order():
    assert [name for _, name, _, _ in MAP] == NOTEBOOKS
    assert all(name.startswith(number + "-") for number, name, _, _ in MAP)


def test_a_notebook_is_a_sitting():
    """The gallery is looked at, the tour is short; what teaches takes 20 to 40 minutes."""
    assert {name: int(m) for number, name, m, _ in MAP if not 20 <= int(m) <= 40} == {"01-tour.ipynb": 15, "90-gallery.ipynb": 10, "90b-more-charts.ipynb": 10}


@pytest.mark.parametrize("name, terms", [(name, terms.split(", ")) for _, name, _, terms in MAP if terms.strip()])
def test_a_notebook_introduces_its_terms(name, terms):
    cells = nbformat.read(ROOT / "notebooks" / name, 4).cells
    assert missing("\n\n".join(c.source for c in cells if c.cell_type == "markdown"), terms) == []


QUESTIONS = re.findall(r"^\| ([^|]*\?) \| (.*?) \| (\d\d[a-z]?) \| `([\w-]+)`, `([\w-]+)` \|$", (ROOT / "notebooks" / "README.md").read_text(), re.M)


def test_ten_questions_have_their_answers():
    """The sentence that the page quotes is in the cell that it names, and the other cell computes."""
    assert len(QUESTIONS) == 10
    files = {number: name for number, name, _, _ in MAP}
    for question, answer, number, says, measures in QUESTIONS:
        cells = {c.id: c for c in nbformat.read(ROOT / "notebooks" / files[number], 4).cells}
        assert answer[1:] in cells[says].source, question
        assert cells[measures].cell_type == "code", question


def test_the_course_has_the_words_of_the_field():
    taught = [t for *_, terms in MAP for t in terms.split(", ")]
    assert [t for t in FIELD if t not in taught] == []


def test_introductions_are_told_from_summaries():
    assert missing("Memory is read in **sectors**. This is **coalescing**.\n\n| **overlap** | copies |", ["sector", "coalescing", "overlap"]) == ["overlap"]
    assert missing("The lanes **diverge**.\n\n```\n**warp**\n```", ["divergence", "warp"]) == ["warp"]
