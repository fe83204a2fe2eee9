"""How far the engine is, in one line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

_Report = TypeVar("_Report")

Progress = bool | Callable[[float, str], object]
"""`True` for a line on standard error, or a function of the share that is done (0 to 1) and a text."""

_WIDTH = 30


def line(share: float, text: str) -> None:
    """A bar of text that replaces the one before."""
    done = round(_WIDTH * min(max(share, 0.0), 1.0))
    end = "\n" if share >= 1.0 else ""
    sys.stderr.write(f"\r[{'#' * done}{'.' * (_WIDTH - done)}] {text}{end}")
    sys.stderr.flush()


def reporter(progress: Progress) -> Callable[[float, str], object] | None:
    """What is called with share and text; nothing where nobody wants to know."""
    if progress is True:
        return line
    return progress or None


def of_run(progress: Progress) -> Callable[[str, float, float, float], None] | None:
    """For a run."""
    report = reporter(progress)
    if report is None:
        return None

    def frame(kind: str, t: float, end: float, iterations: float) -> None:
        report(t / end if end > 0.0 else 1.0, f"{kind}: t = {t:.3f} s, {iterations:.1f} iterations a step")

    return frame


def of_study(progress: Progress) -> Callable[[int, int, int], None] | None:
    """For a study."""
    report = reporter(progress)
    if report is None:
        return None

    def ended(done: int, cases: int, failed: int) -> None:
        report(done / cases, f"{done} of {cases} cases{f', {failed} failed' if failed else ''}")

    return ended
