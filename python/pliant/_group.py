"""Groups of a results file with their arrays as xarray: each is read when it is asked for.

xarray's own DataTree opens every variable of a file at once, which takes a second for the results of an arm;
`Result.tree` is that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import h5py
    import xarray

# What HDF5 itself keeps in attributes, and what only says how dimensions are stored.
_OF_HDF5 = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates")
# Begin of the names of axes without values.
_NO_VALUES = "axis_"


class Group:
    """A group: its groups and arrays are attributes, and items by their path.

    >>> group = pliant.open("results.vtkhdf").joints
    >>> list(group), group.elbow.torque.dims
    (['elbow', 'shoulder'], ('time',))
    >>> "torque" in group["elbow"], group["elbow/torque"].attrs["units"]
    (True, 'N m')
    """

    def __init__(self, group: h5py.Group) -> None:
        self._group = group

    @property
    def attrs(self) -> dict[str, Any]:
        """Its attributes."""
        return attributes(self._group)

    def __getitem__(self, path: str) -> Any:
        if path not in self._group:
            known = ", ".join(self)
            raise KeyError(f"{self._group.name} has no {path!r}; it has {known}")
        return found(self._group[path])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __iter__(self) -> Iterator[str]:
        """Names of its groups and arrays."""
        return (str(name) for name in self._group if not str(name).startswith(_NO_VALUES))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._group

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_dataset(self) -> xarray.Dataset:
        """Its arrays together."""
        import xarray

        arrays = {name: self[name] for name in self}
        own = {name: array for name, array in arrays.items() if isinstance(array, xarray.DataArray)}
        return xarray.Dataset(own, attrs=self.attrs)

    def __repr__(self) -> str:
        return f"<pliant results, group {self._group.name}: {', '.join(self)}>"


def attributes(item: h5py.HLObject) -> dict[str, Any]:
    """Attributes as Python has them."""
    plain = {str(name): value for name, value in item.attrs.items() if name not in _OF_HDF5}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in plain.items()}


def values(dataset: h5py.Dataset) -> Any:
    """All numbers or words of a dataset."""
    import h5py

    return (dataset.asstr() if h5py.check_string_dtype(dataset.dtype) else dataset)[()]


def found(item: Any) -> Any:
    """A group, or an array with its axes."""
    import h5py
    import xarray

    if isinstance(item, h5py.Group):
        return Group(item)
    # An axis is its own coordinate.
    scales = [item] if item.is_scale and item.ndim == 1 else [(list(axis.values()) or [None])[0] for axis in item.dims]
    names = [f"dim_{k}" if scale is None else scale.name.rsplit("/", 1)[-1] for k, scale in enumerate(scales)]
    coords = {
        name: (name, values(scale), attributes(scale))
        for name, scale in zip(names, scales)
        if scale is not None and not name.startswith(_NO_VALUES)
    }
    return xarray.DataArray(values(item), coords, names, item.name.rsplit("/", 1)[-1], attributes(item))
