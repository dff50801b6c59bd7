"""What `make dist` has built, and Debians to try it in."""

import os
import platform
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIST = Path(os.environ.get("ARRAYREPL_DIST", ROOT / ".build" / "dist")).resolve()
ROOTS = Path(os.environ.get("SHIP_ROOTS", ROOT / ".build" / "roots")).resolve()
MIRROR = os.environ.get("SHIP_MIRROR")  # debootstrap's own without
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]


def pytest_collection_modifyitems(items):
    if not (DIST / "checksums.txt").exists():
        raise pytest.UsageError(f"{DIST} holds nothing that was built: make dist")


def one(pattern, where=DIST):
    found = sorted(where.glob(pattern))
    assert len(found) == 1, f"{pattern} in {where}: {found}"
    return found[0]


def program(build):
    """The program that was built for a platform: program("linux-amd64-static")."""
    system, arch, *static = build.split("-")
    return one(f"{'static' if static else 'arrayrepl'}_{system}_{arch}_*/arrayrepl*")


def built_commit():
    """The commit that the programs were built from, as they say."""
    said = subprocess.run(["go", "version", "-m", program(f"linux-{ARCH}")], text=True, capture_output=True, check=True).stdout
    if "vcs.modified=false" not in said:
        pytest.skip("make dist has built what is not committed: nobody can build it again")
    return re.search(r"vcs.revision=(\w+)", said).group(1)


def clone_built(to):
    """A clone of the repository at that commit."""
    subprocess.run(["git", "clone", "-q", ROOT, to], check=True)
    subprocess.run(["git", "checkout", "-q", built_commit()], cwd=to, check=True)
    return to


@pytest.fixture(scope="session")
def archive():
    """The archive for this machine."""
    return one(f"arrayrepl_*_linux_{ARCH}.tar.gz")


@pytest.fixture(scope="session")
def static_archive():
    """The one for this machine, were its C library another one than glibc."""
    return one(f"arrayrepl_*_linux_{ARCH}_static.tar.gz")


@pytest.fixture(scope="session")
def wheel():
    """The wheel for this machine."""
    return one(f"arrayrepl-*manylinux*_{platform.machine()}*.whl")


class Debian:
    """A directory that is the root of a file system, for commands to run in."""

    def __init__(self, root):
        self.root = Path(root)

    def argv(self, command, path="/usr/sbin:/usr/bin:/sbin:/bin", env=()):
        """A command line that runs a shell command in there, with processes of its own and nothing of this environment."""
        r = shlex.quote(str(self.root))
        enter = f"mount -t proc proc {r}/proc && mount --rbind /dev {r}/dev && exec chroot {r} /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=xterm PATH={path} "
        enter += " ".join(shlex.quote(f"{k}={v}") for k, v in dict(env).items()) + f" sh -c {shlex.quote('cd; ' + command)}"
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter]

    def run(self, command, check=True, timeout=1500, **kw):
        done = subprocess.run(self.argv(command, **kw), text=True, capture_output=True, timeout=timeout)
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done


def made(name, make):
    """The directory ROOTS/name, made once."""
    at = ROOTS / name
    if not at.exists():
        ROOTS.mkdir(parents=True, exist_ok=True)
        new = ROOTS / f".new-{name}"
        shutil.rmtree(new, ignore_errors=True)
        make(new)
        new.rename(at)
    return at


def copy(base, to):
    subprocess.run(["cp", "-a", "--reflink=auto", base, to], check=True)
    return Debian(to)


def bootstrap(to):
    subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", to, *filter(None, [MIRROR])],
                   check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def debian(tmp_path_factory):
    """A Debian of the packages that every Debian has: no compiler, no Go, no Python."""
    return copy(made("minimal", bootstrap), tmp_path_factory.mktemp("minimal") / "root")


@pytest.fixture(scope="session")
def musl(tmp_path_factory):
    """What Alpine is to a program: busybox, musl, no glibc. From Debian's packages, as Alpine's registry need not be reached."""

    def make(to):
        debs = to.with_name(".debs")
        shutil.rmtree(debs, ignore_errors=True)
        debs.mkdir()
        subprocess.run("apt-get -qq update; apt-get -qq -o APT::Sandbox::User=root download busybox-static musl ca-certificates", shell=True, cwd=debs, check=True)
        for deb in debs.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", deb, to], check=True)
        shutil.rmtree(debs)
        for name in ("proc", "dev", "root", "tmp", "opt", "usr/bin"):
            (to / name).mkdir(parents=True, exist_ok=True)
        subprocess.run(["chroot", to, "/bin/busybox", "--install", "-s", "/usr/bin"], check=True)
        (to / "bin/sh").symlink_to("busybox")

    return copy(made("musl", make), tmp_path_factory.mktemp("musl") / "root")


@pytest.fixture(scope="session")
def debian_python(tmp_path_factory):
    """The same with Python 3, its pip and venv, and with this machine's way to the package index."""

    def make(to):
        subprocess.run(["cp", "-a", made("minimal", bootstrap), to], check=True)
        online(to)
        Debian(to).run("apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends python3 python3-pip python3-venv")

    d = copy(made("python", make), tmp_path_factory.mktemp("python") / "root")
    online(d.root)
    return d


def online(root):
    """Gives the Debian in root this machine's way to the network."""
    for file in ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"):
        if os.path.exists("/" + file):
            shutil.copy("/" + file, root / file)
