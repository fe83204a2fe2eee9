"""Opens a results file as its users do and compares what they see. Usage: check_results.py FILE REPORT.json"""

import json
import subprocess
import sys

import h5py
import numpy as np
import scipy.io
import vtk
import xarray as xr
from vtk.util.numpy_support import vtk_to_numpy

path, report = sys.argv[1], json.load(open(sys.argv[2]))["run"]


def every_dataset_is_described(file):
    """Units and description on each dataset, a dimension scale on each axis that has its length, no NaN."""

    def visit(name, item):
        if not isinstance(item, h5py.Dataset):
            return
        assert item.attrs["units"] and item.attrs["description"], name
        for axis in range(item.ndim):
            if item.is_scale and item.ndim == 1:
                continue
            scales = item.dims[axis]
            assert len(scales) == 1, f"{name}: axis {axis} has {len(scales)} scales"
            assert scales[0].shape == (item.shape[axis],), f"{name}: axis {axis}"
        if item.dtype.kind == "f" and not name.startswith("VTKHDF/axis_"):
            assert not np.isnan(item[()]).any(), f"{name} has NaN"

    file.visititems(visit)


def h5py_sees_the_report(file):
    error = np.linalg.norm(file["tip/error"][:], axis=1)
    assert error.max() == report["tip"]["peak_error"] == file["metrics/tip_peak_error"][()]
    assert file["time"][error.argmax()] == report["tip"]["peak_time"]
    for name, drive in report["drives"].items():
        torque = file[f"joints/{name}/torque"]
        assert np.abs(torque[:]).max() == drive["peak"], name
        assert torque.attrs["units"] == drive["units"], name
    assert file["tip/error"].dims[0].label == "" and file["tip/error"].dims[0][0].name == "/time"


def xarray_sees_the_same(file):
    tree = xr.open_datatree(path, engine="h5netcdf")
    for name in ["tip/error", "energy/balance", "links/fore/coordinates", "joints/elbow/load"]:
        found = tree[name]
        assert found.dims[0] == "time" and found.attrs["units"], name
        np.testing.assert_array_equal(found.values, file[name][:])
        np.testing.assert_array_equal(found.coords["time"].values, file["time"][:])
    y = tree["tip/error"].sel(xyz="y")
    np.testing.assert_array_equal(y.values, file["tip/error"][:, 1])
    assert str(tree["links/fore/coordinates"].coords["coordinate"].values[0]) == "tip.1"


def vtk_plays_it(file):
    reader = vtk.vtkHDFReader()
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    assert len(times) == reader.GetNumberOfSteps() == file["VTKHDF/Steps"].attrs["NSteps"]
    names = file["VTKHDF/CellData/link"].attrs["links"].split("\n")
    tips, cells = [], {"von_mises": [], "principal_strain": []}
    for time in times:
        reader.UpdateTimeStep(time)
        grid = reader.GetOutput()
        assert grid.CheckAttributes() == 0
        points = vtk_to_numpy(grid.GetPoints().GetData())
        moved = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
        link = vtk_to_numpy(grid.GetCellData().GetArray("link"))
        assert set(link) == set(range(1, len(names) + 1))
        assert np.isfinite(points).all() and points.shape == moved.shape
        for name, frames in cells.items():
            frames.append(vtk_to_numpy(grid.GetCellData().GetArray(name))[link == names.index("fore") + 1])
        row = np.searchsorted(file["time"][:], time)
        assert file["time"][row] == time
        # The tip of the last link is its last grid. Single precision of numbers of size 2, and the
        # second-order shortening that grids do not have, together below a micrometre.
        tips.append(np.abs(points[-1] - file["tip/actual"][row]).max())
        origin = file[f"links/{names[-1]}/origin"][row]
        assert np.linalg.norm(points[-1] - origin) > 0.9
    assert max(tips) < 1e-6, max(tips)
    # No frame is above the largest over all outputs, but for single precision; cells are in the order of the elements.
    for name, dataset in ("von_mises", "stress/von_mises_max"), ("principal_strain", "strain/principal_max"):
        largest, frames = file[f"links/fore/{dataset}"][:], np.array(cells[name])
        assert (frames <= largest * (1 + 1e-6)).all() and frames.max() > 0
    # The arm is of steel: σ = Eε at the stress points of a bar.
    bar = file["links/fore/elements/1"]
    points = [label.decode() in ("A.C", "B.F") for label in bar["stress_component"][:]]
    strained = [label.decode() in ("A.C", "B.F") for label in bar["strain_component"][:]]
    moduli = bar["stress"][1:, points] / bar["strain"][1:, strained]
    assert np.ptp(moduli) < 1e-9 * moduli.mean(), moduli
    assert grid.GetCellType(grid.GetNumberOfCells() - 1) == vtk.VTK_LINE


