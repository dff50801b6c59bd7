"""Writes random tables, what is done with them, and what pandas makes of that, as JSON: lazy/frames/testdata/frames.json when no seed is given. Run it
with pandas 3.1.1:

    python tests/golden/make_frames.py [seed cases]

With a seed the cases go to standard output: the tests of lazy/frames ask for others in this way where there is a pandas.
"""

import json
import pathlib
import random
import sys

import pandas as pd

WORDS = ["oak", "Ash", "elm", "Köln", "São Paulo", "x y", "a-b-c", "a,b", " pad ", "  ", "ABC", "日本", "-", "--", "oak tree", "zz"]
SHORT = ["a", "b", "c", "B"]
KINDS = ["int", "int", "small", "unsigned", "float", "float", "bool", "text", "text", "date"]


def values(rng, kind, rows, few):
    def one():
        if kind in ("int", "small"):
            return rng.randrange(-3, 4) if few else rng.choice([rng.randrange(-1000, 1000), rng.randrange(-5, 5)])
        if kind == "unsigned":
            return rng.randrange(4) if few else rng.choice([rng.randrange(100), 2**63 + rng.randrange(1000)])
        if kind == "float":
            return rng.choice([0.5, -0.0, 0.0, 1.0, 2.5]) if few else rng.choice([rng.gauss(0, 1), rng.gauss(0, 1e6), float(rng.randrange(10))])
        if kind == "bool":
            return rng.random() < 0.5
        if kind == "text":
            return rng.choice(SHORT if few else WORDS)
        if few:
            return pd.Timestamp("2024-02-28") + pd.Timedelta(days=rng.randrange(4))
        return pd.Timestamp("1960-01-01") + pd.Timedelta(seconds=rng.randrange(4 * 10**9))

    gaps = rng.random() < 0.5
    return [None if gaps and rng.random() < 0.3 else one() for _ in range(rows)]


DTYPES = {
    "int": ("int64", "Int64"),
    "small": ("int32", "Int32"),
    "unsigned": ("uint64", "UInt64"),
    "float": ("float64", "float64"),
    "bool": ("bool", "boolean"),
    "text": ("str", "str"),
    "date": ("datetime64[us]", "datetime64[us]"),
}


def series(kind, v):
    gaps = any(x is None for x in v)
    if kind == "float":
        v = [float("nan") if x is None else x for x in v]
    return pd.Series(v, dtype=DTYPES[kind][1 if gaps else 0])


def dtype(s):
    name = str(s.dtype)
    return "text" if name in ("str", "string", "object") else {"boolean": "bool"}.get(name, name.lower())


def plain(s):
    out = []
    for x in s:
        if pd.isna(x):
            out.append(None)
        elif isinstance(x, pd.Timestamp):
            out.append(x.isoformat())
        elif hasattr(x, "item"):
            x = x.item()
            out.append(str(x) if isinstance(x, float) and x in (float("inf"), float("-inf")) else x)
        else:
            out.append(x)
    return out


def table(df):
    return [{"name": str(n), "dtype": dtype(df[n]), "values": plain(df[n])} for n in df.columns]


def random_frame(rng, rows, names, few=0.5):
    kinds = {}
    data = {}
    for n in names:
        kind = rng.choice(KINDS)
        kinds[n] = kind
        data[n] = series(kind, values(rng, kind, rows, rng.random() < few))
    return pd.DataFrame(data), kinds


NUMBERS = ("int", "small", "unsigned", "float", "bool")
AGGREGATIONS = {
    "Sum": "sum", "Mean": "mean", "Median": "median", "Var": "var", "Std": "std", "Min": "min", "Max": "max", "First": "first", "Last": "last",
    "Count": "count", "NUnique": "nunique",
}


def group(rng):
    rows = rng.choice([0, 1, 5, 30, 60])
    names = ["k", "l", "x", "y", "z"]
    df, kinds = random_frame(rng, rows, names)
    for k in ("k", "l"):
        kinds[k] = rng.choice(KINDS)
        df[k] = series(kinds[k], values(rng, kinds[k], rows, True))
    by = ["k", "l"][: rng.choice([1, 1, 2])]
    g = df.groupby(by, as_index=False)
    want = g.size()
    aggs = [["Size", "", "size"]]
    for n in names:
        if n in by:
            continue
        for ours, theirs in AGGREGATIONS.items():
            if ours in ("Sum", "Mean", "Median", "Var", "Std") and kinds[n] not in NUMBERS:
                continue
            if kinds[n] == "bool" and ours in ("Median", "Var", "Std"):
                continue
            if rng.random() < 0.4:
                column = getattr(df.groupby(by)[n], theirs)()
                want[f"{n}_{theirs}"] = column.reset_index(drop=True)
                aggs.append([ours, n, f"{n}_{theirs}"])
    return {"op": "group", "tables": [table(df)], "by": by, "aggregations": aggs, "want": table(want)}


