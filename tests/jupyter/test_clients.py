"""Client programs, several clients, restart, and clients that die."""
import asyncio
import os
import subprocess
import sys
import time

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager, KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import FAKE, TIMEOUT, Client, beating


def notebook(*cells):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    return nb


def test_nbclient():
    nb = notebook("x := 41", "x + 1", 'fmt.Println("hi")')
    NotebookClient(nb, timeout=TIMEOUT).execute()
    nbformat.validate(nb)
    assert nb.cells[1].outputs[0].data["text/plain"] == "42"
    assert nb.cells[2].outputs[0].text == "hi\n"
    assert nb.metadata.language_info.name == "go"


def test_nbclient_reports_the_error():
    nb = notebook("1 + 1", 'panic("boom")', "1 + 1")
    with pytest.raises(CellExecutionError, match="boom"):
        NotebookClient(nb, timeout=TIMEOUT).execute()
    NotebookClient(nb, timeout=TIMEOUT, allow_errors=True).execute()
    assert nb.cells[1].outputs[0].output_type == "error"
    assert nb.cells[2].outputs[0].data["text/plain"] == "2"


LATE = """gate := make(chan int)
display.ShowAs("replaced", display.HTML("before"))
go func() {
	<-gate
	fmt.Println("printed")
	display.Clear(false)
	log.SetFlags(0)
	log.Print("logged")
	display.Show(display.HTML("<b>shown</b>"))
	_ = display.Update("replaced", display.HTML("after"))
	gate <- 1
}()"""


def kinds(cell):
    return [o.get("text") or o.data.get("text/html") or o.data["text/plain"] for o in cell.outputs]


@pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
def test_nbclient_gets_what_goroutines_show_after_their_cell():
    nb = notebook(LATE, 'fmt.Println("own")\ngate <- 1\n_ = <-gate')
    NotebookClient(nb, timeout=TIMEOUT).execute()
    nbformat.validate(nb)
    assert kinds(nb.cells[0]) == ["after"]
    assert kinds(nb.cells[1]) == ["own\nprinted\n", "logged\n", "<b>shown</b>"]


@pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
def test_nbclient_gets_what_goroutines_print_between_cells(tmp_path):
    gate, done = tmp_path / "gate", tmp_path / "done"
    late = f"""go func() {{
    for {{ if _, err := os.Stat("{gate}"); err == nil {{ break }}; time.Sleep(10 * time.Millisecond) }}
    fmt.Println("late")
    os.WriteFile("{done}", nil, 0o600)
}}()"""

    def executed(cell_index, **_):
        """After the second cell, and what it has shown, the goroutine prints. (on_cell_complete is called when a cell has been sent.)"""
        if cell_index == 1:
            gate.touch()
            deadline = time.time() + TIMEOUT
            while not done.exists():
                assert time.time() < deadline, "the goroutine has not printed"
                time.sleep(0.05)

    nb = notebook(late, "1", "time.Sleep(300 * time.Millisecond)")
    NotebookClient(nb, timeout=TIMEOUT, on_cell_executed=executed).execute()
    assert [kinds(c) for c in nb.cells] == [[], ["1"], ["late\n"]]


@pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
def test_what_comes_after_the_last_cell_is_logged(capfd):
    NotebookClient(notebook("go func() { for { fmt.Println(\"late\"); time.Sleep(time.Millisecond) } }()"), timeout=TIMEOUT, on_cell_complete=lambda **_: time.sleep(0.3)).execute()
    err = capfd.readouterr().err
    assert "after the last cell had ended" in err and "\nlate\n" in err


def test_asyncio_client():
    async def main():
        km = AsyncKernelManager(kernel_name="arrayrepl")
        await km.start_kernel()
        kc = km.client()
        kc.start_channels()
        await kc.wait_for_ready(timeout=TIMEOUT)
        reply = await kc.execute_interactive("1 + 1", timeout=TIMEOUT)
        assert await kc.is_alive()
        kc.stop_channels()
        await km.shutdown_kernel()
        return reply["content"]["status"]

    assert asyncio.run(main()) == "ok"


def test_ipc_transport(tmp_path):
    km = KernelManager(kernel_name="arrayrepl", transport="ipc")
    km.ip = str(tmp_path / "k")
    km.start_kernel()
    try:
        assert Client(km).value("1 + 1") == "2"
    finally:
        km.shutdown_kernel()
    assert [p.name for p in tmp_path.iterdir() if p.is_socket()] == []


