"""What is wrong, as exceptions with diagnostics."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

_Error = TypeVar("_Error", bound="PliantError")


@dataclass(frozen=True)
class Diagnostic:
    """One problem, with all that helps to find and correct it.

    >>> print(Diagnostic("error", "unknown key `masss`", file="arm.toml", line=3, column=1, hint="did you mean `mass`?"))
    arm.toml:3:1: error: unknown key `masss` (did you mean `mass`?)
    """

    severity: str
    """`error`, `warning` or `note`."""
    message: str
    """What is wrong."""
    file: str | None = None
    """The file that is wrong."""
    line: int | None = None
    """Line, from 1."""
    column: int | None = None
    """Column in bytes, from 1."""
    card: str | None = None
    """The card of a deck, such as `CTETRA 1207`."""
    field: int | None = None
    """Number of its field, as in the quick reference guide."""
    field_name: str | None = None
    """Name of its field."""
    hint: str | None = None
    """How to correct it."""

    def __str__(self) -> str:
        at = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        field = "" if self.field is None else f", field {self.field} ({self.field_name})"
        card = "" if self.card is None else f"{self.card}{field}: "
        hint = "" if self.hint is None else f" ({self.hint})"
        return f"{at}{self.severity}: {card}{self.message}{hint}"


class PliantError(Exception):
    """Something is wrong; `diagnostics` say what and where."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message, diagnostics)
        self.diagnostics: list[Diagnostic] = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])

    @classmethod
    def from_json(cls: type[_Error], text: str) -> _Error:
        """The exception of the engine's diagnostics."""
        found = read(text)
        return cls("\n".join(str(one) for one in found if one.severity == "error"), found)


class InputError(PliantError, ValueError):
    """A pipeline file, a key or a deck is wrong."""


class RunError(PliantError, RuntimeError):
    """A run did not reach its end."""


class StudyError(PliantError, RuntimeError):
    """A study cannot be run."""


class PliantWarning(UserWarning):
    """Probably not what was meant; the answer is still defined."""


def read(text: str) -> list[Diagnostic]:
    """The engine's diagnostics."""
    return [Diagnostic(**one) for one in json.loads(text)]


def warn(found: Sequence[Diagnostic], stacklevel: int) -> None:
    """Issues what is a warning."""
    for one in found:
        if one.severity == "warning":
            warnings.warn(str(one), PliantWarning, stacklevel=stacklevel + 1)
