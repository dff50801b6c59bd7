"""Whether two directories hold the same things handed out, whoever packed them: same.py .build/dist .build/goreleaser. Wheels and bills
of materials are compared bit by bit, and so is every file in an archive."""

import sys
import tarfile
import zipfile
from pathlib import Path


def contents(path):
    """The files of an archive, each with its mode and time; of another file its bytes."""
    if path.name.endswith(".tar.gz"):
        with tarfile.open(path) as tar:
            return {m.name: (m.mode, m.mtime, tar.extractfile(m).read()) for m in tar if m.isfile()}
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as z:
            return {n: z.read(n) for n in z.namelist() if not n.endswith("/")}
    return path.read_bytes()


def handed_out(directory):
    names = [line.split()[1] for line in (directory / "checksums.txt").read_text().splitlines()]
    return {name: next(iter(sorted(directory.rglob(name)))) for name in names}


ours, theirs = (handed_out(Path(d)) for d in sys.argv[1:3])
different = sorted(ours.keys() ^ theirs.keys())
for name in sorted(ours.keys() & theirs.keys()):
    a, b = contents(ours[name]), contents(theirs[name])
    if a != b:
        inside = sorted(n for n in a.keys() | b.keys() if a.get(n) != b.get(n)) if isinstance(a, dict) else []
        different.append(f"{name} {inside}")
print("\n".join(different) or f"the same {len(ours)} files")
sys.exit(bool(different))
