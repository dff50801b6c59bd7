"""The recipe for conda-forge, built by rattler-build, from this commit in place of a release and with a stand-in for conda-forge's
package of Go, which sets what that one sets."""

import hashlib
import json
import platform
import subprocess
import sys
import tarfile

import pytest
import yaml

from conftest import ROOT, built_commit

TARGET = {"x86_64": "linux-64", "aarch64": "linux-aarch64"}[platform.machine()]
RECIPE = (ROOT / "packaging/conda/recipe.yaml").read_text()
STUB = """
schema_version: 1
package: {{name: go-nocgo_{target}, version: {version}}}
build:
  script:
    - mkdir -p $PREFIX/etc/conda/activate.d
    - cp {activate} $PREFIX/etc/conda/activate.d/
"""
BUILD = """
import sys
from rattler_build import build_recipes
build_recipes([sys.argv[1]], output_dir=sys.argv[2], channel=[], target_platform=sys.argv[3], render_only=sys.argv[4] == "render",
              test="skip", package_format="tar-bz2:1")
"""


def rattler(recipe, out, target=TARGET, what="build"):
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", BUILD, recipe, out, target, what], text=True, capture_output=True, cwd=recipe.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("target", ["linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64"])
def test_renders(tmp_path, target):
    said = rattler(ROOT / "packaging/conda/recipe.yaml", tmp_path, target, "render")
    asked = json.loads(said[said.index("[\n"):said.rindex("]") + 1])[0]["recipe"]
    assert asked["requirements"]["build"] == [f"go-nocgo_{target} >=1.26"]
    script = "\n".join(asked["build"]["script"])
    assert ("%PREFIX% windows/amd64" in script) == (target == "win-64"), script


def test_package(tmp_path):
    """Built, unpacked elsewhere: what is in it runs, and Jupyter finds the kernel there."""
    def go(*args):
        return subprocess.run(["go", *args], cwd=ROOT, text=True, capture_output=True, check=True).stdout.strip()

    go("mod", "download")
    for name in ("go", "arrayrepl"):
        (tmp_path / name).mkdir()
    (tmp_path / "go.sh").write_text(f"export PATH={go('env', 'GOROOT')}/bin:$PATH GOOS=linux GOARCH={go('env', 'GOARCH')} GOPATH=$SRC_DIR GOFLAGS=-modcacherw "
                                    f"GOPROXY=file://{go('env', 'GOMODCACHE')}/cache/download GOCACHE={go('env', 'GOCACHE')}\n")
    (tmp_path / "go/recipe.yaml").write_text(STUB.format(target=TARGET, version=go("env", "GOVERSION").removeprefix("go"), activate=tmp_path / "go.sh"))
    rattler(tmp_path / "go/recipe.yaml", tmp_path / "channel")

    source = tmp_path / "v0.1.0.tar.gz"
    subprocess.run(["git", "archive", "--prefix=arrayrepl-0.1.0/", "-o", source, built_commit()], cwd=ROOT, check=True)
    recipe = RECIPE.replace("https://github.com/arrayrepl/arrayrepl/archive/refs/tags/v${{ version }}.tar.gz", source.as_uri())
    recipe = recipe.replace("0" * 64, hashlib.sha256(source.read_bytes()).hexdigest())
    assert source.as_uri() in recipe and "0" * 64 not in recipe
    (tmp_path / "arrayrepl/recipe.yaml").write_text(recipe)
    rattler(tmp_path / "arrayrepl/recipe.yaml", tmp_path / "channel")

    prefix = tmp_path / "prefix"
    (package,) = (tmp_path / "channel" / TARGET).glob("arrayrepl-*.tar.bz2")
    with tarfile.open(package) as tar:
        tar.extractall(prefix, filter="tar")
        names = [n for n in tar.getnames() if not n.startswith("info/")]
    assert sorted(names) == ["bin/arrayrepl", *(f"share/jupyter/kernels/arrayrepl/{n}" for n in ("kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"))]
    assert (prefix / "info/licenses/source/NOTICES.txt").stat().st_size > 100_000
    env = {"HOME": str(tmp_path / "home"), "PATH": f"{prefix}/bin:/usr/bin:/bin", "JUPYTER_PATH": f"{prefix}/share/jupyter"}
    for test in yaml.safe_load((prefix / "info/tests/tests.yaml").read_text()):
        if "requirements" in test:
            continue  # Python and jupyter_client of conda-forge: those of here are asked below
        for command in test["script"]:
            done = subprocess.run(["sh", "-ec", command], text=True, capture_output=True, env=env)
            assert done.returncode == 0, done.stdout + done.stderr
    assert subprocess.run([prefix / "bin/arrayrepl", "version"], text=True, capture_output=True, env=env).stdout == "arrayrepl v0.1.0\n"
    ask = ("from jupyter_client.manager import start_new_kernel as start; m, c = start(kernel_name='arrayrepl')\n"
           "print(c.execute_interactive('fmt.Println(2 + 3)', timeout=60)['content']['status']); m.shutdown_kernel()")
    done = subprocess.run([sys.executable, "-c", ask], text=True, capture_output=True, env=env, timeout=300)
    assert done.stdout == "5\nok\n", done.stdout + done.stderr
