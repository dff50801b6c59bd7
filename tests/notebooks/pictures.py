"""Puts the static pictures of an executed notebook into its committed copy, and each into a file for the documentation.

    python tests/notebooks/pictures.py EXECUTED.ipynb COMMITTED.ipynb docs/images/charts

The interactive forms stay out: they would make the file large, and come with running it.
"""

import re
import sys
from pathlib import Path

import nbformat

executed, committed, folder = map(Path, sys.argv[1:])
done, kept = nbformat.read(executed, 4), nbformat.read(committed, 4)
folder.mkdir(parents=True, exist_ok=True)
for cell, target in zip(done.cells, kept.cells, strict=True):
    if cell.cell_type != "code":
        continue
    target.execution_count, target.outputs = cell.execution_count, cell.outputs
    calls = re.findall(r"viz\.([A-Z]\w*)\(", cell.source)
    for out in target.outputs:
        data = out.get("data", {})
        data.pop("text/html", None)
        if "image/svg+xml" in data:
            name = "right" if ".AddRight(" in cell.source else next(c for c in calls if c not in ("Title", "Save")).lower()
            if name == "line" and "time.Date" in cell.source:
                name = "dates"
            (folder / f"{name}.svg").write_text(data["image/svg+xml"])
nbformat.write(kept, committed)
