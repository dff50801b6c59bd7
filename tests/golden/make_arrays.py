"""Writes arrays/testdata/*.json: what NumPy gives for the operations of package arrays.

Run from the root of the repository with a Python that has NumPy 2.3:

    python tests/golden/make_arrays.py

A value is {"d": dtype, "s": shape, "b": base64 of its little-endian bytes in C order}; a Go number is {"int": 2} or
{"float": 0.5}. Every file names the NumPy version that it came from.
"""

import base64
import json
import pathlib
import warnings

import numpy as np

warnings.simplefilter("ignore")
OUT = pathlib.Path(__file__).resolve().parents[2] / "arrays" / "testdata"
DTYPES = ["bool", "int64", "float32", "float64"]
rng = np.random.default_rng(20250101)


def value(a):
    a = np.asarray(a)
    return {"d": a.dtype.str if a.dtype.kind == "U" else a.dtype.name, "s": list(a.shape), "b": base64.b64encode(np.ascontiguousarray(a).tobytes()).decode()}


def write(name, **content):
    lines = []
    for key, v in content.items():
        if isinstance(v, list):  # one case a line, so that a change is readable
            rows = ",\n".join(json.dumps(c, separators=(",", ":")) for c in v)
            lines.append(f'"{key}":[\n{rows}\n]')
        elif isinstance(v, dict):
            rows = ",\n".join(json.dumps(k) + ":" + json.dumps(c, separators=(",", ":")) for k, c in v.items())
            lines.append(f'"{key}":{{\n{rows}\n}}')
    text = f'{{"numpy":"{np.__version__}",\n' + ",\n".join(lines) + "}\n"
    (OUT / name).write_text(text)
    print(f"{name}: {len(text)} bytes")


def outcome(f):
    """What f gives, or that it refuses."""
    try:
        return {"out": value(f())}
    except (TypeError, ValueError, IndexError):
        return {"error": True}


# --- ufuncs ---------------------------------------------------------------------------------------------------------

BINARY = [
    "add", "subtract", "multiply", "divide", "power", "minimum", "maximum", "equal", "not_equal", "less", "less_equal",
    "greater", "greater_equal", "logical_and", "logical_or",
]
UNARY = ["negative", "absolute", "sqrt", "exp", "log", "sin", "cos", "logical_not"]
FLOAT_ONLY = ["sqrt", "exp", "log", "sin", "cos"]
INEXACT = ["exp", "log", "sin", "cos", "power"]


