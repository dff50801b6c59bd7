"""Writes arrays/testdata/editing.json: what NumPy gives for the functions of package arrays that cut, join, edit and choose, and for numbers
taken apart. Its form is that of routines.json.

    python tests/golden/make_editing.py
"""

import warnings

import numpy as np

from make_arrays import value, write

warnings.simplefilter("ignore")
rng = np.random.default_rng(20261123)
q = rng.integers(-30, 30, 24) / 4
inputs = {
    "m": q.reshape(4, 6), "i": rng.integers(-6, 6, 24).reshape(4, 6), "b": (q > 0).reshape(4, 6), "c": (rng.integers(-9, 9, 24) / 2).reshape(2, 3, 4),
    "v": q[:7], "w": q[7:14], "s": np.array(1.5), "n": np.array(7), "none": np.zeros(0), "empty": np.zeros((0, 3)), "one": np.array([2.5]), "none_i": np.zeros(0, int),
    "sq": (rng.integers(-9, 9, 9) / 2).reshape(3, 3), "f32": (rng.integers(-30, 30, 24) / 8).astype("f4").reshape(4, 6), "i8": np.array([-128, 127, 5, -7, 0, 6, -1], "i1"),
    "u8": np.array([0, 255, 12, 18, 7, 128, 1], "u1"), "u64": np.array([0, 2**64 - 1, 12, 18, 7, 2**63, 1], "u8"), "i64": np.array([-(2**63), 2**63 - 1, 12, -18, 7, 0, 1]),
    "j64": np.array([3, -4, 8, 27, 0, 0, -1]), "z": np.array([1 + 2j, 3, -0.5j, 0]), "mask4": np.array([True, False, True, True]), "mask6": np.array([1, 0, 0, 1, 1, 0], bool),
    "odd": np.array([0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 5e-324, -3e-310, 1e308, 7.3]), "odd32": np.array([0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-45, 3e38, 7.3], "f4"),
    "divisor": np.array([2.0, 3.0, -0.3, 0.4, 2.0, 0.0, 1.0, 1.0, np.inf, -7.7, 0.7]), "trim": np.array([0, 0, 3, 0, 5, 0]), "zeros": np.zeros(4), "pad": np.pad(np.arange(1, 5).reshape(2, 2), 1),
    "picks": np.array([[0, 3], [5, 1], [2, 2], [1, 0]]), "choice": np.array([[0, 2, 1], [1, 1, 0]]), "three": np.arange(3), "keys": rng.integers(0, 3, (2, 9)), "keys2": rng.integers(0, 3, (2, 9)),
    "cube": np.arange(27.0).reshape(3, 3, 3), "a23": (rng.integers(-9, 9, 6) / 2).reshape(2, 3), "a34": (rng.integers(-9, 9, 12) / 2).reshape(3, 4), "a45": (rng.integers(-9, 9, 20) / 2).reshape(4, 5),
    "powers": np.array([0, 3, -1074, 5, 2, 1, 1, -1, 1, 1, 2000]), "places": np.array([0, 23, 7, 11]), "far": np.array([0, 24]), "x9": rng.normal(0, 1, 60), "y9": rng.normal(1, 2, 60),
    "wide": np.linspace(-30, 30, 41), "conj": np.array([1 + 2j, 1 - 2j, 3]), "upto": np.array([0.0, 0.0, 2.0, -3.0, 1.0, 0.0]),
}
inputs["system"] = (np.eye(6) * 3 + rng.integers(-3, 3, (6, 6)) / 4).reshape(2, 3, 6)
cases = []


def case(op, f, *args):
    pick = [(inputs[a].copy() if isinstance(a, str) else a) for a in args]
    named = [a if isinstance(a, str) else {"int": a} if isinstance(a, int) else {"float": a} if isinstance(a, float) else {"ints": a} for a in args]
    try:
        out = f(*pick)
    except (ValueError, TypeError, IndexError, np.exceptions.AxisError):
        cases.append({"op": op, "args": named, "error": True})
        return
    outs = list(out) if isinstance(out, (tuple, list)) else [out]
    cases.append({"op": op, "args": named, "outs": [value(o) for o in outs]})


def filled(x, v):
    np.fill_diagonal(x, v)
    return x


def put(x, at, v, k):
    np.put_along_axis(x, at, v, k)
    return x


# Cut and joined
for a in ("m", "c", "v", "s", "empty"):
    for name in ("fliplr", "flipud", "atleast_1d", "atleast_2d", "atleast_3d"):
        case(name, getattr(np, name), a)
    for name in ("hsplit", "vsplit", "dsplit"):
        case(name, getattr(np, name), a, 2)
        case(name, getattr(np, name), a, 5)
        case(name, getattr(np, name), a, [1, 3])
