"""The linux/arm64 program under qemu: it starts, and its arrays, which have no assembly there, give NumPy's results."""

import os
import platform
import subprocess

import pytest

from conftest import ROOT, program

QEMU = [] if platform.machine() == "aarch64" else ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]  # Debian's C library for it


@pytest.mark.parametrize("build", ["linux-arm64", "linux-arm64-static"])
def test_starts(tmp_path, build):
    emulated = QEMU[:1] if build.endswith("static") else QEMU
    said = subprocess.run([*emulated, program(build), "-e", "runtime.GOARCH", "-e", "x := np.Linspace(0, 1, 5); (x * x).Sum()", "-e", "np.Use(`host`); np.Exp(x)"],
                          text=True, capture_output=True, timeout=300, env={"HOME": str(tmp_path)})
    assert said.returncode == 0 and said.stdout.startswith("arm64\n1.875\n[1. "), said.stdout + said.stderr


@pytest.mark.parametrize("package", ["arrays", "internal/elementary", "internal/random"])
def test_arrays(tmp_path, package):
    """The tests of the package itself, its golden files among them."""
    test = tmp_path / "arm64.test"
    subprocess.run(["go", "test", "-c", "-o", test, "./" + package], cwd=ROOT, check=True, env=os.environ | {"GOARCH": "arm64", "CGO_ENABLED": "0"})
    done = subprocess.run([*QEMU, test, "-test.short"], cwd=ROOT / package, text=True, capture_output=True, timeout=1500)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
