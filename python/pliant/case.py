"""A case: a machine with its analyses, ready to run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant import _engine, _progress, _temporary, errors

if TYPE_CHECKING:
    from pliant.response import Response
    from pliant.result import Result

PathLike = str | os.PathLike[str]


def load(path: PathLike) -> Case:
    """Reads a pipeline file.

    >>> load("machine.toml").title
    'Two-link arm, 2 kg payload'

    Raises `InputError` with every problem of the file.
    """
    return Case(_engine.Case.load(path))


def loads(text: str, path: PathLike = "machine.toml") -> Case:
    """Reads the text of a pipeline file; the paths in it are relative to the folder of `path`."""
    return Case(_engine.Case.from_text(path, text))


class Case:
    """A machine with its analyses. It never changes: `set` and `with_controller` return another one."""

    def __init__(self, engine: _engine.Case) -> None:
        self._engine = engine
        errors.warn(self.diagnostics, 3)

    @property
    def diagnostics(self) -> list[errors.Diagnostic]:
        """Warnings and notes about the file."""
        return errors.read(self._engine.diagnostics)

    @property
    def path(self) -> Path:
        """Where the pipeline file is; where it would be, of a machine that was built in Python."""
        return Path(self._engine.path)

    @property
    def title(self) -> str:
        """Title of the file."""
        return str(self.to_dict().get("title", ""))

    def set(self, values: Mapping[str, object]) -> Case:
        """The same case with other values at some keys; a number in a key is an index in a list.

        >>> case = load("machine.toml").set({"payload.mass": 12, "gravity.2": 0.0})
        >>> case["payload.mass"], case["gravity"]
        (12, [0, 0, 0])

        Raises `InputError` with every problem that the values cause.
        """
        return Case(self._engine.set(list(values.items())))

    def __getitem__(self, key: str) -> Any:
        """The value of a key of the pipeline file. Raises `KeyError` where the file has none."""
        return self._engine.get(key)

    def to_dict(self) -> dict[str, Any]:
        """The tables of the pipeline file."""
        return self._engine.tree()

    def to_toml(self) -> str:
        """The text of a pipeline file of this case. Controllers in Python are no part of it."""
        return self._engine.to_toml()

    def save(self, path: PathLike) -> None:
        """Writes `to_toml()` into a new file. Paths in the file stay as they are: save into the same folder."""
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(self.to_toml())

    def with_controller(
        self,
        joint: str,
        function: Callable[[float, _engine.Measurement], float],
        *,
        sample: float,
        delay: float = 0.0,
    ) -> Case:
        """The same case with a function as the controller of a joint.

        The function is called at integer multiples of `sample` (s) with the time and what is measured then. It
        returns the torque (N·m) or force (N) that is held from `delay` (s) later on. The joint must have a
        `motion` or a `servo` in the file, whose motion becomes the command; the limits of a servo stay. A
        fixed step must divide `sample`. An object with a method `reset` has it called before each analysis.

        >>> def control(t, y):
        ...     return y.holding + 2e3 * (y.command - y.position) + 60 * (y.command_rate - y.rate)
        >>> case = load("machine.toml").set({"joints.elbow.rotor": {"inertia": 1e-4, "ratio": 100}})
        >>> result = case.with_controller("elbow", control, sample=1e-3).run()
        >>> result.joints.elbow.velocity.attrs["drives"]
        'servo'

        What the function raises ends the run and arrives as it is.
        """
        return Case(self._engine.with_controller(joint, function, sample, delay))

    def run(
        self,
        out: PathLike | None = None,
        *,
        progress: _progress.Progress = False,
        keep_partial: bool = False,
        cache: bool = True,
    ) -> Result:
        """Reduces the links, runs the analyses and returns the results.

        `out` is the results file; without it a temporary one lives as long as the result. `progress` is `True`
        for a line on standard error, or a function of the share that is done and a text. A run that fails or
        is interrupted leaves no file, unless `keep_partial` asks for what there is.

        >>> load("machine.toml").run("arm.vtkhdf").path.name
        'arm.vtkhdf'

        Raises `InputError` for a link that cannot be used, `RunError` for a run that does not reach its end,
        and `KeyboardInterrupt` after Ctrl-C.
        """
        from pliant.result import Result

        path, folder = _temporary.target(out, "results.vtkhdf")
        facts = json.loads(self._engine.run(path, keep_partial, cache, _progress.of_run(progress)))
        result = Result(path, facts=facts, folder=folder)
        errors.warn([one for one in result.diagnostics if one not in self.diagnostics], 2)
        return result

    def response(self, out: PathLike | None = None, *, cache: bool = True, **keys: object) -> Response:
        """Modes, frequency responses and state space of the machine at poses.

        What is asked for is the `[response]` of the file; `keys` set others of its keys.

        >>> asked = {"inputs": ["tip.force_z"], "outputs": ["tip.position_z"], "state_space": True}
        >>> system = load("machine.toml").response(**asked).state_space()
        >>> system.C.shape == (1, system.A.shape[0])
        True
        """
        from pliant.response import Response

        case = self
        if keys or "response" not in self.to_dict():
            table = {**self.to_dict().get("response", {}), **keys}
            case = self.set({"response": table})
        path, folder = _temporary.target(out, "results.response.h5")
        facts = json.loads(case._engine.response(path, cache))
        found = [errors.Diagnostic(**one) for one in facts["diagnostics"]]
        errors.warn([one for one in found if one not in self.diagnostics], 2)
        return Response(path, diagnostics=found, folder=folder)

    def __repr__(self) -> str:
        tree = self.to_dict()
        parts = ", ".join(f"{len(tree[kind])} {kind}" for kind in ("links", "joints") if tree.get(kind))
        return f"<pliant.Case {self.title!r}: {parts}>"

    def _repr_html_(self) -> str:
        from pliant._html import case_html

        return case_html(self)