for xs in (("v", "w"), ("m", "i"), ("v", "v", "w"), ("s", "one"), ("m", "v"), ("c", "c"), ("none", "none"), ("b", "f32")):
    case("column_stack", lambda *x: np.column_stack(x), *xs)
    case("dstack", lambda *x: np.dstack(x), *xs)
case("block", lambda a, b: np.block([[a, a], [b, b]]), "m", "i")
case("block", lambda a, b: np.block([[a, a], [b, b]]), "v", "w")
case("block", lambda a, b: np.block([[a, a], [b, b]]), "s", "n")
case("block", lambda a, b: np.block([[a, a], [b, b]]), "m", "v")
case("block_row", lambda a, b: np.block([a, b]), "v", "w")
case("block_row", lambda a, b: np.block([a, b]), "s", "n")
case("block_row", lambda a, b: np.block([a, b]), "m", "b")
case("block_alone", np.block, "m")
# Edited
for at in (0, 3, -1, -7, 6, 9, [0, 2], [1, 1, -2], []):
    case("delete", np.delete, "v", at)
    case("delete", np.delete, "m", at)
    for axis in (0, 1, -1, 2):
        case("delete", np.delete, "m", at, axis)
    case("insert", np.insert, "v", at, 9)
    case("insert", np.insert, "i", at, 2.75)
    for axis in (0, 1, -1, 2):
        case("insert", np.insert, "m", at, 9, axis)
case("delete", np.delete, "m", "mask4", 0)
case("delete", np.delete, "m", "mask6", 1)
case("delete", np.delete, "m", "mask6", 0)
case("delete_odd", lambda x: np.delete(x, slice(None, None, 2), 1), "m")
case("insert", np.insert, "m", 1, "w", 1)
case("insert", np.insert, "m", 1, "sq", 1)
case("insert", np.insert, "sq", [0, 1], "a23", 0)
case("insert", np.insert, "sq", 1, "a23", 0)
case("insert", np.insert, "sq", [1], "a23", 0)
case("insert", np.insert, "sq", [3, 0, 0], "sq", 0)
case("insert", np.insert, "sq", 2, "three", 0)
case("insert", np.insert, "sq", 2, "three", 1)
case("insert", np.insert, "c", 1, "a34", 0)
case("insert", np.insert, "c", 1, "s", 2)
case("insert", np.insert, "none", 0, "v")
for a in ("v", "m", "none", "s", "i8"):
    for shape in ([3], [2, 9], [0, 2], [50], []):
        case("resize", np.resize, a, shape)
for a in ("trim", "zeros", "v", "none", "pad"):
    case("trim_zeros", np.trim_zeros, a)
    case("trim_front", lambda x: np.trim_zeros(x, "f"), a)
    case("trim_back", lambda x: np.trim_zeros(x, "b"), a)
for a in ("m", "v", "i8", "one", "s"):
    case("ediff1d", np.ediff1d, a)
# Grids
for shape in ([2, 3], [4], [0, 2], [2, 1, 3], []):
    case("indices", np.indices, shape)
case("fromfunction", lambda: np.fromfunction(lambda i, j: i * 3 - j, (3, 4), dtype=int))
case("fromfunction_arrays", lambda: np.fromfunction(lambda i, j: i * 3 - j, (3, 4)))
for n, m, k in ((3, 3, 0), (3, 5, 1), (4, 2, -1), (2, 3, -5), (0, 3, 0), (3, 3, 7)):
    case("tri", np.tri, n, m, k)
    case("tril_indices", lambda n, m, k: np.tril_indices(n, k, m), n, m, k)
    case("triu_indices", lambda n, m, k: np.triu_indices(n, k, m), n, m, k)
for k in (0, 1, -2):
    for a in ("v", "a23", "s", "none"):
        case("diagflat", np.diagflat, a, k)
for a in ("m", "sq", "cube", "c", "v", "a45", "i"):
    case("fill_diagonal", filled, a, 9)
case("fill_diagonal", filled, "sq", "three")
for a in ("m", "v", "none", "b", "i"):
    case("flatnonzero", np.flatnonzero, a)
case("ix_", lambda x, i, j: x[np.ix_(i, j)], "m", [2, 0], [5, 1, 1])
case("ix_", lambda x, i, j: x[np.ix_(i, j)], "m", "mask4", "mask6")
case("ix_", lambda x, i, j: x[np.ix_(i, j)], "m", "mask4", "mask4")
case("ix_", lambda x, i, j: x[np.ix_(i, j)], "m", "picks", "mask6")
for a in ("places", "far", "picks", "n", "v", "none_i", "i8"):
    case("unravel_index", lambda i: np.unravel_index(i, (4, 6)), a)
