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


CHAINED = {"int": "Int64", "float": "float64", "bool": "boolean", "text": "str", "date": "datetime64[us]"}


class Chain:
    """A table, and what is done with it, step by step; whole numbers and bools are of pandas' nullable dtypes."""

    def __init__(self, rng):
        self.rng, self.steps, self.fresh = rng, [], 0
        names = ["a", "b", "c", "d", "e"]
        self.kinds = {n: rng.choice(list(CHAINED)) for n in names}
        self.df = self.table_of(self.kinds, rng.choice([0, 1, 8, 40, 40]))
        self.first = table(self.df)

    def table_of(self, kinds, rows):
        return pd.DataFrame({n: series(k, values(self.rng, k, rows, self.rng.random() < 0.7)).astype(CHAINED[k]) for n, k in kinds.items()})

    def named(self, *kinds):
        return [n for n, k in self.kinds.items() if k in kinds]

    def name(self):
        self.fresh += 1
        return f"n{self.fresh}"

    def did(self, op, df, kinds=None, **how):
        self.kinds = kinds or {n: self.kinds[n] for n in df.columns}
        self.df = df.reset_index(drop=True).astype({n: CHAINED[k] for n, k in self.kinds.items()})
        self.steps.append({"op": op, **how})

    def step(self):
        getattr(self, self.rng.choice(["where", "where", "group", "sort", "join", "join", "unique", "drop", "rename", "select", "rows", "lower", "length", "part", "compute", "contains", "logic"]))()

    def where(self):
        n = self.rng.choice(list(self.kinds))
        k, df = self.kinds[n], self.df
        compare = self.rng.choice(["eq", "ne", "lt", "le", "gt", "ge"] if k != "bool" else ["eq", "ne"])
        others = [m for m in self.named(k) if m != n]
        if others and self.rng.random() < 0.4 or k == "date":
            m = self.rng.choice(others or [n])
            mask = getattr(df[n], compare)(df[m]).fillna(False).astype(bool) & df[n].notna() & df[m].notna()
            self.did("where", df[mask], names=[n, m], how=compare.capitalize())
            return
        v = {"int": self.rng.randrange(-3, 4), "float": self.rng.choice([0.0, 0.5, 1.0]), "bool": True, "text": self.rng.choice(SHORT + WORDS)}[k]
        mask = getattr(df[n], compare)(v).fillna(False).astype(bool) & df[n].notna()
        self.did("where", df[mask], names=[n], how=compare.capitalize(), value=v)

    def contains(self):
        for n in self.named("text")[:1]:
            part = self.rng.choice(["a", "o", "-"])
            self.did("contains", self.df[self.df[n].str.contains(part, regex=False).fillna(False).astype(bool)], names=[n], how=part)

    def logic(self):
        names = self.named("bool")
        if len(names) > 1:
            mask = (self.df[names[0]] | ~self.df[names[1]]).fillna(False).astype(bool)
            self.did("logic", self.df[mask], names=names[:2])

    def group(self):
        names = [n for n in self.kinds if n != "size"]
        by = self.rng.sample(names, min(len(names), self.rng.choice([1, 1, 2])))
        if not by:
            return
        g, kinds = self.df.groupby(by, as_index=False), {n: self.kinds[n] for n in by}
        want, aggs = g.size(), [["Size", "", "size"]]
        kinds["size"] = "int"
        for n, k in self.kinds.items():
            for ours, theirs in AGGREGATIONS.items():
                numbers = ours in ("Sum", "Mean", "Median", "Var", "Std")
                if n in by or self.rng.random() < 0.7 or numbers and k not in ("int", "float", "bool") or k == "bool" and ours in ("Median", "Var", "Std"):
                    continue
                to = f"{n}_{theirs}"
                if to in kinds:
                    continue
                want[to] = self.df.groupby(by)[n].agg(theirs).reset_index(drop=True)
                kinds[to] = "int" if ours in ("Count", "NUnique") or ours == "Sum" and k != "float" else "float" if numbers else k
                aggs.append([ours, n, to])
        self.did("group", want[list(kinds)], kinds, names=by, aggregations=aggs)

    def sort(self):
        by = self.rng.sample(list(self.kinds), min(len(self.kinds), self.rng.choice([1, 2])))
        up = [self.rng.random() < 0.5 for _ in by]
        self.did("sort", self.df.sort_values(by, ascending=up, kind="stable", na_position="last"), names=[n if u else "-" + n for n, u in zip(by, up)])

    def join(self):
        if len(self.df) > 300:
            return
        on = self.rng.sample(list(self.kinds), min(len(self.kinds), self.rng.choice([1, 1, 2])))
        kinds = {n: self.kinds[n] for n in on}
        kinds[self.name()] = self.rng.choice(list(CHAINED))
        others = [n for n in self.kinds if n not in on]
        if others and self.rng.random() < 0.5:
            kinds[self.rng.choice(others)] = self.rng.choice(list(CHAINED))
        right = self.table_of(kinds, self.rng.choice([0, 1, 5, 12]))
        how = self.rng.choice(["inner", "left", "right", "outer"])
        suffixes = [f"_x{self.fresh}", f"_y{self.fresh}"]
        want = self.df.merge(right, how=how, on=on, suffixes=suffixes)
        if how == "outer":
            want = want.sort_values(on, kind="stable", na_position="last")
        after = {}
        for n, k in self.kinds.items():
            after[n + suffixes[0] if n in kinds and n not in on else n] = k
        for n, k in kinds.items():
            if n not in on:
                after[n + suffixes[1] if n in self.kinds else n] = k
        self.did("join", want, after, names=on, how=how, suffixes=suffixes, table=table(right))

    def unique(self):
        by = self.rng.sample(list(self.kinds), min(len(self.kinds), self.rng.choice([1, 2])))
        self.did("unique", self.df.drop_duplicates(subset=by), names=by)

    def drop(self):
        by = [self.rng.choice(list(self.kinds))]
        self.did("drop", self.df.dropna(subset=by), names=by)

    def rename(self):
        n, to = self.rng.choice(list(self.kinds)), self.name()
        self.did("rename", self.df.rename(columns={n: to}), {to if m == n else m: k for m, k in self.kinds.items()}, names=[n, to])

    def select(self):
        names = self.rng.sample(list(self.kinds), max(2, len(self.kinds) - 1)) if len(self.kinds) > 2 else list(self.kinds)
        self.did("select", self.df[names], names=names)

    def rows(self):
        lo, hi = self.rng.choice([(0, 5), (1, 20), (3, 30)])
        hi = min(hi, len(self.df))
        lo = min(lo, hi)
        self.did("rows", self.df.iloc[lo:hi], from_=lo, to=hi)

    def added(self, op, n, column, kind, **how):
        to = self.name()
        self.did(op, self.df.assign(**{to: column}), {**self.kinds, to: kind}, names=[n, to], **how)

    def lower(self):
        for n in self.named("text")[:1]:
            self.added("lower", n, self.df[n].str.lower(), "text")

    def length(self):
        for n in self.named("text")[:1]:
            self.added("length", n, self.df[n].astype("string").str.len(), "int")

    def part(self):
        for n in self.named("date")[:1]:
            part = self.rng.choice(["Year", "Month", "Day", "Hour", "Quarter"])
            self.added("part", n, getattr(self.df[n].dt, part.lower()).astype("Int64"), "int", how=part)

    def compute(self):
        for n in self.named("float")[:1]:
            self.added("compute", n, self.df[n] * 2 + 1, "float")


def chain(rng):
    c = Chain(rng)
    for _ in range(rng.randrange(3, 9)):
        c.step()
    return {"op": "chain", "tables": [c.first], "steps": c.steps, "want": table(c.df)}


OPS = [group, group, group, whole, sort, sort, join, join, join, join, unique, counts, drop, where, where, logic, text, text, dates, records, records, matrix, describe] + [chain] * 12


def cases(seed, n):
    rng = random.Random(seed)
    return {"pandas": pd.__version__, "seed": seed, "cases": [OPS[i % len(OPS)](rng) for i in range(n)]}


if len(sys.argv) > 1:
    print(json.dumps(cases(int(sys.argv[1]), int(sys.argv[2]))))
else:
    out = pathlib.Path(__file__).resolve().parents[2] / "lazy" / "frames" / "testdata" / "frames.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(cases(1, 400), ensure_ascii=False, separators=(",", ":")) + "\n")
