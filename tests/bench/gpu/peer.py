"""Times the workloads of tests/bench/gpu on a GPU with one package, and prints JSON: peer.py PACKAGE N SIDE TURNS.

Each figure is the median over the turns, by the host's clock with a wait for the card, after two turns that do not count.
"""
import json
import math
import sys
import time

package, n, side, turns = sys.argv[1], *map(int, sys.argv[2:5])


def absent(why):
    print(json.dumps({"Absent": str(why)}))
    sys.exit(0)


try:
    if package == "cupy":
        import cupy as xp
        from cupyx.scipy.special import erf

        if xp.cuda.runtime.getDeviceCount() == 0:
            absent("it sees no GPU")
        version = xp.__version__
        wait = lambda out: xp.cuda.get_current_stream().synchronize()
        compiled = lambda f: f
        arange = lambda k, t: xp.arange(k, dtype=t)
        total = lambda x, axis=None: x.sum(axis=axis)
        matmul = xp.matmul
        running, ordered = xp.cumsum, xp.sort
        def compressed(offsets, columns, values):
            from cupyx.scipy.sparse import csr_matrix

            return csr_matrix((values, columns, offsets))
        sqrt, log, exp, sin, cos, asin = xp.sqrt, xp.log, xp.exp, xp.sin, xp.cos, xp.arcsin
        types = {"float32": xp.float32, "float64": xp.float64, "uint32": xp.uint32, "int32": xp.int32, "int64": xp.int64}
        cast = lambda x, t: x.astype(t)
    elif package.startswith("torch"):
        import torch

        if not torch.cuda.is_available():
            absent("it sees no GPU")
        torch.backends.cuda.matmul.allow_tf32 = False
        version = torch.__version__
        wait = lambda out: torch.cuda.synchronize()
        compiled = torch.compile if package == "torch.compile" else lambda f: f
        arange = lambda k, t: torch.arange(k, dtype=t, device="cuda")
        total = lambda x, axis=None: x.sum() if axis is None else x.sum(dim=axis)
        matmul = torch.matmul
        running, ordered = lambda x: torch.cumsum(x, 0), lambda x: torch.sort(x).values
        compressed = torch.sparse_csr_tensor
        sqrt, log, exp, sin, cos, asin, erf = torch.sqrt, torch.log, torch.exp, torch.sin, torch.cos, torch.asin, torch.erf
        types = {"float32": torch.float32, "float64": torch.float64, "uint32": torch.int32, "int32": torch.int32, "int64": torch.int64}  # it sorts no uint32
        cast = lambda x, t: x.to(t)
    elif package == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp
        from jax.scipy.special import erf

        if jax.default_backend() != "gpu":
            absent("it sees no GPU")
        version = jax.__version__
        wait = jax.block_until_ready
        compiled = jax.jit
        arange = lambda k, t: jnp.arange(k, dtype=t)
        total = lambda x, axis=None: x.sum(axis=axis)
        matmul = lambda x, y: jnp.matmul(x, y, precision="highest")
        running, ordered = jnp.cumsum, jnp.sort
        def compressed(offsets, columns, values):
            from jax.experimental.sparse import BCSR

            return BCSR((values, columns, offsets), shape=(len(offsets) - 1,) * 2)
        sqrt, log, exp, sin, cos, asin = jnp.sqrt, jnp.log, jnp.exp, jnp.sin, jnp.cos, jnp.arcsin
        types = {"float32": jnp.float32, "float64": jnp.float64, "uint32": jnp.uint32, "int32": jnp.int32, "int64": jnp.int64}
        cast = lambda x, t: x.astype(t)
    else:
        absent("peer.py does not know it")
except Exception as e:  # not installed, or broken
    absent(f"{type(e).__name__}: {e}".splitlines()[0])


def ramp(k, t, lo, hi):
    return arange(k, t) * ((hi - lo) / k) + lo


def keys(k, t):
    return cast((arange(k, types["int64"]) * 2654435761) & 0xFFFFFFFF, t)


def mesh(points, t):
    """A square mesh whose edges meet, in compressed rows: each point has its four neighbours and itself."""
    side = max(int(math.sqrt(points)), 3)
    count = side * side
    at = arange(count * 5, types["int64"])
    kind = at % 5  # of -side, -1, 0, 1, side
    step = (kind == 4) * side + (kind == 3) * 1 - (kind == 1) * 1 - (kind == 0) * side
    columns = cast((at // 5 + step + count) % count, types["int32"])
    return [compressed(cast(arange(count + 1, types["int64"]) * 5, types["int32"]), columns, ramp(count * 5, t, 1, 1)), ramp(count, t, 0, 1)]


def black_scholes(price, strike, years):
    rate, volatility = 0.02, 0.3
    phi = lambda x: (erf(x * math.sqrt(0.5)) + 1) * 0.5
    spread = sqrt(years) * volatility
    d1 = (log(price / strike) + years * (rate + volatility**2 / 2)) / spread
    d2 = d1 - spread
    later = strike * exp(years * -rate)
    call = price * phi(d1) - later * phi(d2)
    return call, call - price + later


def haversine(lat, lon):
    a, b = sin((lat - 0.7) * 0.5), sin((lon + 1.2) * 0.5)
    return asin(sqrt(a * a + cos(lat) * math.cos(0.7) * b * b)) * (2 * 6371)


columns = min(1000, n)
matrix = lambda t: [ramp(n // columns * columns, t, 0, 1).reshape(-1, columns)]
workloads = [
    ("saxpy", ["float32"], lambda x, y: x * 2 + y, lambda t: [ramp(n, t, 0, 1), ramp(n, t, 1, 2)]),
    ("sum", ["float32"], total, lambda t: [ramp(n, t, 0, 1)]),
    ("sum of axis 0", ["float32"], lambda x: total(x, 0), matrix),
    ("sum of axis 1", ["float32"], lambda x: total(x, 1), matrix),
    ("running sum", ["float32"], running, lambda t: [ramp(n, t, 0, 1)]),
    ("sort", ["uint32"], ordered, lambda t: [keys(n, t)]),
    ("mesh times a vector", ["float32"], lambda m, x: m @ x, lambda t: mesh(n // 10, t)),
    ("Black-Scholes", ["float32", "float64"], black_scholes, lambda t: [ramp(n, t, 10, 50), ramp(n, t, 15, 60), ramp(n, t, 0.5, 2)]),
    ("Haversine", ["float32", "float64"], haversine, lambda t: [ramp(n, t, -1.5, 1.5), ramp(n, t, -3, 3)]),
    ("matmul", ["float32"], matmul, lambda t: [ramp(side * side, t, 0, 1).reshape(side, side), ramp(side * side, t, 1, 2).reshape(side, side)]),
]

seconds, errors = {}, {}
for name, dtypes, f, inputs in workloads:
    for dtype in dtypes:
        label = f"{name} {dtype}"
        try:
            args, run, times = inputs(types[dtype]), compiled(f), []
            wait(args)
            for turn in range(turns + 2):
                start = time.perf_counter()
                wait(run(*args))
                if turn > 1:
                    times.append(time.perf_counter() - start)
            seconds[label] = sorted(times)[len(times) // 2]
        except Exception as e:  # out of memory, no compiler
            errors[label] = f"{type(e).__name__}: {e}".splitlines()[0][:80]
print(json.dumps({"Version": version, "Seconds": seconds, "Errors": errors}))
