"""jupyter console, in a terminal."""
import os
import re
import sys
import time

import pexpect
import pytest

from conftest import FAKE, TIMEOUT

pytestmark = pytest.mark.skipif(FAKE, reason="needs a session that runs Go")
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[=>])")


@pytest.fixture
def console(tmp_path):
    env = os.environ | {"TERM": "xterm", "HOME": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", "arrayrepl", "--simple-prompt"],
                          env=env, encoding="utf-8", timeout=TIMEOUT, dimensions=(40, 120))
    child.expect(r"In \[1\]: ")
    time.sleep(1)  # the console does not wait until it is subscribed to outputs
    yield child
    child.close(force=True)


def test_console(console):
    def cell(code, want):
        console.sendline(code)
        console.expect(want)
        console.expect(r"In \[\d+\]: ")

    cell("x := 41", "")
    cell("x + 1", r"Out\[2\]: 42")
    cell('fmt.Println("printed")', "\nprinted")
    cell("noSuchName", "undefined: noSuchName")
    cell("x", r"41")  # what failed is forgotten
    console.sendline('fmt.Println("run" + "ning"); for { }')
    console.expect("running")  # before the cell runs Ctrl-C is the console's own
    console.sendintr()
    console.expect("interrupted")
    console.expect(r"In \[\d+\]: ")
    cell("x + 2", "43")
    console.sendline("var name string; fmt.Scanln(&name); name")
    console.expect("\n")
    console.sendline("Ada")
    console.expect("Ada")
    console.expect(r"In \[\d+\]: ")
    console.sendeof()
    console.expect("really want to exit")


def test_console_with_its_line_editor(tmp_path):
    env = os.environ | {"TERM": "xterm-256color", "HOME": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1"}
    child = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", "arrayrepl"],
                          env=env, encoding="utf-8", timeout=TIMEOUT, dimensions=(40, 120))
    screen = ""

    def until(text):
        """Reads until text has been drawn, escapes aside, and goes on behind it."""
        nonlocal screen
        while text not in (drawn := ESCAPES.sub("", screen)):
            screen += child.read_nonblocking(4096, timeout=TIMEOUT)
        screen = drawn.split(text, 1)[1]

    until("In [1]:")
    child.send("fmt.Sprin\t")
    until("Sprintln")  # among the proposals
    child.send("\x15")  # the line is deleted
    child.send("40 + 2\r")
    until("42")
    until("In [2]:")
    child.send("func f() int {\r")  # is_complete says that more is to come
    until("...:")
    child.send("return 7 }\r\r")
    until("In [3]:")
    child.send("f()\r")
    until("7")
    until("In [4]:")
    child.sendeof()
    until("exit")
    child.close(force=True)
