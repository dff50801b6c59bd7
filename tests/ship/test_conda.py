"""The recipe for conda-forge, built by rattler-build, from this commit in place of a release and with a stand-in for conda-forge's
packages of Go, which sets what that one sets, and of Python."""

import hashlib
import json
import platform
import re
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
PYTHON = """
schema_version: 1
package: {name: python, version: 3.10.99}
build:
  script: mkdir -p $PREFIX/lib/python3.10/site-packages && touch $PREFIX/lib/python3.10/site-packages/README.txt
"""
BUILD = """
import sys
from rattler_build import build_recipes
build_recipes([sys.argv[1]], output_dir=sys.argv[2], channel=[], target_platform=sys.argv[3], render_only=sys.argv[4] == "render",
              test="skip", package_format="tar-bz2:1")
"""
INSTALL = """
import asyncio, sys
import rattler
channel, platform, prefix, cache = sys.argv[1:]
async def main():
    found = await rattler.solve([channel], ["arrayrepl"], platforms=[platform, "noarch"])
    await rattler.install(found, prefix, cache_dir=cache, show_progress=False)
asyncio.run(main())
"""


def rattler(recipe, out, target=TARGET, what="build"):
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", BUILD, recipe, out, target, what], text=True, capture_output=True, cwd=recipe.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("target", ["linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64"])
def test_renders(tmp_path, target):
    said = rattler(ROOT / "packaging/conda/recipe.yaml", tmp_path, target, "render")
    outputs = {o["recipe"]["package"]["name"]: o["recipe"] for o in json.loads(said[said.index("[\n"):said.rindex("]") + 1])}
    assert set(outputs) == {"arrayrepl-base"} | ({"arrayrepl"} if target == "linux-64" else set())
    asked = outputs["arrayrepl-base"]
    assert asked["requirements"]["build"] == [f"go-nocgo_{target} >=1.26"]
    script = "\n".join(asked["build"]["script"])
    assert ("%PREFIX% windows/amd64" in script) == (target == "win-64"), script


def test_packages(tmp_path):
    """Built into a channel, and installed from there by rattler, a solver of conda's: what is in them runs, Jupyter finds the kernel,
    and its server the extension."""
    def go(*args):
        return subprocess.run(["go", *args], cwd=ROOT, text=True, capture_output=True, check=True).stdout.strip()

    go("mod", "download")
    for name in ("go", "python", "arrayrepl"):
        (tmp_path / name).mkdir()
    (tmp_path / "go.sh").write_text(f"export PATH={go('env', 'GOROOT')}/bin:$PATH GOOS=linux GOARCH={go('env', 'GOARCH')} GOPATH=$SRC_DIR GOFLAGS=-modcacherw "
                                    f"GOPROXY=file://{go('env', 'GOMODCACHE')}/cache/download GOCACHE={go('env', 'GOCACHE')}\n")
    (tmp_path / "go/recipe.yaml").write_text(STUB.format(target=TARGET, version=go("env", "GOVERSION").removeprefix("go"), activate=tmp_path / "go.sh"))
    (tmp_path / "python/recipe.yaml").write_text(PYTHON)
    for name in ("go", "python"):
        rattler(tmp_path / name / "recipe.yaml", tmp_path / "channel")

    source = tmp_path / "v0.1.0.tar.gz"
    subprocess.run(["git", "archive", "--prefix=arrayrepl-0.1.0/", "-o", source, built_commit()], cwd=ROOT, check=True)
    recipe = RECIPE.replace("https://github.com/arrayrepl/arrayrepl/archive/refs/tags/v${{ version }}.tar.gz", source.as_uri())
    recipe = recipe.replace("0" * 64, hashlib.sha256(source.read_bytes()).hexdigest())
    assert source.as_uri() in recipe and "0" * 64 not in recipe
    (tmp_path / "arrayrepl/recipe.yaml").write_text(recipe)
    rattler(tmp_path / "arrayrepl/recipe.yaml", tmp_path / "channel")

    prefix = tmp_path / "prefix"
    subprocess.run([sys.executable, "-c", INSTALL, (tmp_path / "channel").as_uri(), TARGET, prefix, tmp_path / "cache"], check=True, stdout=subprocess.DEVNULL)
    names = {str(f.relative_to(prefix)) for f in prefix.rglob("*") if f.is_file() and not f.is_relative_to(prefix / "conda-meta")}
    assert {n for n in names if "arrayrepl" in n and not n.endswith(".pyc")} == {
        "bin/arrayrepl", *(f"share/jupyter/kernels/arrayrepl/{n}" for n in ("kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg")),
        "etc/jupyter/jupyter_server_config.d/arrayrepl.json", *(f"lib/python3.10/site-packages/arrayrepl/{n}.py" for n in ("__init__", "__main__", "carried"))}
    (package,) = (tmp_path / "channel" / TARGET).glob("arrayrepl-base-*.tar.bz2")
    with tarfile.open(package) as tar:
        assert tar.getmember("info/licenses/source/NOTICES.txt").size > 100_000
        tests = yaml.safe_load(tar.extractfile("info/tests/tests.yaml"))
    env = {"HOME": str(tmp_path / "home"), "PATH": f"{prefix}/bin:/usr/bin:/bin", "JUPYTER_PATH": f"{prefix}/share/jupyter",
           "JUPYTER_CONFIG_DIR": f"{prefix}/etc/jupyter", "PYTHONPATH": f"{prefix}/lib/python3.10/site-packages"}  # as conda's Python has them by itself

    def run(*argv):
        done = subprocess.run(argv, text=True, capture_output=True, env=env, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    for test in tests:
        for command in test["script"]:
            run("sh", "-ec", command)
    assert run(prefix / "bin/arrayrepl", "version") == run(sys.executable, "-m", "arrayrepl", "version") == "arrayrepl v0.1.0\n"
    assert re.search(r"arrayrepl .*OK", run(sys.executable, "-m", "jupyter", "server", "extension", "list"))
    ask = ("from jupyter_client.manager import start_new_kernel as start; m, c = start(kernel_name='arrayrepl')\n"
           "print(c.execute_interactive('fmt.Println(2 + 3)', timeout=60)['content']['status']); c.stop_channels(); m.shutdown_kernel()")
    assert run(sys.executable, "-c", ask).startswith("5\nok\n")
