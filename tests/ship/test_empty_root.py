"""The archive in a Debian without Go, compiler or Python, and the static one where there is no glibc either: everything but
JupyterLab works."""

import json
import re
import shutil
import subprocess

import pexpect
import pytest

from conftest import ARCH, ROOT, program


@pytest.fixture(scope="module", params=["debian", "musl"])
def here(request):
    """The root with the archive unpacked in /opt; run(command) runs one with the program in the PATH."""
    static = request.param == "musl"
    debian = request.getfixturevalue(request.param)
    archive = request.getfixturevalue("static_archive" if static else "archive")
    for program in ("go", "gcc", "cc", "clang", "python3"):
        assert debian.run(f"command -v {program}", check=False).returncode != 0, f"{program} is there: this shows nothing"
    subprocess.run(["tar", "-xzf", archive, "-C", debian.root / "opt"], check=True)
    folder = archive.name.removesuffix(".tar.gz")
    assert sorted(p.name for p in (debian.root / "opt" / folder).iterdir()) == ["LICENSE", "NOTICES.txt", "README.md", "arrayrepl", "install.md"]

    def run(command, **kw):
        return debian.run(command, path=f"/usr/bin:/bin:/opt/{folder}", **kw)

    run.argv = lambda command: debian.argv(command, path=f"/usr/bin:/bin:/opt/{folder}")
    run.home, run.static = debian.root / "root", static
    return run


def test_other_program_needs_glibc(musl):
    """Why there are two: where there is musl, the program that opens NVIDIA's driver does not start, as its loader is not there."""
    assert list(musl.root.glob("lib*/ld-musl-*.so.1")) and not list(musl.root.glob("lib*/**/ld-linux-*"))
    shutil.copy(program(f"linux-{ARCH}"), musl.root / "root")
    said = musl.run("./arrayrepl version", check=False)
    assert said.returncode == 127 and "not found" in said.stderr


def test_cells(here):
    """The language, the standard library, the project's packages, documentation."""
    cells = ['fmt.Println(strings.ToUpper("go"))', "type T[E any] struct{ v E }; T[int]{3}.v", "np.Arange(5).Sum()", "x := np.Linspace(0, 1, 3); 2*x + 1",
             'regexp.MustCompile("a+").FindString("caat")', "np.Argsort?", "sort.Slice?"]
    said = here("arrayrepl " + " ".join(f"-e '{c}'" for c in cells if "Argsort" not in c)).stdout
    for want in ("GO\n", "3\n", "10\n", "[1. 2. 3.]\n", "aa\n", "Slice sorts the slice x"):
        assert want in said, said


def test_terminal(here):
    """A person at the prompt: completion, documentation, a chart."""
    argv = here.argv("stty cols 100 rows 50; arrayrepl")
    child = pexpect.spawn(argv[0], argv[1:], encoding="utf-8", timeout=60, dimensions=(50, 100))
    child.expect(r"In \[1\]: ")
    child.send("np.ArgMi\t([]int{3, 1, 2})\r")  # completed to ArgMin
    child.expect(r"In \[2\]: ")
    child.send('"The answer is " + fmt.Sprint(Out[1])\r')
    child.expect("The answer is 1")
    child.expect(r"In \[3\]: ")
    child.send("viz.Line(np.Arange(10), np.Arange(10))\r")
    child.expect("│")
    child.expect(r"In \[4\]: ")
    child.sendcontrol("d")
    child.expect(pexpect.EOF)


def test_notebook(here):
    """The tour, without a browser: no error, and every chart with its picture."""
    shutil.copy(ROOT / "notebooks/01-tour.ipynb", here.home)
    shutil.copytree(ROOT / "notebooks/data", here.home / "data", dirs_exist_ok=True)
    here("arrayrepl run 01-tour.ipynb -o out.ipynb")
    text = (here.home / "out.ipynb").read_text()
    outputs = [o for c in json.loads(text)["cells"] for o in c.get("outputs", [])]
    assert not [o for o in outputs if o["output_type"] == "error"]
    assert sum("image/svg+xml" in o.get("data", {}) for o in outputs) >= 3
    here("arrayrepl export out.ipynb -o page.html")
    assert "arrayrepl-chart" in (here.home / "page.html").read_text()


def test_devices_and_doctor(here):
    devices = here("arrayrepl devices").stdout
    assert re.search(r"^host .*\n(.*\n)*sim:v100 ", devices, re.M), devices
    assert ("No NVIDIA GPU: this program is the static one" in devices) == here.static, devices
    said = here("arrayrepl doctor", check=False).stdout
    assert re.search(r"^ok cells ", said, re.M) and re.search(r"^ok devices ", said, re.M), said
    assert re.search(r"^!! Python .*\n.*→", said, re.M), said
    said = here("arrayrepl doctor 01-tour.ipynb").stdout
    assert "!!" not in said, said


def test_modules_need_go(here):
    said = here("arrayrepl -e '%get github.com/google/uuid@v1.6.0'", check=False)
    assert said.returncode == 1 and "install Go from https://go.dev/dl" in said.stderr + said.stdout


def test_version(here):
    full = here("arrayrepl version --full").stdout
    for part in ("commit ", "CGO_ENABLED=0", "-trimpath=true", "github.com/goplus/ixgo", "h1:", "Apache ECharts"):
        assert part in full, full


def test_history_has_one_place(here):
    here("arrayrepl -e 'a := 1'")
    places = dict(re.findall(r"^(history|notebooks' history) +(\S+)$", here("arrayrepl version --full").stdout, re.M))
    assert places == {"history": "/root/.config/arrayrepl/history", "notebooks' history": "/root/.config/arrayrepl/kernel-history"}
