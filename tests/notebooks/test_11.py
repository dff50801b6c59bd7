"""notebooks/11-inside-an-sm.ipynb and 11b-what-an-sm-waits-for.ipynb: what their claim cells print, against formulas and the tables of the machine's time.

[L] is E. Lindholm, J. Nickolls, S. Oberman, J. Montrym, NVIDIA Tesla, IEEE Micro 2008; [C] NVIDIA's CUDA Programming Guide, 1.0 to 2.3;
numbers of times are of a model, so only bands are asked of them.
"""

import math
import re

import numpy as np
import pytest
from notebook_text import said


@pytest.fixture(scope="module")
def shown(ran):
    """What the cells with the given words in their source show."""
    cells = [c for name in ("11-inside-an-sm", "11b-what-an-sm-waits-for") for c in ran(name).cells]

    def find(words):
        found = [c for c in cells if c.cell_type == "code" and words in c.source and "claim" in c.metadata.get("tags", [])]
        assert len(found) == 1, f"{len(found)} claim cells with {words!r}"
        return said(found[0].outputs)
    return find


def floats(pattern, text):
    return [tuple(float(x) for x in m) if isinstance(m, tuple) else float(m) for m in re.findall(pattern, text)]


def test_peaks(shown):
    """[L]: 36 Gflops an SM, 576 in all; six partitions of 64 bits at 1.08 GHz."""
    assert "lanes 384 + multipliers 192 = 576 Gflop/s" in shown("madPeak :=") and "36 Gflop/s of one SM" in shown("madPeak :=")
    text = shown("memoryClock :=")
    assert f"{6 * 8 * 2 * 1.08:.2f} GB/s" in text and f"{4 * 576 / 103.68:.1f} for each float32" in text
    card = shown("PresetByName")
    for figure in ["16 at 750 MHz", "24 warps of 32 threads", "at most 8 blocks of at most 512 threads", "8192 registers, 16 KB", "16 banks", "768 MB"]:
        assert figure in card


def test_the_peak_is_nearly_reached(shown):
    """Of 128 multiply-adds in a round of the loop, three to six more instructions; of the peak, no more than all of it."""
    (mad, of_peak, of_lanes), = floats(r"multiply-adds: (\d+) Gflop/s, (\d+) % of the peak, (\d+) %", shown("func gflops"))
    assert 0.9 * 384 < mad < 384 and of_peak == round(100 * mad / 576) and of_lanes == round(100 * mad / 384)
    (both, share), = floats(r"with products: (\d+) Gflop/s, (\d+) %", shown("func gflops"))
    assert 0.9 * 576 < both < 576 and share == round(100 * both / 576)


def test_six_warps_fill_the_lanes(shown):
    """[C]: a result is there after 24 clocks of the lanes, an instruction takes 4; the scheduler's cycle is two."""
    ipc = dict(floats(r"warps +(\d+): ([\d.]+)", shown("func perCycle")))
    for warps, got in ipc.items():
        # The loop's own instructions, 4 to 128 multiply-adds, find their place in the waits: 132/128 of the rate.
        assert got == pytest.approx(min(warps / 12, 1 / 2), rel=0.035), warps


def test_two_kinds_of_units(shown):
    for got, want in floats(r"([\d.]+) instructions a cycle; the units allow ([\d.]+)", shown("fourAndOne), ")):
        assert got == pytest.approx(want, rel=0.05)
    assert [w for _, w in floats(r"([\d.]+) instructions a cycle; the units allow ([\d.]+)", shown("fourAndOne), "))] == [1 / 2, 1 / 8, 5 / 8]


def test_ways(shown):
    """A warp makes k passes with 32/k lanes each."""
    rows = floats(r"ways +(\d+):\s+(\d+) multiply-adds of warps,\s+([\d.]+) %", shown("onWays :="))
    assert [k for k, _, _ in rows] == [1, 2, 4, 8, 16, 32]
    warps, chain = 8 * 64 / 32, 4 * 10
    for k, issued, lanes in rows:
        assert issued == warps * chain * k and lanes == pytest.approx(100 / k, abs=0.006)


