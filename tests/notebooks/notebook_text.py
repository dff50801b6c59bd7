"""What the tests of notebooks share: which there are, what they say, and how programs are called."""

import os
import re
import subprocess
from pathlib import Path

from testsize import SHORT, part

ROOT = Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ["ARRAYREPL_BIN"])
ANSWER = re.compile(r"<details>(?:(?!</details>).)*?```go.*?</details>", re.S)  # of an exercise: text with code
NOTEBOOKS = sorted(p.name for p in (ROOT / "notebooks").glob("*.ipynb"))
LONG = ["02", "10", "11b", "12", "13", "14", "15", "16", "17", "18", "19", "20", "32", "33", "34", "35", "37", "41", "60", "90"]  # those that take 4 to 35 s of processor time


def long(name):
    """Whether short tests run a notebook at one commit of three only, as it takes long: with its answers, by nbconvert."""
    return SHORT and name.split("-")[0] in LONG


CONVERTED = [name for i, name in enumerate(NOTEBOOKS) if SHORT and part(i) and not long(name)]  # those that nbconvert runs, and `arrayrepl run` does not
ANSWERED = [name for i, name in enumerate(NOTEBOOKS) if part(i + 1)]  # those whose answers are tried
TRIED = ANSWERED if SHORT else []  # of which that is the only run
RESTS = [name for name in NOTEBOOKS if long(name) and name not in TRIED]


def outputs(nb):
    return [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]


def said(outputs):
    """What outputs say as text: what was printed, and the plain form of what was shown."""
    return "".join(o.text if o.name == "stdout" else "" for o in outputs if o.output_type == "stream") + "\n".join(
        o.data.get("text/plain", "") for o in outputs if "data" in o)


def claimed(nb):
    """The texts of the cells that show what the notebook's prose claims: those with the tag `claim`."""
    return [said(c.outputs) for c in nb.cells if c.cell_type == "code" and "claim" in c.metadata.get("tags", [])]


def once(run, pool, early):
    """run, called once for each name, with or without .ipynb, by the pool, of the early names before anybody asks; what failed once is not
    tried again."""
    kept = {name: pool.submit(run, name) for name in early}

    def get(name):
        name = name.removesuffix(".ipynb") + ".ipynb"
        if name not in kept:
            kept[name] = pool.submit(run, name)
        return kept[name].result()
    return get


def call(args, **options):
    """A program's standard output; its standard error in the exception when it fails."""
    p = subprocess.run(args, capture_output=True, text=True, timeout=600, **options)
    if p.returncode:
        raise RuntimeError(f"{args} ended with {p.returncode}:\n{p.stdout[-2000:]}\n{p.stderr[-4000:]}")
    return p.stdout
