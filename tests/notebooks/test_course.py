"""The course, notebooks 12 to 17: what cells print against formulas; of modelled times the order that the text claims, no more."""

import math
import re

import numpy as np
import pytest
from notebook_text import said


@pytest.fixture
def shown(ran):
    """shown("12-memory", "mem-06"): what the cell of an id shows, and the numbers in it."""
    def of(name, id):
        cell = next(c for c in ran(name).cells if c.id == id)
        text = said(cell.outputs)
        return text, [float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]\d+)?", text)]
    return of


def test_sectors(shown):
    """A warp reads 32 words of 4 bytes, a stride apart; memory moves 32 bytes at a time."""
    text, _ = shown("12-memory", "mem-06")
    rows = [[float(n) for n in row] for row in re.findall(r"stride +(\d+): +(\d+) sectors.*?([\d.]+) %", text)]
    assert rows == [[s, min(4 * s, 32), 100 * 128 / 32 / min(4 * s, 32)] for s in (1, 2, 4, 8, 16, 32)]
    # A particle is one sector: two loads and a store of 32 for each warp. An array each: 3 accesses of 4 sectors.
    assert shown("12-memory", "mem-09")[1] == [2048 * 3 * 32, 2048 * 3 * 4, 8]


def test_transpose(shown):
    text, _ = shown("12-memory", "mem-16")
    found = re.findall(r"kernel (\w+) +(\d+) sectors, +(\d+) bank conflicts, +([\d.]+) µs, transposed: (\w+)", text + shown("12-memory", "mem-22")[0])
    warps = 1024 * 1024 // 32
    assert [(k, int(s), int(c), t) for k, s, c, _, t in found] == [
        ("copyMatrix", 8 * warps, 0, "false"), ("naive", (4 + 32) * warps, 0, "true"),
        ("tiled", 8 * warps, 31 * warps, "true"), ("padded", 8 * warps, 0, "true")]
    copy, naive, tiled, padded = (float(t) for _, _, _, t, _ in found)
    assert copy < padded < tiled < naive and naive > 4 * copy


def test_banks(shown):
    text, _ = shown("12-memory", "mem-19")
    assert [int(n) for n in re.findall(r"\d+", text.split("[")[1].split("]")[0])] == [math.gcd(s, 32) for s in range(1, 34)]


def test_product(shown):
    """Blocks of 16 × 16: a warp covers two rows, so it loads two words of a, two sectors, and 16 words of b, two more."""
    text, _ = shown("12-memory", "mem-26")
    (simple, t1), (tiled, t2) = [(int(s), float(t)) for s, t in re.findall(r"(\d+) sectors.*?([\d.]+) µs, right: true", text)]
    warps, result = 256 * 256 // 32, 256 * 256 // 8
    assert simple == pytest.approx(warps * 256 * (2 + 2) + result, rel=0.01)
    assert tiled == 2 * 256**3 // 16 // 8 + result
    assert t2 < t1 / 2


def test_littles_law(shown):
    clock, latency, peak, sms = 1.53e9, 28 + 165 + 250, 900e9, 80
    _, numbers = shown("13-latency-hiding-and-occupancy", "lat-06")
    under_way = peak * latency / clock
    assert numbers == [round(latency / clock * 1e9), 900, round(under_way / 1e3), round(under_way / sms / 1e3, 1), math.ceil(under_way / sms / 128)]
    step, machine = shown("13-latency-hiding-and-occupancy", "lat-04")[1]
    assert machine == latency and latency <= step < 1.1 * latency