def transactions(rule, words):
    """The rules of [C] for a warp that reads these words of four bytes, None for lanes that do not: transactions and bytes."""
    n = total = 0
    for half in (words[:16], words[16:]):
        live = [4 * w for w in half if w is not None]
        if rule == "1.0":
            start = next(4 * (w - k) for k, w in enumerate(half) if w is not None)
            ordered = start % 64 == 0 and all(w is None or 4 * w == start + 4 * k for k, w in enumerate(half))
            n, total = (n + 1, total + 64) if ordered else (n + len(live), total + 32 * len(live))
        elif rule == "1.2":
            while live:
                size, at = 128, live[0] // 128 * 128
                inside = [a for a in live if a // 128 * 128 == at]
                live = [a for a in live if a // 128 * 128 != at]
                while size > 32:
                    halves = {(a - at) // (size // 2) for a in inside}
                    if len(halves) > 1:
                        break
                    size //= 2
                    at += size * halves.pop()
                n, total = n + 1, total + size
    live = [4 * w for w in words if w is not None]
    if rule == "2.0":
        n = len({a // 128 for a in live})
        total = 128 * n
    if rule == "3.5":
        n, total = len({a // 128 for a in live}), 32 * len({a // 32 for a in live})
    return n, total


def test_transactions(shown):
    lanes = range(32)
    patterns = {
        "neighbours": list(lanes), "even lanes only": [k if k % 2 == 0 else None for k in lanes], "shifted by one word": [k + 1 for k in lanes],
        "reversed in each half": [k ^ 15 for k in lanes], "every second word": [2 * k for k in lanes], "a column: stride 32": [32 * k for k in lanes],
        "all the same word": [0] * 32,
    }
    text = shown('"neighbours"')
    for name, words in patterns.items():
        row = floats(r"(\d+) / (\d+)", next(line for line in text.splitlines() if line.startswith(name)))
        assert row == [transactions(rule, words) for rule in ("1.0", "1.2", "2.0", "3.5")], name


def test_strides(shown):
    rows = floats(r"stride 1: (\d+) bytes, 2: (\d+), 8: (\d+), 16: (\d+), 32: (\d+)", shown("strides :="))
    for row, rule in zip(rows, ("1.0", "1.2", "2.0", "3.5"), strict=True):
        assert row == tuple(transactions(rule, [s * k for k in range(32)])[1] for s in (1, 2, 8, 16, 32)), rule


def test_a_shifted_copy_takes_about_its_bytes(shown):
    times = floats(r"([\d.]+) times", shown("func copyFrom"))
    for got, rule in zip(times, ("1.0", "1.2"), strict=False):
        by_bytes = (transactions(rule, range(1, 33))[1] / 128 + 1) / 2
        assert got == pytest.approx(by_bytes, rel=0.1)
    assert times[2:] == [pytest.approx(1, abs=0.05)] * 2  # caches


def test_bank_conflicts(shown):
    want = [math.gcd(s, 16) for s in range(1, 33)]
    got = [int(x) for x in re.findall(r"\d+", re.sub(r"stride \d+ to \d+", "", shown("func banks")))]
    assert got == want + want  # by the kernel, and by the heat map


def test_occupancy(shown):
    """[C]: a block's registers come in multiples of 256; 8192 of an SM, 768 threads, 8 blocks."""
    for registers, blocks, warps, share in floats(r"(\d+) registers: (\d+) blocks, (\d+) warps, occupancy (\d+) %", shown("[]int{10, 11}")):
        fit = min(8192 // (math.ceil(256 * registers / 256) * 256), 768 // 256, 8)
        assert (blocks, warps, share) == (fit, 8 * fit, round(100 * 8 * fit / 24))
    (registers, calculated, held), = floats(r"(\d+) registers: the calculator says (\d+) blocks, the machine held (\d+)", shown("ResidentBlocks"))
    assert calculated == held == min(8192 // (256 * registers), 3)


def test_the_multiply_add_that_cuts_off(shown):
    """By exact products in float64; the three words are of the project's notes on the paper."""
    a, b = (np.uint32(x).view(np.float32) for x in (0x3F800401, 0x3F800FFD))
    exact = np.float64(a) * np.float64(b)
    cut = np.float32(exact)
    if np.float64(cut) > exact:
        cut = np.nextafter(cut, np.float32(0))
    text = shown("func mad8800")
    for name, value, word in [("cut off", cut - np.float32(1), 0x3A1FF000), ("rounded twice", a * b - np.float32(1), 0x3A1FF800),
                              ("rounded once", np.float32(exact - 1), 0x3A1FF400)]:
        assert value.view(np.uint32) == word and re.search(rf"{name}\s+{word:#x}", text), name
    (low, even), = floats(r"cut off (-[\d.]+), rounded ([\d.]+)", shown("mean error of a product"))
    assert low == pytest.approx(-0.5, abs=0.02) and even == pytest.approx(0, abs=0.02)
