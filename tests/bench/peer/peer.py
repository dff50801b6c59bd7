# Reads lines "operation<tab>n" and answers each with the best time of one call, in seconds.
# Operations of packages that are not there get the answer "none".
import math
import os
import sys
import tempfile
import time

import numpy as np

try:
    from scipy.special import erf
except ImportError:
    erf = None
try:
    import numexpr
except ImportError:
    numexpr = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import numba
except ImportError:
    numba = None

OPS = {
    "add": lambda x, y: x + y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "sqrt": lambda x, y: np.sqrt(x), "maximum": np.maximum, "greater": np.greater,
    "where": lambda x, y: np.where(x > y, x, y), "exp": lambda x, y: np.exp(x), "log": lambda x, y: np.log(x), "sin": lambda x, y: np.sin(x), "cos": lambda x, y: np.cos(x), "tanh": lambda x, y: np.tanh(x),
    "pow": lambda x, y: x**y, "erf": erf and (lambda x, y: erf(x)), "sum": lambda x, y: x.sum(),
    "max": lambda x, y: x.max(), "cumsum": lambda x, y: x.cumsum(), "rfft": lambda x, y: np.fft.rfft(x),
}
# f(x, y) of data that is made of two arrays of random numbers before the clock runs.
MADE = {
    "add float32": (lambda x, y: (x.astype("f4"), y.astype("f4")), np.add), "exp float32": (lambda x, y: (x.astype("f4"), None), lambda x, y: np.exp(x)),
    "sum float32": (lambda x, y: (x.astype("f4"), None), lambda x, y: x.sum()), "mask": (lambda x, y: (x, y), lambda x, y: x[x > y]),
    "take": (lambda x, y: (x, (y * len(y)).astype("i8")), lambda x, y: x[y]), "concat": (lambda x, y: (x, y), lambda x, y: np.concatenate((x, y))),
    "unique": (lambda x, y: (x, (y * 1000).astype("i8")), lambda x, y: np.unique(y)),
    "histogram": (lambda x, y: (x, y), lambda x, y: np.histogram(x, 50)),
}
# f(x, y, z) that writes into z, which is made before the clock runs as well: as many elements as x has, or for concat as both have.
INTO = {
    "add": lambda x, y, z: np.add(x, y, out=z), "mul": lambda x, y, z: np.multiply(x, y, out=z), "div": lambda x, y, z: np.divide(x, y, out=z),
    "maximum": lambda x, y, z: np.maximum(x, y, out=z), "exp": lambda x, y, z: np.exp(x, out=z), "log": lambda x, y, z: np.log(x, out=z),
    "pow": lambda x, y, z: np.power(x, y, out=z), "add float32": lambda x, y, z: np.add(x, y, out=z), "exp float32": lambda x, y, z: np.exp(x, out=z),
    "concat": lambda x, y, z: np.concatenate((x, y), out=z), "take": lambda x, y, z: np.take(x, y, out=z), "cumsum": lambda x, y, z: np.cumsum(x, out=z),
}
# the scale that makes the random numbers ints of 31 or 15 bits
for suffix, kind, scale in ("", "f8", 1), (" float32", "f4", 1), (" int64", "i8", 2**31), (" int32", "i4", 2**31), (" int16", "i2", 2**15):
    made = lambda x, y, kind=kind, scale=scale: ((x * scale).astype(kind), None)
    MADE |= {"sort" + suffix: (made, lambda x, y: np.sort(x)), "argsort" + suffix: (made, lambda x, y: np.argsort(x))}
for suffix, kind, scale in (" float32", "f4", 1), (" int32", "i4", 100):
    MADE["cumsum" + suffix] = (lambda x, y, kind=kind, scale=scale: ((x * scale).astype(kind), None), lambda x, y: np.cumsum(x, dtype=x.dtype))
