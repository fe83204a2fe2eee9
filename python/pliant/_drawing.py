"""Figures and meshes; matplotlib, pyvista and vtk are optional."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    import pyvista
    from matplotlib.figure import Figure

    from pliant.result import Result


def plot(result: Result) -> Figure:
    """See `Result.plot`."""
    from matplotlib.figure import Figure

    time = result["time"].values
    rows: list[tuple[str, dict[str, numpy.ndarray]]] = []
    if "tip" in result:
        rows.append(("tip error (mm)", {xyz: 1e3 * result["tip/error"].sel(xyz=xyz).values for xyz in "xyz"}))
    torques: dict[str, dict[str, numpy.ndarray]] = {}
    for name in result["joints"]:
        joint = result["joints"][name]
        if "torque" in joint and joint.torque.ndim == 1 and numpy.any(joint.torque.values):
            torques.setdefault(str(joint.torque.attrs["units"]), {})[name] = joint.torque.values
    rows += [(f"drives ({units})", curves) for units, curves in torques.items()]
    if "energy" in result:
        kinds = ("kinetic", "strain", "dissipated")
        rows.append(("energy (J)", {kind: result["energy"][kind].values for kind in kinds}))
    figure = Figure(figsize=(8.0, 2.2 * len(rows)), layout="constrained")
    axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (label, curves) in zip(axes, rows):
        for name, values in curves.items():
            axis.plot(time, values, label=name, linewidth=1.0)
        axis.set_ylabel(label)
        axis.legend(loc="upper right", fontsize="small")
        axis.grid(alpha=0.3)
    axes[-1].set_xlabel("time (s)")
    figure.suptitle(str(result.attrs["title"]))
    return figure


def frame(path: Path, time: float | None, warp: float) -> pyvista.UnstructuredGrid:
    """See `Result.frame`."""
    import pyvista
    import vtk

    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    steps = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    times = numpy.array(steps if steps is not None else [0.0])
    chosen = times[-1] if time is None else times[numpy.abs(times - time).argmin()]
    reader.UpdateTimeStep(float(chosen))
    mesh = pyvista.UnstructuredGrid(reader.GetOutput())
    mesh.points += (warp - 1.0) * mesh.point_data["displacement"]
    mesh.field_data["time"] = numpy.array([chosen])
    return mesh
