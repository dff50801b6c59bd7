"""The commands that need no Jupyter: run and export."""
import subprocess

import nbformat
import pytest

from conftest import BIN, FAKE, TIMEOUT

pytestmark = pytest.mark.skipif(FAKE, reason="needs the whole program")


def command(*args, check=True):
    return subprocess.run([BIN, *map(str, args)], capture_output=True, text=True, timeout=TIMEOUT, check=check)


@pytest.fixture
def notebook(tmp_path):
    cells = [nbformat.v4.new_code_cell(c) for c in ('n := 3\nname := "x"', "fmt.Println(n, name)", 'display.HTML("<b id=\'bold\'>b</b>")')]
    cells[0].metadata["tags"] = ["parameters"]
    path = tmp_path / "in.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), *cells]), path)
    return path


def test_run_with_parameters(notebook, tmp_path):
    out = tmp_path / "out.ipynb"
    command("run", notebook, "-p", "n=10", "-r", "name=12", "-o", out)
    nb = nbformat.read(out, 4)
    nbformat.validate(nb)
    assert [c.metadata.get("tags") for c in nb.cells[1:3]] == [["parameters"], ["injected-parameters"]]
    assert nb.cells[3].outputs[0].text == "10 12\n"
    command("run", out, "-p", "n=11", "-o", out)  # in place of the last run's
    nb = nbformat.read(out, 4)
    assert len(nb.cells) == 5 and nb.cells[3].outputs[0].text == "11 x\n"
    for wrong in ("m=1", "n=abc"):
        assert command("run", notebook, "-p", wrong, check=False).returncode == 1


def test_run_prints_while_it_runs(tmp_path):
    path = tmp_path / "slow.ipynb"
    cells = ['fmt.Println("first")', "for { }"]
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells]), path)
    run = subprocess.Popen([BIN, "run", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert run.stdout.readline() == "first\n"
    assert run.poll() is None, "it still runs"
    run.terminate()
    assert run.wait(TIMEOUT) == 1


def test_export(notebook, tmp_path):
    out = tmp_path / "out.ipynb"
    command("run", notebook, "-o", out)
    command("export", out)
    page = (tmp_path / "out.html").read_text()
    assert ">Title</h1>" in page and "<b id='bold'>" in page and '<span class="f">Println</span>' in page
    command("export", out, "--to", "md", "-o", tmp_path / "text.md")
    text = (tmp_path / "text.md").read_text()
    assert "# Title" in text and "```go\nfmt.Println(n, name)\n```" in text and "```\n3 x\n```" in text
    assert command("export", out, "--to", "docx", check=False).returncode == 1


def test_new(tmp_path):
    """A notebook with the kernel's name, which runs as it is; nothing is overwritten."""
    said = command("new", tmp_path / "my first.ipynb").stdout
    assert f"arrayrepl lab '{tmp_path}/my first.ipynb'" in said
    command("new", tmp_path / "second", "--engine", "yaegi")
    for name, spec in (("my first", ("arrayrepl", "Go (arrayrepl)")), ("second", ("arrayrepl-yaegi", "Go (yaegi)"))):
        nb = nbformat.read(tmp_path / f"{name}.ipynb", 4)
        nbformat.validate(nb)
        assert (nb.nbformat, nb.nbformat_minor) == (4, 5) and nb.cells[0].source == f"# {name}"
        assert (nb.metadata.kernelspec.name, nb.metadata.kernelspec.display_name) == spec
    command("run", tmp_path / "my first.ipynb", "-o", tmp_path / "out.ipynb")
    out = nbformat.read(tmp_path / "out.ipynb", 4).cells[1].outputs
    assert any("image/svg+xml" in o.get("data", {}) for o in out)
    before = (tmp_path / "second.ipynb").read_bytes()
    for args, why in ((["second"], "is there already"), (["absent/x"], "there is no directory"), ([], "takes the name of one"), (["."], "takes the name of one")):
        p = subprocess.run([BIN, "new", *args], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
        assert p.returncode == 1 and why in p.stderr, p.stderr
    assert (tmp_path / "second.ipynb").read_bytes() == before


def test_run_with_errors_and_without_end(tmp_path):
    path, out = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    cells = ["1 + 1", 'panic("first")', "2 + 2", "for { time.Sleep(time.Millisecond) }", "3 + 3"]
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells]), path)

    def outputs():
        return [[o.get("ename") or o["data"]["text/plain"] for o in c.outputs] for c in nbformat.read(out, 4).cells]

    p = command("run", path, "-o", out, check=False)
    assert p.returncode == 1 and "panic: first" in p.stderr
    assert outputs() == [["2"], ["panic"], [], [], []]

    p = command("run", path, "-o", out, "--allow-errors", "--timeout", "8", check=False)
    assert p.returncode == 1 and "the notebook took longer than 8s" in p.stderr
    assert outputs()[:3] == [["2"], ["panic"], ["4"]] and outputs()[4] == [], "what ran before the time was up is kept"

    cells[3] = 'panic("second")'
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells]), path)
    p = command("run", path, "-o", out, "--allow-errors", "--timeout", "1m", check=False)
    assert p.returncode == 0 and outputs() == [["2"], ["panic"], ["4"], ["panic"], ["6"]]
    p = command("run", path, "--timeout", "soon", check=False)
    assert p.returncode != 0 and "want a time such as 90s or 1m30s" in p.stderr


def test_percent_files(tmp_path):
    """A notebook that Jupytext wrote as a Go file does what the notebook does: magics, tags, cells of other languages."""
    import jupytext  # here: most tests do without
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}})
    code = nbformat.v4.new_code_cell
    nb.cells = [nbformat.v4.new_markdown_cell("# Title"), code("n := 1", metadata={"tags": ["parameters"]}), code("%who\nn"), code("%%bash\necho from $((40 + 2))"),
                code("panic(1)", metadata={"tags": ["raises-exception"]}), code("!echo shell"), code("// %who stays\nn + 1")]
    nbformat.write(nb, tmp_path / "a.ipynb")
    jupytext.write(nb, tmp_path / "a.go", fmt="go:percent")
    for args in [], ["-p", "n=41"]:
        texts = [command("run", tmp_path / f"a.{kind}", *args).stdout for kind in ("ipynb", "go")]
        assert texts[0] == texts[1] and "from 42" in texts[0] and "shell" in texts[0] and texts[0].rstrip().endswith("42" if args else "2")
    command("run", tmp_path / "a.go", "-o", tmp_path / "out.ipynb")
    out = nbformat.read(tmp_path / "out.ipynb", 4)
    nbformat.validate(out)
    assert [(c.cell_type, c.source) for c in out.cells] == [(c.cell_type, c.source) for c in nb.cells]
    piped = subprocess.run([BIN, "--keep-going"], input=(tmp_path / "a.go").read_text(), capture_output=True, text=True, timeout=TIMEOUT)
    assert "from 42" in piped.stdout and "shell" in piped.stdout and piped.stdout.rstrip().endswith("2")
