"""What tests and doctests share: a folder with the arm of `pliant new` and its results."""

import os
import shutil
from pathlib import Path

import pliant
import pytest

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "crates/cli/templates/arm"


@pytest.fixture(scope="session")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `pliant new` makes, with a short run, and its results. Links are cached in the session."""
    folder = tmp_path_factory.mktemp("arm")
    os.environ["PLIANT_CACHE"] = str(folder / "cache")
    text = (TEMPLATES / "machine.toml").read_text()
    short = text.replace("end   = 2.0\nstep  = 5e-4", "end   = 0.2\nstep  = 5e-4")
    assert short != text
    (folder / "machine.toml").write_text(short)
    (folder / "whole.toml").write_text(text)
    shutil.copy(TEMPLATES / "upper.bdf", folder)
    pliant.load(folder / "machine.toml").run(folder / "results.vtkhdf")
    return folder


@pytest.fixture(autouse=True)
def in_a_copy(arm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doctest_namespace: dict[str, object]) -> Path:
    """Every test works in its own copy of that folder."""
    for file in arm.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    doctest_namespace["pliant"] = pliant
    return tmp_path
