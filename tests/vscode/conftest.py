"""A VS Code server with the kernel installed, in an empty home, and pages in headless Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ["ARRAYREPL_BIN"])
VSCODE = Path(os.environ["ARRAYREPL_VSCODE"])
SETTINGS = {
    # A page that opens a file before the extensions have told what they open would show a notebook's JSON.
    "workbench.editorAssociations": {"*.ipynb": "jupyter-notebook"},
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "security.workspace.trust.startupPrompt": "never",
}


class Server:
    """A running VS Code; home is its user's, work the folder that it shows."""

    def __init__(self, home, work, *args):
        self.home, self.work, self.log = home, work, home / f"server{len(args)}.log"
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON", "VSCODE"))}
        env.update(HOME=str(home), PATH=f"{VSCODE / 'node/bin'}{os.pathsep}{env['PATH']}")
        self.theme("Default Light Modern")
        self.process = subprocess.Popen(
            ["node", str(VSCODE / "node_modules/code-server/out/node/entry.js"), "--auth=none", f"--bind-addr=127.0.0.1:{self.port}",
             "--disable-telemetry", "--disable-update-check", "--enable-proposed-api=ms-toolsai.jupyter",
             f"--user-data-dir={home / 'data'}", f"--extensions-dir={VSCODE / 'extensions'}", *args, str(work)],
            stdin=subprocess.DEVNULL, stdout=open(self.log, "w"), stderr=subprocess.STDOUT, env=env, start_new_session=True)
        deadline = time.time() + 120
        while True:
            try:
                urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).read()
                return
            except OSError:
                assert self.process.poll() is None and time.time() < deadline, self.log.read_text()
                time.sleep(0.2)

    def theme(self, name):
        user = self.home / "data/User"
        user.mkdir(parents=True, exist_ok=True)
        (user / "settings.json").write_text(json.dumps({**SETTINGS, "workbench.colorTheme": name}))

    def address(self, name):
        payload = json.dumps([["openFile", f"vscode-remote://127.0.0.1:{self.port}{self.work / name}"]])
        return f"http://127.0.0.1:{self.port}/?folder={self.work}&payload={urllib.parse.quote(payload)}"

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(20)


@pytest.fixture(scope="session")
def work(tmp_path_factory):
    """A copy of the notebooks; gallery.ipynb and tour.ipynb have their outputs."""
    folder = tmp_path_factory.mktemp("work") / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder)
    for source, to in [("90-gallery", "gallery"), ("01-tour", "tour")]:
        subprocess.run([BIN, "run", folder / f"{source}.ipynb", "-o", folder / f"{to}.ipynb"], check=True, timeout=600, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    subprocess.run([BIN, "install"], env={"HOME": str(folder), "PATH": os.environ["PATH"]}, check=True, timeout=60, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="session")
def vscode(home, work):
    server = Server(home, work, "--disable-workspace-trust")
    yield server
    server.stop()


@pytest.fixture
def page():
    """A page that records what its console calls errors, with the address of the script that says so."""
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=os.environ["CHROMIUM"], args=[
            "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync"])
        page = browser.new_page(viewport={"width": 1300, "height": 1400})
        page.errors = []
        page.on("console", lambda m: page.errors.append(f"{m.location.get('url')}: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda e: page.errors.append(f"page: {e}"))
        yield page
        browser.close()
