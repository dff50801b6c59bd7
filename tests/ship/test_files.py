"""What `make dist` has written, for every platform."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

from conftest import DIST, ROOT, clone_built, one, program

PLATFORMS = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "linux-amd64-static", "linux-arm64-static"]
KINDS = {  # what file says of the program
    "linux-amd64": "ELF 64-bit LSB executable, x86-64.*dynamically linked",
    "linux-arm64": "ELF 64-bit LSB executable, ARM aarch64.*dynamically linked",
    "linux-amd64-static": "ELF 64-bit LSB executable, x86-64.*statically linked",
    "linux-arm64-static": "ELF 64-bit LSB executable, ARM aarch64.*statically linked",
    "darwin-amd64": "Mach-O 64-bit (x86_64|executable x86_64|x86_64 executable)",
    "darwin-arm64": "Mach-O 64-bit (arm64|executable arm64|arm64 executable)",
    "windows-amd64": r"PE32\+ executable.*x86-64.*(MS )?Windows",
}
LIBRARIES = re.compile(r"/usr/lib/lib(System\.B|resolv\.9)\.dylib|/System/Library/Frameworks/(CoreFoundation|Security)\.framework/.*")


def archive_of(p):
    return one(f"arrayrepl_*_{p.replace('-', '_')}.{'zip' if 'windows' in p else 'tar.gz'}")


@pytest.mark.parametrize("p", PLATFORMS)
def test_size_and_kind(p):
    binary = program(p)
    assert re.search(KINDS[p], subprocess.run(["file", "-b", binary], text=True, capture_output=True, check=True).stdout)
    assert binary.stat().st_size < 100e6
    assert archive_of(p).stat().st_size < 35e6


@pytest.mark.parametrize("p", PLATFORMS)
def test_libraries(p):
    """A program needs the C library of its system where it opens others at run time, and nothing else; a static one, not even that."""
    tool = subprocess.run(["go", "run", "./tests/ship/libraries", program(p)], cwd=ROOT, text=True, capture_output=True, check=True)
    libraries = tool.stdout.split()
    if p.endswith("-static"):
        ldd = subprocess.run(["ldd", program(p)], text=True, capture_output=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
        assert libraries == [] and "not a dynamic executable" in ldd.stdout + ldd.stderr
        return
    allowed = {
        "linux": re.compile(r"lib(c|dl|pthread)\.so\.\d+"), "darwin": LIBRARIES, "windows": re.compile(r"kernel32\.dll"),
    }[p.split("-")[0]]
    assert [lib for lib in libraries if not allowed.fullmatch(lib)] == []


@pytest.mark.parametrize("p", PLATFORMS)
def test_archive(p):
    path = archive_of(p)
    if path.suffix == ".zip":
        names = zipfile.ZipFile(path).namelist()
    else:
        with tarfile.open(path) as tar:
            names = tar.getnames()
            assert len({(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in tar}) == 1 and {(m.uid, m.gid) for m in tar} == {(0, 0)}
            assert {m.name.rpartition("/")[2]: m.mode for m in tar}["arrayrepl"] == 0o755
    folder = path.name.removesuffix(".zip").removesuffix(".tar.gz")
    assert folder.endswith(p.replace("-", "_"))
    assert {n.removeprefix(folder + "/") for n in names} == {"LICENSE", "NOTICES.txt", "README.md", "install.md", program(p).name}


def test_checksums():
    subprocess.run(["sha256sum", "--check", "--quiet", "checksums.txt"], cwd=DIST, check=True)
    listed = {line.split()[1] for line in (DIST / "checksums.txt").read_text().splitlines()}
    own = {"checksums.txt", "artifacts.json", "config.yaml", "metadata.json"}  # goreleaser's
    assert listed == {p.name for p in DIST.iterdir() if p.is_file()} - own and len(listed) == 3 * len(PLATFORMS)


@pytest.mark.parametrize("p", PLATFORMS)
def test_bill_of_materials(p):
    """It lists what `go version -m`, Go's own reader, finds in the binary, with a licence for each."""
    bill = json.loads(one(f"arrayrepl_*_{p.replace('-', '_')}.sbom.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(program(p).read_bytes()).hexdigest()
    said = subprocess.run(["go", "version", "-m", program(p)], text=True, capture_output=True, check=True).stdout
    inside = {tuple(line.split()[1:3]) for line in said.splitlines() if line.startswith("\tdep\t")}
    listed = {(c["name"], c["version"]) for c in bill["components"] if c["purl"].startswith("pkg:golang/")}
    assert listed - {n for n in listed if n[0] == "the Go standard library"} == inside and len(inside) > 10
    assert [c["name"] for c in bill["components"] if not c.get("licenses")] == []


@pytest.mark.parametrize("path", sorted(DIST.glob("*.whl")), ids=lambda p: p.name.split("-", 4)[-1])
def test_wheel(path):
    """Judged by twine, check-wheel-contents and packaging."""
    from packaging.metadata import Metadata
    from packaging.utils import parse_wheel_filename

    name, _, _, tags = parse_wheel_filename(path.name)
    assert name == "arrayrepl" and {t.interpreter for t in tags} == {"py3"}
    z = zipfile.ZipFile(path)
    if "linux" in path.name:  # with another C library than glibc only a program that needs none
        dynamic = b"/ld-linux-" in z.read(next(n for n in z.namelist() if n.endswith(".data/scripts/arrayrepl")))
        assert any(t.platform.startswith("musllinux") for t in tags) != dynamic
    info = next(n for n in z.namelist() if n.endswith(".dist-info/METADATA"))
    Metadata.from_email(z.read(info))
    for judge in (["twine", "check", "--strict"], ["check_wheel_contents", "--ignore", "W009"]):  # W009: more than one top-level thing
        done = subprocess.run([sys.executable, "-m", *judge, path], text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_pip_chooses(tmp_path):
    """pip takes the wheel that is meant for a system: with glibc, with musl, on a Mac, on Windows."""
    version = re.search(r"arrayrepl-([^-]+)-", one("arrayrepl-*win_amd64.whl").name).group(1)
    for tag, want in {"manylinux2014_x86_64": "manylinux", "manylinux_2_17_aarch64": "manylinux", "musllinux_1_1_x86_64": "musllinux",
                      "musllinux_1_1_aarch64": "musllinux", "macosx_12_0_arm64": "macosx", "macosx_12_0_x86_64": "macosx", "win_amd64": "win"}.items():
        to = tmp_path / tag
        subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--no-index", "--no-deps", "--find-links", DIST, "--only-binary=:all:",
                        "--platform", tag, "--python-version", "3.12", "--pre", "-d", to, f"arrayrepl=={version}"], check=True,
                       env={k: v for k, v in os.environ.items() if k != "PIP_FIND_LINKS"})
        assert one("*.whl", to).name.split("-")[-1].startswith(want)


def test_same_commit_same_bits(tmp_path, wheel):
    """Built again without goreleaser, from a clone in another directory with an empty build cache: the wheel, and the program in it,
    have the same bits."""
    clone_built(tmp_path / "clone")
    subprocess.run(["go", "run", "./internal/ship", "wheel", "-o", tmp_path / "dist"], cwd=tmp_path / "clone", check=True,
                   env=os.environ | {"GOCACHE": str(tmp_path / "cache")}, stdout=subprocess.DEVNULL)
    again = one("*.whl", tmp_path / "dist")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()
