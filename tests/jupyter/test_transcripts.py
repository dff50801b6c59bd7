"""The session transcripts of interp give through a pipe what they give through the kernel."""
import concurrent.futures
import pathlib
import re
import subprocess
import threading

import pytest
from conftest import BIN, TIMEOUT, Client
from jupyter_client.manager import KernelManager
from testsize import SHORT, part

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "interp" / "testdata"
COLORS = re.compile(r"\x1b\[[0-9;]*m")
LOGGED = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d")  # by package log, a moment apart


def transcripts():
    """Name and cells of each transcript, of a third of them in short tests; the format is described in interp/transcript_test.go."""
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
    return {name: cells for i, (name, cells) in enumerate(found) if cells and part(i)}


def test_there_are_transcripts():
    assert len(transcripts()) >= 40 // (3 if SHORT else 1)


WORKERS = 4  # most of a kernel's start is waiting


@pytest.fixture(scope="module")
def outputs():
    """What each transcript gives, through the kernel and through a pipe."""
    mine, started = threading.local(), []

    def both(cells):
        if not hasattr(mine, "client"):
            km = KernelManager(kernel_name="arrayrepl")
            km.start_kernel()
            mine.client = Client(km)
            started.append(mine.client)
        return through_kernel(mine.client, cells), through_pipe(cells)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        running = {name: pool.submit(both, cells) for name, cells in transcripts().items()}
    for client in started:
        client.kc.stop_channels()
        client.km.shutdown_kernel(now=True)
    return running


def through_kernel(client, cells):
    """What the kernel publishes for the cells, as a terminal would show it: standard output and standard error."""
    client.km.restart_kernel(now=True)
    client.kc.wait_for_ready(timeout=TIMEOUT)
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
    return out, LOGGED.sub("a time", err)


def through_pipe(cells):
    text = "".join("// %%\n" + c for c in cells)
    done = subprocess.run([BIN, "--keep-going"], input=text, capture_output=True, text=True, timeout=5 * TIMEOUT)
    return done.stdout, LOGGED.sub("a time", done.stderr)


@pytest.mark.parametrize("name", transcripts())
def test_same_output(outputs, name):
    kernel, pipe = outputs[name].result()
    assert pipe == kernel
