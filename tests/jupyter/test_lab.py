"""arrayrepl lab: a notebook from the web, opened in a server that keeps what notebooks carry."""

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import requests

from conftest import BIN, FAKE, TIMEOUT
from test_carried import MIME, write
from testsize import part

pytestmark = pytest.mark.skipif(FAKE, reason="needs the whole program")


@pytest.fixture
def web(tmp_path):
    """An address with a notebook behind it."""
    page = write(tmp_path / "web" / "from the web.ipynb", ["%data a.txt"]).read_bytes()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/x/from%20the%20web.ipynb" else 404)
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def start(tmp_path, *args):
    home = tmp_path / "home"
    home.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON"))}
    env |= {"HOME": str(home), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"}
    return subprocess.Popen([os.path.abspath(BIN), "lab", "--no-browser", "--port=18990", *args], cwd=home, env=env,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True), home


def patient(ask):
    """Asks until the server, which says its address a moment before it listens, answers."""
    deadline = time.time() + 2 * TIMEOUT
    while True:
        try:
            return ask()
        except requests.ConnectionError:
            assert time.time() < deadline
            time.sleep(0.1)


@pytest.mark.skipif(not part(2), reason="it starts a JupyterLab: one commit in three runs it")
def test_notebook_from_the_web(web, tmp_path):
    lab, home = start(tmp_path, f"{web}/x/from%20the%20web.ipynb")
    try:
        found = re.search(r"(http://[^/]+)/lab/tree/from%20the%20web\.ipynb\?token=(\w+)", lab.stdout.readline())
        assert found, lab.stderr.read()
        base, token = found.groups()
        url, auth = f"{base}/api/contents/from%20the%20web.ipynb", {"Authorization": f"token {token}"}
        model = patient(lambda: requests.get(url, headers=auth, timeout=TIMEOUT).json())
        carries = {"data": {"a.txt": {"size": 1, "sha256": "0" * 64, "gzip": "AAAA"}}}
        model["content"]["cells"][0]["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {MIME: carries, "text/plain": "a.txt"}}]

        def save():
            body = {"type": "notebook", "format": "json", "content": model["content"]}
            assert requests.put(url, headers=auth, json=body, timeout=TIMEOUT).ok
            return json.loads((home / "from the web.ipynb").read_text())["metadata"].get("arrayrepl")

        assert save() == {"data": {"a.txt": {"size": 1, "sha256": "0" * 64}}}  # the content is in the output
        news = requests.get(f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification", headers=auth, timeout=TIMEOUT).json()
        assert news["schema"]["properties"]["fetchNews"]["default"] == "false"  # nobody is asked about news of JupyterLab
        model["content"]["cells"][0]["outputs"] = []
        assert save() == carries
        assert save() == carries  # again, by a page that has not been opened anew
        model["content"]["cells"][0]["source"] = "1 + 1"
        assert save() is None
    finally:
        lab.terminate()
        lab.wait(120)


def test_what_is_no_notebook(web, tmp_path):
    for i, wrong in enumerate((f"{web}/nothing.ipynb", "nowhere.ipynb")):
        (tmp_path / str(i)).mkdir()
        lab, home = start(tmp_path / str(i), wrong)
        assert lab.wait(5 * TIMEOUT) == 1
        assert re.search(r"could not be fetched: .* answers 404|there is no directory or notebook nowhere.ipynb", lab.stderr.read())
        assert list(home.glob("*.ipynb")) == []


def test_install_writes_the_path_that_stays(tmp_path):
    """A link in the PATH stays when an update moves what it leads to: the kernelspec starts the link."""
    version = tmp_path / "arrayrepl-1.0"
    version.mkdir()
    shutil.copy(BIN, version / "arrayrepl")
    link = tmp_path / "bin" / "arrayrepl"
    link.parent.mkdir()
    link.symlink_to(version / "arrayrepl")
    env = os.environ | {"PATH": f"{link.parent}{os.pathsep}{os.environ['PATH']}", "JUPYTER_DATA_DIR": str(tmp_path / "data")}
    subprocess.run(["arrayrepl", "install"], env=env, check=True, stdout=subprocess.DEVNULL)
    assert json.loads((tmp_path / "data/kernels/arrayrepl/kernel.json").read_text())["argv"][0] == str(link)
    version.rename(tmp_path / "arrayrepl-1.1")  # the update
    link.unlink()
    link.symlink_to(tmp_path / "arrayrepl-1.1" / "arrayrepl")
    assert "broken" not in subprocess.run(["arrayrepl", "list"], env=env, text=True, capture_output=True, check=True).stdout