case("ravel_multi_index", lambda i, j: np.ravel_multi_index((i, j), (6, 4)), [5, 0], [3, 1])
case("ravel_multi_index", lambda i, j: np.ravel_multi_index((i, j), (6, 4)), [5, 6], [3, 1])
case("ravel_multi_index", lambda i, j: np.ravel_multi_index((i, j), (6, 4)), [5, 0], [3, -1])
case("ravel_multi_index", lambda i, j: np.ravel_multi_index((i, j), (6, 4)), "choice", 3)
case("ravel_multi_index", lambda i, j: np.ravel_multi_index((i, j), (6, 4)), "one", 3)
# Chosen
case("extract", np.extract, "b", "m")
case("extract", np.extract, "mask4", "m")
case("extract", np.extract, "i", "m")
case("extract", np.extract, "b", "v")
for c in ("mask4", "mask6", "b", "none"):
    case("compress", np.compress, c, "m")
    for axis in (0, 1, -1, 2):
        case("compress", np.compress, c, "m", axis)
case("choose", lambda x, *c: np.choose(x, c), "choice", "a23", "three", 7)
case("choose", lambda x, *c: np.choose(x, c), "choice", "a23", "three")
case("choose", lambda x, *c: np.choose(x, c), "three", "sq", 1.5, "three")
case("choose", lambda x, *c: np.choose(x, c), "zeros", "sq")
case("choose", lambda x, *c: np.choose(x, c), "i8", "sq", "sq")
for a in ("m", "i", "s", "f32", "none"):
    case("piecewise", lambda x: np.piecewise(x, [x < 0, x > 2], [lambda v: -v, 2.75]), a)
    case("piecewise_else", lambda x: np.piecewise(x, [x < 0, x < 2], [-1, lambda v: v * 2, 7]), a)
case("put_along_axis", put, "m", "picks", 9, 1)
case("put_along_axis", put, "m", "picks", 9, 0)
case("put_along_axis", put, "m", "picks", "picks", -1)
case("put_along_axis", put, "v", "three", 9, 0)
case("put_along_axis", put, "v", "picks", 9, 0)
for a in ("m", "c", "v", "empty", "i", "s"):
    for axis in (0, 1, -1, 2):
        case("apply_sum", lambda x, k: np.apply_along_axis(np.sum, k, x), a, axis)
        case("apply_list", lambda x, k: np.apply_along_axis(lambda v: np.cumsum(v)[1:], k, x), a, axis)
        case("apply_matrix", lambda x, k: np.apply_along_axis(lambda v: np.outer(v, v[:2]), k, x), a, axis)
case("lexsort", lambda *k: np.lexsort(k), "keys", "keys2")
case("lexsort", lambda *k: np.lexsort(k), "v", "w")
case("lexsort", lambda *k: np.lexsort(k), "v")
case("lexsort", lambda *k: np.lexsort(k), "v", "keys")
for k in (0, 3, -1, 6, 9):
    case("partition", lambda x, k: np.partition(x, k)[..., k], "m", k)
    case("partition", lambda x, k: np.partition(x, k)[..., k], "v", k)
    case("argpartition", lambda x, k: np.take_along_axis(x, np.argpartition(x, k), -1)[..., k], "m", k)
# Numbers taken apart
for x, y in (("odd", "divisor"), ("divisor", "odd"), ("i64", "j64"), ("j64", "i64"), ("u8", "i8"), ("i8", "u8"), ("odd", 3), ("i64", 3), ("odd32", 2.5), ("u64", "u64"), ("z", "z"), ("m", "v")):
    case("fmod", np.fmod, x, y)
    case("divmod", np.divmod, x, y)
    if x != "u64":
        case("float_power", np.float_power, x, y)
for x, y in (("i64", "j64"), ("j64", "i64"), ("u8", "i8"), ("i8", "i8"), ("i64", 12), ("u64", "u64"), ("u64", "i64"), ("m", "m"), ("mask4", "mask4"), ("i", "v"), ("i8", 12), ("none_i", 12)):
    case("gcd", np.gcd, x, y)
    if (x, y) != ("i64", "j64") and (x, y) != ("j64", "i64"):  # too large for an int64: what wraps is not defined
        case("lcm", np.lcm, x, y)
