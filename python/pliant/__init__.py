"""Flexible multibody dynamics from Nastran link meshes.

    >>> import pliant
    >>> case = pliant.load("machine.toml").set({"payload.mass": 12})
    >>> result = case.run()
    >>> result.tip.error.dims, result.tip.error.attrs["units"]
    (('time', 'xyz'), 'm')
    >>> float(result.metrics.tip_peak_error) < 5e-3
    True

`load` reads a pipeline file, `Machine` builds one in Python; `Case.run` moves the machine; `open` opens the
results of an earlier run; `study` runs many cases; `reduce` reduces the mesh of a single link. What is wrong
with an input is an exception with `diagnostics`.
"""

from pliant._engine import Measurement, version as _version
from pliant.case import Case, load, loads
from pliant.errors import Diagnostic, InputError, PliantError, PliantWarning, RunError, StudyError
from pliant.link import Interface, Link, reduce
from pliant.machine import Machine
from pliant.response import Response, StateSpace
from pliant.result import Result, open
from pliant.study import Study, StudyResult, study

__version__: str = _version()

__all__ = [
    "Case",
    "Diagnostic",
    "InputError",
    "Interface",
    "Link",
    "Machine",
    "Measurement",
    "PliantError",
    "PliantWarning",
    "Response",
    "Result",
    "RunError",
    "StateSpace",
    "Study",
    "StudyError",
    "StudyResult",
    "load",
    "loads",
    "open",
    "reduce",
    "study",
]
