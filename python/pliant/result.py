"""The results of a run, of now or of earlier: one HDF5 file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant import errors
from pliant._group import Group
from pliant._temporary import Folder

if TYPE_CHECKING:
    import h5py
    import pyvista
    import xarray
    from matplotlib.figure import Figure


def open(path: str | os.PathLike[str]) -> Result:
    """Opens a results file. Arrays are read when they are asked for.

    >>> result = pliant.open("results.vtkhdf")
    >>> result.tip.error.sel(xyz="z").max().item() < 1e-2
    True
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no file {os.fspath(path)}")
    return Result(path)


class Result:
    """The results of a run: groups with arrays of xarray, as docs/results-file.md lists them.

    >>> result = pliant.open("results.vtkhdf")
    >>> result.joints.elbow.torque.attrs["units"]
    'N m'
    >>> result["joints/elbow/torque"].dims
    ('time',)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        facts: Mapping[str, Any] | None = None,
        folder: Folder | None = None,
    ) -> None:
        self.path = Path(path)
        self._facts = facts
        self._folder = folder

    @cached_property
    def file(self) -> h5py.File:
        """The file, as h5py has it."""
        import h5py

        return h5py.File(self.path)

    @cached_property
    def tree(self) -> xarray.DataTree:
        """All groups as an xarray DataTree that reads lazily. To open it takes about a second."""
        import xarray

        return xarray.open_datatree(self.path, engine="h5netcdf")

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the file: title, program, state and others."""
        return Group(self.file).attrs

    def __getitem__(self, path: str) -> Any:
        """A group or an array by its path, such as `joints/elbow/torque`."""
        return Group(self.file)[path]

    def __contains__(self, path: object) -> bool:
        return path in Group(self.file)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(Group(self.file), name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *Group(self.file)]

    @property
    def analyses(self) -> list[str]:
        """Kinds of analysis, in the order of the file."""
        return [str(kind) for kind in self["machine/analysis"].values]

    def analysis(self, kind: str) -> Group:
        """The groups of one analysis.

        >>> pliant.open("results.vtkhdf").analysis("nonlinear").tip.error.shape[1]
        3
        """
        if kind not in self.analyses:
            raise KeyError(f"the run has no analysis {kind!r}; it has {', '.join(self.analyses)}")
        return Group(self.file if kind == self.attrs["analysis"] else self.file["analyses"][kind])

    @property
    def numbers(self) -> dict[str, float]:
        """The metrics of the first analysis as plain numbers, as docs/metrics.md lists them.

        >>> round(pliant.open("results.vtkhdf").numbers["mass"], 2)
        6.48
        """
        return {str(name): float(value[()]) for name, value in self.file["metrics"].items()}

    @property
    def diagnostics(self) -> list[errors.Diagnostic]:
        """Warnings and notes of the run; of a file that was opened, the warnings that are in it."""
        if self._facts is not None:
            return [errors.Diagnostic(**one) for one in self._facts["diagnostics"]]
        if "warnings" not in self:
            return []
        columns = [self["warnings"][name].values for name in ("time_of_warning", "place", "message")]
        text = "t = {:.6e} s, {}: {}"
        return [errors.Diagnostic("warning", text.format(*row)) for row in zip(*columns)]

    def frame(self, time: float | None = None, warp: float = 1.0) -> pyvista.UnstructuredGrid:
        """The deformed machine at the stored frame nearest to `time` (s), as a mesh of pyvista (optional package).

        The last frame without `time`. `warp` exaggerates the deformation and leaves the motion as it is. How
        many frames there are is `frames` of `[output]`.
        """
        from pliant._drawing import frame

        return frame(self.path, time, warp)

    def plot(self) -> Figure:
        """Tip error, drives and energies over time, as a figure of matplotlib (optional package)."""
        from pliant._drawing import plot

        return plot(self)

    def close(self) -> None:
        """Closes the file; a temporary one is removed."""
        for opened in ("tree", "file"):
            if opened in self.__dict__:
                self.__dict__.pop(opened).close()
        if self._folder is not None:
            self._folder.remove()

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<pliant.Result {self.attrs['title']!r}: {', '.join(self.analyses)}; {self.path}>"

    def _repr_html_(self) -> str:
        from pliant._html import result_html

        return result_html(self)
