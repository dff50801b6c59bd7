"""python -m arrayrepl: the program."""

import os
import subprocess
import sys

from arrayrepl import find

command = [find(), *sys.argv[1:]]
if os.name == "nt":
    sys.exit(subprocess.run(command).returncode)
os.execv(command[0], command)
