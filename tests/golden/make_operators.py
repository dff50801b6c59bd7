"""Writes tests/operators/testdata/operators.json: what NumPy prints for the expressions of tests/operators/testdata/operators.txt.

Run from the root of the repository with a Python that has NumPy 2.3:

    python tests/golden/make_operators.py
"""

import ast
import json
import pathlib

import numpy as np

np.seterr(all="ignore")
DATA = pathlib.Path(__file__).resolve().parents[1] / "operators" / "testdata"

SETUP = """
x = np.arange(6.0)
y = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
m = np.arange(12).reshape(3, 4)
c = np.arange(24.0).reshape(2, 3, 4)
i = np.array([0, 1, 2, 3, 4, 5])
b = np.array([True, False, True, False, True, True])
f = np.array([0.5, 1.5, 2.5, -1.0, 0.25, 8.0], dtype=np.float32)
k = 2
"""


def run(line):
    """The text of the last expression of a line."""
    space = {"np": np}
    exec(SETUP, space)
    body = ast.parse(line).body
    exec(compile(ast.Module(body[:-1], []), "line", "exec"), space)
    return str(eval(compile(ast.Expression(body[-1].value), "line", "eval"), space))


cases = []
for line in (DATA / "operators.txt").read_text().splitlines():
    if line.startswith("#"):
        continue
    python, _, go = line.partition(" -> ")
    try:
        out = run(python)
    except np._core._exceptions.UFuncTypeError:  # an int array cannot take the float result of /= in place; ours becomes a float
        continue
    cases.append({"python": python, "go": go or python, "out": out})
text = "[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n"
(DATA / "operators.json").write_text(text)
print(len(cases), "expressions")
