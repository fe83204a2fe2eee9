"""The machine in the frequency domain."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pliant import errors
from pliant._temporary import Folder

if TYPE_CHECKING:
    import h5py
    import numpy
    import xarray


class StateSpace(NamedTuple):
    """`ẋ = A x + B u`, `y = C x + D u`: what `Response.state_space` returns where python-control is missing."""

    A: numpy.ndarray
    B: numpy.ndarray
    C: numpy.ndarray
    D: numpy.ndarray
    states: Sequence[str]
    inputs: Sequence[str]
    outputs: Sequence[str]


class Response:
    """Modes, frequency responses and state space of a machine at poses.

    >>> response = pliant.load("machine.toml").response()
    >>> response.frequencies.shape[0] == len(response.times) == 1
    True
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        diagnostics: Sequence[errors.Diagnostic] = (),
        folder: Folder | None = None,
    ) -> None:
        self.path = Path(path)
        self.diagnostics = list(diagnostics)
        self._folder = folder

    @cached_property
    def file(self) -> h5py.File:
        """The file, as h5py has it."""
        import h5py

        return h5py.File(self.path)

    @property
    def times(self) -> numpy.ndarray:
        """Time of each pose (s)."""
        return self._array("poses/time")

    @property
    def frequencies(self) -> numpy.ndarray:
        """Frequencies without damping of each pose (Hz), by pose and mode."""
        return self._array("undamped/frequency")

    @property
    def damping(self) -> numpy.ndarray:
        """Frequency (Hz) and ratio of damped modes, by pose, mode and which of the two."""
        import numpy

        return numpy.stack([self._array("damped/frequency"), self._array("damped/damping_ratio")], axis=-1)

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        return self._words("inputs/name")

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs."""
        return self._words("outputs/name")

    @property
    def response(self) -> xarray.DataArray:
        """Frequency responses, complex, by pose, frequency (Hz), output and input."""
        import numpy
        import xarray

        values = self._array("response/real") + 1j * self._array("response/imag")
        coords = {
            "pose": numpy.arange(1, len(values) + 1),
            "frequency": ("frequency", self._array("response/frequency"), {"units": "Hz"}),
            "output": self.outputs,
            "input": self.inputs,
        }
        units = str(self.file["response/real"].attrs["units"])
        return xarray.DataArray(values, coords, ("pose", "frequency", "output", "input"), attrs={"units": units})

    def state_space(self, pose: int = 1) -> Any:
        """The machine at a pose (from 1) as `control.StateSpace`; without python-control as `StateSpace`.

        The file must ask for it: `state_space = true`. A command goes in with its rate and its acceleration, as
        inputs of their own.
        """
        name = f"state_space/pose_{pose}"
        if name not in self.file:
            raise KeyError(f"there is no state space of pose {pose}; ask for it with state_space=True")
        A, B, C, D = (self._array(f"{name}/{letter}") for letter in "ABCD")
        states, inputs, outputs = (self._words(f"{name}/{kind}") for kind in ("states", "columns", "outputs"))
        try:
            import control
        except ImportError:
            return StateSpace(A, B, C, D, states, inputs, outputs)
        # python-control takes no dots in names.
        plain = [[name.replace(".", "_") for name in some] for some in (states, inputs, outputs)]
        return control.ss(A, B, C, D, states=plain[0], inputs=plain[1], outputs=plain[2])

    def _array(self, path: str) -> numpy.ndarray:
        import numpy

        if path not in self.file:
            raise KeyError(f"the response has no {path!r}: the [response] of the file does not ask for it")
        return numpy.asarray(self.file[path][()])

    def _words(self, path: str) -> list[str]:
        return [str(word) for word in self.file[path].asstr()[()]]

    def __repr__(self) -> str:
        lowest = ", ".join(f"{hz:.4g}" for hz in self.frequencies[0][:3])
        return f"<pliant.Response: {len(self.times)} poses, modes at {lowest} Hz …; {self.path}>"
