"""What package testsize has for Go: tests that take long are tried in turn, by the number of the commit."""

import os

SHORT = os.environ.get("ARRAYREPL_TESTS") == "short"


def part(i, parts=3):
    """Whether the i-th of many cases is to be tried: all but in short tests, which take one of the parts at a time, each commit another."""
    return not SHORT or (i + int(os.environ.get("ARRAYREPL_TURN") or 0)) % parts == 0
