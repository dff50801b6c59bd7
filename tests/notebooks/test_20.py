"""The numbers of 20-one-import-bigger-than-the-gpu.ipynb beside NumPy's, the paper's and Hull's."""

import re

import numpy as np
import pytest
from math import erf
from notebook_text import said

NAME = "20-one-import-bigger-than-the-gpu"
N = 1 << 20


@pytest.fixture(scope="module")
def cell(ran):
    """cell("oa-06"): what a cell said."""
    cells = {c.id: c for c in ran(NAME).cells}
    return lambda id: said(cells[id].outputs)


def test_prices(cell):
    """Hull, Options, Futures and Other Derivatives: a share at 42, a strike of 40, 10 % and 20 % a year, six months: 4.76 and 0.81."""
    assert "call 4.76, put 0.81" in cell("oa-06")
    spread = 0.2 * np.sqrt(0.5)
    d1 = (np.log(42 / 40) + (0.1 + 0.2**2 / 2) * 0.5) / spread
    n1, n2 = (0.5 + 0.5 * erf(d / np.sqrt(2)) for d in (d1, d1 - spread))
    later = 40 * np.exp(-0.05)
    assert f"call {42 * n1 - later * n2:.2f}, put {later * (1 - n2) - 42 * (1 - n1):.2f}" in cell("oa-06")
    assert f"0 of {2 * N} values differ" in cell("oa-12")
    assert "differ from the CPU's: 0" in cell("oa-19b")


def test_bytes(cell):
    """Three inputs of float64 go in, once; with two results they are what memory must hold: of 2^18 options, and not of 2^19."""
    assert f"kernels: 1; to copy: {3 * 8 * N / 1e6:.1f} MB" in cell("oa-10")
    assert 5 * 8 * (1 << 18) <= 16 << 20 < 5 * 8 * (1 << 19)
    assert f"the most that ran: {1 << 18} options" in cell("oa-17") and f"needs {5 * 8 * (1 << 19) / 1e6:.0f} MB" in cell("oa-17")
    pieces, rows = map(int, re.search(r"in (\d+) pieces of (\d+) rows", cell("oa-19")).groups())
    assert pieces * rows == N and rows & (rows - 1) == 0 and 5 * 8 * rows <= 16 << 20
    assert cell("oa-19b").startswith(f"{pieces} pieces, copied in {3 * 8 * N / 1e6:.1f} MB")


def test_copies_take_longer_than_kernels(cell):
    """Ordering only: the paper has 60 % of its Black-Scholes in transfers."""
    copies, kernels = map(int, re.search(r"copies (\d+) %, kernels (\d+) %", cell("oa-15")).groups())
    assert copies > 60 > kernels and copies + kernels <= 101


def test_pieces_between_are_best(cell):
    best, t, _, small, _, large = map(float, re.findall(r"[\d.]+(?= rows| ms)", cell("oa-24").split("\n")[0]))
    assert 2048 < best < 1 << 18 and t < small and t < large


def test_transfers_vanish(cell):
    """A call of a function for the CPU costs a copy out and one in; the inputs are three."""
    assert "copies in: 5, copies out: 2, tasks on the CPU: 2" in cell("oa-28")
    assert "copies in: 3, copies out: 0, tasks on the CPU: 0, kernels: 1" in cell("oa-30")


def test_truncated_svd(cell):
    """The singular values by NumPy, of the same random numbers; and the device from 2^14 points on, where 2x = 14 + x."""
    cloud = np.random.default_rng(7).normal(0, 1, (1 << 16, 8)) + np.linspace(-10, 10, 8)
    lines = [list(map(float, re.findall(r"\d+(?:\.\d+)?", line))) for line in cell("oa-35").strip().split("\n")]
    assert [line[0] for line in lines] == [1 << 10, (1 << 14) - 1, 1 << 14, 1 << 16]
    for m, first, second, kernels in lines:
        assert np.allclose([first, second], np.linalg.svd(cloud[:int(m)], compute_uv=False)[:2], atol=1e-3)  # the paper's is 0.2
        assert (kernels > 0) == (2 * np.log2(m) >= 14 + np.log2(m))