def whole(rng):
    df, kinds = random_frame(rng, rng.choice([1, 2, 20]), ["x", "y", "z"])
    want, aggs = {}, []
    for n in df.columns:
        for ours, theirs in AGGREGATIONS.items():
            if kinds[n] not in ("int", "small", "float") or ours in ("First", "Last"):
                continue
            v = getattr(df[n], theirs)()
            d = {"sum": kinds[n], "min": kinds[n], "max": kinds[n]}.get(theirs, "int" if theirs in ("count", "nunique") else "float")
            if d == "small" and theirs == "sum":
                d = "int"
            want[f"{n}_{theirs}"] = series(d, [None if pd.isna(v) else v])
            aggs.append([ours, n, f"{n}_{theirs}"])
    return {"op": "whole", "tables": [table(df)], "aggregations": aggs, "want": table(pd.DataFrame(want))}


def sort(rng):
    df, _ = random_frame(rng, rng.choice([0, 1, 10, 50]), ["a", "b", "c"], 0.8)
    by = rng.sample(list(df.columns), rng.choice([1, 2, 3]))
    up = [rng.random() < 0.5 for _ in by]
    df["row"] = range(len(df))
    want = df.sort_values(by, ascending=up, kind="stable", na_position="last")
    return {"op": "sort", "tables": [table(df)], "by": [n if u else "-" + n for n, u in zip(by, up)], "want": table(want)}


def join(rng):
    on = ["k", "l"][: rng.choice([1, 1, 2])]
    n, m = rng.choice([0, 1, 6, 20]), rng.choice([0, 1, 6, 20])
    left, _ = random_frame(rng, n, ["x", "y"])
    right, _ = random_frame(rng, m, ["x", "z"])
    for i, k in enumerate(on):
        kind = rng.choice(KINDS)
        left.insert(min(i, len(left.columns)), k, series(kind, values(rng, kind, n, True)))
        right.insert(rng.randrange(len(right.columns) + 1), k, series(kind, values(rng, kind, m, True)))
    how = rng.choice(["inner", "left", "right", "outer"])
    suffixes = rng.choice([["_x", "_y"], ["_left", "_right"], ["", "_2"]])
    # pandas makes floats of whole numbers that get missing ones, and objects of bools, but for its dtypes with masks.
    def nullable(df):
        return df.astype({c: DTYPES[k][1] for c in df.columns for k in ("int", "small", "unsigned", "bool") if dtype(df[c]) == DTYPES[k][0]})

    want = nullable(left).merge(nullable(right), how=how, on=on, suffixes=suffixes)
    if how == "outer":  # pandas puts missing dates before all others, and all else that is missing behind
        want = want.sort_values(on, kind="stable", na_position="last")
    return {"op": "join", "tables": [table(left), table(right)], "by": on, "how": how, "suffixes": suffixes, "want": table(want)}


def unique(rng):
    df, _ = random_frame(rng, rng.choice([0, 1, 10, 40]), ["a", "b", "c"], 1)
    by = rng.sample(list(df.columns), rng.choice([1, 2, 3]))
    return {"op": "unique", "tables": [table(df)], "by": by, "want": table(df.drop_duplicates(subset=by))}


def counts(rng):
    df, _ = random_frame(rng, rng.choice([0, 1, 10, 40]), ["a"], 1)
    want = df["a"].value_counts().reset_index()
    return {"op": "counts", "tables": [table(df)], "want": table(want)}


def drop(rng):
    df, _ = random_frame(rng, rng.choice([0, 1, 10, 40]), ["a", "b", "c"])
    by = rng.sample(list(df.columns), rng.choice([1, 2]))
    return {"op": "drop", "tables": [table(df)], "by": by, "want": table(df.dropna(subset=by))}