def ufuncs():
    special = [0.0, -0.0, 1.0, -1.5, 2.5, np.nan, np.inf, -np.inf, 0.1, 7.0]
    inputs = {
        "bool": np.array([0, 1, 1, 0, 1, 0, 0, 1, 1, 1], bool),
        "int64": np.array([0, 3, -2, 7, 2**62, -(2**63), 1, 12, 5, 2]),
        "int64+": np.array([2, 0, 63, 5, 1, 3, 0, 7, 40, 2]),
        "float32": np.array(special[:8] + [1e-40, 3e38], "f4"),
        "float64": np.array(special[:8] + [5e-324, 1e308]),
        # the second operand: other pairs of values
        "bool'": np.array([0, 0, 1, 1, 1, 0, 1, 0, 0, 1], bool),
        "int64'": np.array([3, 3, 5, -7, 4, -1, 9, 2, -5, 2]),
        "float32'": np.array([2.0, 3.0, np.nan, 0.5, -1.25, 1.0, np.inf, 2.0, 0.1, 3e38], "f4"),
        "float64'": np.array([2.0, 3.0, np.nan, 0.5, -1.25, 1.0, np.inf, 2.0, 0.1, 1e308]),
    }
    cases = []

    def case(op, *args):
        pick = [inputs[a] if isinstance(a, str) else a for a in args]
        names = [a if isinstance(a, str) else {"int" if isinstance(a, int) else "float": a} for a in args]
        cases.append({"op": op, "args": names, **outcome(lambda: getattr(np, op)(*pick))})

    for op in BINARY:
        for a in DTYPES:
            for b in DTYPES:
                if op == "power" and a == b == "bool":
                    continue  # int8 in NumPy; int64 here
                right = "int64+" if op == "power" and b == "int64" and a in ("bool", "int64") else b + "'"
                case(op, a, right)
            for scalar in (3, 0.5):
                # A scalar exponent 0.5 is a square root in NumPy, so that -inf gives NaN; C's pow gives inf, and so do we.
                case(op, a, 0.25 if op == "power" and scalar == 0.5 else scalar)
                case(op, scalar, a if op != "power" or a != "int64" or scalar == 0.5 else "int64+")
    case("power", "int64", "int64'")  # negative exponents are refused
    for op in UNARY:
        for a in DTYPES:
            if op in FLOAT_ONLY and a == "bool":
                continue  # float16 in NumPy; float64 here
            case(op, a)
    for c in DTYPES:
        case("where", c, "int64", "float32'")
    for a in DTYPES:
        for b in DTYPES:
            case("where", "bool", a, b + "'")
        case("where", "bool", a, 0.5)
        case("where", "bool", 2, a)

    # rounding, division with remainder, tests, bits
    for op in ("floor", "ceil", "trunc", "rint", "sign", "square", "isnan", "isinf", "isfinite", "signbit", "invert", "bitwise_count", "deg2rad", "rad2deg"):
        for a in DTYPES:
            if op in ("rint", "deg2rad", "rad2deg", "signbit", "square") and a == "bool":
                continue  # float16 or int8 in NumPy
            case(op, a)
    for a in ("float32", "float64"):
        case("reciprocal", a)
    inputs["halves"] = np.array([0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e18, -1e18, -0.2, 0.2, 0.0, -0.0])
    inputs["halves32"] = np.array([0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999997, 8388607.5, 1e18, -1e18, -0.2, 0.2, 0.0, -0.0], "f4")
    for op in ("floor", "ceil", "trunc", "rint"):
        case(op, "halves")
        case(op, "halves32")
    inputs["shift"] = np.array([0, 1, 62, 63, 5, 1, 3, 0, 7, 40])
    for op in ("floor_divide", "remainder", "copysign", "fmin", "fmax", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_xor"):
        for a in DTYPES:
            for b in DTYPES:
                if a == b == "bool" and op in ("floor_divide", "remainder", "copysign"):
                    continue  # int8 and float16 in NumPy
                case(op, a, b + "'")
            for scalar in (3, -0.5):
                if op != "copysign" or a != "bool":
                    case(op, a, scalar)
        case(op, 7, "int64'")
    for op in ("left_shift", "right_shift"):
        case(op, "int64", "shift")
        case(op, "int64", 3)
        case(op, "bool", "int64+")
        case(op, "float64", 3)

    # accuracy: many magnitudes
    n = 90
    wide = np.concatenate([rng.uniform(-700, 700, n // 2), rng.normal(0, 3, n // 2)])
    inputs["x64"] = wide
    inputs["x32"] = np.concatenate([rng.uniform(-85, 85, n // 2), rng.normal(0, 3, n // 2)]).astype("f4")
    inputs["+64"] = np.exp(wide)
    inputs["+32"] = np.exp(inputs["x32"].astype("f8")).astype("f4")
    inputs["y64"] = (700 / np.log(inputs["+64"])) * rng.uniform(-1, 1, n)  # results over the whole range
    inputs["y32"] = ((80 / np.log(inputs["+32"].astype("f8"))) * rng.uniform(-1, 1, n)).astype("f4")
    for bits in ("64", "32"):
        for op in ("exp", "sin", "cos"):
            case(op, "x" + bits)
        case("log", "+" + bits)
        case("power", "+" + bits, "y" + bits)
    write("ufuncs.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)


# --- elementary functions ---------------------------------------------------------------------------------------------


def functions():
    """float64 and float32 of each; the C library's through Python's math where NumPy has none."""
    import math

    def each(f):
        def one(v):
            try:
                return f(v)
            except (ValueError, OverflowError):
                return math.inf if v >= 0 else math.nan  # too large, or the pole at 0
        return lambda x: np.array([one(float(v)) for v in x.ravel()], x.dtype).reshape(x.shape)

    unary = {n: getattr(np, n) for n in (
        "exp2 expm1 log2 log10 log1p tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh sinc cbrt").split()}
    unary |= {"erf": each(math.erf), "erfc": each(math.erfc), "gamma": each(math.gamma), "lgamma": each(math.lgamma)}
    x = np.array([0.0, 0.1, 0.5, 0.9, 1.0, 1.5, 2.0, 3.7, 10.0, 25.5, np.inf, np.nan, -0.3, -0.7])
    y = np.array([1.0, -2.0, 0.5, 3.0, -1.0, 0.0, 7.5, 1e-3, 1e10, -4.0, 1.0, 2.0, -0.5, np.inf])
    inputs = {"x": x, "y": y, "x'": np.where(np.isinf(x), 3.3, x + 0.25), "x32": x.astype("f4"), "y32": y.astype("f4"), "n": np.array([1, 2, 3])}
    cases = []
    for name, f in unary.items():
        for a in ("x'",) if name == "sinc" else ("x", "x32"):  # elsewhere NumPy's is 1e-17, or NaN; ours is 0
            cases.append({"op": name, "args": [a], **outcome(lambda: f(inputs[a]))})
        if name in ("exp2", "arctan", "sinh"):
            cases.append({"op": name, "args": ["n"], **outcome(lambda: f(inputs["n"]))})
    for name in ("arctan2", "hypot", "logaddexp"):
        for a, b in (("x", "y"), ("y", "x"), ("x32", "y32")):
            cases.append({"op": name, "args": [a, b], **outcome(lambda: getattr(np, name)(inputs[a], inputs[b]))})
    write("functions.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)


# --- reductions -----------------------------------------------------------------------------------------------------

def reductions():
    # Multiples of 1/4: sums are exact in any order, so results can be compared bit by bit.
    quarter = rng.integers(-40, 40, 24) / 4
    holed = quarter.copy()
    holed[[5, 17]] = np.nan
    inputs = {
        "bool": rng.integers(0, 2, 24).astype(bool).reshape(2, 3, 4),
        "int64": rng.integers(-9, 9, 24).reshape(2, 3, 4),
        "float32": quarter.astype("f4").reshape(2, 3, 4),
        "float64": quarter.reshape(2, 3, 4),
        "nan": holed.reshape(2, 3, 4),
        "scalar": np.array(2.5),
        "empty": np.zeros((0, 3)),
        "empty2": np.zeros((3, 0), "f4"),
        "empty3": np.zeros((0, 0)),
        "transposed": np.ascontiguousarray(quarter.reshape(2, 3, 4).transpose(2, 0, 1)),
    }
    cases = []
    for name, a in inputs.items():
        axes = [None, 0, 1, -1, 2, -3, (0, 2), (2, 1), (0, 1, 2), (1, 1), 3, ()]
        if a.ndim < 3:
            axes = [None, 0, 1, (0, 1), -2]
        for op in ("sum", "mean", "max", "min", "argmax", "argmin", "prod", "all", "any"):
            for axis in axes:
                if op == "prod" and axis in (None, (0, 1, 2), (0, 2), ()) and a.size > 20:
                    continue  # overflows, or rounds in another order
                if op in ("argmin", "prod", "all", "any") and axis in (-3, (2, 1), (1, 1), 3):
                    continue
                if op in ("mean", "min") and axis in (2, -3, (2, 1), (0, 1, 2)):
                    continue
                if op in ("argmax", "argmin") and isinstance(axis, tuple):
                    continue
                if name not in ("int64", "nan") and a.ndim == 3 and axis not in (None, 1, (0, 2)):
                    continue
                for keep in (False, True):
                    if keep and axis not in (None, 1, (0, 2)):
                        continue
                    got = outcome(lambda: getattr(np, op)(a, axis=axis, keepdims=keep))
                    ax = None if axis is None else list(axis) if isinstance(axis, tuple) else [axis]
                    cases.append({"op": op, "in": name, "axis": ax, "keep": keep, **got})
    write("reductions.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)


# --- all dtypes -----------------------------------------------------------------------------------------------------

NUMBERS = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()
UNARY_ALL = (
    "negative absolute sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh cbrt floor ceil trunc "
    "rint sign square reciprocal deg2rad rad2deg isnan isinf isfinite signbit invert bitwise_count conjugate logical_not real imag angle").split()
BINARY_ALL = (
    "add subtract multiply divide power minimum maximum fmin fmax floor_divide remainder arctan2 hypot logaddexp copysign bitwise_and bitwise_or bitwise_xor "
    "left_shift right_shift equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor").split()


def dtypes():
    """Every operation on every dtype of numbers: values for equal dtypes, the dtype of the result for all pairs and Go numbers."""
    def pair(name):
        t = np.dtype(name)
        if t.kind == "b":
            return [0, 1, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0]
        if t.kind in "iu":
            lo, hi = np.iinfo(t).min, np.iinfo(t).max
            return ([0, 3, -2, 7, hi, lo], [2, 0, 5, 3, 1, 2]) if t.kind == "i" else ([0, 3, 9, 7, hi, hi - 2], [2, 0, 5, 3, 1, 2])
        if t.kind == "f":
            return [0.5, -1.5, 2.5, np.nan, np.inf, 0.1], [2.0, 3.0, -0.75, 1.0, 0.5, np.nan]
        return [1 + 2j, -0.5 + 0.25j, 3 - 1j, 0.1 - 4j, -2 - 2j, 0.75 + 0.5j], [2 - 1j, 0.5j, -1, 1.5 + 1.5j, 2, -3 + 0.5j]

    inputs = {}
    for t in NUMBERS:
        x, y = pair(t)
        inputs[t], inputs[t + "'"] = np.array(x).astype(t), np.array(y).astype(t)
    inputs["complex"] = np.array([np.nan, complex(1, np.nan), 2 + 1j, 2 - 1j, complex(-np.inf, 3), 2 + 1j, -0.5])
    call = lambda op, *args: getattr(np, op)(*args)
    cases = []

    def case(op, *names):
        cases.append({"op": op, "args": list(names), **outcome(lambda: call(op, *(inputs[n] for n in names)))})

    for op in UNARY_ALL:
        for t in NUMBERS + (["complex"] if op.startswith("is") else []):
            if op == "reciprocal" and np.dtype(t).kind in "biu":
                continue  # a float here
            case(op, t)
    for op in BINARY_ALL:
        for t in NUMBERS:
            case(op, t, t + "'")
            case(op, t + "'", t) if op not in ("power", "left_shift", "right_shift") else None
        if op in ("minimum", "maximum", "fmin", "fmax", "less", "equal", "greater_equal"):
            inputs["complex'"] = inputs["complex"][::-1]
            case(op, "complex", "complex'")
    promotions = []
    one = {t: np.ones(1, t) for t in NUMBERS}
    for op in BINARY_ALL:
        rows = {}
        for a in NUMBERS:
            row = []
            for b in [one[b] for b in NUMBERS] + [1, 1.0, 1j]:
                got = outcome(lambda: call(op, one[a], b))
                row.append(got["out"]["d"] if "out" in got else "")
            rows[a] = row
        promotions.append({"op": op, "rows": rows})
    odd = np.array([0, 1, -1, 2.5, -2.5, 127, 128, 300, -300, 70000, 3e9, -3e9, 2**40, 1e10, 2.0**63, -(2.0**63), 1e20, np.nan, np.inf, -np.inf, 1e-7, 0.1, 65519, 65520, 2049, 2051])
    casts = []
    for a in NUMBERS:
        x = odd.astype(a) if np.dtype(a).kind in "fc" else np.array([0, 1, 7, 100, 127, np.iinfo(a).max, np.iinfo(a).min], dtype=object).astype(a) if a != "bool" else np.array([True, False])
        inputs["cast " + a] = x
        for b in NUMBERS:
            # one by one: NumPy's vector loops convert what is out of range in another way
            got = np.array([x[i : i + 1].astype(b)[0] for i in range(x.size)])
            casts.append({"in": "cast " + a, "to": b, "out": value(got)})
    reductions = []
    for t in NUMBERS:
        x, y = inputs[t], inputs[t + "'"]
        if np.dtype(t).kind == "f":
            x = np.array([0.5, -1.5, 2.5, 4.0, 0.25, -3.0], t)
        m = np.concatenate([x, y]).reshape(3, 4)
        if np.dtype(t).kind == "f":
            m[2, 3] = 7
        inputs["m " + t] = m
        for op in "sum prod mean max min argmax argmin all any cumsum cumprod var std sort argsort unique median ptp count_nonzero".split():
            if op == "median" and np.dtype(t).kind in "cb" or op == "median" and t == "float16" or op == "ptp" and t == "bool":
                continue
            axes = (None,) if op == "unique" else (0, 1) if "sort" in op else (None, 0)
            for axis in axes:
                f = getattr(np, op)
                kind = {"kind": "stable"} if op == "argsort" else {}
                reductions.append({"op": op, "in": "m " + t, "axis": axis, **outcome(lambda: f(m) if op == "unique" else f(m, axis=axis, **kind))})
        reductions.append({"op": "matmul", "in": "m " + t, "axis": None, **outcome(lambda: m @ m.T)})
        reductions.append({"op": "searchsorted", "in": "m " + t, "axis": None, **outcome(lambda: np.searchsorted(np.sort(m.ravel()), m))})
    inputs["m complex"] = np.concatenate([inputs["complex"], [1j]]).reshape(2, 4)
    for op in "max min argmax argmin sort argsort".split():
        for axis in (0, 1):
            reductions.append({"op": op, "in": "m complex", "axis": axis, **outcome(lambda: getattr(np, op)(inputs["m complex"], axis=axis))})
    write("dtypes.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases, promotions=promotions, casts=casts, reductions=reductions)


# --- text, dates and spans ------------------------------------------------------------------------------------------


def times():
    inputs = {
        "D": np.array(["2020-02-29", "1969-12-31", "NaT", "0001-01-01", "2262-04-11"], "M8[D]"),
        "s": np.array(["2020-02-29T13:45:06", "1969-12-31T23:59:59", "1970-01-01", "NaT", "1582-10-15"], "M8[s]"),
        "M": np.array(["2020-02", "1969-12", "NaT", "1900-01", "2100-12"], "M8[M]"),
        "Y": np.array(["2020", "1969", "1970", "NaT", "1600"], "M8[Y]"),
        "ms": np.array(["2020-02-29T13:45:06.789", "1969-12-31T23:59:59.001", "NaT", "1970-01-01", "2000-01-01T00:00:00.5"], "M8[ms]"),
        "d": np.array([3, -7, "NaT", 0, 100], "m8[D]"),
        "h": np.array([5, "NaT", -30, 48, 0], "m8[h]"),
        "m": np.array([1, -1, 13, "NaT", 0], "m8[M]"),
        "i": np.array([2, -3, 4, 0, 7]),
        "i1": np.array([2, -3, 4, 5, 7], "i1"),
        "f": np.array([2.5, -0.5, np.nan, 0.0, 1e3]),
        "t": np.array(["b", "a", "ab", "", "é"]),
        "t'": np.array(["b", "abc", "aa", "x", "z"]),
        "numbers": np.array(["1", "-20", " 3 ", "100", "0"]),
        "floats": np.array(["1.5", "-2e3", "inf", "nan", " 7 "]),
        "dates": np.array(["2020-02-29", "1999-12-31T23:59", "NaT", "2020", "2020-05-06T07:08:09.123456"]),
        "complex": np.array([1 + 2j, -0.5j, 3, 0, 1e20]),
        "b": np.array([True, False, True, True, False]),
        "f2": np.array([0.1, 1, 1000, 1e-5, 2.5], "f2"),
    }
    cases = []

    def case(op, f, *names):
        cases.append({"op": op, "args": list(names), **outcome(lambda: f(*(inputs[n] for n in names)))})

    kinds = "D s M Y ms d h m i i1 f".split()
    for op in ("add subtract multiply divide floor_divide remainder minimum maximum fmin fmax equal not_equal less less_equal greater greater_equal").split():
        for a in kinds:
            for b in kinds:
                if np.array([inputs[a].dtype.kind in "mM", inputs[b].dtype.kind in "mM"]).any():
                    case(op, getattr(np, op), a, b)
    for op in "negative absolute isnan isinf isfinite sqrt floor square".split():
        for a in kinds[:8]:
            case(op, getattr(np, op), a)
    for op in "equal not_equal less less_equal greater greater_equal".split():
        case(op, getattr(np, op), "t", "t'")
        case(op, getattr(np, op), "t'", "numbers")
    for op in "add multiply minimum logical_or".split():
        case(op, getattr(np, op), "t", "i") if op != "logical_or" else case(op, getattr(np, op), "D", "i")
    for a in kinds[:8] + ["t"]:
        for op in "max min argmax argmin sum mean prod sort argsort unique cumsum all any ptp".split():
            if a == "t" and op in ("max", "min", "ptp", "sum", "mean", "cumsum", "all", "any"):
                continue
            case(op, getattr(np, op), a)
        case("maximum.accumulate", np.maximum.accumulate, a) if a != "t" else None
        case("searchsorted", lambda x: np.searchsorted(np.sort(x), x), a)
        case("where", lambda x: np.where(inputs["b"], x, x[::-1]), a)
    case("concat", lambda *x: np.concatenate(x), "D", "s")
    case("concat", lambda *x: np.concatenate(x), "t", "dates")
    case("concat", lambda *x: np.concatenate(x), "d", "m")
    casts = []

    def cast(a, to):
        got = outcome(lambda: inputs[a].astype(to))
        casts.append({"in": a, "to": np.dtype(to).str.lstrip("|") if np.dtype(to).kind == "U" else np.dtype(to).name, **got})

    for a in ("D", "s", "M", "Y", "ms"):
        for unit in "Y M W D h m s ms us".split():
            cast(a, f"M8[{unit}]") if not (unit == "us" and a == "D") else None
        cast(a, "U30")
        cast(a, "i8")
    for a, to in (("d", "m8[h]"), ("d", "m8[W]"), ("h", "m8[D]"), ("h", "m8[s]"), ("m", "m8[Y]"), ("d", "i8"), ("h", "U20"), ("i", "m8[s]"), ("i", "M8[D]"), ("f", "m8[s]"), ("d", "i4")):
        cast(a, to)
    for to in ("i8", "i1", "f8", "f4"):
        cast("numbers", to)
    for to in ("f8", "f2", "i8"):
        cast("floats", to)
    for to in ("M8[D]", "M8[us]", "M8[M]"):
        cast("dates", to)
    for a, to in (("t", "U1"), ("t", "U5"), ("t", "i8"), ("t", "M8[D]"), ("complex", "U30"), ("f", "U32"), ("i", "U21"), ("b", "U5"), ("f2", "U32"), ("i1", "U3")):
        cast(a, to)
    write("times.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases, casts=casts)


# --- shapes ---------------------------------------------------------------------------------------------------------

def shapes():
    index_cases = []

    def index(shape, *idx):
        a = np.arange(int(np.prod(shape))).reshape(shape)
        py, js = [], []
        for i in idx:
            if i is Ellipsis or i is None:
                py.append(i)
                js.append("..." if i is Ellipsis else "new")
            elif isinstance(i, tuple):
                py.append(slice(*i))
                js.append(list(i))
            else:
                py.append(i)
                js.append(i)
        case = {"shape": list(shape), "idx": js}
        try:
            got = a[tuple(py)]
            case.update(s=list(got.shape), v=got.ravel().tolist())
        except (IndexError, ValueError):
            case.update(error=True)
        index_cases.append(case)

    for idx in [(), (0,), (-1,), (2, 3), (2, -4, 1), (3,), (-4,), (0, 0, 0, 0), (Ellipsis,), (Ellipsis, 1), (1, Ellipsis, 2),
                (Ellipsis, Ellipsis), (None,), (None, 1, None), (Ellipsis, None), (0, Ellipsis, None, (None, None, -1)),
                ((None, None, -1), (None, None, -2), (4, None, -3)), ((5, 1),), ((1, 1), 0), ((None, None, 0),)]:
        index((3, 4, 5), *idx)
    bounds = [None, 0, 1, 2, 3, 6, 7, 8, -1, -2, -6, -7, -8, 100, -100]
    for _ in range(120):
        step = rng.choice([1, 2, 3, 7, 50, -1, -2, -3, -7, -50])
        pick = [bounds[i] for i in rng.integers(0, len(bounds), 2)]
        index((7,), (pick[0], pick[1], int(step)))
    for _ in range(30):
        axis = lambda n: (int(rng.integers(-n, n)) if rng.random() < 0.3 else
                          tuple(int(x) for x in rng.integers(-n - 1, n + 2, 2)) + (int(rng.choice([-2, -1, 1, 2])),))
        index((3, 4, 5), *(axis(n) for n in (3, 4, 5)[:rng.integers(1, 4)]))
    index((0, 3), 0)
    index((0, 3), (None, None, -1))
    index((0, 3), Ellipsis, 1)
    index((), Ellipsis)
    index((), None)
    index((), 0)

    reshape_cases = []
    for base, view, shape in [
        ((24,), None, (2, 3, 4)), ((24,), None, (-1, 6)), ((24,), None, (5, -1)), ((24,), None, (-1, -1)), ((24,), None, (4, 7)),
        ((2, 3, 4), "T", (24,)), ((2, 3, 4), "T", (4, 6)), ((2, 3, 4), "T", (2, 2, 3, 2)), ((2, 3, 4), "T", (4, 1, 3, 1, 2)),
        ((6, 4), "even", (3, 2, 2)), ((6, 4), "even", (12,)), ((6, 4), "even", (3, 4, 1)), ((6, 4), "back", (24,)),
        ((6, 4), "back", (2, 3, 2, 2)), ((1,), None, ()), ((), None, (1, 1)), ((0, 3), None, (3, 0)), ((0, 3), None, (0,)),
        ((0, 3), None, (0, -1)), ((0, 3), None, (-1, 3)), ((0, 3), None, (1,)), ((3,), "wide", (12,)), ((3,), "wide", (2, 2, 3)),
        ((2, 3, 4), "swap", (3, 8)), ((2, 3, 4), "swap", (6, 4)),
    ]:
        a = np.arange(int(np.prod(base))).reshape(base)
        a = {None: lambda: a, "T": lambda: a.T, "even": lambda: a[::2], "back": lambda: a[::-1, ::-1],
             "wide": lambda: np.broadcast_to(a, (4, 3)), "swap": lambda: a.transpose(1, 0, 2)}[view]()
        case = {"base": list(base), "view": view or "", "shape": list(shape)}
        try:
            got = a.reshape(shape)
            case.update(s=list(got.shape), v=got.ravel().tolist(), shares=bool(np.shares_memory(a, got)) or got.size == 0)
        except ValueError:
            case.update(error=True)
        reshape_cases.append(case)

    broadcast_cases = []
    for group in [[(3, 4), (4,)], [(3, 1), (1, 4)], [(2, 3, 4), (3, 1)], [(), (5,)], [(0, 3), (1, 3)], [(0, 3), (2, 3)], [(3, 4), (5,)],
                  [(3, 4), (3,)], [(1,), (0,)], [(2, 1, 4), (3, 1), ()], [(2, 1), (3,), (4, 1, 1)], [(2,), (3,), (1,)], [(1, 1, 1), (1,)]]:
        arrays = [np.arange(int(np.prod(s))).reshape(s) * 10**i for i, s in enumerate(group)]
        case = {"shapes": [list(s) for s in group]}
        try:
            total = sum(arrays[1:], arrays[0])
            case.update(s=list(total.shape), v=total.ravel().tolist())
        except ValueError:
            case.update(error=True)
        broadcast_cases.append(case)
    write("shapes.json", index=index_cases, reshape=reshape_cases, broadcast=broadcast_cases)


# --- indexing with arrays ---------------------------------------------------------------------------------------------

def indexing():
    """Index arrays and masks, read, assigned and added to. Index parts as in shapes(), and {"a": value} for arrays."""
    cases = []
    rng = np.random.default_rng(20261121)

    def plain(i):
        if i is Ellipsis or i is None:
            return "..." if i is Ellipsis else "new"
        if isinstance(i, slice):
            return [i.start, i.stop, i.step or 1]
        return {"a": value(i)} if isinstance(i, np.ndarray) else int(i)

    def case(shape, *idx):
        a = np.arange(int(np.prod(shape))).reshape(shape)
        c = {"shape": list(shape), "idx": [plain(i) for i in idx]}
        try:
            got = a[idx]
        except IndexError:
            cases.append({**c, "error": True})
            return
        c.update(s=list(got.shape), v=got.ravel().tolist())
        values = [np.array(-1.75), -np.arange(1, got.size + 1).reshape(got.shape)]
        if got.ndim:
            values += [-np.arange(1, got.shape[-1] + 1), -np.ones((1, 1) + got.shape), np.zeros(got.shape[-1] + 2)]
        pick = values[len(cases) % len(values)]
        b = a.copy()
        try:
            b[idx] = pick
            c.update(value=value(pick), set=b.ravel().tolist())
            b = a.copy()
            if pick.ndim <= got.ndim and got.size:  # NumPy crashes otherwise
                np.add.at(b, idx, pick.astype("i8"))
                c.update(added=b.ravel().tolist())
        except TypeError:
            pass  # a lone mask wants values of at most one axis in NumPy
        except ValueError:
            c.update(value=value(pick), refused=True)
        cases.append(c)

    A = lambda *v: np.array(v)
    sl = slice
    for idx in [(A(0, 2),), (A(2, 2, -1),), (A([0, 1], [2, 0]),), (A(0, 3),), (A(-4),), (A(),), (A(0, 1), A(1, 2)), (A([0], [1]), A(0, 3)),
                (A(0, 1), A(1, 2, 3)), (A(0, 1), 2), (1, A(1, 3)), (1, sl(None), A(1, 3)), (A(0, 1), sl(None), A(1, 2)), (sl(None), A(0, 1), A(1, 2)),
                (sl(None), A(0, 1), 2), (A(0, 1), Ellipsis, A(1, 2)), (None, A(0, 1)), (A(0, 1), None, A(1, 2)), (sl(None, None, -1), A(3, 0), sl(1, 4, 2)),
                (Ellipsis, A(4, 0)), (Ellipsis, A([1, 1], [2, 2])), (A(0, 1), A(1, 2), A(3, 4)), (A(0, 1), A(1, 2), A(3, 4), 0), (1, A(2), 3),
                (sl(0, 0), A(0, 1)), (A(True, False, True),), (sl(None), A(True, False, True, True)), (A(True, False),), (sl(None), A(True, False, True)),
                (A([True, False, True, False], [False] * 4, [True] * 4),), (A([True, False, True, False], [False] * 4, [True] * 4), 2),
                (A(True, False, True), A(1, 2)), (A(True, False, True), sl(None), A(1, 2)), (np.zeros((3, 4, 5), bool),), (np.ones((3, 4, 5), bool),),
                (A(0.5),), (np.array(1),), (np.array(1), A(0, 1))]:
        idx = tuple(i.astype(int) if isinstance(i, np.ndarray) and i.size == 0 and i.dtype != bool else i for i in idx)
        case((3, 4, 5), *idx)
    case((5,), A(1, 1, 1, 4))
    case((0, 3), A(True)[:0])
    case((), 0)
    for _ in range(60):
        idx = []
        for n in (3, 4, 5)[:rng.integers(1, 4)]:
            kind = rng.integers(0, 5)
            if kind == 0:
                idx.append(int(rng.integers(-n, n)))
            elif kind == 1:
                idx.append(slice(int(rng.integers(-n, n)), int(rng.integers(-n, n + 1)), int(rng.choice([-2, -1, 1, 2]))))
            elif kind == 2:
                idx.append(rng.integers(0, 2, n).astype(bool))
            else:
                idx.append(rng.integers(-n, n, [(2,), (3, 1), (1, 2), (1,)][rng.integers(0, 4)]))
            if rng.random() < 0.15:
                idx.append(None)
        case((3, 4, 5), *idx)
    write("indexing.json", cases=cases)


# --- routines -------------------------------------------------------------------------------------------------------

def routines():
    """Everything that is neither elementwise nor a reduction. Arguments are names of inputs, numbers, or lists of them."""
    rng = np.random.default_rng(20261122)
    q = rng.integers(-30, 30, 24) / 4
    holed = q.copy()
    holed[[3, 11]] = np.nan
    inputs = {
        "m": q.reshape(4, 6), "m32": q.astype("f4").reshape(4, 6), "i": rng.integers(-6, 6, 24).reshape(4, 6), "b": (q > 0).reshape(4, 6),
        "nan": holed.reshape(4, 6), "c": (rng.integers(-9, 9, 24) / 2).reshape(2, 3, 4), "v": q[:7], "w": q[7:14], "k": rng.integers(-4, 9, 40),
        "sorted": np.sort(q), "long": rng.integers(-2000, 2000, 300) / 8, "longi": rng.integers(-(2**62), 2**62, 270), "one": np.array([2.5]),
        "empty": np.zeros((0, 3)), "none": np.zeros(0), "s": np.array(1.5), "sq": (rng.integers(-9, 9, 9) / 2).reshape(3, 3),
        "stack": (rng.integers(-4, 4, 30) / 2).reshape(5, 2, 3), "zeros": np.array([0.0, -0.0, 0.0, -1.0, -0.0]), "pos": rng.integers(0, 9, 20),
    }
    cases = []

    def case(op, f, *args):
        pick = [inputs[a] if isinstance(a, str) else a for a in args]
        named = lambda a: a if isinstance(a, str) else {"int": a} if isinstance(a, int) else {"float": a} if isinstance(a, float) else {"ints": a}
        try:
            out = f(*pick)
        except (ValueError, TypeError, IndexError):
            cases.append({"op": op, "args": [named(a) for a in args], "error": True})
            return
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        cases.append({"op": op, "args": [named(a) for a in args], "outs": [value(o) for o in outs]})

    for a in ("m", "m32", "i", "b", "nan", "c", "empty", "none", "long", "longi", "one", "s"):
        for axis in (-1, 0, 1, 5):
            for name in ("sort", "argsort"):
                case(name, lambda x, k: getattr(np, name)(x, k, kind="stable"), a, axis)
            if a not in ("longi", "long") and axis != 5:
                case("cumsum", np.cumsum, a, axis)
                case("diff", lambda x, k: np.diff(x, axis=k), a, axis)
        if a != "longi":
            case("cumsum", np.cumsum, a)
    for a in ("v", "i", "b", "c"):
        case("cumprod", np.cumprod, "sq" if a == "c" else a, 0)
        case("cummax", lambda x, k: np.maximum.accumulate(x, k), a, 0)
    case("cummax", lambda x, k: np.maximum.accumulate(x, k), "nan", 1)
    case("cummin", lambda x, k: np.minimum.accumulate(x, k), "m", 1)
    case("argsort", lambda x, k: np.argsort(x, k, kind="stable"), "zeros", 0)
    for side in ("left", "right"):
        for v in ("m", "i", "s", "nan", "b"):
            case("searchsorted_" + side, lambda x, y: np.searchsorted(x, y, side), "sorted", v)
    for axis, xs in [(0, ("m", "i")), (1, ("m", "b")), (-1, ("c", "c")), (0, ("v", "k")), (0, ("m", "c")), (0, ("m", "sq")), (2, ("m", "m")), (0, ("b", "b")),
                     (0, ("m32", "i")), (0, ("empty", "sq")), (1, ("m", "m", "m32"))]:
        case("concat", lambda k, *x: np.concatenate(x, k), axis, *xs)
    for axis, xs in [(0, ("m", "i")), (1, ("m", "b")), (-1, ("m", "m")), (2, ("m", "m")), (3, ("m", "m")), (0, ("m", "c")), (0, ("s", "s"))]:
        case("stack", lambda k, *x: np.stack(x, k), axis, *xs)
    case("vstack", lambda *x: np.vstack(x), "v", "w")
    case("hstack", lambda *x: np.hstack(x), "v", "w")
    case("hstack", lambda *x: np.hstack(x), "m", "i")
    for x, y in [("m", "m"), ("sq", "sq"), ("m", "c"), ("sq", "c"), ("stack", "sq"), ("v", "w"), ("one", "s"), ("c", "stack"), ("stack", "v"), ("b", "b"), ("i", "i")]:
        case("matmul", np.matmul, x, y)
        case("matmul_t", lambda x, y: np.matmul(x, np.swapaxes(y, -1, -2)), x, y)
    case("dot", np.dot, "v", "s")
    case("outer", np.outer, "v", "w")
    for a in ("m", "c"):
        for axis in (0, 1, -1):
            case("flip", lambda x, k: np.flip(x, k), a, axis)
            case("roll", np.roll, a, 2, axis)
            case("roll", np.roll, a, -7, axis)
            case("repeat", np.repeat, a, 2, axis)
            case("median", lambda x, k: np.median(x, k), a, axis)
            case("var", lambda x, k: np.var(x, k), a, axis)
            case("std", lambda x, k: np.std(x, k, ddof=1), a, axis)
            case("ptp", lambda x, k: np.ptp(x, k), a, axis)
            case("count_nonzero", lambda x, k: np.count_nonzero(x, k), a, axis)
            case("gradient", lambda x, h, k: np.gradient(x, h, axis=k), a, 0.5, axis)
            case("trapezoid", lambda x, h, k: np.trapezoid(x, dx=h, axis=k), a, 0.5, axis)
            case("norm", lambda x, k: np.linalg.norm(x, axis=k), a, axis)
            case("take", lambda x, i, k: np.take(x, i, axis=k), a, [1, 0, -1], axis)
            case("moveaxis", np.moveaxis, a, axis, 0)
        case("roll", np.roll, a, 5)
        case("repeat", np.repeat, a, 3)
        case("take", lambda x, i: np.take(x, i), a, [5, 0, -1, 5])
        case("tile", lambda x, *r: np.tile(x, r), a, 2)
        case("tile", lambda x, *r: np.tile(x, r), a, 2, 1, 3)
        case("expand", lambda x, k: np.expand_dims(x, k), a, -1)
        case("swapaxes", np.swapaxes, a, 0, 1)
        case("trace", lambda x, i, j: np.trace(x, axis1=i, axis2=j), a, -2, -1)
        for k in (-5, -1, 0, 1, 3, 9):
            case("diagonal", lambda x, k: np.diagonal(x, k, -2, -1), a, k)
            case("tril", np.tril, a, k)
            case("triu", np.triu, a, k)
    for part in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 1.5):
        case("quantile", lambda x, p: np.quantile(x, p), "m", part)
        case("quantile", lambda x, p, k: np.quantile(x, p, axis=k), "nan", part, 1)
        case("quantile", lambda x, p, k: np.quantile(x, p, axis=k), "i", part, 0)
    case("median", lambda x, k: np.median(x, k), "none", 0)
    for name in ("nansum", "nanmean", "nanmax", "nanmin", "nanvar", "nanstd"):
        case(name, lambda x, k: getattr(np, name)(x, k), "nan", 1)
    case("pad", lambda x, b, a, v: np.pad(x, list(zip(b, a)), constant_values=v), "m", [1, 2], [0, 3], 7)
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        for b, a in (([1, 2], [0, 3]), ([9, 0], [4, 11])):
            case("pad" + mode, lambda x, b, a, mode=mode: np.pad(x, list(zip(b, a)), mode), "m", b, a)
        case("pad" + mode, lambda x, b, a, mode=mode: np.pad(x, list(zip(b, a)), mode), "one", [2], [3])
    case("eye", np.eye, 4)
    case("eye", np.eye, 3, 5, 1)
    case("diag", np.diag, "v")
    case("diag", np.diag, "m")
    case("logspace", np.logspace, 0.0, 3.0, 4)
    case("meshgrid", lambda *x: np.meshgrid(*x, indexing="ij"), "v", "one", "w")
    case("split", lambda x, k, *i: np.split(x, i, k), "m", 1, 2, 5)
    case("array_split", lambda x, n, k: np.array_split(x, n, k), "m", 4, 1)
    case("squeeze", lambda x: np.squeeze(x[None, :, None]), "m")
    for d in (0, 1, -1):
        case("round", np.round, "m", d)
        case("round", np.round, "i", d)
    case("clip", np.clip, "m", -2, 3.5)
    case("isclose", np.isclose, "m", "i")
    case("cov", np.cov, "m")
    case("corrcoef", np.corrcoef, "m")
    case("cov", np.cov, "v")
    case("average", lambda x, w: np.average(x, weights=w), "v", "w")
    case("polyval", lambda x: np.polyval([1.5, -2.0, 0.25], x), "m")
    for a in ("k", "m", "b", "nan", "none", "zeros"):
        case("unique", np.unique, a)
        case("unique_counts", lambda x: np.unique(x, return_counts=True), a)
        case("unique_inverse", lambda x: np.unique(x, return_inverse=True), a)
    case("union", np.union1d, "k", "i")
    case("intersect", np.intersect1d, "k", "i")
    case("setdiff", np.setdiff1d, "k", "i")
    case("isin", np.isin, "i", "k")
    case("bincount", np.bincount, "pos")
    case("bincount", np.bincount, "k")
    case("histogram", lambda x, n: np.histogram(x, n), "long", 13)
    case("histogram", lambda x, n, lo, hi: np.histogram(x, n, (lo, hi)), "long", 10, -100.0, 57.0)
    case("histogram", lambda x, n: np.histogram(x, n), "one", 3)
    case("histogram", lambda x, n: np.histogram(x, n), "none", 3)
    case("histogram", lambda x, n: np.histogram(x, n), "nan", 3)
    case("interp", lambda x, p: np.interp(x, np.arange(5.0) - 2, p[:5]), "m", "v")
    case("convolve", np.convolve, "v", "w")
    case("convolve", np.convolve, "k", "k")
    for a in ("m", "nan", "i", "v", "m32"):
        case("nan_to_num", np.nan_to_num, a)
        case("heaviside", lambda x: np.heaviside(x, 0.5), a) if a != "m32" else None
        case("nanprod", lambda x, k: np.nanprod(x, k), a, 0) if a != "m32" else None
        case("nancumsum", lambda x, k: np.nancumsum(x, k), a, 0) if a != "m32" else None
        case("nancumprod", lambda x, k: np.nancumprod(x, k), a, 0) if a not in ("m32", "i") else None
        case("nanargmax", lambda x, k: np.nanargmax(x, k), a, 0)
        case("nanargmin", lambda x, k: np.nanargmin(x, k), a, 0)
        for part in (0.0, 0.3, 0.5, 0.8, 1.0, -0.1):
            case("nanquantile", lambda x, p, k: np.nanquantile(x, p, k), a, part, 0)
        case("nanmedian", lambda x, k: np.nanmedian(x, k), a, -1)
        case("unstack", lambda x: tuple(np.unstack(x)), a)
        case("unwrap", lambda x, k: np.unwrap(x, axis=k), a, -1) if a != "m32" else None
    inputs["signals"] = np.array([np.inf, -np.inf, np.nan, -0.0])
    inputs["picks"] = np.argsort(inputs["m"], axis=1)[:, :3]
    inputs["tops"] = np.array([[0, 1, 2, 3, -1, -2]])
    case("nan_to_num", np.nan_to_num, "signals")
    case("heaviside", lambda x: np.heaviside(x, 0.5), "signals")
    case("take_along_axis", lambda x, i: np.take_along_axis(x, i, -1), "m", "picks")
    case("take_along_axis", lambda x, i, k: np.take_along_axis(x, i, k), "m", "tops", 0)
    case("take_along_axis", lambda x, i: np.take_along_axis(x, i, -1), "m", "v")
    case("broadcast_arrays", lambda *x: tuple(np.broadcast_arrays(*x)), "m", "s", "one")
    inputs["deep"] = np.arange(120.0).reshape(2, 3, 4, 5)
    inputs["nobody"], inputs["narrow"] = np.zeros((0, 3), "f4"), np.arange(6, dtype="f4").reshape(2, 3) ** 2
    case("trace", np.trace, "deep")
    for i, j in [(0, 1), (1, 0), (3, 1), (-1, 0), (2, -1), (1, 1), (1, -3), (0, 4)]:
        case("trace", lambda x, i, j: np.trace(x, axis1=i, axis2=j), "deep", i, j)
    for a in ("v", "b", "narrow"):
        case("trace", np.trace, a)
    for op in (np.median, np.nanmedian):
        case(op.__name__, op, "nobody")
        case(op.__name__, op, "none")
        for axis in (0, 1, -1):
            case(op.__name__, lambda x, k: op(x, axis=k), "nobody", axis)
    for a in ("deep", "narrow"):
        case("cov", np.cov, a)
        case("corrcoef", np.corrcoef, a)
    inputs["flags"] = np.array([True, False, True, True])
    for d in (0, 1, -1):
        case("round", np.round, "flags", d)
    for x, y in [("flags", "flags"), ("flags", "k"), ("flags", "v")]:
        case("convolve", np.convolve, x, y)
        case("correlate", lambda x, y: np.correlate(x, y, "full"), x, y)
    for k in (0, 1, 2, 3, -1):
        case("rot90", np.rot90, "m", k)
    case("rot90", np.rot90, "v", 1)
    case("geomspace", np.geomspace, 1.0, 1000.0, 4)
    case("geomspace", np.geomspace, -8.0, -0.5, 7)
    case("select", lambda x: np.select([x < 0, x > 3], [-x, x * 2], 1.0), "m")
    case("digitize", np.digitize, "m", "sorted")
    case("append", np.append, "m", "i")
    case("setxor", np.setxor1d, "k", "i")
    case("correlate", lambda x, y: np.correlate(x, y, "full"), "v", "w")
    for n in (0, 1, 2, 5, 8):
        for name in ("hanning", "hamming", "blackman"):
            case(name, getattr(np, name), n)
    case("polyfit", np.polyfit, "v", "w", 2)
    case("polyfit", np.polyfit, "k", "k", 1)
    case("polyfit", np.polyfit, "v", "k", 1)
    case("vander", np.vander, "v")
    case("vander", np.vander, "w", 3)
    case("polyadd", np.polyadd, "v", "sorted")
    case("polymul", np.polymul, "v", "w")
    case("polyder", np.polyder, "v")
    case("polyint", np.polyint, "v")
    case("nextafter", np.nextafter, "m", "nan")
    case("nextafter", np.nextafter, "m32", "m32")
    case("unique_all", lambda x: (lambda u: (u.values, u.indices, u.inverse_indices, u.counts))(np.unique_all(x)), "k")
    write("routines.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)


# --- random ---------------------------------------------------------------------------------------------------------

def random():
    """The streams of default_rng: each line is one generator and what is drawn of it, one after the other."""
    streams = []
    for seed in (0, 42, 2**31, 2**40 + 12345):
        g = np.random.default_rng(seed)
        streams.append({"seed": seed, "random": value(g.random((2, 3))), "integers": value(g.integers(0, 100, 7)), "coin": value(g.integers(0, 2, 5)),
                        "wide": value(g.integers(-5, 2**40, 3)), "whole": value(g.integers(-(2**63), 2**63 - 1, 3)), "normal": value(g.normal(1.5, 2.0, 40)),
                        "uniform": value(g.uniform(-1, 3, 4)), "exponential": value(g.exponential(2.0, 30)), "permutation": value(g.permutation(12)),
                        "last": value(g.random(1))})
    far = np.random.default_rng(7)
    for _ in range(20):
        far.standard_normal(50000)
        far.standard_exponential(50000)
    write("random.json", streams=streams, far=[{"seed": 7, "last": value(far.random(2))}])


def distributions():
    """Of each distribution some numbers, the sum of 20,000 more, and where the stream is then."""
    cases = []

    def case(name, *args, size=(12,), many=20000, generator="pcg64", **more):
        bits = np.random.Philox(11) if generator == "philox" else np.random.PCG64(11)
        g = np.random.Generator(bits)
        draw = getattr(g, name)
        given = [np.asarray(a) if isinstance(a, list) else a for a in args]
        first = draw(*given, size=size, **more) if size != () else draw(*given, **more)
        c = {"method": name, "args": list(args), "size": list(size), "generator": generator, "out": value(first)}
        if many:
            c["sum"] = float(np.asarray(draw(*given, size=(many,), **more), np.float64).sum())
            c["many"] = many
        if more:
            c["more"] = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in more.items()}
        c["last"] = value(g.random(1))
        cases.append(c)

    for k in (0.0, 0.05, 0.5, 1.0, 1.5, 30.0):
        case("gamma", k, 2.0)
    for df in (0.5, 1.0, 7.0):
        case("chisquare", df)
        case("standard_t", df)
    for a, b in ((0.5, 0.5), (0.01, 0.02), (1.0, 1.0), (2.0, 0.3), (5.0, 9.0)):
        case("beta", a, b)
    for lam in (0.0, 0.3, 9.9, 10.0, 55.5, 1e6):
        case("poisson", lam)
    for n, p in ((0, 0.5), (10, 0.0), (10, 1.0), (10, 0.3), (10, 0.8), (60, 0.5), (61, 0.5), (100, 0.45), (1000, 0.04), (1000, 0.9), (10**6, 0.2), (10**6, 1e-7)):
        case("binomial", n, p)
    for p in (1.0, 0.5, 0.3, 0.001):
        case("geometric", p)
    for n, p in ((1.0, 0.5), (3.5, 0.1)):
        case("negative_binomial", n, p)
    for k in (0.0, 0.5, 1.0, 3.0):
        case("standard_gamma", k)
    case("standard_exponential")
    case("f", 3.0, 7.0)
    case("noncentral_f", 3.0, 7.0, 1.5)
    for df, nonc in ((3.0, 0.0), (3.0, 2.0), (0.5, 2.0), (1.0, 30.0)):
        case("noncentral_chisquare", df, nonc)
    for mean, scale in ((1.0, 1.0), (3.0, 0.5), (0.1, 100.0)):
        case("wald", mean, scale)
    for mu, kappa in ((0.0, 0.0), (1.0, 1e-6), (0.5, 0.3), (-3.0, 4.0), (2.0, 1e5), (3.1415, 1e7)):
        case("vonmises", mu, kappa)
    for p in (0.0, 0.1, 0.6, 0.99):
        case("logseries", p)
    for a in (1.5, 2.0, 4.5, 2000.0):
        case("zipf", a, many=20000 if a > 2 else 0)
    for good, bad, n in ((5, 3, 4), (3, 5, 7), (0, 4, 2), (4, 0, 2), (20, 30, 9), (20, 30, 45), (20, 30, 25), (300, 20, 100), (20, 300, 310), (10**6, 10**6, 10**5), (10**8, 5 * 10**8, 10**6)):
        case("hypergeometric", good, bad, n)
    case("hypergeometric", [10, 100], [10, 50], 15, size=(3, 2), many=0)
    case("lognormal", 0.5, 0.25)
    case("laplace", 1.0, 2.0)
    case("logistic", 1.0, 2.0)
    case("gumbel", 1.0, 2.0)
    case("weibull", 0.0)
    case("weibull", 1.7)
    case("pareto", 3.0)
    case("power", 2.5)
    case("rayleigh", 1.5)
    case("standard_cauchy", many=0)
    case("triangular", -1.0, 0.5, 4.0)
    case("normal", [0.0, 10.0, 20.0], 1.0, size=(4, 3), many=0)
    case("normal", [0.0, 10.0, 20.0], [[1.0], [0.0]], size=(), many=0)
    case("uniform", [0.0, 10.0], [1.0, 20.0], size=(3, 2), many=0)
    case("poisson", [0.5, 100.0], size=(3, 2), many=0)
    case("binomial", [10, 100, 1000], 0.4, size=(), many=0)
    case("exponential", [1.0, 2.0], size=(2, 2), many=0)
    case("multinomial", 100, [0.2, 0.3, 0.5], size=(4,))
    case("multinomial", 3, [0.2, 0.3, 0.0, 0.4], size=(2, 2), many=0)
    case("dirichlet", [0.5, 3.0, 1.0], size=(4,))
    case("dirichlet", [0.05, 0.01, 0.09], size=(4,))
    case("multivariate_normal", [1.0, -1.0], [[2.0, 0.5], [0.5, 1.0]], size=(4,), method="cholesky")
    for method, args in (("random", ()), ("normal", (0.0, 1.0)), ("gamma", (2.5, 1.0)), ("poisson", (20.0,)), ("binomial", (100, 0.4))):
        case(method, *args, generator="philox")
    case("integers", 0, 1000, generator="philox")
    ten = [float(i) * 1.5 for i in range(10)]
    weights = [0.1, 0.0, 0.2, 0.05, 0.05, 0.1, 0.1, 0.2, 0.1, 0.1]
    case("choice", ten, many=0)
    case("choice", 7, many=0)
    case("choice", ten, p=weights)
    for n in (0, 1, 4, 10):
        case("choice", ten, size=(n,), many=0, replace=False)
    case("choice", 20000, size=(300,), many=0, replace=False)
    case("choice", 20000, size=(500,), many=0, replace=False)
    for n in (1, 5, 9):
        case("choice", ten, size=(n,), many=0, replace=False, p=weights)
    write("distributions.json", cases=cases)


def spawned():
    """Children of generators, after one that nobody takes, and what else there is of a stream."""
    cases = []
    for name, bits in (("pcg64", np.random.PCG64), ("philox", np.random.Philox)):
        for seed in (0, 7, 2**40 + 3):
            for path in ((0,), (2,), (1, 3), (0, 0, 1)):
                g = np.random.Generator(bits(seed))
                for i in path:
                    g.spawn(1)
                    g = g.spawn(i + 1)[i]
                cases.append({"generator": name, "seed": seed, "path": list(path), "out": value(g.random(3))})
    g = np.random.default_rng(5)
    lengths = [{"n": n, "out": value(np.frombuffer(g.bytes(n), np.uint8))} for n in (0, 1, 4, 7, 30)]
    x = np.arange(24).reshape(2, 3, 4)
    permuted = [{"axis": axis, "out": value(g.permuted(x, axis=axis))} for axis in (None, 0, 1, 2, -1)]
    write("spawned.json", spawned=cases, bytes=lengths, permuted=permuted)


# --- creation -------------------------------------------------------------------------------------------------------

def creation():
    cases = []
    for args in [(5,), (0,), (-3,), (2, 8), (2, 8, 3), (8, 2, -3), (8, 2, 3), (1.0,), (3.7,), (0, 1, 0.1), (1, 0, -0.3), (0.1, 0.6, 0.1),
                 (0, 2, 0.7), (5, 1.5), (-2.5, 2), (0.1, 5.3, 0.4), (2**62, 2**62 + 3)]:
        cases.append({"op": "arange", "args": [{"int" if isinstance(a, int) else "float": a} for a in args], "out": value(np.arange(*args))})
    for args in [(0, 1, 5), (0, 1, 11), (1, 0, 4), (2.5, 2.5, 3), (0, 1, 1), (0, 1, 0), (-1e300, 1e300, 7), (0, 5e-324, 3), (0.1, 0.7, 13)]:
        cases.append({"op": "linspace", "args": [{"float": float(args[0])}, {"float": float(args[1])}, {"int": args[2]}], "out": value(np.linspace(*args))})
    write("creation.json", cases=cases)


# --- printing -------------------------------------------------------------------------------------------------------

def printing():
    cases = []

    def show(a):
        a = np.asarray(a)
        cases.append({"in": value(a), "str": str(a), "repr": repr(a)})

    def ramp(shape, dtype, scale=1.0):
        """scale * arange: too many elements to store."""
        a = (np.arange(int(np.prod(shape))) * np.float64(scale)).astype(dtype).reshape(shape)
        case = {"ramp": {"s": list(shape), "d": np.dtype(dtype).name, "scale": scale}, "str": str(a)}
        if a.ndim < 3 and a.size != 1000:
            case["repr"] = repr(a)
        cases.append(case)

    lists = [
        [], [1.0], [0.0], [-0.0], [1.5, 2.25], [1.0, 10.0, 100.0], [0.1, 0.2, 0.30000000000000004], [1 / 3, 2 / 3], [1e-3, 1.0],
        [1e-4, 1.0], [9e-5, 1.0], [1e8, 1.0], [99999999.0, 1e6], [1e7, 12345.678], [1e100, 1e-100], [1e5, -1e-300], [np.nan, 1.0],
        [np.inf, -1.5], [-np.inf, 2.0, np.nan], [np.nan, np.nan], [np.inf, 1.0], [-np.inf], [1e20, np.nan, -np.inf], [0.0, 1e-10],
        [123456.789012345, 1.0], [999.9999999999, 1.0], [1.0, 1000.0], [1.0, 1001.0], [0.000123456789123, 0.1],
        [1e22, 1e23], [2.0**53, 2.0**53 + 2], [5e-324, 1.0], [1.7976931348623157e308], [0.5, 0.125, 0.0000005], [1e16, 1e15],
        [-1.0, 1.0, -10.5], [3.14159265358979, 2.71828182845905], [0.123456785, 0.123456795], [1.000000005, 1.0000000049999],
        [100.0, 0.09], [1e-5], [-1e-5, 2e-5], [1234567.891, 0.0], [0.1 + 0.2, 1e3], [8.5e-5, np.nan],
    ]
    for v in lists:
        show(np.array(v, "f8"))
        if len(v) != 0 and len(cases) % 2 == 0:
            show(np.array(v, "f4"))
    for exponent in (-12, -5, -3, -1, 0, 2, 5, 9, 17):
        show(rng.normal(0, 1, 5) * 10.0**exponent)
        show((rng.normal(0, 1, 5) * 10.0**exponent).astype("f4"))
    for _ in range(10):
        show(np.round(rng.normal(0, 100, 6), int(rng.integers(0, 6))))
        show(np.round(rng.normal(0, 100, 6), int(rng.integers(0, 6))).astype("f4"))
        show(np.exp(rng.normal(0, 8, 4)))
    for v in (0.1, 1e6, 999999.5, 1.0, 1e-4, 123456.79, 1e16, 1e15, 1e-5, np.nan, np.inf, -np.inf, -0.0, 1 / 3, 1e300, 16777216.0):
        show(np.float64(v))
        show(np.float32(v))
    for v in ([0], [1, -1], [1, 100, -1000], [2**63 - 1, -(2**63)], [], [7] * 40):
        show(np.array(v, "i8"))
    for v in ([True], [True, False], [], [False] * 30):
        show(np.array(v, bool))
    show(np.array(True))
    show(np.int64(-5))
    show(np.arange(24).reshape(2, 3, 4))
    show(np.arange(6.0).reshape(3, 2) / 4)
    show(np.arange(8).reshape(2, 2, 1, 2))
    show(rng.normal(0, 1, (4, 12)))
    show(rng.normal(0, 1000, (2, 30)).astype("f4"))
    show(rng.integers(0, 2, (3, 4)).astype(bool))
    show(np.array([[np.nan, 1.0], [np.inf, -np.inf]]))
    for shape in ((0,), (0, 3), (3, 0), (2, 0, 3)):
        show(np.zeros(shape))
        show(np.zeros(shape, bool))
    show(np.ones((1, 1, 1, 1), "f4"))
    ramp((1000,), "i8")
    ramp((1001,), "i8")
    ramp((2000,), "f8", 0.1)
    ramp((40, 50), "f8", 1e-3)
    ramp((40, 50), "f4", 0.37)
    ramp((3, 400), "i8", -7)
    ramp((400, 3), "f8", 1e5)
    ramp((10, 11, 12), "i8")
    ramp((2, 1, 3, 1, 200), "f8", 0.5)
    ramp((5, 7, 40), "bool")
    ramp((1, 2000), "f4", 1e-7)
    ramp((8, 8, 20), "f8", 3.3)
    for width in (20, 35, 127):
        with np.printoptions(linewidth=width):
            first = len(cases)
            ramp((7, 11), "f8", 0.25)
            ramp((3, 400), "i8", -7)
            ramp((30,), "f4", 1e-3)
            ramp((2, 3, 12), "i8", 1234)
            for case in cases[first:]:
                case["width"] = width
    for t in ("i1", "i2", "i4", "u1", "u2", "u4", "u8"):
        show(np.array([0, 1, np.iinfo(t).max, np.iinfo(t).min], t))
        show(np.array([], t))
        show(np.array(7, t))
    for v in ([0.1, 1, 2.5], [999.5, 1], [1000, 1], [65504, 6e-8], [np.nan, -np.inf, 1.0], [1e-4, 0.5], [1 / 3, 2 / 3, 100.1], [2049.0], [0.00012]):
        show(np.array(v, "f2"))
    for v in (0.1, 999.0, 1000.0, 65504.0, 1e-4, 1e-5, 6e-8, np.nan, -np.inf, 1.0, 1 / 3):
        show(np.float16(v))
    numbers = [
        [1 + 2j, 3 - 4.5j], [0.1 - 1e-9j, 100], [1j, -0.0, complex(np.nan, 1), complex(1, -np.inf)], [1e20 + 1j], [], [complex(-np.inf, np.nan), 1.25],
        [1 / 3 + 2j / 3, -1e3 + 1e-3j], [0.5], [1e-5 + 1e5j, 2], [complex(-0.0, -0.0)], [123456.789 - 0.001j, 1j],
    ]
    for v in numbers:
        show(np.array(v, "c16"))
        show(np.array(v, "c8"))
        for z in v:
            show(np.complex128(z))
            if z == 0 or abs(z) < 1e5 or not np.isfinite(z):
                show(np.complex64(z))
    show(np.arange(6).reshape(2, 3) * (1 - 0.5j))
    for v in (["a", "bcd"], ["it's", 'say "x"', "both ' and \""], ["tab\t", "line\n", "back\\slash", "\x01"], ["é", "日本", "\u200b"], ["", "x"], [["ab", "c"], ["d", "efg"]], ["word"] * 40):
        show(np.array(v))
    show(np.array([], "U3"))
    show(np.array("text"))
    for unit in "Y M W D h m s ms us ns".split():
        show(np.array([0, 1, -1, 18321], f"M8[{unit}]"))
        show(np.array([5, -17000], f"m8[{unit}]"))
        show(np.array([3, "NaT"], f"M8[{unit}]"))
        show(np.array(1000, f"M8[{unit}]"))
        show(np.array(1000, f"m8[{unit}]"))
    show(np.array(["NaT"], "m8[s]"))
    show(np.array([1, "NaT", -1000000], "m8[s]"))
    show(np.array(["NaT"], "M8[s]"))
    show(np.array("NaT", "M8[D]"))
    show(np.array([], "M8[D]"))
    show(np.arange("2020-02-27", "2020-03-03", dtype="M8[D]"))
    show(np.array([-719529, -719528, -800000, 2932897, 12345678], "M8[D]"))
    values = [np.array([1e-10, 1234.56789, 12.5]), np.array([1e-10, 1e9, 1.0]), np.array([[0.123456789, 2], [3, 1e-5]], "f4"), np.arange(30) / 7, np.arange(48).reshape(6, 8), np.array([1 / 3 + 1e-9j, 2]),
              np.array([1.5, 2.25, 1000.0]), np.array(2 / 3), np.arange(64.0).reshape(4, 4, 4)]
    for options in ({"precision": 3}, {"suppress": True}, {"precision": 2, "suppress": True}, {"threshold": 10}, {"threshold": 5, "edgeitems": 1}, {"precision": 0}, {"precision": 17}, {"threshold": 20, "edgeitems": 2, "linewidth": 40}):
        with np.printoptions(**options):
            first = len(cases)
            for v in values:
                show(v)
            for case in cases[first:]:
                case["options"] = options
    write("printing.json", cases=cases)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    ufuncs()
    functions()
    reductions()
    dtypes()
    times()
    shapes()
    indexing()
    routines()
    random()
    distributions()
    spawned()
    creation()
    printing()
