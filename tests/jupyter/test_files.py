"""Interrupts of work with arrays in files on a slow disk, from a notebook: cells end, nothing goes on behind them,
and the file and the session can be used at once. What happens between commands, tests/storage counts."""
import os
import time

import pytest

import testsize

SETUP = """
np.SetHostBudget(4 << 20)
np.Save("x.npy", np.Arange(1 << 20).AsType(np.Float64))
var x *np.Array
func open(opts ...np.FileOption) *np.Array {
	x, _ = np.Open("x.npy", append([]np.FileOption{np.Throttle(300, 20*time.Millisecond), np.CacheBytes(4 << 20)}, opts...)...)
	return x
}
func pick(data []float64, idx []int64, out []float64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = data[idx[i]]
	}
}
func stamp(data []float64) {
	if i := gpu.GlobalID(); i*512 < len(data) {
		data[i*512] = -1
	}
}
func gather(x *np.Array) {
	out := np.Zeros(1 << 17)
	gpu.Launch(pick, 512, 256, x, np.Arange(1<<17).Mul(7919).Mod(1<<20), out)
	np.Eval(out)
}
"""

STEPS = {  # each takes some seconds
    "sum": "for { open().Sum().Float64() }",
    "save": 'for { np.Save("out.npy", open().Mul(3)) }',
    "sort": "for { np.Eval(np.Sort(open())) }",
    "quantiles": "for { np.Eval(np.Quantile(open(), []float64{0.1, 0.7})) }",
    "histogram": "for { np.Histogram(open(), 10) }",
    "take": 'np.Eval(np.Take(open(np.Access("lines"), np.Without("cache")), np.Arange(1 << 17).Mul(7919).Mod(1 << 20)))',
    "kernel": "gather(open())",
    "simulated kernel": 'np.Use("sim:tiny"); gather(open())',
    "writing kernel": "gpu.Launch(stamp, 8, 256, open(np.Writable())); np.Eval(x.At(5).Copy())",
    "flush": "for { gpu.Launch(stamp, 1, 128, open(np.Writable())); x.Flush() }",
    "strided": "open(np.Writable()).Set(5, np.S(0, np.End, 4000))",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    from conftest import Client
    from jupyter_client.manager import KernelManager
    where = tmp_path_factory.mktemp("files")
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel(cwd=str(where))
    client = Client(km)
    _, out = client.run(SETUP)
    assert not out, out
    yield client, where
    client.kc.stop_channels()
    km.shutdown_kernel(now=True)


@pytest.mark.parametrize("name", [name for i, name in enumerate(sorted(STEPS)) if testsize.part(i)])
def test_nothing_goes_on_after_an_interrupt(session, name):
    client, where = session
    client.run('np.Use("host"); np.Save("x.npy", np.Arange(1 << 20).AsType(np.Float64))')
    msg_id = client.kc.execute(STEPS[name])
    time.sleep(0.7)
    client.km.interrupt_kernel()
    content = client.reply(msg_id)["content"]
    client.outputs(msg_id)
    assert content["status"] == "error" and content["ename"] == "Interrupted", (name, content)

    def text(code):
        _, out = client.run(code)
        return "".join(m["content"].get("text", "") or m["content"].get("data", {}).get("text/plain", "") for m in out)
    commands = 's, _ := x.Storage(); fmt.Print(s.Reads+s.Writes, " ", s.Cache.InUse)'
    before = text(commands)
    time.sleep(0.3)
    assert text(commands) == before, f"{name}: commands go on"
    assert before.endswith(" 0"), f"{name}: lines in use: {before}"
    assert text("fmt.Print(x.At(7).Float64())") in ("7", "-1"), name
    assert text('fmt.Print(x.Close())') == "<nil>", name
    assert [f for f in os.listdir(where) if f.startswith(".arrayrepl") or f.startswith("out")] == [], name
