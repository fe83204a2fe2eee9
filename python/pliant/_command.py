"""The `pliant` command of the package."""

from __future__ import annotations

import os
import shutil
import signal
import sys


def main() -> int:
    """Runs the command line. Returns the exit code."""
    from pliant._engine import command

    # The engine handles signals itself; Python would only note them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(program(), sys.argv[1:])


def program() -> str | None:
    """The file that starts this command, for readers of results and jobs of a cluster."""
    beside = os.path.join(os.path.dirname(sys.executable), "pliant")
    for candidate in (sys.argv[0], beside):
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    return shutil.which("pliant")
