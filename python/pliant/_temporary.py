"""Folders that live as long as what is in them is used."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class Folder:
    """A temporary folder, removed with this object or at the end of Python."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="pliant-"))
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def target(out: object, name: str) -> tuple[Path, Folder | None]:
    """`out`, or a file in a temporary folder where that is not given."""
    if out is not None:
        return Path(str(out)), None
    folder = Folder()
    return folder.path / name, folder
