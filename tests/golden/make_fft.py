"""Writes arrays/testdata/fft.json: what NumPy gives for Fourier transforms.

Run from the root of the repository with a Python that has NumPy 2.3:

    python tests/golden/make_fft.py
"""

import numpy as np
from make_arrays import value, write

rng = np.random.default_rng(20261122)


def main():
    c = lambda *s: rng.normal(0, 1, s) + 1j * rng.normal(0, 1, s)
    inputs = {"r8": rng.normal(0, 1, 8), "r9": rng.normal(0, 1, 9), "c8": c(8), "c7": c(7), "one": c(1), "two": c(2), "m": c(3, 4), "rm": rng.normal(0, 1, (4, 6)), "cube": c(2, 3, 4), "rcube": rng.normal(0, 1, (3, 2, 5)),
              "f4": rng.normal(0, 1, 12).astype("f4"), "c64": c(10).astype("c8"), "f2": rng.normal(0, 1, 6).astype("f2"), "i": rng.integers(-9, 9, 10), "b": rng.integers(0, 2, 6).astype(bool), "none": np.zeros(0), "norows": np.zeros((0, 4)), "scalar": np.array(2.0),
              "c101": c(101), "r74": rng.normal(0, 1, 74), "text": np.array(["a"])}
    cases = []

    def case(op, a, n=None, axis=None, norm=None):
        many = op.endswith(("2", "n"))
        kw = {}
        if n is not None:
            kw["s" if many else "n"] = n if many else n[0]
        if axis is not None:
            kw["axes" if many else "axis"] = axis if many else axis[0]
        elif many and n is not None and op.endswith("n"):
            kw["axes"] = list(range(-len(n), 0))
        if norm:
            kw["norm"] = norm
        row = {"op": op, "in": a, "n": n or [], "axis": axis or [], "norm": norm or ""}
        try:
            cases.append(row | {"out": value(getattr(np.fft, op)(inputs[a], **kw))})
        except (ValueError, TypeError, IndexError):
            cases.append(row | {"error": True})

    lists = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    for op in lists:
        for a in inputs:
            if a != "f2" or op in ("fft", "rfft"):  # NumPy scales and gives halves; here they are single precision
                case(op, a)
        for norm in ("ortho", "forward", "backward", "what"):
            case(op, "r9" if op in ("rfft", "ihfft") else "c7", norm=norm)
        for a in ("r8", "r9", "m" if op not in ("rfft", "ihfft") else "rm"):
            for n in (1, 2, 5, 8, 13, 0, -3):
                case(op, a, [n])
        for axis in (0, 1, -1, -2, 2):
            case(op, "rm", axis=[axis])
        case(op, "rcube", [4], [1], "ortho")
    for op in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
        for a in ("rm", "rcube", "m", "cube", "r8", "scalar", "f4"):
            if a != "scalar" or op not in ("fftn", "ifftn"):  # of no axis at all NumPy's transform is real
                case(op, a)
        case(op, "rcube", [4, 3], [0, 2])
        case(op, "rcube", [4, 3])
        case(op, "rcube", axis=[2, 0], norm="ortho")
        case(op, "rcube", [5, 2], [-1, -2], "forward")
        case(op, "rcube", [5], [-1, -2])
        case(op, "rcube", axis=[3, 0])
    helpers = []
    for n in (1, 2, 7, 8):
        for d in (1.0, 0.1):
            helpers.append({"op": "fftfreq", "n": n, "d": d, "out": value(np.fft.fftfreq(n, d))})
            helpers.append({"op": "rfftfreq", "n": n, "d": d, "out": value(np.fft.rfftfreq(n, d))})
    for a in ("r8", "r9", "rm", "rcube"):
        for axes in ([], [0], [-1]):
            for op in ("fftshift", "ifftshift"):
                helpers.append({"op": op, "in": a, "axis": axes, "out": value(getattr(np.fft, op)(inputs[a], axes or None))})
    write("fft.json", inputs={k: value(v) for k, v in inputs.items()}, cases=cases, helpers=helpers)


if __name__ == "__main__":
    main()
