"""The wheel in a Debian with Python only: installed from a file, used in JupyterLab, uninstalled."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "browser"))
PIP = "/venv/bin/pip -q --disable-pip-version-check"


@pytest.fixture(scope="module")
def venv(debian_python, wheel):
    d = debian_python
    for program in ("go", "gcc", "jupyter", "arrayrepl"):
        assert d.run(f"command -v {program}", check=False).returncode != 0, f"{program} is there: this shows nothing"
    shutil.copy(wheel, d.root / "root")
    shutil.copy(ROOT / "cmd/arrayrepl/lab-constraints.txt", d.root / "root")
    index = {k: v for k, v in os.environ.items() if k.startswith("PIP_") and k not in ("PIP_FIND_LINKS", "PIP_CERT")}
    d.run(f"python3 -m venv /venv && {PIP} install jupyterlab jupyterlab_widgets -c lab-constraints.txt && {PIP} install ./{wheel.name}", env=index)
    shutil.copytree(ROOT / "notebooks", d.root / "root/notebooks", dirs_exist_ok=True)
    return d


def test_kernelspec(venv):
    """Jupyter finds it although the environment is not activated, and arrayrepl list and doctor agree."""
    specs = json.loads(venv.run("/venv/bin/jupyter kernelspec list --json").stdout)["kernelspecs"]
    assert specs["arrayrepl"]["resource_dir"] == "/venv/share/jupyter/kernels/arrayrepl"
    assert "arrayrepl  Go (arrayrepl)  /venv/share/jupyter/kernels/arrayrepl" in venv.run("arrayrepl list", path="/venv/bin:/usr/bin:/bin").stdout
    assert "!!" not in venv.run("arrayrepl doctor", path="/venv/bin:/usr/bin:/bin").stdout
    assert venv.run("/venv/bin/python -m arrayrepl -e '1 + 1'").stdout == "2\n"


def test_tour(venv, tmp_path):
    """JupyterLab serves the tour; headless Chromium runs all its cells, and saving keeps what the notebook carries."""
    from notebook_page import open_notebook, run_all
    from playwright.sync_api import sync_playwright

    carrying = venv.root / "root/notebooks/carrying.ipynb"
    (venv.root / "root/notebooks/small.csv").write_text("a,b\n1,2\n")
    carrying.write_text(json.dumps({"cells": [{"cell_type": "code", "id": "a", "execution_count": None, "metadata": {}, "outputs": [], "source": "%data small.csv"}],
                                    "metadata": {"kernelspec": {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}))
    log = tmp_path / "lab.log"
    argv = venv.argv("cd notebooks && exec /venv/bin/jupyter lab --allow-root --no-browser --port=18890")
    server = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log.open("w"), stderr=subprocess.STDOUT)
    try:
        deadline = time.time() + 300
        while not (found := re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/lab\?token=\S+", log.read_text())):
            assert server.poll() is None and time.time() < deadline, log.read_text()
            time.sleep(0.2)
        with sync_playwright() as p:
            browser = p.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"])
            page = browser.new_page(viewport={"width": 1100, "height": 7000})
            open_notebook(page, found.group(0), "01-tour.ipynb")
            run_all(page)
            page.wait_for_selector(".jp-OutputArea canvas", timeout=30_000)
            assert len(page.query_selector_all(".jp-OutputArea .arrayrepl-chart")) >= 3
            assert page.query_selector_all(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']") == []
            page.screenshot(path=ROOT / ".build" / "wheel-tour.png")
            open_notebook(page, found.group(0), "carrying.ipynb")
            run_all(page)
            page.keyboard.press("Control+s")
            deadline = time.time() + 30
            while "arrayrepl" not in json.loads(carrying.read_text())["metadata"]:
                assert time.time() < deadline, log.read_text()
                time.sleep(0.2)
            browser.close()
    finally:
        server.kill()  # unshare, and all that it has started with it
        server.wait(30)
    metadata = json.loads(carrying.read_text())["metadata"]
    assert metadata["arrayrepl"]["data"]["small.csv"]["size"] == 8
    assert metadata["language_info"]["arrayrepl"] in venv.run("/venv/bin/arrayrepl version").stdout
    assert '"output_type": "error"' not in (venv.root / "root/notebooks/01-tour.ipynb").read_text()


def test_uninstall(venv):
    """The last: nothing is left."""
    venv.run(f"{PIP} uninstall -y arrayrepl")
    assert "arrayrepl" not in venv.run("/venv/bin/jupyter kernelspec list").stdout
    left = venv.run("find /venv -iname '*arrayrepl*'").stdout
    assert left == "", left
