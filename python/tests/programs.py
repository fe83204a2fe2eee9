"""The command of the workspace, and what the system says of this process."""

import os
import subprocess
import sys
from pathlib import Path

# Beside the venv, where cargo puts it.
COMMAND = Path(sys.prefix).parent / "debug/pliant"
# What the package installs.
INSTALLED = Path(sys.prefix) / "bin/pliant"


def cli(*arguments: str, program: Path = COMMAND, code: int = 0) -> str:
    """Standard output of a command line."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def rss() -> int:
    """Memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
