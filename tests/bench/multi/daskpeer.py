# Dask array with two worker processes. Each line that is read names a program, how its arrays are cut, and what it has
# for sizes; the answer is the seconds that one turn takes until its result is computed, and numbers of the result.
import sys
import time
import warnings

warnings.simplefilter("ignore")

import dask
import dask.array as da
import distributed
import numpy as np
from distributed import Client, LocalCluster, wait

CHUNKS = {
    "auto": lambda *shape: "auto",  # as Dask chooses
    "halves": lambda *shape: (-(-shape[0] // 2), *shape[1:]),  # rows: one block for each worker
    "quarters": lambda *shape: (-(-shape[0] // 4), *shape[1:]),
}


def forty(cut, n):
    """20 times y*1.5 + x, of n numbers."""
    x = da.from_array(np.arange(1.0, n + 1), chunks=n)

    def turn():
        y = x
        for _ in range(20):
            y = y * 1.5 + x
        return y.compute()

    return turn, lambda y: y[:3]


def jacobi(cut, n):
    """20 steps of Jacobi's method."""
    i = da.from_array(np.arange(float(n)), chunks=-1).rechunk(CHUNKS[cut](n)).reshape(-1, 1)
    r = ((i * n + da.arange(float(n), chunks=n)) % 11 / (11 * n)).rechunk(CHUNKS[cut](n, n)).persist()
    b = da.ones(n, chunks=(r.chunks[0],)).persist()
    d = (b * 3).persist()
    wait([r, b, d])

    def turn():
        x = b * 0.5
        for _ in range(20):
            x = (b - r.dot(x)) / d
        x = x.persist()
        wait(x)
        return x

    return turn, lambda x: np.array([x.sum().compute(), x[0].compute(), x[-1].compute()])


def grid(cut, n):
    i = da.from_array(np.arange(float(n + 2)), chunks=-1).rechunk(CHUNKS[cut](n + 2)).reshape(-1, 1)
    g = ((i * (n + 2) + da.arange(float(n + 2), chunks=n + 2)) % 1000).rechunk(CHUNKS[cut](n + 2, n + 2)).persist()
    wait(g)
    return g


def averages(g):
    return 0.2 * (g[1:-1, 1:-1] + g[:-2, 1:-1] + g[1:-1, 2:] + g[1:-1, :-2] + g[2:, 1:-1])


def inside(block):
    block = block.copy()
    block[1:-1, 1:-1] = averages(block)
    return block


def stencil(cut, n):
    """5 steps, by a function of blocks with a row and a column of their neighbours: the fastest form that Dask has."""
    g = grid(cut, n)

    def turn():
        h = g
        for _ in range(5):
            h = h.map_overlap(inside, depth=1, boundary="none", dtype=float)
        h = h.persist()
        wait(h)
        return h

    return turn, lambda h: np.array([h.sum().compute(), h[1, 1].compute(), h[n, n].compute()])


def as_written(cut, n):
    """One step as in NumPy: a view of the middle, and an assignment through it."""
    g = grid(cut, n)
    before = g.sum().compute()

    def turn():
        center, north, east = g[1:-1, 1:-1], g[:-2, 1:-1], g[1:-1, 2:]
        west, south = g[1:-1, :-2], g[2:, 1:-1]
        center[:] = 0.2 * (center + north + east + west + south)
        return g

    return turn, lambda g: np.array([before, g.sum().compute()])


PROGRAMS = {"forty": forty, "jacobi": jacobi, "stencil": stencil, "as written": as_written}


def main():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster):
        print(f"Dask {dask.__version__}, distributed {distributed.__version__}, NumPy {np.__version__}, two worker processes", flush=True)
        program, made = None, {}
        for line in sys.stdin:
            name, cut, n = line.rstrip("\n").split("\t")
            if program != (name, n):
                program, made = (name, n), {}  # arrays of the program before are let go
            try:
                if cut not in made:
                    made[cut] = PROGRAMS[name](cut, int(n))
                turn, of = made[cut]
                begin = time.perf_counter()
                result = turn()
                took = time.perf_counter() - begin
                print(took, *(float(v) for v in of(result)), flush=True)
            except Exception as e:
                print("error", type(e).__name__, " ".join(str(e).split())[:200], flush=True)
            result = None


if __name__ == "__main__":
    main()
