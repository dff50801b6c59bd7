"""A kernelspec for ARRAYREPL_BIN in a temporary data directory, and kernels with clients."""
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for testsize

BIN = os.environ.get("ARRAYREPL_BIN")
FAKE = bool(os.environ.get("ARRAYREPL_FAKE"))
TIMEOUT = 60


def pytest_collection_modifyitems(items):
    if not BIN:
        raise pytest.UsageError("ARRAYREPL_BIN must name the kernel's program")


@pytest.fixture(scope="session", autouse=True)
def kernelspec(tmp_path_factory):
    data = tmp_path_factory.mktemp("jupyter")
    spec = data / "kernels" / "arrayrepl"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(json.dumps({
        "argv": [os.path.abspath(BIN), "kernel", "{connection_file}"],
        "display_name": "Go (arrayrepl)", "language": "go", "interrupt_mode": "message",
        "metadata": {"supported_encryption": ["curve"]},
    }))
    os.environ["JUPYTER_DATA_DIR"] = str(data)
    os.environ["JUPYTER_RUNTIME_DIR"] = str(data / "runtime")
    for name in ("XDG_CONFIG_HOME", "ARRAYREPL_FAKE_HISTORY"):  # not into the history of whoever runs the tests
        os.environ[name] = str(data / "config")
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel()
    try:
        Client(km).kc.stop_channels()
    except RuntimeError as err:  # some tests of jupyter_kernel_test would wait for ever
        pytest.exit(f"{BIN} does not start: {err}", returncode=1)
    finally:
        km.shutdown_kernel(now=True)
    return spec


class Client:
    """A blocking client with the few calls that tests need."""

    def __init__(self, km):
        self.km = km
        self.kc = km.blocking_client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=TIMEOUT)

    def reply(self, msg_id, channel="shell"):
        get = getattr(self.kc, f"get_{channel}_msg")
        while True:
            msg = get(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg

    def outputs(self, msg_id, timeout=TIMEOUT):
        """What is published for the request, up to and without its idle."""
        out = []
        while True:
            msg = self.kc.get_iopub_msg(timeout=timeout)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            if msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
                return out
            out.append(msg)

    def run(self, code, **kw):
        """Executes code: the reply's content and the outputs (without status and execute_input)."""
        msg_id = self.kc.execute(code, **kw)
        content = self.reply(msg_id)["content"]
        return content, [m for m in self.outputs(msg_id) if m["msg_type"] not in ("status", "execute_input")]

    def value(self, code):
        reply, out = self.run(code)
        assert reply["status"] == "ok", reply
        return out[-1]["content"]["data"]["text/plain"]

    def stream(self, out, name="stdout"):
        return "".join(m["content"]["text"] for m in out if m["msg_type"] == "stream" and m["content"]["name"] == name)

    def request(self, msg_type, content, channel="shell"):
        msg = self.kc.session.msg(msg_type, content)
        getattr(self.kc, f"{channel}_channel").send(msg)
        return msg["header"]["msg_id"]

    def wait_running(self, msg_id):
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id and msg["msg_type"] == "execute_input":
                time.sleep(0.05)
                return


def beating(client):
    """Waits for a heartbeat that came in time: on a busy machine one may be late."""
    deadline = time.time() + TIMEOUT
    while not client.kc.hb_channel.is_beating():
        assert time.time() < deadline, "no heartbeat"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def km(tmp_path_factory):
    km = KernelManager(kernel_name="arrayrepl")
    km.log_file = tmp_path_factory.mktemp("kernel") / "log"
    with open(km.log_file, "w") as log:
        km.start_kernel(stderr=log, cwd=km.log_file.parent)  # not in this repository, whose go.mod would be the user's own
    yield km
    km.shutdown_kernel(now=True)


def in_use(km):
    """Goroutines and bytes of the process that has the sockets, after a garbage collection."""
    found = re.compile(r"in use: (\d+) goroutines, (\d+) bytes")
    before = len(found.findall(km.log_file.read_text()))
    km.provisioner.process.send_signal(signal.SIGUSR1)
    deadline = time.time() + TIMEOUT
    while len(all := found.findall(km.log_file.read_text())) == before:
        assert time.time() < deadline, "the kernel does not say what it uses"
        time.sleep(0.01)
    return tuple(map(int, all[-1]))


@pytest.fixture
def no_leak(km):
    """Goroutines and memory of the kernel are at the end what they were at the beginning."""
    if os.name == "nt":
        yield
        return
    first = Client(km)  # what a first client costs for ever is not a leak
    first.run("1 + 1")
    first.kc.stop_channels()
    time.sleep(0.3)
    goroutines, memory = in_use(km)
    yield
    deadline = time.time() + TIMEOUT
    while (now := in_use(km))[0] > goroutines or now[1] > memory + (2 << 20):
        assert time.time() < deadline, f"{now} goroutines and bytes in use, {goroutines, memory} before"
        time.sleep(0.1)


@pytest.fixture
def client(km):
    c = Client(km)
    yield c
    c.kc.stop_channels()