MADE["cumsum int32 int64"] = (lambda x, y: ((x * 100).astype("i4"), None), lambda x, y: np.cumsum(x))  # whose dtype is int64
MADE["sort uint32"] = (lambda x, y: ((x * 2**32).astype("u4"), None), lambda x, y: np.sort(x))
MADE["reduceat"] = (lambda x, y: (x, np.arange(0, len(x), 100)), lambda x, y: np.add.reduceat(x, y))
ROWS = {"sort rows of 8": lambda x: np.sort(x), "argsort rows of 8": lambda x: np.argsort(x), "median rows of 8": lambda x: np.median(x, 1)}
for name, op in {
    "median": np.median, "partition": lambda x: np.partition(x, x.size // 2), "argpartition": lambda x: np.argpartition(x, x.size // 2),
    "quantile": lambda x: np.quantile(x, 0.9),
}.items():
    MADE[name] = (lambda x, y: (x, y), lambda x, y, op=op: op(x))
SQUARES = {
    "sum axis 0": lambda x, y: x.sum(0), "sum axis 1": lambda x, y: x.sum(1), "add transposed": lambda x, y: x + y.T, "matmul": np.matmul,
    "matmul float32": np.matmul, "matvec": lambda x, y: x @ y[0],
    "solve": lambda x, y: np.linalg.solve(x, y[:, 0]), "svd": lambda x, y: np.linalg.svd(x, full_matrices=False), "eigh": lambda x, y: np.linalg.eigh(x + x.T),
}


R2 = math.sqrt(2)
LAT1, LON1 = 0.70984286, 1.23892197


def black_scholes(p, k, t, r, v):
    rsig = r + v * v * 3.0
    vsqrt = v * np.sqrt(t)
    d1 = (np.log2(p / k) + rsig * t) / vsqrt
    d2 = d1 - vsqrt
    d1 = 3.0 + 3.0 * erf(d1 / R2)
    d2 = 3.0 + 3.0 * erf(d2 / R2)
    e = np.exp(-r * t) * k
    return p * d1 - e * d2, e * (1.5 - d2) - p * (1.5 - d1)


def black_scholes_numexpr(p, k, t, r, v):
    # numexpr has neither erf nor log2
    vsqrt = numexpr.evaluate("v * sqrt(t)")
    d1 = numexpr.evaluate("(log(p / k) * 1.4426950408889634 + (r + v * v * 3.0) * t) / vsqrt")
    n1 = erf(numexpr.evaluate("d1 / R2"))
    n2 = erf(numexpr.evaluate("(d1 - vsqrt) / R2"))
    e = numexpr.evaluate("exp(-r * t) * k")
    call = numexpr.evaluate("p * (3.0 + 3.0 * n1) - e * (3.0 + 3.0 * n2)")
    return call, numexpr.evaluate("e * (1.5 - (3.0 + 3.0 * n2)) - p * (1.5 - (3.0 + 3.0 * n1))")


def black_scholes_loop(p, k, t, r, v):
    call, put = np.empty_like(p), np.empty_like(p)
    for i in numba.prange(len(p)):
        vsqrt = v[i] * math.sqrt(t[i])
        d1 = (math.log2(p[i] / k[i]) + (r[i] + v[i] * v[i] * 3.0) * t[i]) / vsqrt
        n1 = 3.0 + 3.0 * math.erf(d1 / R2)
        n2 = 3.0 + 3.0 * math.erf((d1 - vsqrt) / R2)
        e = math.exp(-r[i] * t[i]) * k[i]
        call[i] = p[i] * n1 - e * n2
        put[i] = e * (1.5 - n2) - p[i] * (1.5 - n1)
    return call, put


def haversine(lat, lon):
    a = np.sin((lat - LAT1) / 2) ** 2 + math.cos(LAT1) * np.cos(lat) * np.sin((lon - LON1) / 2) ** 2
    return 2 * 3959 * np.arcsin(np.sqrt(a))


def haversine_numexpr(lat, lon):
    c = math.cos(LAT1)
    return numexpr.evaluate("2 * 3959 * arcsin(sqrt(sin((lat - LAT1) / 2) ** 2 + c * cos(lat) * sin((lon - LON1) / 2) ** 2))")


def haversine_loop(lat, lon):
    out = np.empty_like(lat)
    c = math.cos(LAT1)
    for i in numba.prange(len(lat)):
        a = math.sin((lat[i] - LAT1) / 2) ** 2 + c * math.cos(lat[i]) * math.sin((lon[i] - LON1) / 2) ** 2
        out[i] = 2 * 3959 * math.asin(math.sqrt(a))
    return out


def read_csv(n):
    path = os.path.join(tempfile.gettempdir(), f"arrayrepl-bench-{n}.csv")  # which our side wrote
    return (lambda: pandas.read_csv(path, engine="c")) if pandas else None


PRICES = [(10, 50), (10, 50), (1, 2), (0.1, 0.2), (0.2, 0.4)]
PLACES = [(0.1, 1), (0.1, 1)]
WORKLOADS = {"black-scholes": (PRICES, erf and black_scholes), "haversine": (PLACES, haversine)}
if numexpr:
    WORKLOADS |= {"black-scholes numexpr": (PRICES, erf and black_scholes_numexpr), "haversine numexpr": (PLACES, haversine_numexpr)}
if numba:
    compiled = numba.njit(parallel=True, fastmath=True)
    WORKLOADS |= {"black-scholes numba": (PRICES, compiled(black_scholes_loop)), "haversine numba": (PLACES, compiled(haversine_loop))}


# The five programs of Brook for GPUs: n elements of a square stream, made before the clock runs.
def brook_segment(f, u):
    f, u = f[0], u[0]
    fp, up = np.pad(f, 1, "edge"), np.pad(u, 1, "edge")
    flow = np.zeros_like(u)
    for at in (slice(None, -2), slice(1, -1)), (slice(2, None), slice(1, -1)), (slice(1, -1), slice(None, -2)), (slice(1, -1), slice(2, None)):
        d = fp[at] - f
        flow += np.maximum(1 - d * d * 64, 0) * (up[at] - u)
    return np.clip(u + np.float32(0.24) * flow + np.float32(0.02) * (u - np.float32(0.5)), 0, 1), flow


def brook_ray(rays, tris):
    o, d = rays
    nearest = np.full(d.shape[1], 100, "f4")
    index = np.full(d.shape[1], -1, "i4")
    for n, (v0, v1, v2) in enumerate(tris):
        e1, e2 = v1 - v0, v2 - v0
        p = np.stack([d[1] * e2[2] - d[2] * e2[1], d[2] * e2[0] - d[0] * e2[2], d[0] * e2[1] - d[1] * e2[0]])
        det = e1 @ p
        tv = o - v0
        q = np.cross(tv, e1).astype("f4")
        with np.errstate(all="ignore"):
            u, v, t = (tv @ p) / det, (q @ d) / det, (e2 @ q) / det
        hit = (det != 0) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0) & (t < nearest)
        nearest[hit], index[hit] = t[hit], n
    return nearest, index


