"""What a notebook carries to another machine: versions of modules, files, and the version of arrayrepl that ran it."""

import base64
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

import nbclient
import nbformat
import pytest

from conftest import BIN, FAKE
from test_modules import proxy  # noqa: F401
from testsize import part

pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")

MIME = "application/vnd.arrayrepl.carried+json"
PYTHON = pathlib.Path(__file__).parents[2] / "install" / "server"
CSV = b"name,age\nAda,36\nAlan,41\n"
CELLS = [
    "%get example.com/geo",
    "%data people.csv",
    'import "example.com/geo"\ngeo.Dist(geo.Point{3, 4}, geo.Origin)',
    'text, err := os.ReadFile("people.csv")\nstring(text), err',
]


def write(path, cells, **metadata):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells], metadata={
        "kernelspec": {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}, **metadata})
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)
    return path


def modules(proxy, home):  # noqa: F811
    """The environment of somebody with nothing but Go and the modules of proxy."""
    home.mkdir(exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": str(home), "GOPROXY": f"file://{proxy}/proxy", "GOSUMDB": "off", "GOFLAGS": "-modcacherw"}


def arrayrepl(*args, env=None, cwd=None, fails=False):
    done = subprocess.run([os.path.abspath(BIN), *map(str, args)], env=env, cwd=cwd, text=True, capture_output=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


def text_of(nb):
    return "\n".join(
        o.get("text", "") or "".join(o.get("data", {}).get("text/plain", "")) for c in nb.cells for o in c.get("outputs", []))


@pytest.fixture
def moved(tmp_path, proxy):  # noqa: F811
    """A notebook with a module and a file, run by somebody and sent alone to somebody else, while a newer module came out."""
    there = write(tmp_path / "there" / "a.ipynb", CELLS)
    (there.parent / "people.csv").write_bytes(CSV)
    (proxy / "proxy/example.com/geo/@v/list").write_text("v1.0.0\n")
    arrayrepl("run", there, "-o", there, env=modules(proxy, tmp_path / "their-home"))
    version = proxy / "proxy/example.com/geo/@v"
    for kind in ("mod", "info", "zip"):
        (version / f"v1.9.0.{kind}").write_bytes(b"not a module of anybody's")
    (version / "list").write_text("v1.0.0\nv1.9.0\n")
    here = tmp_path / "here" / "a.ipynb"
    here.parent.mkdir()
    there.rename(here)
    return here


def test_metadata(moved):
    nb = nbformat.read(moved, 4)
    nbformat.validate(nb)
    kept = nb.metadata["arrayrepl"]
    assert kept["modules"]["example.com/geo"]["version"] == "v1.0.0"
    assert kept["modules"]["example.com/geo"]["sum"].startswith("h1:")
    assert kept["modules"]["example.com/shared"]["version"] == "v1.1.0"  # what geo needs
    file = kept["data"]["people.csv"]
    assert file == {"size": len(CSV), "sha256": hashlib.sha256(CSV).hexdigest()}  # its content is in an output
    shown = nb.cells[1].outputs[0].data[MIME]["data"]["people.csv"]
    assert gzip.decompress(base64.b64decode(shown["gzip"])) == CSV
    assert nb.metadata.language_info["arrayrepl"]


def test_moved(moved, tmp_path, proxy):  # noqa: F811
    env = modules(proxy, tmp_path / "our-home")
    said = arrayrepl("doctor", moved, env=env, fails=False)
    assert "example.com/geo v1.0.0 will be fetched" in said and "people.csv, 24 bytes, is in the notebook" in said
    arrayrepl("run", moved, "-o", moved, env=env)
    assert (moved.parent / "people.csv").read_bytes() == CSV
    assert "written from there" in text_of(nbformat.read(moved, 4))
    assert "is in Go's module cache" in arrayrepl("doctor", moved, env=env)


def test_cleared(moved, tmp_path, proxy):  # noqa: F811
    """Without its outputs too, which nbconvert --clear-output has taken away, through a save by Jupyter's server."""
    sys.path.insert(0, str(PYTHON))
    from arrayrepl import carried

    before = json.loads(moved.read_text())
    nb = json.loads(moved.read_text())
    for cell in nb["cells"]:
        cell["outputs"] = []
    del nb["metadata"]["arrayrepl"]  # as a page has it that was open before
    carried.carry(nb, before)
    assert "gzip" in nb["metadata"]["arrayrepl"]["data"]["people.csv"]
    moved.write_text(json.dumps(nb))
    arrayrepl("run", moved, "-o", moved, env=modules(proxy, tmp_path / "our-home"))
    assert (moved.parent / "people.csv").read_bytes() == CSV


def test_server_keeps_what_run_keeps(moved):
    """install/server does in Python what `arrayrepl run -o` does in Go."""
    sys.path.insert(0, str(PYTHON))
    from arrayrepl import carried

    nb = json.loads(moved.read_text())
    kept = nb["metadata"].pop("arrayrepl")
    carried.carry(nb, {})
    assert nb["metadata"]["arrayrepl"] == kept
    nb["cells"] = nb["cells"][2:]  # nothing asks any more
    carried.carry(nb, json.loads(moved.read_text()))
    assert "arrayrepl" not in nb["metadata"]


@pytest.mark.parametrize("says_its_name", [True, False])
def test_kernel(moved, tmp_path, proxy, monkeypatch, says_its_name):  # noqa: F811
    """A kernel: of Jupyter's server, which tells it the notebook's path, and of other clients, which start it beside."""
    for name, value in modules(proxy, tmp_path / "our-home").items():
        if name != "HOME":
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "modcache"))
    if says_its_name:
        monkeypatch.setenv("JPY_SESSION_NAME", str(moved))
        write(moved.parent / "b.ipynb", ["1"])
    nb = nbformat.read(moved, 4)
    nbclient.NotebookClient(nb, timeout=60, kernel_name="arrayrepl", resources={"metadata": {"path": str(moved.parent)}}).execute()
    assert "example.com/geo v1.0.0" in text_of(nb)
    assert (moved.parent / "people.csv").read_bytes() == CSV
    assert nb.metadata.language_info["arrayrepl"]  # nbclient writes what the kernel says of its language


