"""The session transcripts of interp give through a pipe what they give through the kernel."""
import pathlib
import re
import subprocess

import pytest
from conftest import BIN, Client
from jupyter_client.manager import KernelManager

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "interp" / "testdata"
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def transcripts():
    """Name and cells of each transcript; the format is described in interp/transcript_test.go."""
    found = []
    for file in sorted(TESTDATA.glob("*.txt")):
        in_cell = False
        for line in file.read_text().split("\n"):
            if line.startswith("## "):
                found.append((f"{file.stem}: {line[3:]}", []))
                in_cell = False
            elif found and line.startswith(">"):
                if not in_cell:
                    found[-1][1].append("")
                in_cell = True
                found[-1][1][-1] += line[1:].removeprefix(" ") + "\n"
            else:
                in_cell = False
    return [pytest.param(cells, id=name) for name, cells in found if cells]


def test_there_are_transcripts():
    assert len(transcripts()) >= 40


@pytest.fixture(scope="module")
def kernel():
    km = KernelManager(kernel_name="arrayrepl")
    km.start_kernel()
    client = Client(km)
    yield client
    client.kc.stop_channels()
    km.shutdown_kernel(now=True)


def through_kernel(client, cells):
    """What the kernel publishes for the cells, as a terminal would show it: standard output and standard error."""
    client.km.restart_kernel(now=True)
    client.kc.wait_for_ready(timeout=20)
    out = err = ""
    for cell in cells:
        for msg in client.run(cell, stop_on_error=False)[1]:
            content = msg["content"]
            match msg["msg_type"]:
                case "stream" if content["name"] == "stdout":
                    out += content["text"]
                case "stream":
                    err += content["text"]
                case "error":
                    err += COLORS.sub("", "\n".join(content["traceback"])) + "\n"
                case "execute_result" | "display_data":
                    out += content["data"]["text/plain"] + "\n"
                case other:
                    raise AssertionError(other)
    return out, err


def through_pipe(cells):
    text = "".join("// %%\n" + c for c in cells)
    done = subprocess.run([BIN, "--keep-going"], input=text, capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr


@pytest.mark.parametrize("cells", transcripts())
def test_same_output(kernel, cells):
    assert through_pipe(cells) == through_kernel(kernel, cells)
