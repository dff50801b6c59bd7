"""Magics, and the results of earlier cells, as a client sees them."""
import time

import pytest

from conftest import FAKE, TIMEOUT

pytestmark = pytest.mark.skipif(FAKE, reason="needs the whole program")


def test_time_shows_times_and_the_result(client):
    reply, out = client.run("%time 6 * 7")
    assert reply["status"] == "ok"
    assert "Wall time: " in client.stream(out)
    assert [m["content"]["data"]["text/plain"] for m in out if m["msg_type"] == "execute_result"] == ["42"]


def test_a_magic_among_lines_of_go(client):
    _, out = client.run('twenty := 20\n!echo from the shell\nfmt.Println("then")\ntwenty + 1')
    assert client.stream(out) == "from the shell\nthen\n"
    assert out[-1]["content"]["data"]["text/plain"] == "21"


def test_errors_keep_the_lines_of_the_cell(client):
    reply, _ = client.run("y := 1\n%pwd\n\nundefinedName")
    assert reply["ename"] == "CompileError"
    assert f"cell {reply['execution_count']}, line 4, column 1: undefined: undefinedName" in reply["evalue"]


def test_an_unknown_magic_runs_nothing(client):
    reply, out = client.run('fmt.Println("not this")\n%tiem x')
    assert reply["status"] == "error" and "or %time or" in reply["evalue"]
    assert [m["msg_type"] for m in out] == ["error"]


def test_output_of_a_script_streams(client, tmp_path):
    """What it writes first comes while it still runs: it waits until that has come."""
    gate = tmp_path / "gate"
    msg_id = client.kc.execute(f"%%bash\necho early\nuntil test -e {gate}; do sleep 0.05; done\necho late")
    seen = ""
    while "late" not in seen:
        msg = client.kc.get_iopub_msg(timeout=TIMEOUT)
        if msg["msg_type"] == "stream" and msg["parent_header"].get("msg_id") == msg_id:
            seen += msg["content"]["text"]
            gate.touch()
    assert seen == "early\nlate\n"
    assert client.reply(msg_id)["content"]["status"] == "ok"


def test_a_script_that_fails_fails_the_cell(client):
    reply, _ = client.run("%%bash\nexit 3")
    assert reply["status"] == "error" and "exit status 3" in reply["evalue"]
    reply, out = client.run("!exit 3")
    assert reply["status"] == "ok" and "exit status 3" in client.stream(out, "stderr")


def test_interrupt_ends_a_command_and_what_it_started(client, km):
    mark = f"{time.time():.6f}"[-7:]
    msg_id = client.kc.execute(f"!sleep 99{mark} & sleep 98{mark}; echo not reached")
    client.wait_running(msg_id)
    time.sleep(0.3)
    km.interrupt_kernel()
    reply = client.reply(msg_id)["content"]
    assert reply["status"] == "error" and reply["ename"] == "Interrupted"
    _, out = client.run(f"!ps -ef | grep -c '[s]leep 9[89]{mark}'")
    assert client.stream(out) == "0\n"


def test_results_of_earlier_cells(client):
    reply, _ = client.run("[]int{1, 2, 3}")
    n = reply["execution_count"]
    assert client.value("len(_)") == "3"
    assert client.value(f"Out[{n}][1] + 1") == "3"
    assert client.value(f"In[{n}]") == "[]int{1, 2, 3}"


def test_a_silent_cell_is_no_earlier_result(client):
    client.run("41")
    client.run('"silent"', silent=True)
    client.run('"not stored"', store_history=False)
    reply, _ = client.run("1;", user_expressions={"e": '"asked"'})
    assert reply["user_expressions"]["e"]["status"] == "ok"
    assert client.value("_ + 1") == "42"


def test_completion_of_magics(client):
    def complete(code):
        return client.reply(client.kc.complete(code))["content"]

    answer = complete("%ti")
    assert answer["matches"] == ["%tier", "%time", "%timeit"] and answer["cursor_start"] == 0
    assert "%%time" in complete("%%")["matches"]
    assert complete("%cd /us")["matches"] == ["/usr/"]
    assert "Println" in complete("%time fmt.Pri")["matches"]
    assert "Println" in complete("%pwd\nfmt.Pri")["matches"]


def test_inspection_of_magics(client):
    answer = client.reply(client.kc.inspect("%timeit x", 3))["content"]
    assert answer["found"] and "many times" in answer["data"]["text/plain"]
    answer = client.reply(client.kc.inspect("%time fmt.Println(1)", 14))["content"]
    assert answer["found"] and "func" in answer["data"]["text/plain"]


@pytest.mark.parametrize("code, status", [
    ("%time x", "complete"), ("%%bash\nls", "incomplete"), ("%%bash\nls\n", "complete"),
    ("%pwd\nfor {", "incomplete"), ("!echo \\", "incomplete"), ("%pwd\nx := 1", "complete"),
])
def test_is_complete(client, code, status):
    assert client.reply(client.kc.is_complete(code))["content"]["status"] == status


def test_output_of_go_and_of_commands_keeps_its_order(client):
    _, out = client.run("fmt.Println(1)\n!echo 2; echo 3 >&2; echo 4\n%pwd\n" * 15)
    lines = client.stream(out).split()
    assert [line for line in lines if line.isdigit()] == ["1", "2", "4"] * 15
    assert [lines.index(line) for line in lines if line.startswith("/")][0] == 3
    assert client.stream(out, "stderr") == "3\n" * 15


def test_what_a_command_leaves_in_the_background_writes_on(client, tmp_path):
    gate = tmp_path / "gate"
    msg_id = client.kc.execute(f"!(until test -e {gate}; do sleep 0.05; done; echo late) & echo early")
    assert client.reply(msg_id)["content"]["status"] == "ok"
    gate.touch()
    seen = ""
    while "late" not in seen:
        msg = client.kc.get_iopub_msg(timeout=TIMEOUT)
        if msg["msg_type"] == "stream":
            assert msg["parent_header"]["msg_id"] == msg_id
            seen += msg["content"]["text"]
    assert seen == "early\nlate\n"


def test_captured_outputs(client):
    """What a cell writes and shows becomes a value, which shows it again; nothing of it is the cell's output."""
    reply, out = client.run('%%capture got\nfmt.Println("hidden")\nfmt.Fprintln(os.Stderr, "too")\ndisplay.Show(display.HTML("<b>x</b>"))\ndisplay.ShowAs("id", 1)\n'
                            'display.Update("id", 2)\n6 * 7')
    assert reply["status"] == "ok" and out == []
    assert client.value('fmt.Sprintf("%q %q %d", got.Stdout, got.Stderr, len(got.Outputs))') == '"hidden\\n" "too\\n" 3'
    shown = client.run("got")[1][0]["content"]["data"]
    assert "<b>x</b>" in shown["text/html"] and shown["text/plain"].split("\n") == ["hidden", "too", "<b>x</b>", "2", "42"]
    reply, out = client.run('%%capture got\nfmt.Println("before")\npanic("failed")')
    assert reply["status"] == "error" and [m["msg_type"] for m in out] == ["error"]
    assert client.value("got.Stdout") == "before\n"
    assert client.run('fmt.Println("heard")')[1][0]["content"]["text"] == "heard\n"
    assert client.run("%%html\n<i>y</i>")[1][0]["content"]["data"]["text/html"].strip() == "<i>y</i>"