def test_two_clients_see_each_others_outputs(km, client):
    other = Client(km)
    msg_id = client.kc.execute("1 + 1")
    for c in (client, other):
        assert "execute_result" in [m["msg_type"] for m in c.outputs(msg_id)]
    client.reply(msg_id)
    other.kc.stop_channels()


def test_heartbeat(client):
    client.kc.hb_channel.unpause()
    time.sleep(1.5)
    beating(client)
    msg_id = client.kc.execute("for { }")
    client.wait_running(msg_id)
    time.sleep(1.5)
    beating(client)
    client.km.interrupt_kernel()
    client.reply(msg_id)


@pytest.mark.parametrize("busy", [False, True])
def test_shutdown_and_restart(busy):
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel()
    c = Client(km)
    c.run("x := 41")
    if busy:
        c.wait_running(c.kc.execute("for { }"))
    first = km.provisioner.process.pid
    km.restart_kernel(newports=False)
    assert km.provisioner.process.pid != first
    c.kc.wait_for_ready(timeout=TIMEOUT)
    assert c.value("1 + 1") == "2"
    assert c.run("x + 1")[0]["status"] == "error"
    process = km.provisioner.process
    km.shutdown_wait_time = TIMEOUT
    km.shutdown_kernel()
    assert process.poll() == 0, "it ended by itself, and was not killed"


def test_history_survives_a_restart_and_is_shared():
    def tail(c, n):
        return c.reply(c.kc.history(hist_access_type="tail", n=n, raw=True, output=False))["content"]["history"]

    kernels = [KernelManager(kernel_name="arrayrepl") for _ in range(2)]
    for km in kernels:
        km.start_kernel()
    try:
        a, b = [Client(km) for km in kernels]
        a.run("x := 41")
        b.run("y := 7")
        a.run("x + 1")
        sessions = {h[2]: h[0] for h in tail(b, 3)}
        assert set(sessions) == {"x := 41", "y := 7", "x + 1"}
        assert sessions["x := 41"] == sessions["x + 1"] != sessions["y := 7"]
        kernels[0].restart_kernel(newports=False)
        a.kc.wait_for_ready(timeout=TIMEOUT)
        a.run("1 + 1")
        assert tail(a, 1)[0][1:] == [1, "1 + 1"]
        old = a.reply(a.kc.history(hist_access_type="range", session=sessions["x := 41"], start=1, stop=3))["content"]["history"]
        assert [h[1:] for h in old] == [[1, "x := 41"], [2, "x + 1"]]
    finally:
        for km in kernels:
            km.shutdown_kernel()


def test_client_killed_in_the_middle_of_a_cell(km, no_leak, client):
    code = f"""
import sys
from jupyter_client.blocking import BlockingKernelClient
kc = BlockingKernelClient(connection_file={km.connection_file!r})
kc.load_connection_file()
kc.start_channels()
kc.wait_for_ready(timeout={TIMEOUT})
kc.execute('for i := 0; i < 10000; i++ {{ fmt.Println("line", i) }}')
kc.execute("for {{ }}")
print("sent", flush=True)
import time; time.sleep(60)
"""
    victim = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert victim.stdout.readline() == "sent\n"
    time.sleep(0.3)
    victim.kill()
    victim.wait()
    interrupt = client.request("interrupt_request", {}, "control")
    client.reply(interrupt, "control")
    assert client.value("1 + 1") == "2"


@pytest.mark.skipif(os.name == "nt", reason="a process keeps its parent's number for life there")
def test_kernel_ends_with_the_server_that_started_it():
    code = """
from jupyter_client.manager import KernelManager
km = KernelManager(kernel_name="arrayrepl")
km.start_kernel()
km.blocking_client().start_channels()
print(km.provisioner.process.pid, flush=True)
import time; time.sleep(60)
"""
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(server.stdout.readline())
    time.sleep(1)
    os.kill(pid, 0)
    server.kill()
    server.wait()
    deadline = time.time() + TIMEOUT
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        if os.path.exists(f"/proc/{pid}/stat") and open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] == "Z":
            break  # ended; nobody here collects it
        assert time.time() < deadline, "the kernel outlives its server"
        time.sleep(0.1)
