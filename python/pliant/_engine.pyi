from os import PathLike
from typing import Any, Callable

_Path = str | PathLike[str]
_Matrix = tuple[int, int, bytes]

def version() -> str: ...
def command(program: _Path | None, arguments: list[str]) -> int: ...
def to_toml(tree: object) -> str: ...
def reduce(path: _Path, text: str, cache: bool) -> Link: ...
def run_study(
    path: _Path,
    text: str,
    folder: _Path,
    retry_failed: bool,
    cache: bool,
    progress: Callable[[int, int, int], object] | None,
) -> str: ...

class Measurement:
    """What a controller measures at a sample."""

    @property
    def position(self) -> float:
        """Position of the joint (rad, m)."""
    @property
    def rate(self) -> float:
        """Rate of the joint (rad/s, m/s)."""
    @property
    def command(self) -> float:
        """The commanded position (rad, m)."""
    @property
    def command_rate(self) -> float:
        """The commanded rate (rad/s, m/s)."""
    @property
    def command_acceleration(self) -> float:
        """The commanded acceleration (rad/s², m/s²)."""
    @property
    def holding(self) -> float:
        """Torque or force that holds the joint in the equilibrium of the start (N·m, N); 0 without."""
    def __getitem__(self, joint: str) -> tuple[float, float]:
        """Position and rate of another joint."""

class Case:
    @staticmethod
    def load(path: _Path) -> Case: ...
    @staticmethod
    def from_text(path: _Path, text: str) -> Case: ...
    def set(self, keys: list[tuple[str, object]]) -> Case: ...
    def get(self, key: str) -> Any: ...
    def tree(self) -> dict[str, Any]: ...
    def to_toml(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def controlled(self) -> list[str]: ...
    @property
    def diagnostics(self) -> str: ...
    def with_controller(
        self, joint: str, function: Callable[[float, Measurement], float], sample: float, delay: float
    ) -> Case: ...
    def run(
        self,
        out: _Path,
        keep_partial: bool,
        cache: bool,
        progress: Callable[[str, float, float, float], object] | None,
    ) -> str: ...
    def response(self, out: _Path, cache: bool) -> str: ...

class Link:
    @property
    def name(self) -> str: ...
    def matrix(self, name: str) -> _Matrix: ...
    @property
    def coordinates(self) -> list[str]: ...
    @property
    def interfaces(self) -> list[tuple[str, list[float], list[list[float]]]]: ...
    @property
    def frequencies(self) -> list[float]: ...
    @property
    def numbers(self) -> str: ...
    @property
    def diagnostics(self) -> str: ...
