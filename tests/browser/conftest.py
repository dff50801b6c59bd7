"""A JupyterLab with the kernel installed, in an empty home, and a page in headless Chromium."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # for testsize
BIN = os.environ["ARRAYREPL_BIN"]


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def lab(home, tmp_path_factory):
    """The address of a server that serves a copy of notebooks/, started by `arrayrepl lab`."""
    work = tmp_path_factory.mktemp("work") / "notebooks"
    shutil.copytree(ROOT / "notebooks", work)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON"))}
    env.update(HOME=str(home), PATH=f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}")
    log = open(home / "lab.log", "w")
    server = subprocess.Popen(
        [BIN, "lab", "--no-browser", "--port=18888", str(work)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=env, text=True)
    line = server.stdout.readline()
    url = re.search(r"http://\S+", line)
    assert url, f"arrayrepl lab printed {line!r}; its log:\n{(home / 'lab.log').read_text()}"
    yield url.group(0), work
    server.terminate()
    server.wait(120)


@pytest.fixture(scope="session")
def notebook7(lab, home):
    """The address of a Jupyter Notebook 7 with the same kernels, and the directory that it serves."""
    work = lab[1]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG", "IPYTHON"))}
    env.update(HOME=str(home))
    log = open(home / "notebook.log", "w+")
    server = subprocess.Popen(
        [sys.executable, "-m", "notebook", "--no-browser", "--allow-root", "--port=18889", f"--ServerApp.root_dir={work}"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=env)
    deadline = time.time() + 180
    while not (found := re.search(r"http://127\S+", (home / "notebook.log").read_text())):
        assert server.poll() is None and time.time() < deadline, (home / "notebook.log").read_text()
        time.sleep(0.1)
    yield found.group(0), work
    server.terminate()
    server.wait(120)


@pytest.fixture(scope="session")
def executed_tour(tmp_path_factory):
    """The tour as `arrayrepl run` leaves it."""
    out = tmp_path_factory.mktemp("tour") / "tour.ipynb"
    subprocess.run([BIN, "run", ROOT / "notebooks" / "01-tour.ipynb", "-o", out], check=True, capture_output=True, timeout=300)
    return out


@pytest.fixture(scope="session")
def browser_context():
    """One browser for all tests, which keeps JupyterLab's scripts."""
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=os.environ["CHROMIUM"], args=[
            "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync"])
        yield browser.new_context()
        browser.close()


@pytest.fixture
def page(browser_context):
    """A page that records its console errors in page.errors."""
    page = browser_context.new_page()
    page.set_viewport_size({"width": 1100, "height": 7000})
    page.errors = []
    page.on("console", lambda m: page.errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: page.errors.append(str(e)))
    yield page
    browser_context.set_offline(False)
    page.close()
