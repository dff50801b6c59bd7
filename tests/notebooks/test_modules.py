"""Notebooks that use modules of others: what they print, by `arrayrepl run`."""

import nbformat
import pytest
from notebook_text import BIN, ROOT, call

PRINTS = {
    "gonum-optimize": ["[1.0000 1.0000] after", "[1.0000 1.0000], true"],
    "echarts-page": ["<nil> 2 charts"],
}


def test_each_is_listed():
    assert {p.stem for p in (ROOT / "notebooks/modules").glob("*.ipynb")} == set(PRINTS)


@pytest.mark.parametrize("name", PRINTS)
def test_prints(name, env, tmp_path):
    out = tmp_path / "out.ipynb"
    call([BIN, "run", ROOT / "notebooks/modules" / f"{name}.ipynb", "-o", out], cwd=tmp_path, env=env)
    outputs = [o for c in nbformat.read(out, 4).cells for o in c.get("outputs", [])]
    text = "".join(o.get("text", "") for o in outputs)
    assert not [o for o in outputs if o.output_type == "error"]
    for printed in PRINTS[name]:
        assert printed in text
    assert "Failure" not in text
