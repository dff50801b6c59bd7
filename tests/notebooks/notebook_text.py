"""What the tests of notebooks share: which there are, what they say, and how programs are called."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ["ARRAYREPL_BIN"])
ANSWER = re.compile(r"<details>(?:(?!</details>).)*?```go.*?</details>", re.S)  # of an exercise: text with code
NOTEBOOKS = sorted(p.name for p in (ROOT / "notebooks").glob("*.ipynb"))


def part(i, parts=3):
    """Whether the i-th of many cases is to be tried: all but in short tests, which take one of the parts at a time, each commit another.
    It is what package testsize has for Go."""
    return os.environ.get("ARRAYREPL_TESTS") != "short" or (i + int(os.environ.get("ARRAYREPL_TURN") or 0)) % parts == 0


def outputs(nb):
    return [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]


def said(outputs):
    """What outputs say as text: what was printed, and the plain form of what was shown."""
    return "".join(o.text if o.name == "stdout" else "" for o in outputs if o.output_type == "stream") + "\n".join(
        o.data.get("text/plain", "") for o in outputs if "data" in o)


def claimed(nb):
    """The texts of the cells that show what the notebook's prose claims: those with the tag `claim`."""
    return [said(c.outputs) for c in nb.cells if c.cell_type == "code" and "claim" in c.metadata.get("tags", [])]


def once(run):
    """run, called once for each name, with or without .ipynb; what failed once is not tried again."""
    kept = {}

    def get(name):
        name = name.removesuffix(".ipynb") + ".ipynb"
        if name not in kept:
            try:
                kept[name] = run(name), None
            except Exception as err:
                kept[name] = None, err
        value, err = kept[name]
        if err:
            raise err
        return value
    return get


def call(args, **options):
    """A program's standard output; its standard error in the exception when it fails."""
    p = subprocess.run(args, capture_output=True, text=True, timeout=600, **options)
    if p.returncode:
        raise RuntimeError(f"{args} ended with {p.returncode}:\n{p.stdout[-2000:]}\n{p.stderr[-4000:]}")
    return p.stdout
