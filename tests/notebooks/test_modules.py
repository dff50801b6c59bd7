"""Notebooks that use modules of others: what they print, by `arrayrepl run`."""

import os
import shutil
import subprocess

import nbformat
import pytest
from notebook_text import BIN, ROOT, call

PRINTS = {
    "gonum-optimize": ["[1.0000 1.0000] after", "[1.0000 1.0000], true"],
    "echarts-page": ["<nil> 2 charts"],
    "sqlite": ["1.433e+15 km³"],
}


def test_each_is_listed():
    assert {p.stem for p in (ROOT / "notebooks/modules").glob("*.ipynb")} == set(PRINTS)


# What they fetch, and interpret for half a minute: not in short runs, nor where no registry is.
FETCHED = {"sqlite": "modernc.org/sqlite@v1.62.0"}


def there(module):
    if os.environ.get("ARRAYREPL_TESTS") == "short" or not shutil.which("go"):
        return False
    return subprocess.run(["go", "mod", "download", module], cwd="/", capture_output=True, timeout=300).returncode == 0


@pytest.mark.parametrize("name", PRINTS)
def test_prints(name, env, tmp_path):
    if name in FETCHED and not there(FETCHED[name]):
        pytest.skip(f"{FETCHED[name]} is not fetched here")
    out = tmp_path / "out.ipynb"
    call([BIN, "run", ROOT / "notebooks/modules" / f"{name}.ipynb", "-o", out], cwd=tmp_path, env=env)
    outputs = [o for c in nbformat.read(out, 4).cells for o in c.get("outputs", [])]
    text = "".join(o.get("text", "") for o in outputs)
    assert not [o for o in outputs if o.output_type == "error"]
    for printed in PRINTS[name]:
        assert printed in text
    assert "Failure" not in text
