"""What cells start: an interrupt reaches it, and it ends with the session, however that ends."""
import fcntl
import os
import signal
import subprocess
import sys
import termios
import time

import pytest
from jupyter_client import BlockingKernelClient, write_connection_file
from jupyter_client.manager import KernelManager

from conftest import BIN, FAKE, TIMEOUT, Client

pytestmark = pytest.mark.skipif(FAKE or sys.platform != "linux", reason="needs a session that runs Go, and /proc")


def running(mark):
    """The process ids of the programs that have mark as an argument."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            args = open(f"/proc/{pid}/cmdline").read().split("\0")
            state = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if mark in args and state != "Z":
            found.append(int(pid))
    return found


def wait_until(ok, what):
    deadline = time.time() + TIMEOUT
    while not ok():
        assert time.time() < deadline, what
        time.sleep(0.02)


# Each sleeps for a time that nobody else does, by which it is found; AT stands for it.
STARTS = {
    "Run": 'exec.Command("sleep", "AT").Run()',
    "Output": 'exec.Command("sh", "-c", "sleep AT; true").Output()',
    "below a shell": 'exec.Command("sh", "-c", "(sleep AT; true); true").Run()',
    "in the background of a shell": 'exec.Command("sh", "-c", "sleep AT & wait").Run()',
    "its parent has ended": 'exec.Command("sh", "-c", "sleep AT >/dev/null & exit 0").Run()\nfor { }',
    "deaf to SIGINT": 'exec.Command("sh", "-c", "trap \'\' INT; sleep AT; sleep AT").Run()',
    "Start": 'exec.Command("sleep", "AT").Start()\nfor { }',
    "goroutine": 'go exec.Command("sleep", "AT").Run()\nfor { }',
    "os.StartProcess": 'p, _ := os.StartProcess("/bin/sleep", []string{"sleep", "AT"}, &os.ProcAttr{})\np.Wait()',
    "syscall.ForkExec": 'syscall.ForkExec("/bin/sleep", []string{"sleep", "AT"}, nil)\nfor { }',
    "a group of its own": 'c := exec.Command("sleep", "AT")\nc.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}\nc.Run()',
    "line of a shell": "!sleep AT; true",
    "%%bash": "%%bash\nsleep AT & wait",
    "pipeline": 'exec.Command("sh", "-c", "sleep AT | cat | cat").Run()',
    "setsid": 'exec.Command("setsid", "sleep", "AT").Run()\nfor { }',
    "setsid, in the background": "!setsid sleep AT > /dev/null 2>&1 &\nfor { }",
    "Setsid": 'c := exec.Command("sleep", "AT")\nc.SysProcAttr = &syscall.SysProcAttr{Setsid: true}\nc.Run()',
    "two forks": 'exec.Command("sh", "-c", "setsid sh -c \'setsid sleep AT & exit 0\' & exit 0").Run()\nfor { }',
    "jobs of a shell": "%%bash\nset -m\nsleep AT > /dev/null 2>&1 &\ndisown\nsleep 1000",
    "setsid, without an environment": 'exec.Command("sh", "-c", "setsid env -i sleep AT & exit 0").Run()\nfor { }',
    "setsid, deaf to SIGINT": 'exec.Command("sh", "-c", "trap \'\' INT HUP TERM; setsid sh -c \'sleep AT; sleep AT\' & exit 0").Run()\nfor { }',
    "ever new ones": 'exec.Command("sh", "-c", "trap \'\' INT; while :; do setsid sleep AT & sleep 0.01; done").Run()',
}


@pytest.mark.parametrize("name", STARTS)
def test_interrupt(client, name):
    at = f"{100_000 + list(STARTS).index(name)}.{os.getpid()}"  # what an earlier run has left is not ours
    other = f"{200_000 + list(STARTS).index(name)}.{os.getpid()}"
    client.run(f'other := exec.Command("sh", "-c", "sleep {other}; true")\nother.Start()')
    msg_id = client.kc.execute(STARTS[name].replace("AT", at))
    wait_until(lambda: running(at) and running(other), "they do not start")
    client.km.interrupt_kernel()
    assert client.reply(msg_id)["content"]["ename"] == "Interrupted"
    assert not running(at), "it has ended before the cell"
    assert len(running(other)) == 1, "an earlier cell's process goes on"
    assert client.run("%kill all")[0]["status"] == "ok"
    wait_until(lambda: not running(other), "%kill all ends what it has started too")


@pytest.mark.parametrize("command", ["yes; true", "setsid yes", "setsid sh -c 'yes & exit 0'; while :; do sleep 1; done"])
def test_no_output_in_later_cells(client, command):
    msg_id = client.kc.execute(f'c := exec.Command("sh", "-c", "trap \'\' INT; {command}")\nc.Stdout = os.Stdout\nc.Run()')
    while (msg := client.kc.get_iopub_msg(timeout=TIMEOUT))["msg_type"] != "stream" or msg["parent_header"]["msg_id"] != msg_id:
        pass
    client.km.interrupt_kernel()
    assert client.reply(msg_id)["content"]["ename"] == "Interrupted"
    client.outputs(msg_id)
    _, out = client.run('time.Sleep(500 * time.Millisecond)\nfmt.Println("alone")')
    assert client.stream(out) == "alone\n"


def test_what_has_ended_is_forgotten(client):
    """The session is the parent of what its children leave behind, and asks how that ended; a cell's own child is left to the cell."""
    session = int(client.value("os.Getpid()"))

    def zombies():
        found = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                stat = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            found += stat[0] == "Z" and int(stat[1]) == session
        return found

    before = zombies()  # what cells have started and not waited for
    client.run('for range 20 {\n\texec.Command("sh", "-c", "setsid sh -c \'sleep 0.1 & exit 0\' & exit 0").Run()\n}')
    time.sleep(0.5)
    wait_until(lambda: zombies() <= before, "ended processes stay in the table")
    assert client.run('c := exec.Command("sh", "-c", "exit 3")\nc.Start()')[0]["status"] == "ok"
    time.sleep(0.3)
    assert client.value("c.Wait().Error()") == "exit status 3"


