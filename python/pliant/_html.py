"""What notebooks show: the headline numbers and a plot, without any other package."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from pliant.case import Case
    from pliant.result import Result
    from pliant.study import StudyResult

_HEADLINES = ("tip_peak_error", "tip_rms_error", "tip_residual_error", "tip_settling_time", "mass", "energy_worst_balance")
_WIDTH, _HEIGHT = 560, 130
_POINTS = 400


def case_html(case: Case) -> str:
    """A case as a table of what it has."""
    tree = case.to_dict()
    rows = [(kind, ", ".join(map(str, tree[kind]))) for kind in ("links", "joints", "payloads", "loads") if tree.get(kind)]
    rows += [("controllers in Python", ", ".join(case._engine.controlled))] if case._engine.controlled else []
    return _titled(case.title or "Case", _table(rows))


def result_html(result: Result) -> str:
    """Results as their headline numbers and the tip error over time."""
    metrics = result["metrics"]
    names = [name for name in _HEADLINES if name in metrics]
    names += [name for name in metrics if name.startswith("drive_peak_")]
    rows = [(name, f"{float(metrics[name]):.4g} {metrics[name].attrs['units']}") for name in names]
    body = _table(rows)
    if "tip" in result:
        error = 1e3 * numpy.linalg.norm(result["tip/error"].values, axis=1)
        body += _curve(result["time"].values, error, "tip error (mm)")
    return _titled(str(result.attrs["title"]), body)


def study_html(study: StudyResult) -> str:
    """A study as the range of its metrics."""
    rows = []
    for metric in study.findings["metrics"]:
        low, high = metric["min"], metric["max"]
        if low is not None and high is not None:
            text = f"{low[0]:.4g} (case {low[1]}) to {high[0]:.4g} (case {high[1]})"
            rows.append((str(metric["name"]), text))
    return _titled(f"Study: {study.done} of {study.cases} cases, {study.failed} failed", _table(rows))


def _titled(title: str, body: str) -> str:
    return f"<div><b>{escape(title)}</b>{body}</div>"


def _table(rows: list[tuple[str, str]]) -> str:
    cells = (f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{''.join(cells)}</table>"


def _curve(x: numpy.ndarray, y: numpy.ndarray, label: str) -> str:
    """A curve as SVG. Of many points the largest of each group is drawn, so that no peak is lost."""
    groups = numpy.array_split(numpy.arange(len(x)), min(len(x), _POINTS))
    kept = [group[numpy.argmax(y[group])] for group in groups]
    top, span = float(y.max()) or 1.0, float(x[-1] - x[0]) or 1.0
    points = " ".join(f"{_WIDTH * (x[k] - x[0]) / span:.1f},{_HEIGHT * (1.0 - y[k] / top):.1f}" for k in kept)
    return (
        f'<svg viewBox="-4 -16 {_WIDTH + 8} {_HEIGHT + 36}" width="{_WIDTH}" role="img" aria-label="{escape(label)}">'
        f'<path d="M0 0V{_HEIGHT}H{_WIDTH}" fill="none" stroke="gray"/>'
        f'<polyline points="{points}" fill="none" stroke="#1f77b4" stroke-width="1.2"/>'
        f'<text x="4" y="-4" font-size="12">{escape(label)}, largest {top:.4g}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT + 14}" font-size="12" text-anchor="end">{x[-1]:.4g} s</text></svg>'
    )
