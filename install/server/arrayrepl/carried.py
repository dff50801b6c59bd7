"""What a notebook carries, in its metadata when it is saved.

A cell that fetches a module (%get) or embeds a file (%data) says so in its output, as data of the type MIME: all that a kernel
can write into a notebook. The outputs go when somebody clears them. So metadata.arrayrepl has it too, until no cell asks for
it; the content of a file is there only when no output has it. Jupyter calls keep() when it saves; internal/carried does the same
in `arrayrepl run -o`.
"""

import json
import re

MIME = "application/vnd.arrayrepl.carried+json"
DATA = re.compile(r"^[ \t]*%data[ \t]+(?:\"([^\"]*)\"|'([^']*)'|(\S+))", re.M)
GET = re.compile(r"^[ \t]*%get[ \t]", re.M)


def keep(model, path="", contents_manager=None, **_):
    """A pre-save hook of Jupyter's contents manager."""
    nb = model.get("content")
    if model.get("type") != "notebook" or not isinstance(nb, dict) or nb.get("nbformat") != 4:
        return
    try:
        with open(contents_manager._get_os_path(path), encoding="utf-8") as f:
            before = json.load(f)
    except Exception:  # there is none, or it is not a notebook on a disk
        before = {}
    carry(nb, before)


def carry(nb, before):
    """Writes nb.metadata.arrayrepl: what nb and the notebook that it replaces carry, as far as nb's cells ask for it."""
    sources = [text(c.get("source")) for c in nb.get("cells", []) if c.get("cell_type") == "code"]
    names = {next(filter(None, m.groups()), "") for s in sources for m in DATA.finditer(s)}
    shown = {}
    for part in carried_outputs(nb):
        merge(shown, part)
    wanted = {}
    for part in [metadata(before), *carried_outputs(before), metadata(nb), shown]:
        merge(wanted, part)
    data = {k: dict(v) for k, v in wanted.get("data", {}).items() if k in names}
    for name, file in data.items():
        if "gzip" in shown.get("data", {}).get(name, {}):
            file.pop("gzip", None)
    modules = wanted.get("modules", {}) if any(GET.search(s) for s in sources) else {}
    kept = {k: v for k, v in (("modules", modules), ("data", data)) if v}
    if kept:
        nb.setdefault("metadata", {})["arrayrepl"] = kept
    else:
        nb.get("metadata", {}).pop("arrayrepl", None)


def merge(into, more):
    """What is said later counts; a file whose content comes no more keeps it while its checksum is the same."""
    for path, module in (more.get("modules") or {}).items():
        into.setdefault("modules", {})[path] = module
    for name, file in (more.get("data") or {}).items():
        old = into.setdefault("data", {}).get(name, {})
        same = {k: old[k] for k in ("gzip", "url") if k in old} if old.get("sha256") == file.get("sha256") else {}
        into["data"][name] = {**same, **file}


def carried_outputs(nb):
    for cell in nb.get("cells", []):
        for output in cell.get("outputs") or []:
            part = output.get("data", {}).get(MIME)
            if isinstance(part, dict):
                yield part


def metadata(nb):
    kept = nb.get("metadata", {}).get("arrayrepl")
    return kept if isinstance(kept, dict) else {}


def text(source):
    return source if isinstance(source, str) else "".join(source or [])
