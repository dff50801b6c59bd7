"""go install github.com/arrayrepl/arrayrepl/cmd/arrayrepl@latest, from an empty home."""

import os
import subprocess

from conftest import ROOT


def test_go_install(tmp_path):
    """This module comes from a folder that is its proxy; what it needs, from what this machine has fetched. No build tags, no
    settings of how to build."""
    def go(*args, **kw):
        return subprocess.run(["go", *args], text=True, capture_output=True, check=True, **kw).stdout.strip()

    proxy = tmp_path / "proxy"
    go("run", "./internal/ship", "proxy", proxy, cwd=ROOT)
    fetched = go("env", "GOMODCACHE", cwd=ROOT) + "/cache/download"
    go("mod", "download", cwd=ROOT)
    home = tmp_path / "home"
    home.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "GOPROXY": f"file://{proxy},file://{fetched}", "GONOSUMDB": "*",
           "GOCACHE": go("env", "GOCACHE"), "GOFLAGS": "-modcacherw -trimpath"}  # only so that it can be removed, and that what is compiled already is used
    go("install", "github.com/arrayrepl/arrayrepl/cmd/arrayrepl@latest", cwd=home, env=env)
    program = home / "go/bin/arrayrepl"
    version = subprocess.run([program, "version"], text=True, capture_output=True, check=True, env={"HOME": str(home)}).stdout
    assert version.startswith("arrayrepl v"), version
    said = subprocess.run([program, "-e", "np.Arange(4).Sum()"], text=True, capture_output=True, check=True, cwd=home, env={"HOME": str(home)})
    assert said.stdout == "6\n"
