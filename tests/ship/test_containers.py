"""The Dockerfile and .binder, built by buildah. No registry is asked: what they start from are Debians with Go or Python, under the
names of the images that they ask for."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

import pytest

from conftest import ARCH, ROOT, Debian, bootstrap, clone_built, made, online, program

GO_IMAGE, PYTHON_IMAGE = "docker.io/library/golang:1.26-bookworm", "docker.io/library/python:3.13-slim-bookworm"


def go_env(name):
    return subprocess.run(["go", "env", name], cwd=ROOT, text=True, capture_output=True, check=True).stdout.strip()


def apt(to, packages):
    """A Debian with these packages, and with this machine's way to the network."""
    subprocess.run(["cp", "-a", made("minimal", bootstrap), to], check=True)
    online(to)
    Debian(to).run(f"apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends {packages}")


@pytest.fixture(scope="module")
def buildah(tmp_path_factory):
    """buildah(args...) runs it with images of its own, among them the stand-ins."""
    at = tmp_path_factory.mktemp("images")
    own = ["buildah", "--root", str(at / "root"), "--runroot", str(at / "run")]
    own.append("--storage-driver=" + ("overlay" if overlay(at) else "vfs"))

    def run(*args, **kw):
        done = subprocess.run([*own, *args], text=True, capture_output=True, timeout=1500, **kw)
        assert done.returncode == 0, f"{args}: {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout.strip()

    run.argv = lambda *args: [*own, *args]
    for name, root, path, more in (
        (PYTHON_IMAGE, made("container-python", lambda to: apt(to, "python3 python3-pip python3-venv")), "", []),
        (GO_IMAGE, made("container-go", lambda to: apt(to, "git curl")), "/go/bin:/usr/local/go/bin:", ["--env=GOPATH=/go", "--env=GOTOOLCHAIN=local"]),
    ):
        c = run("from", "scratch")
        run("add", "-q", c, str(root), "/")
        if more:
            run("add", "-q", c, go_env("GOROOT"), "/usr/local/go")
        else:  # as in Python's image: a python that pip installs for
            run("run", "--isolation=chroot", c, "--", "sh", "-c", "ln -s python3 /usr/bin/python && rm -f /usr/lib/python3*/EXTERNALLY-MANAGED")
        run("config", f"--env=PATH={path}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *more, c)
        run("commit", "-q", "--rm", c, name)
    yield run
    run("rm", "--all")
    run("rmi", "--all", "--force")
    shutil.rmtree(at)


def overlay(at):
    """Whether layers can be mounted over each other here; copied otherwise, which takes more room and time."""
    for name in ("lower", "upper", "work", "over"):
        (at / name).mkdir()
    done = subprocess.run(["unshare", "--mount", "mount", "-t", "overlay", "overlay", "-o",
                           f"lowerdir={at}/lower,upperdir={at}/upper,workdir={at}/work", at / "over"], capture_output=True)
    return done.returncode == 0


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return clone_built(tmp_path_factory.mktemp("clone") / "arrayrepl")


def test_docker(buildah, clone):
    """As its first lines say; then what it runs is started, and answers."""
    pip = [f"--env={k}={v}" for k, v in os.environ.items() if k.startswith("PIP_") and k not in ("PIP_FIND_LINKS", "PIP_CERT")]
    buildah("bud", "--isolation=chroot", "--pull-never", "--layers=false", *pip, f"--volume={go_env('GOMODCACHE')}:/go/pkg/mod",
            f"--volume={go_env('GOCACHE')}:/root/.cache/go-build", "-t", "arrayrepl", "-f", "packaging/docker/Dockerfile", ".", cwd=clone)
    config = json.loads(buildah("inspect", "--type=image", "arrayrepl"))["OCIv1"]["config"]
    assert (config["User"], config["WorkingDir"], config["ExposedPorts"]) == ("jovyan", "/home/jovyan/notebooks", {"8888/tcp": {}})
    c = buildah("from", "--pull-never", "arrayrepl")

    def inside(command):
        return buildah("run", "--isolation=chroot", c, "--", "sh", "-c", command)

    assert "/usr/local/share/jupyter/kernels/arrayrepl" in inside("jupyter kernelspec list")
    assert "!!" not in inside("arrayrepl doctor")
    assert inside("command -v go gcc || echo none") == "none"
    inside("jupyter nbconvert --to notebook --execute 01-tour.ipynb --output-dir /tmp")  # by nbclient: an error would end it
    tour = json.loads(inside("cat /tmp/01-tour.ipynb"))
    assert sum("image/svg+xml" in o.get("data", {}) for cell in tour["cells"] for o in cell.get("outputs", [])) >= 3

    log = clone.parent / "lab.log"
    argv = buildah.argv("run", "--isolation=chroot", c, "--", *config["Cmd"], "--port=18892")
    server = subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *argv],
                              stdin=subprocess.DEVNULL, stdout=log.open("w"), stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 300
        while not (found := re.search(r"http://127\.0\.0\.1:18892/lab(\?token=\w+)", log.read_text())):
            assert server.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)

        def get(path):
            with urllib.request.urlopen(f"http://127.0.0.1:18892{path}{found.group(1)}", timeout=60) as answer:
                return json.load(answer)

        assert "arrayrepl" in get("/api/kernelspecs")["kernelspecs"]
        assert "01-tour.ipynb" in [f["name"] for f in get("/api/contents")["content"]]
    finally:
        server.kill()
        server.wait(60)


