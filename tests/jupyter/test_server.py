"""What VS Code and other remote clients ask of a Jupyter server: kernelspecs, a session, cells over a websocket."""
import json
import os
import re
import subprocess
import sys
import time
import uuid

import pytest
import requests
import websocket

from conftest import TIMEOUT

TOKEN = "a-token"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    log = root / "server.log"
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--port=0", f"--IdentityProvider.token={TOKEN}",
         f"--ServerApp.root_dir={root}"], stdin=subprocess.DEVNULL, stdout=log.open("w"), stderr=subprocess.STDOUT,
        env=os.environ | {"HOME": str(root)})
    deadline = time.time() + 120 # a server imports for long on a busy machine
    while not (found := re.search(r"(http://127\.0\.0\.1:(\d+))/", log.read_text())) or found.group(2) == "0":
        assert process.poll() is None and time.time() < deadline, log.read_text()
        time.sleep(0.1)
    while not answers(found.group(1)):  # it tells its address before it listens
        assert process.poll() is None and time.time() < deadline, log.read_text()
        time.sleep(0.1)
    yield found.group(1)
    process.terminate()
    process.wait(120)  # a busy machine lets it take its time


def answers(url):
    try:
        return requests.get(url + "/api", timeout=TIMEOUT).ok
    except requests.ConnectionError:
        return False


def ask(method, url, **body):
    reply = requests.request(method, url, headers={"Authorization": f"token {TOKEN}"}, json=body or None, timeout=TIMEOUT)
    assert reply.ok, (url, reply.text)
    return reply.json() if reply.text else None


class Channel:
    """The channels of one kernel, as JSON over a websocket."""

    def __init__(self, server, kernel):
        self.id = uuid.uuid4().hex
        self.ws = websocket.create_connection(f"{server.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={self.id}",
                                              header=[f"Authorization: token {TOKEN}"], timeout=TIMEOUT)

    def send(self, kind, content, channel="shell"):
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self.id, "username": "", "date": "", "version": "5.3"}
        self.ws.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": channel, "buffers": []}))
        return header["msg_id"]

    def until(self, parent, kind):
        while True:
            msg = json.loads(self.ws.recv())
            if msg["parent_header"].get("msg_id") == parent and msg["header"]["msg_type"] == kind:
                return msg["content"]

    def run(self, code):
        msg_id = self.send("execute_request", {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": True, "stop_on_error": True})
        return self.until(msg_id, "execute_result")["data"]["text/plain"]


def test_a_remote_client(server):
    specs = ask("GET", server + "/api/kernelspecs")["kernelspecs"]
    assert specs["arrayrepl"]["spec"]["language"] == "go"
    session = ask("POST", server + "/api/sessions", name="nb", path="nb-jvsc.ipynb", type="notebook", kernel={"name": "arrayrepl"})
    kernel = session["kernel"]["id"]
    c = Channel(server, kernel)
    assert c.until(c.send("kernel_info_request", {}), "kernel_info_reply")["language_info"]["file_extension"] == ".go"
    assert c.run("x := 41\nx") == "41"
    assert "Println" in str(c.until(c.send("complete_request", {"code": "fmt.Prin", "cursor_pos": 8}), "complete_reply")["matches"])
    assert c.until(c.send("inspect_request", {"code": "fmt.Println", "cursor_pos": 11, "detail_level": 0}), "inspect_reply")["found"]
    asks = c.send("execute_request", {"code": "var s string; fmt.Scanln(&s); s", "silent": False, "allow_stdin": True})
    c.until(asks, "input_request")
    c.send("input_reply", {"value": "Ada"}, "stdin")
    assert c.until(asks, "execute_result")["data"]["text/plain"] == "Ada"
    loop = c.send("execute_request", {"code": "for { }", "silent": False})
    c.until(loop, "execute_input")
    ask("POST", f"{server}/api/kernels/{kernel}/interrupt")
    assert c.until(loop, "execute_reply")["status"] == "error"
    assert c.run("x + 1") == "42"
    ask("POST", f"{server}/api/kernels/{kernel}/restart")
    c.ws.close()
    c = Channel(server, kernel)  # the server makes sure that the kernel answers before it lets a new connection in
    gone = c.send("execute_request", {"code": "x", "silent": False})
    assert "undefined: x" in c.until(gone, "error")["evalue"]
    ask("DELETE", f"{server}/api/sessions/{session['id']}")
