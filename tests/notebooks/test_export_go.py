"""arrayrepl export --to go: every notebook, built by the Go compiler, prints what the notebook prints and shows."""
import difflib
import os
import re
import shutil
import subprocess

import nbformat
import pytest
from conftest import asked
from notebook_text import BIN, NOTEBOOKS, ROOT, once, outputs
from testsize import part

# What is different in a program, with the reason.
LINES = "reports and findings name lines of cells; kernels of a program have no source to name lines of"
DIFFERS = {f"{name}.ipynb": LINES for name in (
    "10-from-a-loop-to-a-grid", "10b-rows-of-unequal-length", "11b-what-an-sm-waits-for", "12-memory", "14-divergence",
    "15-working-together", "17-where-is-the-bottleneck")}

DIFFERS["36-streams-when-does-the-gpu-win.ipynb"] = "the code of a kernel that is shown has other blocks where it was put together from what go generate has compiled"


# Lines of charts of measured time: they are alike from run to run now and then, and come and go with what took long.
MEASURED = re.compile(r"[\u2801-\u28ff]|too short to be seen|measured|│ .* in \d+ events?\b|└[─┬]+$|^\s+[\d.,]+(\s{3,}[\d.,]+)+$")

# What threads find in a cache depends on which of them comes first: hits, misses, lines that are read, and a chart of them, with letters
# for its lines.
COUNTED = {"60-arrays-bigger-than-the-gpu.ipynb": re.compile(r"\d hits\b|\d probes,|\d are read,|[xo+]{3}")}


def unmeasured(lines):
    return [line for line in lines if not MEASURED.search(line)]


def output(args, cwd):
    return unmeasured(subprocess.run(args, cwd=cwd, capture_output=True, text=True, timeout=300, check=True).stdout.splitlines())


def lines(nb):
    """The lines of standard output and of what was shown, in their order."""
    return [line for o in outputs(nb) if "data" in o or o.get("name") == "stdout"
            for line in (o.data.get("text/plain", "") if "data" in o else o.text).splitlines()]


def common(a, b):
    """The lines that two texts share, in their order."""
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return [line for block in blocks for line in a[block.a:block.a + block.size]]


def missing(want, got):
    """The wanted lines that are not among the others, in their order."""
    return [line for line in difflib.ndiff(want, common(got, want)) if line[0] != " "]


def build(notebook, tmp_path):
    output([BIN, "export", notebook, "--to", "go", "-o", tmp_path / "program"], ROOT)
    (tmp_path / "go.work").write_text(f"go 1.26.0\n\nuse (\n\t./program\n\t{ROOT}\n)\n")
    subprocess.run(["go", "mod", "edit", f"-replace=github.com/arrayrepl/arrayrepl={ROOT}"], cwd=tmp_path / "program", check=True)  # as export says
    program = tmp_path / "built"
    for step in ["generate"], ["build", "-ldflags=-s -w", "-o", program, "."]:
        subprocess.run(["go", *step], cwd=tmp_path / "program", timeout=500, check=True, env={**os.environ, "GOWORK": str(tmp_path / "go.work")})
    return program


@pytest.fixture(scope="session")
def program(request, pool, tmp_path_factory):
    """program("01-tour.ipynb"): the lines that the notebook prints as a program."""
    return once(lambda name: output([build(ROOT / "notebooks" / name, tmp_path_factory.mktemp("export"))], ROOT / "notebooks"), pool, asked(request))


@pytest.mark.skipif(not shutil.which("go"), reason="no go command: nothing to build with")
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.xfail(reason=DIFFERS[name], strict=True)] if name in DIFFERS else []) for i, name in enumerate(NOTEBOOKS) if part(i)])
def test_program_prints_what_the_notebook_prints(name, executed, program):
    def compared(lines):
        return [line for line in unmeasured(lines) if name not in COUNTED or not COUNTED[name].search(line)]

    runs = [compared(lines(nb)) for nb in (executed(name), nbformat.read(ROOT / "notebooks" / name, 4))]
    want = common(*runs)  # measured times differ from run to run, and from those of the committed notebook
    assert len(want) > len(runs[0]) / 2
    got = compared(program(name))
    lost = missing(want, got)
    assert len(lost) <= len(want) / 25, "\n".join(lost)  # a measured time may have been the same in two runs
    assert abs(len(got) - len(runs[0])) <= len(runs[0]) / 20


def test_run_prints_what_the_notebook_shows(ran):
    """Without -o, `arrayrepl run` prints what it writes into a notebook with -o."""
    shown, printed = unmeasured(lines(ran("01-tour"))), output([BIN, "run", ROOT / "notebooks" / "01-tour.ipynb"], ROOT)
    lost = missing(shown, printed)
    assert len(printed) == len(shown) > 300 and len(lost) <= len(shown) / 25, "\n".join(lost)


@pytest.mark.skipif(not shutil.which("go"), reason="no go command: nothing to build with")
def test_what_is_not_done_is_said(tmp_path):
    cells = ["x := np.Arange(3)", "%cd /tmp", "!echo shell", "x.Sum()", "undefinedName", 'display.Show(display.HTML("<b>"))', "any(x)", "show := 1\nshow", "2*x[1:] + 1", "x[x > 0]"]
    path = tmp_path / "in.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), *map(nbformat.v4.new_code_cell, cells)]), path)
    said = output([BIN, "export", path, "--to", "go"], tmp_path)
    assert "Note: cell 2: %cd /tmp is not done" in said and "Note: cell 3: !echo shell is not done" in said
    assert any(line.startswith("Note: cell 5: it does not compile") for line in said)
    source = (tmp_path / "in" / "main.go").read_text()
    assert "// # Title" in source and "// Not done: !echo shell" in source and "undefined: undefinedName" in source
    assert output(["gofmt", "-l", tmp_path / "in" / "main.go"], tmp_path) == []
    program = build(path, tmp_path)
    assert output([program], tmp_path) == ["3", "<b>", "[0 1 2]", "1", "[3 5]", "[1 2]"]