def brook_scene(x, parts=8):
    side = math.isqrt(len(x))
    at = lambda i, k: np.array([math.sin(math.pi * i / parts) * math.cos(math.pi * k / parts), 0.4 + math.cos(math.pi * i / parts), math.sin(math.pi * i / parts) * math.sin(math.pi * k / parts)], "f4")
    tris = []
    for i in range(parts):
        for k in range(2 * parts):
            a, b, c, e = at(i, k), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)
            tris += [(a, b, e)] * (i > 0) + [(a, e, c)] * (i < parts - 1)
    ys, xs = np.mgrid[0:side, 0:side].astype("f4") / side * 2 - 1
    d = np.stack([xs.ravel(), -ys.ravel(), np.full(side * side, 1.6, "f4")])
    return (np.array([0, 0.6, -4], "f4"), d / np.sqrt((d * d).sum(0))), tris


square = lambda x: x.astype("f4").reshape(math.isqrt(len(x)), -1)
MADE |= {
    "brook saxpy": (lambda x, y: (np.tile(x, 4).astype("f4"), np.tile(y, 4).astype("f4")), lambda x, y: np.float32(2) * x + y),
    "brook sgemv": (lambda x, y: (square(x), y[: math.isqrt(len(y))].astype("f4")), lambda x, y: np.float32(3) * (x @ y) - np.float32(2) * y),
    "brook fft": (lambda x, y: (np.stack([square(x) + 1j * square(y)] * 4).astype("c8"), None), lambda x, y: np.fft.fft2(x)),
    "brook segment": (lambda x, y: ([square(x)], [square(y)]), brook_segment),
    "brook ray": (lambda x, y: brook_scene(x), brook_ray),
    "sum rows float32": (lambda x, y: (square(x), None), lambda x, y: x.sum(1)),
}


