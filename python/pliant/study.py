"""Many cases of one machine."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant import _engine, _progress, errors
from pliant._temporary import Folder

if TYPE_CHECKING:
    import pandas

    from pliant.case import Case


def study(case: Case, **table: object) -> Study:
    """Many cases of a machine. The keywords are the keys of `[study]`, as docs/pipeline-file.md lists them; they
    replace those of the file.

    >>> result = study(pliant.load("machine.toml"), grid={"payload.mass": [0, 5, 10]}).run()
    >>> result.to_pandas()["payload.mass"].tolist()
    [0, 5, 10]
    """
    return Study(case, table)


class Study:
    """A study before it is run."""

    def __init__(self, case: Case, table: Mapping[str, object]) -> None:
        if case._engine.controlled:
            joints = ", ".join(case._engine.controlled)
            message = f"a study cannot have controllers in Python, found those of {joints}"
            raise errors.StudyError(message, [errors.Diagnostic("error", message, hint="run the cases one by one")])
        self.case = case
        self._tree = case.to_dict()
        given = {key: value for key, value in table.items() if value is not None}
        self._tree["study"] = {**self._tree.get("study", {}), **given}

    def to_toml(self) -> str:
        """The text of a pipeline file of this study: what a cluster can run."""
        return _engine.to_toml(self._tree)

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        progress: _progress.Progress = False,
        retry_failed: bool = False,
        cache: bool = True,
    ) -> StudyResult:
        """Runs the cases, side by side on all processors.

        `out` is the folder of the study; a study that was interrupted goes on where it was when it is run into
        the same folder again. Without it a temporary folder lives as long as the result.

        Raises `InputError` or `StudyError` for what cannot be run, and `KeyboardInterrupt` after Ctrl-C.
        """
        folder = Folder() if out is None else None
        path = folder.path / "study" if folder is not None else Path(str(out))
        report = _progress.of_study(progress)
        facts = _engine.run_study(self.case.path, self.to_toml(), path, retry_failed, cache, report)
        return StudyResult(json.loads(facts), folder)


class StudyResult:
    """What came of a study."""

    def __init__(self, facts: Mapping[str, Any], folder: Folder | None = None) -> None:
        self.folder = Path(facts["folder"])
        """Where it is: `results.csv` and `study.h5` have all cases."""
        self.cases = int(facts["cases"])
        """Number of cases."""
        self.done = int(facts["done"])
        """Cases that reached their end."""
        self.failed = int(facts["failed"])
        """Cases that failed; the column `reason` of the table says why."""
        self.seconds = float(facts["seconds"])
        """Time of the run (s)."""
        self.findings: dict[str, Any] = facts["findings"]
        """Range of each metric, effects of parameters, Sobol' indices, members of the Pareto front."""
        self._temporary = folder

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each case: parameters, status, metrics, reason. A number that a case has not is NaN."""
        import pandas

        with (self.folder / "results.csv").open(newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        columns = {name: _numbers([row[k] for row in rows]) for k, name in enumerate(names)}
        return pandas.DataFrame(columns).set_index("case")

    def __repr__(self) -> str:
        return f"<pliant.StudyResult: {self.done} of {self.cases} cases, {self.failed} failed; {self.folder}>"

    def _repr_html_(self) -> str:
        from pliant._html import study_html

        return study_html(self)


def _numbers(cells: list[str]) -> list[Any]:
    """A column as integers, as numbers to the last bit, or as the words it is made of."""
    for kind, empty in ((int, None), (float, float("nan"))):
        try:
            return [kind(cell) if cell or empty is None else empty for cell in cells]
        except ValueError:
            pass
    return list(cells)
