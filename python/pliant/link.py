"""The reduced mesh of a single link."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pliant import _engine, errors

if TYPE_CHECKING:
    import numpy

PathLike = str | os.PathLike[str]


def reduce(
    deck: PathLike | Sequence[PathLike],
    *,
    inboard: object,
    interfaces: Mapping[str, object] | None = None,
    modes: int | Mapping[str, object] | None = None,
    name: str = "link",
    cache: bool = True,
    **options: object,
) -> Link:
    """Reduces the mesh of a Nastran deck to interfaces and modes.

    `inboard` is the grid (or the interface table) that carries the link frame, `interfaces` those of the
    outboard ones by name, `modes` how many modes are kept. `options` are further keys of a link in a pipeline
    file, such as `units` and `damping` (docs/pipeline-file.md, LinkTable).

    >>> link = reduce("upper.bdf", inboard=1, interfaces={"elbow": 2}, modes=29, units="mm-t-s")
    >>> link.K.shape == link.M.shape == (35, 35)
    True
    >>> link.coordinates[0], link.coordinates[6]
    ('elbow.1', 'mode.1')

    Raises `InputError` for a deck or a request that is wrong.
    """
    files = [deck] if isinstance(deck, (str, os.PathLike)) else list(deck)
    paths = [os.fspath(Path(file).absolute()) for file in files]
    table = {
        "deck": paths[0] if len(paths) == 1 else paths,
        "inboard": inboard,
        "interfaces": interfaces,
        "modes": {"count": modes} if isinstance(modes, int) else modes,
        **options,
    }
    text = _engine.to_toml({"links": {name: table}})
    link = Link(_engine.reduce(Path.cwd() / "link.toml", text, cache))
    errors.warn(link.diagnostics, 2)
    return link


class Interface(NamedTuple):
    """A frame at which a link is joined to others, in the undeformed link frame."""

    name: str
    position: numpy.ndarray
    rotation: numpy.ndarray


class Link:
    """A reduced link: `u = V q`, zero at the inboard interface. All matrices in link axes and SI."""

    def __init__(self, engine: _engine.Link) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """Its name."""
        return self._engine.name

    @property
    def K(self) -> numpy.ndarray:
        """Stiffness VᵀKV, n × n."""
        return self._matrix("K")

    @property
    def M(self) -> numpy.ndarray:
        """Mass VᵀMV, n × n."""
        return self._matrix("M")

    @property
    def D(self) -> numpy.ndarray:
        """Damping, n × n."""
        return self._matrix("D")

    @property
    def rigid_mass(self) -> numpy.ndarray:
        """Mass of the rigid motions of the link frame, 6 × 6: translation, then rotation."""
        return self._matrix("rigid_mass")

    @property
    def coupling(self) -> numpy.ndarray:
        """Mass between rigid motions and elastic coordinates, 6 × n."""
        return self._matrix("coupling")

    @property
    def coordinates(self) -> list[str]:
        """Names of the n elastic coordinates: components of interfaces (`tip.1`), then modes (`mode.1`)."""
        return self._engine.coordinates

    @property
    def interfaces(self) -> list[Interface]:
        """The outboard interfaces."""
        import numpy

        all_of_them = self._engine.interfaces
        return [Interface(name, numpy.array(p), numpy.array(R)) for name, p, R in all_of_them]

    @property
    def frequencies(self) -> numpy.ndarray:
        """Natural frequencies of K and M (Hz): of the reduced link, held at its inboard interface."""
        import numpy

        return numpy.array(self._engine.frequencies)

    @property
    def health(self) -> dict[str, Any]:
        """The numbers of the reduction as `pliant reduce --json` prints them: mass, errors, free-free frequencies of
        the reduced link and of the full mesh, frequencies of the modes kept."""
        numbers: dict[str, Any] = json.loads(self._engine.numbers)
        return numbers

    @property
    def diagnostics(self) -> list[errors.Diagnostic]:
        """Warnings and notes about the deck and the request."""
        return errors.read(self._engine.diagnostics)

    def _matrix(self, name: str) -> numpy.ndarray:
        import numpy

        rows, columns, numbers = self._engine.matrix(name)
        return numpy.frombuffer(numbers).reshape((rows, columns), order="F").copy()

    def __repr__(self) -> str:
        first = f", {self.frequencies[0]:.4g} Hz" if len(self.frequencies) else ""
        return f"<pliant.Link {self.name!r}: {len(self.coordinates)} coordinates{first}>"
