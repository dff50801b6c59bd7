"""The notebooks of puzzles: as they come none is solved and nothing tells a solution; the solutions, asked for, are right as cells too."""

import re

import nbformat
from notebook_text import BIN, call, said

COUNT = 15


def checks(nb):
    return {int(n): said(c.outputs) for c in nb.cells if c.cell_type == "code" for n in re.findall(r"^puzzle\.Check\((\d+),", c.source, re.M)}


def test_nothing_is_solved_yet(ran):
    parts = [ran("21-puzzles"), ran("21b-more-puzzles")]
    found = {n: text for nb in parts for n, text in checks(nb).items()}
    assert sorted(found) == list(range(1, COUNT + 1))
    assert [n for n, text in found.items() if not re.match(rf"Puzzle {n}, .*: not yet\. ", text)] == []
    assert not any("puzzle.Answer(" in c.source for nb in parts for c in nb.cells if c.cell_type == "code")


def test_solutions_solve(tmp_path, env):
    def run(cells):
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells]), tmp_path / "in.ipynb")
        call([BIN, "run", tmp_path / "in.ipynb", "-o", tmp_path / "out.ipynb"], env=env)
        return [said(c.outputs) for c in nbformat.read(tmp_path / "out.ipynb", 4).cells]

    answers = run([f"puzzle.Answer({n})" for n in range(1, COUNT + 1)])
    names = [re.match(r"func (\w+)\(", a)[1] for a in answers]
    solved = run([f"{a}\n\npuzzle.Check({n + 1}, {name})" for n, (a, name) in enumerate(zip(answers, names, strict=True))])
    assert [s for s in solved if ": solved." not in s] == []
