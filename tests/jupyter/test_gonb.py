"""Cells that were written for GoNB, in the kernel that install --alias gonb gives."""
import os
import json
import subprocess

import pytest
from jupyter_client.manager import KernelManager

from conftest import BIN, TIMEOUT, Client


def kernel_as(alias):
    """A client of the kernel that notebooks for another one get."""
    subprocess.run([BIN, "install", "--alias", alias, "--name", "for-" + alias], check=True, capture_output=True)
    km = KernelManager(kernel_name=alias)
    km.start_kernel()
    try:
        client = Client(km)
        yield client
        client.kc.stop_channels()
    finally:
        km.shutdown_kernel(now=True)
        subprocess.run([BIN, "uninstall", "--name", "for-" + alias], check=True, capture_output=True)


@pytest.fixture(scope="module")
def gonb():
    yield from kernel_as("gonb")


@pytest.fixture(scope="module")
def gophernotes():
    yield from kernel_as("gophernotes")


@pytest.fixture(params=["gonb", "gophernotes"])
def aliased(request):
    return request.getfixturevalue(request.param)


def shown(client, code, status="ok"):
    """What a cell writes, and the HTML that it displays."""
    reply, out = client.run(code)
    assert reply["status"] == status, reply
    content = [m["content"] for m in out]
    return "".join(c.get("text", "") for c in content), [c["data"].get("text/html") for c in content if "data" in c]


def test_programs(gonb):
    assert shown(gonb, 'func main() { fmt.Println("hello") }')[0] == "hello\n"
    assert shown(gonb, 'func init_x() { fmt.Print("x ") }\n%%\nfmt.Println("main")')[0] == "x main\n"
    assert shown(gonb, "%cd")[0] == os.getcwd() + "\n"
    assert shown(gonb, "!((i = 3)); echo $i")[0] == "3\n"
    assert shown(gonb, "!*pwd")[0] == shown(gonb, "!echo $GONB_TMP_DIR")[0] != "\n"


def test_flags_do_not_end_the_session(gonb):
    reply, _ = gonb.run("os.Args = append(os.Args, `-nonsense`)\nflag.Parse()")
    assert "not defined: -nonsense" in reply["evalue"]
    assert shown(gonb, "%args -h\nfunc main() { flag.Parse() }", "error")
    assert shown(gonb, 'fmt.Println("alive")')[0] == "alive\n"


def test_tests(gonb):
    text, _ = shown(gonb, 'func TestGood(t *testing.T) { fmt.Println("in it"); t.Run("sub", func(t *testing.T) {}) }\n%test')
    lines = [line.split(" (")[0].strip() for line in text.splitlines()]
    assert lines == ["=== RUN   TestGood", "in it", "=== RUN   TestGood/sub", "--- PASS: TestGood", "--- PASS: TestGood/sub", "PASS"]
    text, _ = shown(gonb, '''%test
func TestPanics(t *testing.T) {
    t.Run("sub", func(t *testing.T) { t.Parallel(); var p *int; fmt.Println(*p) })
    t.Cleanup(func() { panic("late") })
}''', "error")
    assert "panic: runtime error: invalid memory address" in text and "panic: late" in text and "--- FAIL: TestPanics" in text
    text, _ = shown(gonb, "func BenchmarkNothing(b *testing.B) { for range b.N {} }\n%test -test.bench=Nothing -test.benchtime=10x -test.run=Good")
    assert "BenchmarkNothing" in text and "ns/op" in text and "FAIL" not in text
    for wrong in ("-test.timeout=1s", "-test.run=(", "-test.coverprofile=x", "TestGood"):
        shown(gonb, "%test " + wrong, "error")
    assert "FAIL" in shown(gonb, "%test", "error")[0]


def test_tests_log_the_lines_of_cells(gonb):
    gonb.run("""func check(tb testing.TB, x int) {
    tb.Helper()
    if x > 2 {
        tb.Errorf("%d is more than 2\\nand so %s", x, "wrong")
    }
}
type wrapped struct{ *testing.T }
type mock struct{ testing.TB }
func (mock) Fatal(args ...any) { fmt.Println("not fatal:", args) }""")
    n = int(gonb.value("len(In)"))
    text, _ = shown(gonb, """%test -test.v -test.run=TestLogs
func TestLogs(t *testing.T) {
    t.Log("one", 2)
    check(t, 3)
    t.Run("sub", func(t *testing.T) {
        defer fmt.Println("deferred")
        wrapped{t}.Logf("wrapped %d", 1)
        mock{t}.Fatal(1)
        testing.TB(mock{t}).Fatal(2)
        t.Fatal("end")
    })
    t.Run("skipped", func(t *testing.T) { t.Skip("why") })
}""", "error")
    assert text.split("---")[0] == f"""=== RUN   TestLogs
    cell {n + 1}:3: one 2
    cell {n + 1}:4: 3 is more than 2
        and so wrong
=== RUN   TestLogs/sub
    cell {n + 1}:7: wrapped 1
not fatal: [1]
not fatal: [2]
    cell {n + 1}:10: end
deferred
=== RUN   TestLogs/skipped
    cell {n + 1}:12: why
"""
    gonb.run("%rm TestLogs")


def test_gonbui(gonb):
    head = 'import ("github.com/janpfeifer/gonb/gonbui"; "github.com/janpfeifer/gonb/gonbui/dom")\n%%\n'
    assert shown(gonb, head + 'gonbui.DisplayHTML("<b>x</b>"); _ = dom.Append')[1] == ["<b>x</b>"]
    code = '''id := dom.CreateTransientDiv()
dom.SetInnerHtml(id, "one<br>")
dom.Append(id, `<div id="gone"><div>two</div></div>`)
fmt.Println(dom.GetInnerHtml("gone"))
dom.Remove("gone")
dom.Append(id, dom.GetInnerHtml(id))
dom.Persist(id)'''
    text, html = shown(gonb, head + code + "\n_ = gonbui.UniqueID")
    assert text == "<div>two</div>\n" and html[-1] == "one<br>one<br>"
    reply, _ = gonb.run('import "github.com/janpfeifer/gonb/gonbui/comms"\n%%\ncomms.Send("/x", 1)')
    assert "there is no such channel" in reply["evalue"]


