"""gopls for cells, by JupyterLab's language server extension: what an editor asks about a notebook's virtual document."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
import websocket

ROOT = Path(__file__).parents[2]
GOPLS = os.environ.get("GOPLS") or shutil.which("gopls") or shutil.which("gopls", path=str(Path.home() / "go/bin"))
TOKEN, TIMEOUT = "a-token", 300  # gopls reads the packages that cells import, which takes a busy machine minutes

CELLS = ["%time 1", "x := 2 * np.Arange(5)\né := \"🙂\"; n := strings.Repeat(é, 2)", "func twice(a int) int { return 2 * a }\nx.Sum()",
         "x := twice(len(n))\nfmt.Println(x)", "math.S"]
DOCUMENT = "\n\n\n".join(CELLS)  # as JupyterLab joins cells


@pytest.fixture(scope="module")
def server(tmp_path_factory, home):
    if not GOPLS:
        pytest.skip("gopls is not installed")
    root = tmp_path_factory.mktemp("server")
    config = root / "config" / "jupyter_server_config.d"
    config.mkdir(parents=True)
    shutil.copy(ROOT / "install/server/arrayrepl.json", config)
    log = root / "server.log"
    go = {name: subprocess.run(["go", "env", name], text=True, capture_output=True, check=True).stdout.strip() for name in ("GOMODCACHE", "GOCACHE", "GOPATH")}
    environ = os.environ | go | {"PYTHONPATH": str(ROOT / "install/server"), "JUPYTER_CONFIG_PATH": str(root / "config"), "GOPLS": GOPLS,
                                 "ARRAYREPL_PROGRAM": os.path.abspath(os.environ["ARRAYREPL_BIN"])}
    process = subprocess.Popen([sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0", f"--IdentityProvider.token={TOKEN}",
                                f"--ServerApp.root_dir={root}"], stdin=subprocess.DEVNULL, stdout=log.open("w"), stderr=subprocess.STDOUT, env=environ, cwd=ROOT)
    deadline = time.time() + 120
    while not (found := re.search(r"http://(?:127\.0\.0\.1|localhost):([1-9]\d*)/", log.read_text())):
        assert process.poll() is None and time.time() < deadline, log.read_text()
        time.sleep(0.1)
    yield f"127.0.0.1:{found.group(1)}", root
    process.terminate()
    process.wait(60)


class Editor:
    """The part of an editor: a notebook's document, and questions about it."""

    def __init__(self, address, root):
        self.uri, self.asked = f"file://{root}/.virtual_documents/nb.ipynb", 0
        self.ws = websocket.create_connection(f"ws://{address}/lsp/ws/arrayrepl-gopls", header=[f"Authorization: token {TOKEN}"], timeout=TIMEOUT)
        self.able = self.ask("initialize", processId=os.getpid(), rootUri=f"file://{root}",
                             capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}})["capabilities"]
        self.tell("initialized")
        self.tell("textDocument/didOpen", textDocument={"uri": self.uri, "languageId": "go", "version": 1, "text": DOCUMENT})

    def send(self, **message):
        self.ws.send(json.dumps({"jsonrpc": "2.0"} | message))

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def ask(self, method, **params):
        self.asked += 1
        self.send(id=self.asked, method=method, params=params)
        while True:
            message = json.loads(self.ws.recv())
            if "method" in message and "id" in message:  # of gopls
                self.send(id=message["id"], result=[{}] if message["method"] == "workspace/configuration" else None)
            elif message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            elif message.get("method") == "textDocument/publishDiagnostics":
                assert message["params"]["diagnostics"] == [], "the kernel says what is wrong with cells"

    def at(self, line, text, plus=0):
        before = DOCUMENT.split("\n")[line].index(text) + plus
        units = len(DOCUMENT.split("\n")[line][:before].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": units}}

    def hover(self, line, text):
        return self.ask("textDocument/hover", **self.at(line, text))["contents"]["value"]


def test_gopls_answers_about_cells(server):
    address, root = server
    specs = requests.get(f"http://{address}/lsp/status", headers={"Authorization": f"token {TOKEN}"}, timeout=TIMEOUT).json()
    assert specs["sessions"]["arrayrepl-gopls"]["spec"]["languages"] == ["go"], specs
    editor = Editor(address, root)
    assert editor.able["hoverProvider"] and "documentFormattingProvider" not in editor.able
    lines = {text: n for n, text in enumerate(DOCUMENT.split("\n"))}
    first, last = lines["x := 2 * np.Arange(5)"], lines["x := twice(len(n))"]
    assert "func np.Arange(args ...any) *np.Array" in editor.hover(first, "Arange")
    assert "var x *np.Array" in editor.hover(lines["x.Sum()"], "x"), "operators of arrays give arrays"
    assert "Sum(opts ...np.ReduceOption) *np.Array" in editor.hover(lines["x.Sum()"], "Sum")
    assert "var x int" in editor.hover(last, "x"), "a cell that declares a name again means its own"
    assert "func strings.Repeat(s string, count int) string" in editor.hover(first + 1, "Repeat")
    completed = editor.ask("textDocument/completion", **editor.at(lines["math.S"], "S", 1))["items"]
    assert {"Sin", "Sqrt"} <= {c["label"] for c in completed}
    here = editor.ask("textDocument/definition", **editor.at(last, "twice"))
    line = lines["func twice(a int) int { return 2 * a }"]
    assert here == [{"uri": editor.uri, "range": {"start": {"line": line, "character": 5}, "end": {"line": line, "character": 10}}}]
    changed = editor.ask("textDocument/rename", **editor.at(first, "x"), newName="y")
    edits = [e["range"]["start"]["line"] for c in changed["documentChanges"] for e in c["edits"]]
    assert sorted(edits) == [first, lines["x.Sum()"]], "not the x of the later cell"
    helped = editor.ask("textDocument/signatureHelp", **editor.at(last, "))", 1))
    assert helped["signatures"][0]["label"] == "twice(a int) int"