def test_checksum_of_a_module(moved, tmp_path, proxy):  # noqa: F811
    """A module that has come to be another one under the same version is refused."""
    nb = json.loads(moved.read_text())
    wrong = json.dumps(nb).replace(nb["metadata"]["arrayrepl"]["modules"]["example.com/geo"]["sum"], "h1:" + "A" * 43 + "=")
    moved.write_text(wrong)
    said = arrayrepl("run", moved, env=modules(proxy, tmp_path / "our-home"), fails=True)
    assert "checksum mismatch" in said


def test_large_and_fetched(tmp_path):
    """A file that is too large is named by its checksum, and fetched when its address is known and it is the same."""
    big = os.urandom(2 << 20)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(big)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/big.bin"
    try:
        nb = write(tmp_path / "a" / "a.ipynb", [f'%data "sub/big.bin" {address}'])
        arrayrepl("run", nb, "-o", nb)
        kept = nbformat.read(nb, 4).metadata["arrayrepl"]["data"]["sub/big.bin"]
        assert kept == {"size": 2 << 20, "sha256": hashlib.sha256(big).hexdigest(), "url": address}
        assert (tmp_path / "a/sub/big.bin").read_bytes() == big

        (tmp_path / "a/sub/big.bin").unlink()
        assert "will be fetched from http" in arrayrepl("doctor", nb)
        big = os.urandom(1 << 10)
        said = arrayrepl("run", nb, fails=True)
        assert "another file than the notebook's" in said and not (tmp_path / "a/sub/big.bin").exists()
    finally:
        server.shutdown()

    no_address = write(tmp_path / "b" / "b.ipynb", ["%data big.bin"],
                       arrayrepl={"data": {"big.bin": {"size": 5, "sha256": hashlib.sha256(b"12345").hexdigest()}}})
    said = arrayrepl("run", no_address, fails=True)
    assert "it is not here and the notebook does not carry it: it has 5 B and the SHA-256 5994471abb01112a" in said
    said = arrayrepl("doctor", no_address, fails=True)
    assert "big.bin is neither here nor in the notebook" in said
    (no_address.parent / "big.bin").write_bytes(b"12345")
    assert "big.bin is here" in arrayrepl("doctor", no_address)