for a in ("odd", "odd32", "v", "i64", "f32", "z", "s", "none", "n"):
    for name in ("modf", "frexp", "fabs", "spacing", "isposinf", "isneginf", "isreal", "iscomplex"):
        if name == "frexp" and a.startswith("odd"):  # the exponent of what is not finite is the C library's
            case(name, np.frexp, {"odd": "powers", "odd32": "f32"}[a])
            continue
        case(name, getattr(np, name), a)
case("ldexp", np.ldexp, "odd", "powers")
case("ldexp", np.ldexp, "f32", 3)
case("ldexp", np.ldexp, "odd32", -3)
case("ldexp", np.ldexp, "n", 3)
case("ldexp", np.ldexp, "v", "w")
case("ldexp", np.ldexp, "z", 3)
for x, y in (("odd", "divisor"), ("divisor", "odd"), ("odd32", 2.5), ("j64", 3), ("z", "z")):
    case("logaddexp2", np.logaddexp2, x, y)
for a in ("i8", "u8", "u64", "i64", "n", "v", "none_i"):
    case("bitwise_count", np.bitwise_count, a)
for a in ("b", "i", "mask6", "v", "none_i"):
    case("packbits", np.packbits, a)
    for axis in (0, 1, -1):
        case("packbits", np.packbits, a, axis)
case("unpackbits", np.unpackbits, "u8")
case("unpackbits", np.unpackbits, "i8")
case("unpackbits", np.unpackbits, "u8", 0)
case("unpack_packed", lambda x, k: np.unpackbits(np.packbits(x, k), k), "b", 0)
case("unpack_packed", lambda x, k: np.unpackbits(np.packbits(x, k), k), "b", 1)
for x, y in (("v", "v"), ("v", "m"), ("three", "three"), ("v", "none")):
    case("array_equiv", lambda x, y: np.array_equiv(x, y), x, y)
for p in (0.0, 30.0, 75.0, 101.0):
    case("nanpercentile", lambda x, p, k: np.nanpercentile(x, p, k), "m", p, 1)
# Products and polynomials
case("vdot", np.vdot, "v", "w")
case("vdot", np.vdot, "z", "z")
case("vdot", np.vdot, "m", "i")
case("vdot", np.vdot, "s", "one")
case("vdot", np.vdot, "v", "m")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "a23", "a34", "a45")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "three", "a34", "a45")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "a23", "sq", "three")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "three", "sq", "three")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "a23", "a34")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "a23", "a45", "a34")
case("multi_dot", lambda *x: np.linalg.multi_dot(x), "a23")
case("tensorsolve", np.linalg.tensorsolve, "system", "a23")
case("tensorsolve", np.linalg.tensorsolve, "system", "sq")
case("tensorinv", np.linalg.tensorinv, "system")
case("tensorinv", np.linalg.tensorinv, "sq", 1)
case("tensorinv", np.linalg.tensorinv, "sq", 2)
for a in ("v", "three", "upto", "one", "z", "m"):
    case("roots", lambda p: np.sort(np.roots(p).astype(complex)), a)
    case("poly", np.poly, a)
for a in ("conj", "sq"):
    case("poly", np.poly, a)
case("roots", lambda p: np.sort(np.roots(p).astype(complex)), "zeros")
for x, y in (("v", "three"), ("three", "v"), ("v", "w"), ("w", "one"), ("z", "one"), ("w", "upto")):
    case("polysub", np.polysub, x, y)
    if not inputs[y][0] == 0:
        case("polydiv", np.polydiv, x, y)
for n in (0, 1, 2, 5, 8):
    case("bartlett", np.bartlett, n)
    for beta in (0.0, 5.0, 8.6, 14.0):
        case("kaiser", np.kaiser, n, beta)
case("i0", np.i0, "wide")
case("i0", np.i0, "v")
case("i0", np.i0, "three")
case("histogram_bin_edges", np.histogram_bin_edges, "v", 4)
case("histogram_bin_edges", lambda x, n, lo, hi: np.histogram_bin_edges(x, n, (lo, hi)), "v", 3, 0.0, 1.0)
case("histogram2d", np.histogram2d, "x9", "y9", [5, 7])
case("histogram2d", np.histogram2d, "x9", "y9", [4, 4])
case("histogram2d", lambda x, y, n, a, b, c, d: np.histogram2d(x, y, n, [[a, b], [c, d]]), "x9", "y9", [5, 7], -1.0, 0.5, 0.0, 9.0)
case("histogram2d", np.histogram2d, "three", "three", [2, 2])
case("histogram2d", np.histogram2d, "v", "three", [2, 2])

write("editing.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)