def test_binder(buildah, clone):
    """repo2docker finds .binder and says what it would do; that is done in a Debian with Python, by its user, with the Go that
    postBuild asks go.dev for taken from here. What comes out is the program of `make dist`, bit for bit."""
    said = subprocess.run([sys.executable, "-m", "repo2docker", "--no-build", "--debug", "--user-id=1000", "--user-name=jovyan", clone],
                          text=True, capture_output=True, check=True)
    said = said.stdout + said.stderr
    version = re.search(r"environment\.py-(3\.\d+)", said.replace("-2e", ".").replace("-2d", "-")).group(1)
    assert f"python-{version}" == (clone / ".binder/runtime.txt").read_text().strip()
    steps = [line.removeprefix("RUN ") for line in said.splitlines() if line.startswith("RUN ") and ".binder/" in line]
    assert [s.split("/")[-1] for s in steps] == ['requirements.txt"', "postBuild", "postBuild"], said

    c = buildah("from", "--pull-never", PYTHON_IMAGE)
    buildah("run", "--isolation=chroot", c, "--", "sh", "-c", "apt-get -qq update && apt-get -qq install -y --no-install-recommends git >/dev/null && "
            "mkdir /empty && useradd --create-home --skel /empty --uid 1000 jovyan && python3 -m venv /venv && chown -R jovyan /venv")
    buildah("add", "-q", "--chown=1000:1000", c, str(clone), "/home/jovyan")
    fetch = clone.parent / "curl"
    fetch.write_text('#!/bin/sh\ncase "$*" in *" https://go.dev/dl/go1."*.linux-*.tar.gz) tar -c -C /from/go . --transform "s,^\\.,go," | gzip -1; exit;; esac\n'
                     'echo "nobody asks for $*" >&2; exit 1\n')
    fetch.chmod(0o755)
    buildah("add", "-q", c, str(fetch), "/usr/local/bin/curl")
    buildah("config", "--user=jovyan", "--workingdir=/home/jovyan", "--env=PATH=/venv/bin:/usr/local/bin:/usr/bin:/bin",
            "--env=KERNEL_PYTHON_PREFIX=/venv", "--env=GOPROXY=file:///from/modules", c)
    subprocess.run(["go", "mod", "download"], cwd=ROOT, check=True)
    for step in steps:
        buildah("run", "--isolation=chroot", f"--volume={go_env('GOROOT')}:/from/go:ro", f"--volume={go_env('GOMODCACHE')}/cache/download:/from/modules:ro",
                c, "--", "bash", "-c", step)
    assert buildah("run", "--isolation=chroot", c, "--", "sh", "-c", "jupyter kernelspec list; ls /tmp; git status --short").split("\n")[1:] == [
        "  arrayrepl    /venv/share/jupyter/kernels/arrayrepl", "  python3      /venv/share/jupyter/kernels/python3"]
    ours = subprocess.run(["sha256sum", program(f"linux-{ARCH}")], text=True, capture_output=True, check=True).stdout.split()[0]
    assert buildah("run", "--isolation=chroot", c, "--", "sha256sum", "/venv/bin/arrayrepl").split()[0] == ours
