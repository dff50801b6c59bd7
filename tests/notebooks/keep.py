"""Puts the outputs of an executed notebook into its committed copy, in forms that can be read without running anything.

    python tests/notebooks/keep.py EXECUTED.ipynb COMMITTED.ipynb [FOLDER]

Texts, tables and static pictures are kept. The interactive forms stay out: they would make the file large, and come with
running it. With FOLDER each picture also becomes a file for the documentation, named after its chart, or
after its cell where the chart is not one of viz.
"""

import base64
import io
import re
import sys
from pathlib import Path

import nbformat
from PIL import Image


def small(png):
    """A chart's picture in 40 colours, which take two thirds of the bytes."""
    image = Image.open(io.BytesIO(base64.b64decode(png)))
    out = io.BytesIO()
    image.convert("RGB").quantize(40, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


executed, committed, *folder = map(Path, sys.argv[1:])
done, kept = nbformat.read(executed, 4), nbformat.read(committed, 4)
for cell, target in zip(done.cells, kept.cells, strict=True):
    if cell.cell_type != "code":
        continue
    target.execution_count, target.outputs = cell.execution_count, cell.outputs
    calls = re.findall(r"viz\.([A-Z]\w*)\(", cell.source)
    for out in target.outputs:
        data = out.get("data", {})
        if re.search(r"<script|<iframe|arrayrepl-chart", data.get("text/html", "")):
            del data["text/html"]
        data.pop("application/vnd.jupyter.widget-view+json", None)
        if folder and "image/svg+xml" in data:
            name = "right" if ".AddRight(" in cell.source else next((c for c in calls if c not in ("Title", "Save")), cell.id).lower()
            if name == "line" and "time.Date" in cell.source:
                name = "dates"
            folder[0].mkdir(parents=True, exist_ok=True)
            (folder[0] / f"{name}.svg").write_text(data["image/svg+xml"])
        if "image/png" in data:  # JupyterLab shows it also in a notebook that nobody has trusted yet, where SVG stays text
            if data.pop("image/svg+xml", None):
                data["image/png"] = small(data["image/png"])
    target.outputs = [out for out in target.outputs if any(out.get("data", {"": True}).values())]  # the charts' script was one
kept.metadata.pop("widgets", None)
nbformat.write(kept, committed)
