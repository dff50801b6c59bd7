"""Writes arrays/testdata/linalg.json: what NumPy (and for expm a Taylor series of longdouble) gives for linear algebra.

Run from the root of the repository with a Python that has NumPy 2.3:

    python tests/golden/make_linalg.py
"""

import numpy as np
from make_arrays import value, write

rng = np.random.default_rng(20261122)
complex_rng = np.random.default_rng(20261123)


def expm(a):
    """e to the power a, by squaring a series in long precision."""
    x = a.astype(np.clongdouble if np.iscomplexobj(a) else np.longdouble) / 2**20
    one = np.eye(a.shape[-1], dtype=x.dtype)
    result, term = one, one
    for k in range(1, 25):
        term = term @ x / k
        result = result + term
    for _ in range(20):
        result = result @ result
    return result.astype(a.dtype)


def normal(*shape, dtype="f8"):
    a = rng.normal(0, 1, shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.normal(0, 1, shape)
    return a.astype(dtype)


def spd(*shape, dtype="f8"):
    a = normal(*shape, dtype=dtype)
    return a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(shape[-1], dtype=dtype)


def main():
    low = normal(5, 2) @ normal(2, 4)
    inputs = {
        "one": normal(1, 1), "sq": normal(4, 4), "big": normal(33, 33) + 8 * np.eye(33), "batch": normal(2, 3, 3, 3), "f32": normal(4, 4, dtype="f4"), "c64": normal(3, 3, dtype="c8"),
        "c128": normal(5, 5, dtype="c16"), "cbatch": normal(2, 3, 3, dtype="c16"), "ints": rng.integers(-5, 9, (3, 3)), "bools": np.eye(3).astype(bool),
        "singular": np.ones((3, 3)), "zero": np.zeros((3, 3)), "czero": np.zeros((2, 2), "c16"), "empty": np.zeros((0, 0)), "nobatch": np.zeros((0, 3, 3)), "tall": normal(7, 3), "wide": normal(3, 6), "talls": normal(2, 5, 2), "ctall": normal(6, 3, dtype="c16"),
        "cwide": normal(2, 5, dtype="c16"), "low": low, "norows": np.zeros((0, 3)), "nan": np.array([[1.0, np.nan], [2.0, 3.0]]), "inf": np.array([[1.0, np.inf], [np.inf, 3.0]]), "f16": np.eye(2, dtype="f2"), "list": normal(3), "text": np.array([["a", "b"], ["c", "d"]]),
        "spd": spd(4, 4), "spds": spd(2, 3, 3), "hermitian": spd(4, 4, dtype="c16"), "spd32": spd(3, 3, dtype="f4"), "big spd": spd(30, 30), "indefinite": np.diag([1.0, -1.0]),
        "symmetric": (lambda a: a + a.T)(normal(6, 6)), "equal": np.eye(3) * 2, "chermitian": np.array([[2, 1j], [-1j, 2]]), "rotation": np.array([[0.0, -1.0], [1.0, 0.0]]),
        "v1": normal(1), "v3": normal(3), "v4": normal(4), "v5": normal(5, dtype="c16"), "v7": normal(7), "m4": normal(4, 2), "m3": normal(3, 2), "b33": normal(2, 1, 3, 2), "mbig": normal(33, 3), "m7": normal(7, 2), "v5r": normal(5), "v0": np.zeros(0),
        "small": normal(3, 3) / 50, "large": normal(4, 4) * 12, "nilpotent": np.array([[0.0, 1.0], [0.0, 0.0]]), "c": normal(2, 3, 4), "d": normal(4, 3, 5), "t": normal(3, 4), "cv3": normal(3, dtype="c16"), "k": rng.integers(-4, 4, (3, 4)), "x32": normal(2, 3, dtype="f4"),
        "cbig": complex_rng.normal(0, 1, (33, 33)) + 1j * complex_rng.normal(0, 1, (33, 33)), "cdefective": np.array([[1j, 1], [0, 1j]]), "cscaled": np.array([[1, 1e10, 0], [1e-10, 2j, 3], [1j, 1e5, 2]]), "cnan": np.array([[1j, np.nan], [2, 3]]),
        "ccycle": 1j * np.eye(4)[[1, 2, 3, 0]],
    }
    cases = []

    def case(op, f, *args):
        pick = [inputs[a] if isinstance(a, str) and a in inputs else a for a in args]
        named = lambda a: a if isinstance(a, str) and a in inputs else {"text": a} if isinstance(a, str) else {"int": a} if isinstance(a, int) else {"float": str(a)} if isinstance(a, float) else {"axes": a}
        row = {"op": op, "args": [named(a) for a in args]}
        try:
            out = f(*pick)
        except (np.linalg.LinAlgError, ValueError, TypeError, IndexError) as e:
            cases.append(row | {"error": "singular" if "ingular" in str(e) or "definite" in str(e) else "converge" if "converge" in str(e) or "infs or NaNs" in str(e) else "other"})
            return
        cases.append(row | {"outs": [value(o) for o in (out if isinstance(out, tuple) else (out,))]})

    L = np.linalg
    square = ("one", "sq", "big", "batch", "f32", "c64", "c128", "cbatch", "ints", "bools", "zero", "empty", "nobatch", "tall", "f16", "list", "text")
    for a in square + ("singular", "spd", "nilpotent", "czero"):
        case("det", L.det, a)
        case("slogdet", lambda x: tuple(L.slogdet(x)), a)
        if a != "singular":  # whether a rounded pivot is exactly zero depends on the order of operations
            case("inv", L.inv, a)
    for a, b in [("one", "v1"), ("sq", "v4"), ("sq", "m4"), ("big", "mbig"), ("batch", "m3"), ("batch", "v3"), ("batch", "b33"), ("f32", "v4"), ("c128", "v5"), ("c128", "v5r"), ("cbatch", "m3"), ("ints", "v3"), ("zero", "v3"), ("sq", "v3"), ("empty", "v0"), ("tall", "v7"), ("c64", "m3")]:
        case("solve", L.solve, a, b)
    for a in ("spd", "spds", "hermitian", "spd32", "big spd", "indefinite", "one", "empty", "tall", "zero", "bools"):
        case("cholesky", L.cholesky, a)
    rectangles = ("sq", "tall", "wide", "talls", "batch", "f32", "c128", "c64", "ctall", "cwide", "ints", "zero", "one", "nobatch", "big", "low")
    for a in rectangles + ("list", "f16"):
        case("qr", lambda x: tuple(L.qr(x)), a)
        case("qr_complete", lambda x: tuple(L.qr(x, "complete")), a)
    for a in rectangles + ("spd", "nan", "list", "f16"):
        case("svdvals", L.svdvals, a)
        case("svd", lambda x: tuple(L.svd(x)), a)
        case("svd_thin", lambda x: tuple(L.svd(x, full_matrices=False)), a)
        if a not in ("zero",):
            case("pinv", L.pinv, a)
        case("matrix_rank", L.matrix_rank, a)
    for a in ("symmetric", "spd", "spds", "hermitian", "spd32", "equal", "chermitian", "one", "empty", "nobatch", "tall", "zero", "big spd", "bools"):
        case("eigvalsh", L.eigvalsh, a)
        case("eigh", lambda x: tuple(L.eigh(x)), a)
    for a in ("sq", "batch", "symmetric", "rotation", "f32", "ints", "one", "empty", "tall", "nan", "zero", "big", "low", "c128", "c64", "cbatch", "hermitian", "czero", "cbig", "cdefective", "cscaled", "cnan", "ccycle", "wide"):
        case("eigvals", L.eigvals, a)
        case("eig", lambda x: tuple(L.eig(x)), a)
    for a, b in [("tall", "v7"), ("tall", "m7"), ("wide", "v3"), ("wide", "m3"), ("low", "v5r"), ("sq", "m4"), ("ctall", "hermitian"), ("c128", "v5"), ("f32", "m4"), ("tall", "v3"), ("zero", "v3")]:
        case("lstsq", lambda x, y: (lambda x, r, rank, s: (x, r, np.int64(rank), s))(*L.lstsq(x, y)), a, b)  # int32 by chance of LAPACK
    for a in ("sq", "spd", "small", "large", "nilpotent", "empty", "c128", "zero", "symmetric", "nobatch", "f32"):
        case("expm", expm, a)
    for a in ("sq", "batch", "ints", "c128", "zero", "empty"):
        for n in (0, 1, 2, 3, 7, -1, -3):
            case("matrix_power", L.matrix_power, a, n)
    for a in ("sq", "tall", "c128", "batch", "ints", "list"):
        for p in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf"), 3, "what"):
            if a != "batch" or p != 3:
                case("matrix_norm", lambda x, p: L.matrix_norm(x, ord=p), a, p)
            if a in ("sq", "c128", "batch") and p != "what":
                case("cond", L.cond, a, p)
    for a in ("v4", "c", "cv3", "ints", "f32"):
        for p in (0.0, 1.0, 2.0, 3.5, float("inf"), float("-inf"), -2.0):
            case("vector_norm", lambda x, p: L.vector_norm(x, ord=p), a, p)
            case("vector_norm", lambda x, p, k: L.vector_norm(x, ord=p, axis=k), a, p, 0)
    for x, y, k in [("c", "d", 0), ("c", "d", [[1, 2], [1, 0]]), ("c", "d", [[2], [0]]), ("c", "d", 1), ("k", "t", [[0, 1], [0, 1]]), ("c", "t", 2), ("c", "d", 2), ("c", "d", [[0], [0, 1]]), ("c", "t", [[-2, -1], [-2, -1]]), ("c", "d", [[9], [0]])]:
        case("tensordot", np.tensordot, x, y, k)
    for x, y in [("v3", "v4"), ("t", "sq"), ("k", "v3"), ("c", "v4"), ("cv3", "x32")]:
        case("kron", np.kron, x, y)
    for x, y in [("v3", "v3"), ("k", "v4"), ("c", "t"), ("t", "v4"), ("cv3", "v3"), ("v3", "v4")]:
        case("vecdot", np.vecdot, x, y)
        case("inner", np.inner, x, y)
    case("vecdot", lambda x, y, k: np.vecdot(x, y, axis=k), "c", "t", 1)
    case("vecdot", lambda x, y, k: np.vecdot(x, y, axis=k), "c", "t", -2)
    for x, y in [("v3", "m3"), ("v3", "v3"), ("x32", "v3"), ("ints", "v3"), ("cv3", "v3"), ("v4", "v4")]:
        case("cross", lambda x, y: L.cross(x, y) if x.shape[-1] == 3 == y.shape[-1] else L.cross(x, y), x, y)
    for a in ("c", "sq", "v3"):
        case("matrix_transpose", np.matrix_transpose, a)
    for s, *xs in [("ij,jk->ik", "sq", "m4"), ("ij,jk", "sq", "m4"), ("ji", "t"), ("ii", "sq"), ("ii->i", "sq"), ("i,i->i", "v4", "v4"), ("i,j->ij", "v3", "v4"), ("ijk->", "c"), ("ijk->ki", "c"), ("ijk,jk->i", "c", "t"),
                   ("...i,...i->...", "c", "t"), ("...ij,...jk->...ik", "batch", "m3"), ("bij,bj->bi", "cbatch", "x32"), ("ij,ij,ij->", "t", "t", "k"), ("i->", "v4"), ("ijk,klm,l->mi", "c", "d", "v3"), ("...j->...", "c"), ("iij->j", "batch1"),
                   ("ab,bc,cd,de->ae", "t", "sq", "sq", "m4"), ("ij,jk", "sq", "v4"), ("ij->ijk", "sq"), ("ij", "v4"), ("i,j", "v4"), ("i2", "sq"), ("ij,kj->", "sq", "sq"), ("ba", "t"), ("...", "c"), (",i", "one1", "v3"), ("ii", "tall"), ("i...->...", "c"), (" i j , j k -> i k ", "sq", "m4"),
                   ("ij,j->i", "k", "k1"), ("iii->i", "cube"), ("ij,ij->j", "sq", "sq"), ("ij,jk->ik", "big", "mbig"), ("ij,jk->ik", "c128", "c128")]:
        inputs.setdefault("batch1", normal(3, 3, 2)), inputs.setdefault("one1", np.array(2.5)), inputs.setdefault("k1", rng.integers(-3, 3, 4)), inputs.setdefault("cube", normal(3, 3, 3))
        case("einsum", lambda s, *x: np.einsum(s, *x), s, *xs)
    write("linalg.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases)


if __name__ == "__main__":
    main()
