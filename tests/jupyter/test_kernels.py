"""Kernels that cells write in Go: declared, launched, shown, refused, interrupted."""
import re

import pytest

from conftest import FAKE

pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")

SAXPY = "func saxpy(a float32, x, y []float32) {\n\ti := gpu.GlobalID()\n\tif i < len(y) {\n\t\ty[i] += a * x[i]\n\t}\n}"


def plain(reply):
    return re.sub("\x1b\\[[0-9;]*m", "", "\n".join(reply["traceback"]))


def shown(out):
    return [m["content"]["data"]["text/plain"] for m in out if m["msg_type"] == "execute_result"]


def test_a_kernel_is_declared_and_launched(client):
    reply, _ = client.run(SAXPY)
    assert reply["status"] == "ok", reply
    client.run("x, y := np.Arange(1000).AsType(np.Float32), np.Ones(1000).AsType(np.Float32)")
    reply, out = client.run("gpu.Launch(saxpy, gpu.Blocks(1000, 256), 256, 2, x, y)")
    assert reply["status"] == "ok", reply
    (report,) = shown(out)
    assert report.startswith("saxpy: grid (4), block (256) on sim:v100#0, ") and "registers" in report and "occupancy" in report
    _, out = client.run("y.Sum()")
    assert float(shown(out)[0]) == 1000000  # 1000 + 2*(0+1+...+999)
    _, out = client.run("np.Map(func(v float32) float32 { return -v }, y).Min()")
    assert float(shown(out)[0]) == -1999


def test_errors_have_the_cell_s_line(client):
    reply, _ = client.run("func bad(x []float32) {\n\tm := map[int]int{}\n\tm[gpu.ThreadX()]++\n}")
    assert reply["status"] == "error"
    assert "line 2, column 7: kernel code cannot use maps" in plain(reply)
    client.run(SAXPY)
    client.run("s := make([]float32, 100)")
    reply, _ = client.run("gpu.Launch(func(x []float32) {\n\tx[gpu.GlobalID()+1] = 1\n}, 2, 50, s)")
    assert reply["status"] == "error"
    assert "thread (49) of block (1), x[gpu.GlobalID() + 1]: index 100 is out of range: the length is 100" in plain(reply)


def test_a_kernel_without_end_is_interrupted(client):
    client.run("func forever(x []int) {\n\tfor x[0] == 0 {\n\t\tx[1]++\n\t}\n}")
    client.run("s := make([]int, 2)")
    request = client.kc.execute("gpu.Launch(forever, 64, 64, s)")
    client.wait_running(request)
    client.km.interrupt_kernel()
    assert client.reply(request)["content"]["status"] == "error"
    _, out = client.run("1 + 1")
    assert shown(out) == ["2"]
