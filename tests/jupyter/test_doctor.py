"""doctor, where parts of the set-up are missing: it says which, and the command that it names repairs them."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from conftest import BIN, FAKE
from testsize import part

pytestmark = [pytest.mark.skipif(FAKE, reason="needs the whole program"), pytest.mark.skipif(os.name != "posix", reason="makes environments as POSIX has them")]

ROOT = Path(__file__).resolve().parents[2]


class Machine:
    """A home of its own, and a PATH with this arrayrepl and what a test puts there."""

    def __init__(self, tmp):
        self.bin, self.home = tmp / "bin", tmp / "home"
        self.bin.mkdir()
        self.home.mkdir()
        (self.bin / "arrayrepl").symlink_to(os.path.abspath(BIN))
        self.env = {"HOME": str(self.home), "PATH": str(self.bin), "LANG": "C.UTF-8"}

    def run(self, command, **env):
        return subprocess.run(shlex.split(command), env=self.env | env, capture_output=True, text=True, timeout=400)

    def doctor(self):
        """What is found of each part and, where something is wrong, the command that repairs it; and whether all that is needed is there."""
        p = self.run("arrayrepl doctor")
        lines = re.findall(r"^(ok|-|!!) +(\S+) +(.*)(?:\n +→ (.*))?", p.stdout, re.M)
        assert len(lines) == 7, p.stdout + p.stderr
        return {part: (mark, found, repair) for mark, part, found, repair in lines}, p.returncode == 0


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def python_of_its_own(path, commands=()):
    """A virtual environment that can import what this Python can, but has nothing of its own: no program, no extension of JupyterLab.
    The commands of this Python are put there for it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", path], check=True)
    site = next(path.glob("lib/python3*/site-packages"))
    (site / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in commands:
        text = (Path(sysconfig.get_path("scripts")) / name).read_text()
        script = path / "bin" / name
        script.write_text(re.sub(r"\A#!.*", f"#!{path}/bin/python", text))
        script.chmod(0o755)
    return path / "bin"


def test_no_python(machine):
    found, well = machine.doctor()
    mark, said, repair = found["Python"]
    assert mark == "!!" and "no Python 3.10 or newer" in said and "python3-venv" in repair
    assert found["arrayrepl"][0] == "ok" and found["cells"][0] == "ok" and not well


def test_no_jupyterlab_and_no_kernel(machine, tmp_path):
    machine.env["PATH"] += os.pathsep + str(python_of_its_own(tmp_path / "venv"))
    found, well = machine.doctor()
    assert found["Python"][0] == "ok"
    assert found["JupyterLab"] == ("!!", "no JupyterLab 4 was found", "arrayrepl lab   (sets up one of its own, about 250 MB)")
    assert found["widgets"] == ("-", "there is no JupyterLab to draw sliders and buttons", "arrayrepl lab   (the one that it sets up draws them)")
    assert found["kernel"] == ("!!", "Jupyter does not know it", "arrayrepl install") and not well

    machine.run(found["kernel"][2]).check_returncode()
    again, well = machine.doctor()
    assert again["kernel"][0] == "ok" and not well, "JupyterLab is still missing"


def test_the_program_of_a_kernel_is_gone(machine, tmp_path):
    old = tmp_path / "old"
    shutil.copy(BIN, old)
    for options in ("", " --name second", " --name arrayrepl --alias gophernotes"):
        machine.run(f"{old} install{options}").check_returncode()
    old.unlink()
    for _ in range(4):
        mark, said, repair = machine.doctor()[0]["kernel"]
        if mark == "ok":
            break
        assert mark == "!!" and f"which starts {old}, and that is gone" in said and repair.startswith("arrayrepl install --name ")
        machine.run(repair).check_returncode()
    assert mark == "ok" and all(name in said for name in ("arrayrepl in", "second in", "gophernotes in"))


@pytest.mark.skipif(not part(0), reason="it takes 13 s of processor time: one commit in three runs it")
def test_no_widgets(machine, tmp_path):
    venv = python_of_its_own(tmp_path / "venv", ["jupyter", "jupyter-lab", "jupyter-labextension"])
    machine.env["PATH"] += os.pathsep + str(venv)
    machine.run("arrayrepl install").check_returncode()
    found, well = machine.doctor()
    assert found["JupyterLab"][0] == "ok" and str(venv) in found["JupyterLab"][1], found
    mark, said, repair = found["widgets"]
    assert (mark, said) == ("-", "JupyterLab has no extension that draws sliders and buttons")
    assert repair == f"{venv}/python3 -m pip install jupyterlab_widgets"
    assert well, "the notebook works without"

    # The environment sees this Python's packages, so that pip must be told to install what it finds there.
    settings = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or k.lower().endswith("_proxy")}
    settings |= {"PIP_IGNORE_INSTALLED": "1", "PIP_NO_DEPS": "1", "PIP_CONSTRAINT": str(ROOT / "cmd/arrayrepl/lab-constraints.txt")}
    p = machine.run(repair, **settings)
    if p.returncode:
        pytest.skip(f"the repair was not tried: pip reaches no index\n{p.stderr[-500:]}")
    assert machine.doctor()[0]["widgets"] == ("ok", "JupyterLab has the extension that draws sliders and buttons", "")
