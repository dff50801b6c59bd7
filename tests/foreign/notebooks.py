"""Runs the example notebooks of gophernotes and GoNB, as their authors wrote them, and prints a table of their cells.

    python tests/foreign/notebooks.py BIN [--only TEXT] [--verbose] [--counts FILE]

BIN is arrayrepl. It is installed in a temporary place with --alias gophernotes --alias gonb, and nbclient runs each notebook
with the kernel that its own metadata names, in a directory of its own. The notebooks come from Go's module cache, where the go
command puts them; if they are not there, the program says why and ends well. It ends badly when a cell fails that needs nothing
that is missing here. What cells may miss, and the messages that they then give, is in the table NEEDS.
"""
import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The modules that hold the notebooks: the directory whose go.mod names their versions.
MODULES = {"github.com/gopherdata/gophernotes": ROOT, "github.com/janpfeifer/gonb": ROOT / "tests/peers"}

# What a cell of these notebooks may need that is not here: patterns of the notebook's name, of the cell's source and of the
# message that its error must have, and the reason for the table.
NEEDS = [
    (r"Facial_Recognition", r"", r"facebox|IdentifiedFaces", "a service of another maker"),
    # These cells ignore the error of http.Get, and then use the response, which is nil.
    (r"Display", r"http\.Get", r"dial tcp|lookup|proxyconnect|timeout|nil pointer dereference", "the Internet"),
    (r"Display", r"plot\.New", r"plot\.New returns 1 value", "an older gonum/plot"),
    (r"", r"", r"go get: .*(Forbidden|Not Found|dial tcp|lookup)", "a module that cannot be fetched here"),
    (r"tutorial", r"mgSinPlot", r"undefined: mgSinPlot", "a module that cannot be fetched here, for an earlier cell"),
    (r"colab_demo", r"^#@title", r"illegal character", "a cell of Python's kernel"),
    (r"input_boxes", r"read str|RequestInput", r"allows no questions", "somebody who answers"),
    (r"script", r"^X=17", r"must stand in the first line", "an error in GoNB too"),
    (r"script", r"script bc", r"not found", "the program bc"),
    (r"comms", r"comms\.Listen", r"no widget has the address", "scripts of a page that send to cells"),
    (r"wasm", r"%wasm", r"in GoNB it compiles", "WebAssembly"),
    (r"wasm_demo", r"ConnectToJupyterServer", r"undefined", "an older GoNB: version 0.11.3 has no such function"),
]


def module_dir(module, where):
    """The module's directory in the module cache, or None and the reason."""
    run = dict(cwd=where, capture_output=True, text=True)
    try:
        fetched = subprocess.run(["go", "mod", "download", module], **run)
        found = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", module], **run)
    except FileNotFoundError:
        return None, "the go command is not here"
    path = found.stdout.strip()
    if not path or not os.path.isdir(path):
        return None, (fetched.stderr + found.stderr).strip() or "the go command does not say where it is"
    return pathlib.Path(path), ""


def first_line(text):
    lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.strip()]
    return lines[0] if lines else ""


def failure(cell):
    """The message of a cell's error, None for a cell without one."""
    for out in cell.get("outputs", []):
        if out.output_type == "error":
            return first_line(out.evalue) or out.ename
    return None


def expected(name, source, message):
    """The reason why this cell may fail so, None when it must not."""
    for notebook, in_source, in_message, reason in NEEDS:
        if re.search(notebook, name) and re.search(in_source, source) and re.search(in_message, message):
            return reason
    return None


