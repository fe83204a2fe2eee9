"""Machines that are built in Python, without a file."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from typing import Any

from pliant import _engine
from pliant.case import Case, loads

Table = Any
"""A dict, or a dataclass of the user: its fields that are not None are the keys."""


@dataclass
class Machine:
    """The tables of a pipeline file. Their keys are those of docs/pipeline-file.md.

    >>> rod = {"length": 1.0, "section": {"rod": 0.02}, "material": "steel", "elements": 4}
    >>> machine = Machine(title="Pendulum", gravity=[0, 0, -9.81])
    >>> machine.links["rod"] = {"beam": rod, "modes": {"count": 2}}
    >>> machine.joints["pivot"] = {"parent": "ground", "child": "rod", "type": "revolute", "axis": "y"}
    >>> machine.analysis = {"end": 0.1, "step": 1e-3}
    >>> machine.output = {"tip": "rod.tip"}
    >>> result = machine.case().run()
    >>> print(machine.to_toml().splitlines()[0])
    title = "Pendulum"
    """

    title: str | None = None
    gravity: list[float] | None = None
    links: dict[str, Table] = field(default_factory=dict)
    joints: dict[str, Table] = field(default_factory=dict)
    path: Table | None = None
    payload: Table | None = None
    payloads: dict[str, Table] = field(default_factory=dict)
    loads: dict[str, Table] = field(default_factory=dict)
    constraints: dict[str, Table] = field(default_factory=dict)
    couplings: dict[str, Table] = field(default_factory=dict)
    forces: dict[str, Table] = field(default_factory=dict)
    damping: Table | None = None
    analysis: Table | None = None
    output: Table | None = None
    response: Table | None = None
    study: Table | None = None

    @classmethod
    def of(cls, case: Case) -> Machine:
        """The tables of a case, to be changed."""
        return cls(**case.to_dict())

    def to_toml(self) -> str:
        """The text of the pipeline file."""
        tables = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        return _engine.to_toml({name: table for name, table in tables.items() if table not in (None, {})})

    def case(self, path: str | os.PathLike[str] = "machine.toml") -> Case:
        """The machine, ready to run; the paths in it are relative to the folder of `path`, which need not exist.

        Raises `InputError`; its lines are those of `to_toml()`.
        """
        return loads(self.to_toml(), path)
