"""The panel of variables: messages of the Debug Adapter Protocol on the control channel, as JupyterLab sends them."""
import itertools
import time

import pytest

from conftest import FAKE

pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
numbers = itertools.count(1)


def ask(client, command, **arguments):
    seq = next(numbers)
    msg_id = client.request("debug_request", {"type": "request", "seq": seq, "command": command, "arguments": arguments}, "control")
    reply = client.reply(msg_id, "control")
    assert reply["msg_type"] == "debug_reply"
    content = reply["content"]
    assert (content["type"], content["command"], content["request_seq"]) == ("response", command, seq)
    return content


def listed(client, command="inspectVariables", **arguments):
    content = ask(client, command, **arguments)
    assert content["success"], content
    return {v["name"]: (v["type"], v["value"]) for v in content["body"]["variables"]}, {v["name"]: v["variablesReference"] for v in content["body"]["variables"]}


CELL = """type Point struct { X, Y int; name string; Tags []string }
type Loud int
func (Loud) String() string { panic("a method of the user's") }
n, text, loud, wait := 3, "two\\nlines", Loud(7), 2 * time.Second
p := &Point{1, 2, "hid", []string{"a", "b"}}
m := map[string][]float64{"b": {1.5}, "a": nil}
x := np.Arange(6).Reshape(2, 3)
var e error
var nothing *Point
ring := []any{nil}
ring[0] = ring
ch := make(chan int, 4)
grid := [][]int{{1, 2}, {3}}
func f() {}"""


@pytest.fixture
def cells(client):
    reply, _ = client.run("%reset")
    reply, _ = client.run(CELL)
    assert reply["status"] == "ok", reply
    return client


def test_variables(cells):
    """Types are named as cells name them, values are short, no method of a cell's type is called."""
    names, refs = listed(cells)
    assert names == {
        "n": ("int", "3"), "text": ("string", '"two lines"'), "loud": ("Loud", "7"), "wait": ("time.Duration", "2s"), "p": ("*Point", ""),
        "m": ("map[string][]float64", "len 2"), "x": ("*np.Array", "shape [2 3], int64"), "e": ("error", "nil"), "nothing": ("*Point", "nil"),
        "ring": ("[]any", "len 1"), "ch": ("chan int", "0 of 4"), "grid": ("[][]int", "len 2"),
    }
    assert {n for n, r in refs.items() if r} == {"p", "m", "ring", "grid"}
    fields, inner = listed(cells, "variables", variablesReference=refs["p"])
    assert {k: v[1] for k, v in fields.items()} == {"X": "1", "Y": "2", "name": '"hid"', "Tags": 'len 2: ["a" "b"]'}
    assert listed(cells, "variables", variablesReference=inner["Tags"])[0] == {"[0]": ("string", '"a"'), "[1]": ("string", '"b"')}
    entries, inner = listed(cells, "variables", variablesReference=refs["m"])
    assert list(entries.items()) == [('["a"]', ("[]float64", "len 0: []")), ('["b"]', ("[]float64", "len 1: [1.5]"))]
    ring, inner = listed(cells, "variables", variablesReference=refs["ring"])
    for _ in range(5):
        ring, inner = listed(cells, "variables", variablesReference=inner["[0]"])
    assert ring["[0]"][1] == "len 1"
    assert listed(cells, "variables", variablesReference=refs["grid"], start=1, count=1)[0] == {"[1]": ("[]int", "len 1: [3]")}
    assert not ask(cells, "variables", variablesReference=10_000)["success"]


def test_whos_names_types_as_cells_do(cells):
    assert "*np.Array" in cells.stream(cells.run("%whos")[1])


def test_a_session_as_jupyterlab_has_it(cells):
    """What JupyterLab sends when its panel is opened; nothing stops, and the kernel says so."""
    assert cells.kc.kernel_info and ask(cells, "debugInfo")["body"]["isStarted"] is False
    assert ask(cells, "initialize", clientID="jupyterlab")["success"] and ask(cells, "attach")["success"]
    body = ask(cells, "debugInfo")["body"]
    assert body["isStarted"] and body["stoppedThreads"] == [] and body["richRendering"] is False
    assert ask(cells, "setBreakpoints", breakpoints=[{"line": 1}])["body"] == {"breakpoints": []}
    assert not ask(cells, "stackTrace", threadId=1)["success"]
    assert ask(cells, "disconnect")["success"] and ask(cells, "debugInfo")["body"]["isStarted"] is False


def test_while_a_cell_runs(cells):
    """Names and types come at once; values, which the cell may be writing, do not; an interrupt is not delayed."""
    refs = listed(cells)[1]
    msg_id = cells.kc.execute("for { m[\"a\"] = append(m[\"a\"], 1); delete(m, \"b\"); m[\"b\"] = nil }")
    cells.wait_running(msg_id)
    began = time.time()
    assert "a cell runs" in ask(cells, "variables", variablesReference=refs["m"])["message"]
    for _ in range(20):
        assert listed(cells)[0]["m"] == ("map[string][]float64", "")
    cells.km.interrupt_kernel()
    assert cells.reply(msg_id)["content"]["status"] == "error" and time.time() - began < 30
    assert cells.value("1 + 1") == "2"


def test_maps_that_goroutines_write(cells):
    """A goroutine that a cell has left writes a map: to walk it would end the process."""
    reply, _ = cells.run("halt := make(chan int)\ngo func() { for i := 0; ; i++ { select { case <-halt: return; default: m[fmt.Sprint(i % 100)] = nil } } }()")
    assert reply["status"] == "ok"
    for _ in range(30):
        names, refs = listed(cells)
        assert names["m"][1].startswith("len ") and refs["m"] == 0
    cells.run("close(halt)")
    assert cells.value("1 + 1") == "2"