def warp_by_vector_keeps_the_machine_together(file):
    """Points of different links that meet at joints still meet when the deviation is drawn fifty times."""
    reader = vtk.vtkHDFReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())

    def warped(name, factor):
        warp = vtk.vtkWarpVector()
        warp.SetInputConnection(reader.GetOutputPort())
        warp.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, name)
        warp.SetScaleFactor(factor)
        warp.UpdateTimeStep(time)
        return vtk_to_numpy(warp.GetOutput().GetPoints().GetData()).astype(float)

    time = times[0]
    rest = warped("deviation", 0.0)
    cells = reader.GetOutput()
    link = np.zeros(len(rest), int)
    for cell, number in enumerate(vtk_to_numpy(cells.GetCellData().GetArray("link"))):
        ids = cells.GetCell(cell).GetPointIds()
        link[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]] = number
    size = np.linalg.norm(np.ptp(rest, axis=0))
    apart = np.linalg.norm(rest[:, None] - rest[None], axis=2)
    pairs = np.argwhere((apart < 1e-6 * size) & (link[:, None] < link[None]))
    assert len(pairs) == 2, pairs  # shoulder and elbow
    gaps, apart, moved = [], [], []
    for time in times:
        for name, all_gaps in ("deviation", gaps), ("displacement", apart):
            points = warped(name, 49.0)
            all_gaps += [np.linalg.norm(points[a] - points[b]) for a, b in pairs]
        deviation = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("deviation"))
        row = np.searchsorted(file["time"][:], time)
        # The tip is the last grid; single precision.
        assert np.abs(deviation[-1] - file["tip/error"][row]).max() < 1e-6 * size
        moved.append(np.abs(deviation).max())
    assert max(gaps) < 1e-6 * size, max(gaps) / size
    # The deviation is large enough for gaps to be seen, and the deformation of each link alone has them.
    assert max(moved) > 1e-3 * size and max(apart) > 1e-2 * size, (max(moved), max(apart))


def a_mat_file_has_the_same(file):
    """What `pliant export --mat` has made of it, as scipy reads it."""
    found = scipy.io.loadmat("results.mat")
    np.testing.assert_array_equal(found["time"], file["time"][:][:, None])
    np.testing.assert_array_equal(found["tip_error"], file["tip/error"][:])
    np.testing.assert_array_equal(found["analyses_quasi_static_tip_error"], file["analyses/quasi-static/tip/error"][:])
    assert found["metrics_tip_peak_error"] == file["metrics/tip_peak_error"][()]
    lines = [line.rstrip() for line in found["contents"]]
    assert "tip_error (m): actual minus nominal position of the tip, in world axes [x, y, z]" in lines, lines
    assert len(lines) + 1 == len([name for name in found if not name.startswith("__")])


def command_line_tools_show_units():
    shown = subprocess.run(["h5dump", "-a", "/tip/error/units", path], capture_output=True, text=True, check=True)
    assert '"m"' in shown.stdout, shown.stdout
    shown = subprocess.run(["h5ls", "-v", f"{path}/tip/error"], capture_output=True, text=True, check=True)
    assert "units" in shown.stdout, shown.stdout


with h5py.File(path) as file:
    every_dataset_is_described(file)
    h5py_sees_the_report(file)
    xarray_sees_the_same(file)
    vtk_plays_it(file)
    warp_by_vector_keeps_the_machine_together(file)
    a_mat_file_has_the_same(file)
command_line_tools_show_units()
print("all tools see the same")