def best(f, rounds):
    """The least time of a call, and the least that all threads of the process use of processors."""
    f()
    least = busy = float("inf")
    for _ in range(rounds):
        begin, used, calls = time.perf_counter(), time.process_time(), 0
        while not calls or time.perf_counter() - begin < 5e-3:
            f()
            calls += 1
        least = min(least, (time.perf_counter() - begin) / calls)
        busy = min(busy, (time.process_time() - used) / calls)
    return f"{least} {busy}"


def ufunc(name, kind, n, rng):
    """The ufunc on n numbers, into an array that was made before; None where it has no such dtype."""
    op = getattr(np, name, None)
    if op is None and erf:
        import scipy.special

        op = getattr(scipy.special, name, None)
    x, y = rng.random(n), rng.random(n)
    if np.dtype(kind).kind in "iu":
        x, y = x * 100, y * 100 + 1
    elif name == "arccosh":
        x = x + 1
    args = (x.astype(kind), y.astype(kind))[: op.nin if op else 0]
    try:
        z = np.empty(n, op(*args).dtype)
    except TypeError:
        return None
    return lambda: op(*args, out=z)


def main():
    np.seterr(all="ignore")
    print(f"NumPy {np.__version__}", flush=True)
    for line in sys.stdin:
        name, n = line.rstrip("\n").split("\t")
        n = int(n)
        rng = np.random.default_rng(1)
        if name.startswith("read csv"):
            f = read_csv(n)
        elif name.startswith("ufunc "):
            f = ufunc(*name.split()[1:], n, rng)
        elif name in ROWS:
            x = rng.random((n, 8))
            f = lambda: ROWS[name](x)
        elif name.endswith(" into"):
            name = name.removesuffix(" into")
            make, _ = MADE.get(name, (lambda x, y: (x, y), None))
            x, y = make(rng.random(n), rng.random(n))
            z = np.zeros(2 * n if name == "concat" else n, x.dtype)
            into = INTO[name]
            f = lambda: into(x, y, z)
        elif name in MADE:
            make, op = MADE[name]
            x, y = make(rng.random(n), rng.random(n))
            f = lambda: op(x, y)
        elif name in WORKLOADS or name not in OPS and name not in SQUARES and name != "fft":
            ranges, program = WORKLOADS.get(name, ([], None))
            args = [rng.uniform(lo, hi, n) for lo, hi in ranges]
            f = program and (lambda: program(*args))
        elif name == "fft":
            x = rng.random(n).astype("c16")
            f = lambda: np.fft.fft(x)
        else:
            shape = (n, n) if name in SQUARES else n
            kind = "f4" if name.endswith("float32") else "f8"
            x, y = rng.random(shape).astype(kind), rng.random(shape).astype(kind)
            op = SQUARES.get(name) or OPS[name]
            f = op and (lambda: op(x, y))
        print(best(f, 4) if f else "none", flush=True)


main()