def test_run_without_jupyter(tmp_path):
    """arrayrepl run understands a notebook that names GoNB's kernel, or gophernotes', as those understand it."""
    def run(kernel, source):
        path = tmp_path / "x.ipynb"
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": "go"}},
                                    "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": source}]}))
        return subprocess.run([BIN, "run", str(path)], capture_output=True, text=True)

    cell = 'func init_x() { fmt.Print("x ") }\n%%\nfmt.Println("main")'
    assert run("gonb", cell).stdout.startswith("x main\n")
    assert run("gonb", "func main() { fmt.Println(1) }").stdout == "1\n"
    assert run("arrayrepl", "func main() { fmt.Println(1) }").stdout == ""
    assert run("gophernotes", ":command\n1 + 1").stdout.endswith("\n2\n")


WIDGETS = """import (
    "github.com/janpfeifer/gonb/gonbui/comms"
    "github.com/janpfeifer/gonb/gonbui/widgets"
)
"""


def test_widgets_are_heard_while_a_cell_runs(gonb):
    """A cell waits for what a slider sends, as GoNB's notebooks do; the kernel is busy until the cell has ended."""
    code = WIDGETS + """%%
slider := widgets.Slider(0, 9, 1).Done()
moved := slider.Listen()
fmt.Println("waiting")
for v := range moved.C {
    fmt.Println("moved to", v)
    if v == 7 { moved.Close() }
}
fmt.Println("closed", slider.Value())
_ = comms.Start"""
    cell = gonb.kc.execute(code)
    seen, slider = [], None
    while True:
        m = gonb.kc.get_iopub_msg(timeout=TIMEOUT)
        parent, content = m["parent_header"].get("msg_id"), m["content"]
        if m["msg_type"] == "comm_open" and content["data"]["state"]["_model_name"] == "IntSliderModel":
            slider = content["comm_id"]
        if m["msg_type"] == "stream" and parent == cell:
            seen.append(content["text"])
            if "waiting" in content["text"]:
                for v in (4, 7):
                    gonb.request("comm_msg", {"comm_id": slider, "data": {"method": "update", "state": {"value": v}}})
        if m["msg_type"] == "status":
            if parent == cell and content["execution_state"] == "idle":
                break
    assert "".join(seen) == "waiting\nmoved to 4\nmoved to 7\nclosed 7\n"
    assert gonb.reply(cell)["content"]["status"] == "ok"


def test_busy_after_a_comm_message(aliased, tmp_path):
    gate = tmp_path / "gate"
    cell = aliased.kc.execute(f'for {{ if _, err := os.Stat("{gate}"); err == nil {{ break }}; time.Sleep(10 * time.Millisecond) }}')
    aliased.wait_running(cell)
    msg_id = aliased.request("comm_msg", {"comm_id": "none", "data": {}})
    states = []
    while not states or states[-1] != (cell, "idle"):
        m = aliased.kc.get_iopub_msg(timeout=TIMEOUT)
        if m["msg_type"] != "status":
            continue
        state = (m["parent_header"]["msg_id"], m["content"]["execution_state"])
        if states or state[0] == msg_id:  # before it, a slider's last message may still be answered, while the cell runs already
            states.append(state)
            if state == (cell, "busy"):
                gate.touch()
    assert states == [(msg_id, "busy"), (msg_id, "idle"), (cell, "busy"), (cell, "idle")]
    aliased.reply(cell)


def test_widgets_are_heard_under_every_alias(aliased):
    """The kernel's own widgets, in a cell that waits for them."""
    cell = aliased.kc.execute("""import (
    "github.com/arrayrepl/arrayrepl/kernel/display"
    "github.com/arrayrepl/arrayrepl/kernel/widgets"
)
pressed := make(chan bool)
fmt.Println("waiting")
display.Show(widgets.Button("press", func() { pressed <- true }))
<-pressed
fmt.Println("pressed")""")
    button, text = None, ""
    while True:
        m = aliased.kc.get_iopub_msg(timeout=TIMEOUT)
        content = m["content"]
        if m["msg_type"] == "comm_open" and content["data"]["state"]["_model_name"] == "ButtonModel":
            button = content["comm_id"]
        if m["msg_type"] == "display_data" and button:
            aliased.request("comm_msg", {"comm_id": button, "data": {"method": "custom", "content": {"event": "click"}}})
        if m["msg_type"] == "stream":
            text += content["text"]
        if m["msg_type"] == "status" and m["parent_header"].get("msg_id") == cell and content["execution_state"] == "idle":
            break
    assert text == "waiting\npressed\n"
    assert aliased.reply(cell)["content"]["status"] == "ok"


def test_an_interrupt_ends_a_cell_that_waits_for_a_widget(gonb):
    cell = gonb.kc.execute(WIDGETS + """%%
b := widgets.Button("press").Done()
fmt.Println("waiting")
<-b.Listen().C
_ = comms.Start""")
    while True:
        m = gonb.kc.get_iopub_msg(timeout=TIMEOUT)
        if m["msg_type"] == "stream" and "waiting" in m["content"]["text"]:
            break
    gonb.request("interrupt_request", {}, channel="control")
    assert gonb.reply(cell)["content"]["ename"] == "Interrupted"
    assert shown(gonb, 'fmt.Println("alive")')[0] == "alive\n"