def where(rng):
    df, kinds = random_frame(rng, rng.choice([0, 1, 10, 40]), ["a", "b"])
    if kinds["a"] == "bool":
        kinds["a"] = "int"
        df["a"] = series("int", values(rng, "int", len(df), True))
    df["c"] = series(kinds["a"], values(rng, kinds["a"], len(df), True))
    compare = rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    # NaN, NaT and missing text are unequal to anything in pandas, and missing whole numbers are not: the rule for these is ours for all.
    mask = getattr(df["a"], compare)(df["c"]).fillna(False).astype(bool) & df["a"].notna() & df["c"].notna()
    return {"op": "where", "tables": [table(df)], "compare": compare.capitalize(), "want": table(df[mask])}


def logic(rng):
    df = pd.DataFrame({n: series("bool", values(rng, "bool", 20, True)) for n in ("a", "b")})
    a, b = df["a"].astype("boolean"), df["b"].astype("boolean")
    want = pd.DataFrame({"and": a & b, "or": a | b, "not": ~a})
    return {"op": "logic", "tables": [table(df)], "want": table(want)}


def text(rng):
    df = pd.DataFrame({"s": series("text", values(rng, "text", rng.choice([1, 10, 20]), False))})
    s = df["s"].astype("string")
    part, other = rng.choice(["a", "-", "oak", " ", "本", "A", "--"]), rng.choice(["", "x", "ö-ö"])
    want = pd.DataFrame({
        "Lower": s.str.lower(), "Upper": s.str.upper(), "Strip": s.str.strip(), "Replace": s.str.replace(part, other, regex=False),
        "Contains": s.str.contains(part, regex=False), "StartsWith": s.str.startswith(part), "EndsWith": s.str.endswith(part), "Length": s.str.len(),
    })
    parts = s.str.split(part, expand=True, regex=False)
    for c in parts.columns:
        want[f"part {c}"] = parts[c].astype("string")
    return {"op": "text", "tables": [table(df)], "part": part, "other": other, "want": table(want)}


def dates(rng):
    df = pd.DataFrame({"d": series("date", values(rng, "date", rng.choice([1, 10, 20]), rng.random() < 0.5))})
    d = df["d"].dt
    parts = {"Year": d.year, "Quarter": d.quarter, "Month": d.month, "Day": d.day, "DayOfYear": d.day_of_year, "Weekday": d.day_of_week, "Hour": d.hour,
             "Minute": d.minute, "Second": d.second}
    want = pd.DataFrame({n: p.astype("Int64") for n, p in parts.items()})
    want["Date"] = d.normalize()
    return {"op": "dates", "tables": [table(df)], "want": table(want)}


def records(rng):
    df, _ = random_frame(rng, rng.choice([1, 5, 20]), ["a", "b ö", "c"])
    return {"op": "records", "tables": [table(df)], "text": df.to_json(orient="records", date_format="iso", date_unit="us", double_precision=15, lines=rng.random() < 0.5),
            "want": table(df)}


def matrix(rng):
    names = ["a", "b", "c"]
    df = pd.DataFrame({n: series(k, values(rng, k, 10, False)) for n, k in zip(names, rng.choices(["int", "small", "float", "bool"], k=3))})
    want = pd.DataFrame(df.to_numpy(dtype=float, na_value=float("nan")), columns=names)
    return {"op": "matrix", "tables": [table(df)], "want": table(want)}


def describe(rng):
    names = ["a", "b", "c"]
    df = pd.DataFrame({n: series(k, values(rng, k, rng.choice([2, 11]) if n == "a" else 0, False)) for n, k in zip(names[:1], rng.choices(["int", "float"], k=1))})
    want = df.describe().astype(float).reset_index(names="statistic")
    return {"op": "describe", "tables": [table(df)], "want": table(want)}


OPS = [group, group, group, whole, sort, sort, join, join, join, join, unique, counts, drop, where, where, logic, text, text, dates, records, records, matrix, describe]


def cases(seed, n):
    rng = random.Random(seed)
    return {"pandas": pd.__version__, "seed": seed, "cases": [OPS[i % len(OPS)](rng) for i in range(n)]}


if len(sys.argv) > 1:
    print(json.dumps(cases(int(sys.argv[1]), int(sys.argv[2]))))
else:
    out = pathlib.Path(__file__).resolve().parents[2] / "lazy" / "frames" / "testdata" / "frames.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(cases(1, 400), ensure_ascii=False, separators=(",", ":")) + "\n")