def test_occupancy(shown):
    """The CUDA occupancy calculator's rules for capability 7.0: registers come in portions of 256 for a warp."""
    rows = re.findall(r"(\d+) registers: (\d+) blocks of 256 threads, occupancy ([\d.]+)", shown("13-latency-hiding-and-occupancy", "lat-15")[0])
    for r, blocks, percent in ((int(r), int(b), float(p)) for r, b, p in rows):
        warps = 65536 // (math.ceil(r * 32 / 256) * 256)
        assert blocks == min(warps // 8, 8) and percent == 100 * blocks * 8 / 64


def test_less_is_more(shown):
    rows = re.findall(r"occupancy ([\d.]+) %.*?([\d.]+) µs", shown("13-latency-hiding-and-occupancy", "lat-19")[0])
    (full, t1), (less, t2) = ((float(a), float(b)) for a, b in rows)
    assert less < full and t2 < t1
    spilled = [float(t) for t in re.findall(r"([\d.]+) µs", shown("13-latency-hiding-and-occupancy", "lat-22")[0])]
    assert spilled == sorted(spilled) and len(spilled) == 3


def test_divergence(shown):
    both, one = re.findall(r"(\d+) instructions of warps in the loops, (\d+) %", shown("14-divergence", "div-05")[0])
    assert int(both[0]) == 2 * int(one[0]) >= 2 * 512 * 20 and (both[1], one[1]) == ("50", "100")


def test_rows_by_warps(shown):
    lengths = np.minimum(8 / np.random.default_rng(3).random(4096) ** 0.8, 2000).astype(int)
    text = shown("14-divergence", "div-18")[0] + shown("14-divergence", "div-20")[0]
    thread, warp, ordered = (float(p) for p in re.findall(r"([\d.]+) % of the lanes", text))

    def lanes(lengths):  # as a thread for each row has them: all wait for the longest row
        warps = lengths.reshape(-1, 32)
        return 100 * lengths.sum() / (32 * warps.max(1).sum())
    assert thread == pytest.approx(lanes(lengths), rel=0.15) and ordered == pytest.approx(lanes(np.sort(lengths)), rel=0.25)
    assert warp == pytest.approx(100 * lengths.sum() / (32 * np.ceil(lengths / 32).sum()), rel=0.1)
    times = [float(t) for t in re.findall(r"█\S* ([\d.]+)", shown("14-divergence", "div-20")[0])]
    assert times[1] < times[0] < times[2]


def test_sums(shown):
    text, _ = shown("15-working-together", "red-07")
    rows = re.findall(r"kernel (\w+) +sum 262144, +([\d.]+) %.*?(\d+) bank conflicts, (\d+) warp", text)
    assert [r[0] for r in rows] == ["interleaved", "packed", "sequential"]
    assert float(rows[0][1]) < 20 < 60 < float(rows[1][1]) and int(rows[1][2]) > 0 == int(rows[0][2]) == int(rows[2][2])
    assert int(rows[2][3]) < 0.75 * int(rows[0][3])
    rates = [float(t) for t in re.findall(r"█\S* ([\d.]+)", shown("15-working-together", "red-12")[0])]
    assert rates[:5] == sorted(rates[:5]) and rates[5:9] == sorted(rates[5:9]) and rates[9] > 0.95 * rates[8] and len(rates) == 10
    times = [float(t) for t in re.findall(r"█\S* ([\d.]+)", shown("15-working-together", "red-22")[0])]
    assert times[0] < times[1] < times[2] and all(shared < memory / 4 for memory, shared in zip(times[:3], times[3:], strict=True))
    # Steps of d = 1, 2, 4, … 128 add 256 - d elements each.
    assert shown("15-working-together", "red-15")[1] == [sum(256 - 2**k for k in range(8)), 8]


def test_arrays(shown):
    assert shown("02-arrays", "arr-07")[1] == [24, 60, 24 * 60, 24 * 60 - 1]
    x = np.linspace(0, 10, 1_000_000)
    energy = ((np.sin(x) * np.exp(-x / 5)) ** 2).sum()
    assert shown("02-arrays", "arr-10")[1][:2] == [0, pytest.approx(energy, abs=6e-4)]
    assert shown("02-arrays", "arr-05")[1][:4] == [100, 1, 100, 3]


def test_streams(shown, ran):
    """The V100's link: 12 GB/s from pinned memory, with what each copy costs whatever its size."""
    text, _ = shown("16-streams", "str-04")
    slow, copy, kernel, out = (float(t) for t in re.findall(r"([\d.]+) µs", text)[:4])
    assert copy == out == pytest.approx(4 * 2**20 / 12e9 * 1e6, rel=0.05) and slow > 1.8 * copy
    together, beside = (float(t) for t in re.findall(r"([\d.]+) µs", shown("16-streams", "str-10")[0]))
    assert beside < 0.6 * together
    notes = "".join(o.get("text", "") for c in ran("16-streams").cells if c.id == "str-12" for o in c.outputs)
    assert "missing event" in notes and "iterate" in notes


def test_roof(shown):
    assert shown("17-where-is-the-bottleneck", "roof-03")[1] == [15.7, 900, round(80 * 64 * 2 * 1.53e9 / 900e9, 1)]
    text, _ = shown("17-where-is-the-bottleneck", "roof-06")
    times = [float(t) for t in text.split("time")[1].split("[")[1].split("]")[0].split()]
    assert times[2] < 1.1 * times[0] and times[6] > 1.5 * times[5]
    first, second, third = ((float(t), int(s)) for t, s in re.findall(r"([\d.]+) µs, +(\d+) sectors", shown("17-where-is-the-bottleneck", "roof-17")[0]))
    elements = 2048 * 256
    assert second[1] == 2 * elements // 8 and first[1] > 16 * second[1] and first[0] > 15 * second[0] and third[0] < second[0]
    assert third[0] > 2 * 4 * elements / 900e9 * 1e6
    for id in ("roof-10", "roof-14", "roof-17"):
        assert "as NumPy would compute it: true" in shown("17-where-is-the-bottleneck", id)[0]


def test_data_parallel(shown):
    """Rounds as the paper counts them: half as many in each of a sum, all but the first d in those of a scan."""
    n = 16
    text, _ = shown("34-thinking-in-data", "think-03")
    rounds = [[int(k) for k in row.split()] for row in re.findall(r"\[([\d ]+)\]", text)]
    assert rounds == [[n >> j for j in range(1, 5)], [n - 2**j for j in range(4)]] and f"{sum(rounds[1])} additions" in text
    assert shown("34-thinking-in-data", "think-03")[1][-1] == sum(range(n))
    text, _ = shown("34-thinking-in-data", "think-10")
    bitonic = 16 * 17 // 2 * 220e-6
    assert f"({16 * 17 // 2} exchange)" in text and f"at {bitonic / 940e-6:.1f} bits" in text and "4 times as long" in text
    assert shown("34-thinking-in-data", "think-16")[1] == [1000, math.ceil(math.log2(999)), 65536, 16]
    assert re.findall(r"(\d+) rounds", shown("34-thinking-in-data", "think-21")[0]) == ["481", "11"]
    assert re.findall(r"(\d+) passes", shown("34-thinking-in-data", "think-23")[0]) == ["2", "4", "10"]


def test_scans(shown):
    rows = re.findall(r"dp\.(\w+) +(\d+) additions, +(\d+) warp", shown("35-five-steps-to-a-scan", "five-03")[0])
    n = 256
    assert [(m, int(a)) for m, a, _ in rows] == [("Simple", 8 * n - (n - 1)), ("WarpWise", 129 * (n // 32 + 1) + n - 32), ("Downsweep", 2 * n + n - 2)]
    assert int(rows[1][2]) < int(rows[2][2])
    a, b = 0, 1
    for _ in range(90):
        a, b = b, a + b
    assert f"F(90) = {a}" in shown("35-five-steps-to-a-scan", "five-18")[0]
    rates = [float(t) for t in re.findall(r"█\S* ([\d.]+)", shown("35-five-steps-to-a-scan", "five-22")[0].replace("▍", "█"))]
    assert len(rates) == 8 and rates[0] > rates[4] and rates[6] > 5 * rates[2] and rates[7] > 5 * rates[3] and min(rates[:4]) < min(rates[4:])