def test_nothing_is_written_over(tmp_path):
    nb = write(tmp_path / "a.ipynb", ["%data x.txt"])
    (tmp_path / "x.txt").write_text("one")
    arrayrepl("run", nb, "-o", nb)
    (tmp_path / "x.txt").write_text("two")
    assert "x.txt is here, but its SHA-256" in arrayrepl("doctor", nb)
    arrayrepl("run", nb, "-o", nb)
    assert (tmp_path / "x.txt").read_text() == "two"
    assert "not the one that the notebook carried before" in text_of(nbformat.read(nb, 4))
    for path in ("../x.txt", "/etc/passwd"):
        assert "must lie beside the notebook" in arrayrepl("run", write(tmp_path / "b.ipynb", ["%data " + path]), fails=True)


def test_links_are_not_written_through(tmp_path):
    """A notebook that restores a file does not leave its directory, whatever lies there; sizes that cannot be are errors."""
    (tmp_path / "a").mkdir()
    for name in ("in/x.txt", "y.txt"):
        (tmp_path / "a" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "a" / name).write_text("carried")
    nb = write(tmp_path / "a" / "a.ipynb", ["%data in/x.txt", "%data y.txt"])
    arrayrepl("run", nb, "-o", nb)
    there, outside = tmp_path / "b", tmp_path / "outside"
    there.mkdir(), outside.mkdir()
    (there / "in").symlink_to(outside, target_is_directory=True)
    (there / "y.txt").symlink_to(outside / "y.txt")  # that is not there
    copy = there / "a.ipynb"
    copy.write_bytes(nb.read_bytes())
    arrayrepl("run", copy, fails=True)
    assert list(outside.iterdir()) == []
    (there / "in").unlink(), (there / "y.txt").unlink()
    arrayrepl("run", copy)
    assert (there / "in/x.txt").read_text() == (there / "y.txt").read_text() == "carried"

    text = nb.read_text()
    assert text.count('"size": 7') == 4
    for size in (-1, 2**62, 2**63 - 1, 2**63, 2**64, 1e300, '"7"'):
        (there / "y.txt").unlink(missing_ok=True)
        copy.write_text(text.replace('"size": 7', f'"size": {size}'))
        done = subprocess.run([os.path.abspath(BIN), "run", copy], text=True, capture_output=True)
        assert done.returncode == 1 and "panic" not in done.stderr, (size, done)
        assert not (there / "y.txt").exists(), size


def test_doctor_finds_what_is_missing(tmp_path):
    nb = write(tmp_path / "a.ipynb", [
        'import "example.com/nowhere"', 'np.Use("cuda:99")', "!nosuchprogram-at-all -x", "%data none.csv", 'import "fmt"\nimport "math"'])
    said = arrayrepl("doctor", nb, fails=True)
    for part in ("example.com/nowhere is imported", "cuda:99", "nosuchprogram-at-all", "none.csv is neither here"):
        assert part in said
    assert "fmt" not in said and "math" not in said


@pytest.mark.skipif(not part(1), reason="it links a program: one commit in three runs it")
def test_newer_notebook(tmp_path):
    """A kernel that is older than what a notebook was run with says so; once, and runs it."""
    old = tmp_path / "arrayrepl"
    subprocess.run(["go", "build", "-ldflags", "-s -w -X main.release=v1.2.0", "-o", old, "./cmd/arrayrepl"],
                   cwd=pathlib.Path(__file__).parents[2], check=True)
    def run(nb):
        return subprocess.run([old, "run", nb], text=True, capture_output=True)

    for saved, newer in (("v1.10.0", True), ("v1.2.0", False), ("v1.1.9", False), ("0.1-dev", False)):
        nb = write(tmp_path / f"{saved}.ipynb", ["1 + 1"], language_info={"name": "go", "arrayrepl": saved})
        done = run(nb)
        assert done.returncode == 0 and done.stdout == "2\n"
        assert ("run with arrayrepl v1.10.0, and this is v1.2.0" in done.stderr) == newer, done.stderr
    nb = tmp_path / "v1.10.0.ipynb"
    assert "newer than this, v1.2.0" in subprocess.run([old, "doctor", nb], text=True, capture_output=True).stdout