def run(path, env, timeout, verbose):
    """Runs a notebook: its code cells, and those that failed with message and reason (None when they should not)."""
    nb = nbformat.read(path, 4)
    nb.cells = [c for c in nb.cells if c.cell_type == "code" and c.source.strip()]
    work = tempfile.mkdtemp(prefix="foreign-")
    note = ""
    try:
        client = NotebookClient(nb, timeout=timeout, allow_errors=True, resources={"metadata": {"path": work}})
        client.execute(env=dict(os.environ, TEST_DIR=work + "/", **env), cwd=work)
    except (CellTimeoutError, DeadKernelError) as err:
        note = first_line(str(err))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    failed = []
    for i, cell in enumerate(nb.cells):
        ran = cell.execution_count is not None
        message = failure(cell) if ran else note or "it did not run"
        if message is not None:
            failed.append((i, message, expected(path.name, cell.source, message)))
        if verbose:
            print(f"--- {path.name} cell {i}\n{cell.source}")
            for out in cell.outputs:
                shown = out.get("text") or out.get("data") or out.get("traceback")
                print("  ", out.output_type, str(shown)[:2000] if not isinstance(shown, list) else "\n".join(shown)[:2000])
    return len(nb.cells), failed


def counts(notebooks):
    """A page of how many cells of each notebook run, and what the others need."""
    lines = ["# Notebooks of other kernels", "",
             "Written by `make test-foreign FOREIGN=\"--counts docs/design/measurements/foreign.md\"`, "
             f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}: the example notebooks of gophernotes and GoNB, as their",
             "authors wrote them, in nbclient with the kernel that each names. A cell that does not run needs something that was not there, or that the",
             "kernel does not have; `make test-foreign` fails when a cell fails for another reason, and shows the messages.", "",
             "| kernel | notebook | cells | run | the others need |", "|---|---|---|---|---|"]
    total = ran = 0
    for kernel, name, cells, failed in notebooks:
        reasons = {}
        for i, _, reason in failed:
            reasons.setdefault(reason or "FAILED", []).append(str(i + 1))
        needs = "; ".join(f"{reason} (cell {', '.join(where)})" for reason, where in reasons.items())
        lines.append(f"| {kernel} | {name} | {cells} | {cells - len(failed)} | {needs} |")
        total, ran = total + cells, ran + cells - len(failed)
    lines.append(f"| | all | {total} | {ran} | |")
    return "\n".join(lines) + "\n"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("bin")
    args.add_argument("--only", default="", help="notebooks whose name contains this")
    args.add_argument("--timeout", type=int, default=120, help="seconds for a cell")
    args.add_argument("--verbose", action="store_true", help="print cells and outputs")
    args.add_argument("--counts", help="write how many cells run to this file")
    o = args.parse_args()
    data = tempfile.mkdtemp(prefix="foreign-jupyter-")
    os.environ.update(JUPYTER_DATA_DIR=data, JUPYTER_RUNTIME_DIR=data + "/runtime", XDG_CONFIG_HOME=data + "/config")
    subprocess.run([os.path.abspath(o.bin), "install", "--alias", "gophernotes", "--alias", "gonb"], check=True, capture_output=True)
    bad, rows, notebooks = 0, [], []
    for module, where in MODULES.items():
        here, why = module_dir(module, where)
        if here is None:
            print(f"skipped: the notebooks of {module} are not in the module cache: {why}")
            continue
        env = {"GONB_GIT_ROOT": str(here)} if module.endswith("gonb") else {}
        for path in sorted((here / "examples").rglob("*.ipynb")):
            if o.only not in path.name:
                continue
            cells, failed = run(path, env, o.timeout, o.verbose)
            notebooks.append((module.split("/")[-1], path.name, cells, failed))
            rows.append(f"| {module.split('/')[-1]} | {path.name} | {cells} | {cells - len(failed)} | |")
            for i, message, reason in failed:
                bad += reason is None
                rows.append(f"| | | cell {i} | {reason or 'FAILED'} | {message.replace('|', chr(92) + '|')} |")
    print("| | notebook | cells | ok | message |\n|---|---|---|---|---|")
    print("\n".join(rows))
    if o.counts:
        pathlib.Path(o.counts).write_text(counts(notebooks))
    print(f"\n{bad} cells failed that should not")
    shutil.rmtree(data, ignore_errors=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
