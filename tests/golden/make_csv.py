"""Writes arrays/testdata/csv.json: small files of CSV, and what pandas.read_csv makes of them. Run it with pandas 3.1.1:

    python tests/golden/make_csv.py
"""
import io
import json
import pathlib
import random

import pandas as pd

rng = random.Random(1)
WORDS = ["oak", "ash", "elm", "Köln", "São Paulo", "x y", "a-b", "#ff0000", "1st", "2019_01", "0x1p4", "1_000", "--", "e5", "日本"]
QUOTED = ['"a,b"', '"say ""no"""', '"two\nlines"', '" pad "', '""', '"#"', '"x"', '"\t"']
MISSING = ["", "NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan", "-nan", "#N/A", "<NA>", "#NA", "1.#IND", "-1.#QNAN", "#N/A N/A"]


def whole():
    return rng.choice([str(rng.randrange(-1000, 1000)), "+5", "-0", "007", str(2**53 + 1), str(rng.randrange(-2**63, 2**63)), "0"])


def number():
    return rng.choice([str(rng.randrange(100)), f"{rng.gauss(0, 1):.{rng.randrange(1, 9)}f}", "1e5", "-2.5E-3", ".5", "5.", "inf", "-inf", "Infinity", "1e300"])


KINDS = {
    "whole": whole,
    "small": lambda: str(rng.randrange(-99, 99)),
    "unsigned": lambda: str(rng.randrange(2**63, 2**64)) if rng.random() < 0.5 else str(rng.randrange(100)),
    "number": number,
    "bool": lambda: rng.choice(["True", "False", "TRUE", "FALSE", "true", "false"]),
    "word": lambda: rng.choice(WORDS),
    "quoted": lambda: rng.choice(QUOTED + WORDS),
    "quoted number": lambda: f'"{rng.randrange(100)}"',
    "mixed": lambda: rng.choice([whole(), number(), rng.choice(WORDS), "True"]),
}
NAMES = ["name", "n", "2019", "2020", "a b", "#c", '"x, y"', "é", "value"]


def table():
    """A header and rows, of kinds of columns; some have missing cells."""
    kinds = [rng.choice(list(KINDS)) for _ in range(rng.randrange(1, 5))]
    gaps = [rng.random() < 0.35 for _ in kinds]
    names = rng.sample(NAMES, len(kinds))
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    lines = [",".join(names)]
    for _ in range(rng.randrange(1, 9)):
        cells = [rng.choice(MISSING) if gap and rng.random() < 0.4 else KINDS[kind]() for kind, gap in zip(kinds, gaps)]
        lines.append(",".join(cells))
        if rng.random() < 0.05:
            lines.append("")
    return end.join(lines) + rng.choice([end, ""])


def cell(v):
    if v is None or v is pd.NA or isinstance(v, float) and v != v:
        return None
    if isinstance(v, bool) or type(v).__name__ in ("bool", "bool_"):
        return str(bool(v))
    if isinstance(v, float):
        return v.hex()
    return str(v)


def kind(column):
    name = str(column.dtype)
    return {"object": "text", "str": "text", "string": "text"}.get(name, name)


files = []
while len(files) < 600:
    text = table()
    frame = pd.read_csv(io.BytesIO(text.encode()))
    files.append({
        "text": text,
        "names": list(frame.columns),
        "dtypes": [kind(frame[c]) for c in frame.columns],
        "cells": [[cell(v) for v in frame[c].tolist()] for c in frame.columns],
    })
out = {"pandas": pd.__version__, "files": files}
path = pathlib.Path(__file__).parents[2] / "arrays" / "testdata" / "csv.json"
path.write_text(json.dumps(out, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
