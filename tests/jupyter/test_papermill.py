"""Papermill: -p, -y and --help-notebook, with the translator for Go that the wheel brings."""
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from conftest import FAKE, TIMEOUT
from testsize import part

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")

PARAMETERS = """// What the run is about.
n := 10 // how many
var width float64 = 0.5 // of a bin
var name, tags = "a, b", []string{
	"x", // not the last line
	"y",
}
var (
	seed int
	step = float32(2)
)
weights := map[string]float64{"a": 1}
const limit = 3
fmt.Println(n, width == 0.5)
func double(v int) int {
	w := v
	return 2 * w
}"""


@pytest.fixture(scope="module")
def papermill(tmp_path_factory):
    """Runs papermill where the package is as a wheel installs it, with its entry points."""
    site = tmp_path_factory.mktemp("site")
    info = site / "arrayrepl-0.0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arrayrepl\nVersion: 0.0.1\n")
    (info / "entry_points.txt").write_text((ROOT / "install/server/entry_points.txt").read_text())
    (site / "arrayrepl").symlink_to(ROOT / "install/server/arrayrepl")

    def run(*argv, ok=True):
        env = os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-m", "papermill", *map(str, argv)], env=env, text=True, capture_output=True, timeout=5 * TIMEOUT)
        assert (done.returncode == 0) == ok, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def template(tmp_path):
    cells = [nbformat.v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}),
             nbformat.v4.new_code_cell('fmt.Printf("%v %v %q %q %v %v %v\\n", double(n), width, name, tags, seed, step, weights)')]
    nb = nbformat.v4.new_notebook(cells=cells)
    nb.metadata["kernelspec"] = {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}
    path = tmp_path / "template.ipynb"
    nbformat.write(nb, path)
    return path


def test_help(papermill, template):
    """What a run may set: names, types, defaults and the comments beside them; no constants, no locals."""
    said = papermill("--help-notebook", template).stdout
    lines = [" ".join(line.split()) for line in said.split("':\n", 1)[1].splitlines()]
    assert lines == [
        "n: int (default 10) how many",
        "width: float64 (default 0.5) of a bin",
        'name: string (default "a, b")',
        'tags: []string (default []string{ "x", "y", })',
        "seed: int (default zero)",
        "step: float32 (default float32(2))",
        'weights: map[string]float64 (default map[string]float64{"a": 1})',
    ]


def test_parameters(papermill, template, tmp_path):
    out = tmp_path / "out.ipynb"
    more = "tags: []\nstep: 3\nweights: {b: 0.25, c: 2}\n"
    papermill(template, out, "-p", "n", "21", "-p", "width", "2", "-r", "name", 'say "€"\\', "-y", more)
    nb = nbformat.read(out, 4)
    assert nb.cells[1].metadata.tags == ["injected-parameters"]
    assert nb.cells[2].outputs[0].text == '42 2 "say \\"€\\"\\\\" [] 0 3 map[b:0.25 c:2]\n'
    assert nb.metadata.papermill.parameters["n"] == 21


@pytest.mark.skipif(not part(0), reason="it runs papermill twice: one commit in three runs it")
def test_what_does_not_fit(papermill, template, tmp_path):
    """A name that nobody reads and a type that does not fit fail, and papermill says where."""
    assert "undefined: typo" in papermill(template, tmp_path / "out.ipynb", "-p", "typo", "1", ok=False).stderr
    assert 'cannot use "many"' in papermill(template, tmp_path / "out.ipynb", "-p", "n", "many", ok=False).stderr
