"""The windows/amd64 program under wine: what wine does as Windows does, paths, pipes between processes, signals' absence."""

import json
import os
import re
import shutil
import subprocess
import time

import pytest
from jupyter_client.manager import KernelManager

from conftest import ROOT, program


@pytest.fixture(scope="module")
def windows(tmp_path_factory):
    """run(args...) runs the program on a C: drive of its own, in a directory that holds the notebooks."""
    home = tmp_path_factory.mktemp("wine")
    work = home / "work"
    shutil.copytree(ROOT / "notebooks", work)
    shutil.copy(program("windows-amd64"), work)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("XDG", "JUPYTER"))}
    env |= {"WINEPREFIX": str(home / "prefix"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "bcryptprimitives=n,b;mscoree,mshtml="}
    subprocess.run(["wine", "wineboot", "--init"], env=env, check=True, capture_output=True, timeout=300)
    subprocess.run(["x86_64-w64-mingw32-gcc", "-shared", ROOT / "tests/ship/bcryptprimitives.c", "-ladvapi32", "-o",
                    home / "prefix/drive_c/windows/system32/bcryptprimitives.dll"], check=True)

    def run(*args, check=True):
        done = subprocess.run(["wine", "arrayrepl.exe", *args], cwd=work, env=env, text=True, capture_output=True, timeout=600)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run.work, run.env = work, env
    yield run
    subprocess.run(["wineserver", "-k"], env=env)


def test_cells(windows):
    assert windows("-e", "runtime.GOOS", "-e", "x := np.Linspace(0, 1, 5); (x * x).Sum()", "-e", "strings.ToUpper(`go`)") == "windows\n1.875\nGO\n"


def test_places(windows):
    """Where Windows keeps things, as docs/install.md says, and where Jupyter looks for kernels there."""
    places = dict(re.findall(r"^(history|own JupyterLab) +(\S+)", windows("version", "--full"), re.M))
    assert re.fullmatch(r"C:\\users\\\w+\\AppData\\Roaming\\arrayrepl\\history", places["history"])
    assert re.fullmatch(r"C:\\users\\\w+\\AppData\\Local\\arrayrepl\\jupyter", places["own JupyterLab"])
    assert r"\AppData\Roaming\jupyter\kernels\arrayrepl" in windows("install")
    assert re.search(r"^ok kernel ", windows("doctor", check=False), re.M)


def test_bandwidth_is_possible(windows):
    """The clock is coarse there."""
    value, unit = re.search(r"^host .* ([\d.e+]+) (\S+)/s$", windows("devices"), re.M).groups()
    assert float(value) * {"MB": 1e6, "GB": 1e9}[unit] < 1e12


def test_tour(windows):
    windows("run", "01-tour.ipynb", "-o", "out.ipynb")
    outputs = [o for c in json.loads((windows.work / "out.ipynb").read_text())["cells"] for o in c.get("outputs", [])]
    assert sum("image/svg+xml" in o.get("data", {}) for o in outputs) >= 3


def test_kernel(windows, tmp_path, monkeypatch):
    """Two processes with pipes between them serve jupyter_client; an interrupt is a message."""
    spec = tmp_path / "kernels/arrayrepl/kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(json.dumps({"argv": ["wine", str(windows.work / "arrayrepl.exe"), "kernel", "{connection_file}"],
                                "display_name": "Go", "language": "go", "interrupt_mode": "message"}))
    for name, value in (windows.env | {"JUPYTER_DATA_DIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}).items():
        monkeypatch.setenv(name, value)
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel()
    try:
        kc = km.blocking_client()
        kc.start_channels()
        kc.wait_for_ready(timeout=120)
        out = []
        hook = lambda m: out.append(m["content"])  # noqa: E731
        assert kc.execute_interactive('fmt.Println("from", runtime.GOOS)', timeout=60, output_hook=hook)["content"]["status"] == "ok"
        assert {"name": "stdout", "text": "from windows\n"} in out
        kc.execute("for {\n}")
        time.sleep(2)
        km.interrupt_kernel()
        assert kc.get_shell_msg(timeout=60)["content"]["ename"] == "Interrupted"
        assert kc.execute_interactive("1 + 1", timeout=60, output_hook=hook)["content"]["status"] == "ok"
        kc.stop_channels()
    finally:
        km.shutdown_kernel()