def test_daemons_of_earlier_cells_stay(client):
    at = f"500000.{os.getpid()}"
    client.run(f"!setsid sleep {at} > /dev/null 2>&1 &")
    wait_until(lambda: running(at), "it does not start")
    time.sleep(0.1)
    msg_id = client.kc.execute("for { }")
    client.wait_running(msg_id)
    client.km.interrupt_kernel()
    assert client.reply(msg_id)["content"]["ename"] == "Interrupted"
    assert len(running(at)) == 1
    os.kill(running(at)[0], signal.SIGKILL)


LEFT = r"""
exec.Command("sleep", "AT").Start()
exec.Command("sh", "-c", "sleep AT & sleep AT").Start()
exec.Command("sh", "-c", "sleep AT > /dev/null & exit 0").Run()
syscall.ForkExec("/bin/sleep", []string{"sleep", "AT"}, nil)
detached := exec.Command("sleep", "OUT")
detached.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
detached.Start()
exec.Command("sh", "-c", "setsid sh -c 'setsid sleep OUT > /dev/null 2>&1 & exit 0' & exit 0").Run()
os.Getpid()
"""


@pytest.mark.parametrize("end", ["shutdown", "now", "kill the session", "kill the kernel", "stop the session, kill the kernel", "kill the kernel's group"])
def test_end_of_the_session(end, tmp_path):
    at, out = str(300_000 + hash(end) % 1000), str(400_000 + hash(end) % 1000)
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel(cwd=tmp_path)
    client = Client(km)
    try:
        session = int(client.value(LEFT.replace("AT", at).replace("OUT", out)))
        client.run(f"!sleep {at} > /dev/null 2>&1 &")
        wait_until(lambda: len(running(at)) == 6 and len(running(out)) == 2, "they do not start")
        kernel = km.provisioner.process.pid
        if end == "shutdown":
            km.shutdown_kernel()
        elif end == "now":
            km.shutdown_kernel(now=True)
        elif end == "kill the session":
            os.kill(session, signal.SIGKILL)
        elif end == "kill the kernel":
            os.kill(kernel, signal.SIGKILL)
        elif end == "kill the kernel's group":
            os.killpg(kernel, signal.SIGKILL)
        else:
            os.kill(session, signal.SIGSTOP)
            os.kill(kernel, signal.SIGKILL)
        wait_until(lambda: not running(at), "what cells have started ends with the session")
        wait_until(lambda: not running(out), "also what has left its POSIX session by setsid")
        if end == "kill the session":
            assert client.value("1 + 1") == "2"
        else:
            wait_until(lambda: not os.path.exists(f"/proc/{session}") or "\nState:\tZ" in open(f"/proc/{session}/status").read(), "the session itself ends")
    finally:
        client.kc.stop_channels()
        km.shutdown_kernel(now=True)
        for pid in running(out) + running(at):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("terminal", [True, False])
def test_programs_of_cells_have_no_terminal(terminal, tmp_path):
    """A program that asks at the terminal would be stopped there. Without one the session needs no POSIX session."""
    file = str(tmp_path / "connection.json")
    write_connection_file(file)
    master, slave = os.openpty()

    def begin():
        os.setsid()
        if terminal:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    process = subprocess.Popen([BIN, "kernel", file], preexec_fn=begin, stdin=subprocess.DEVNULL)
    kc = BlockingKernelClient(connection_file=file)
    try:
        kc.load_connection_file()
        kc.start_channels()
        kc.wait_for_ready(timeout=TIMEOUT)

        def value(code):
            out = []
            kc.execute_interactive(code, timeout=TIMEOUT, output_hook=lambda m: out.append(m["content"].get("data", {}).get("text/plain")))
            return [o for o in out if o][0]

        session = int(value("os.Getpid()"))
        assert os.getpgid(session) == session
        assert (os.getsid(session) == session) == terminal
        assert value('_, err := os.Open("/dev/tty"); err.Error()') == "open /dev/tty: no such device or address"
    finally:
        kc.stop_channels()
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)
