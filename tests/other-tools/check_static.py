"""A static answer as VTK sees it. Usage: check_static.py FILE REPORT.json"""

import json
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

path, report = sys.argv[1], json.load(open(sys.argv[2]))
reader = vtk.vtkHDFReader()
reader.SetFileName(path)
reader.UpdateInformation()
steps = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
with h5py.File(path) as file:
    assert list(file["modes/subcase"][:]) == [int(key) for key in report["subcases"]]
    # What acts on each grid adds up to nothing, and is what the terminal prints.
    forces = {name: file["grid_forces"][name][()] for name in ("subcase", "grid", "origin", "force", "moment")}
    assert {"applied", "SPC"} < {origin.decode() for origin in forces["origin"]}
    for subcase, answer in report["grid_forces"].items():
        for grid, expected in answer["grids"].items():
            rows = (forces["subcase"] == int(subcase)) & (forces["grid"] == int(grid))
            assert rows.sum() == len(expected["forces"]) > 1
            assert np.abs(forces["force"][rows].sum(axis=0)).max() < 1e-9 * np.abs(forces["force"]).max()
            printed = np.array([one["force"] for one in expected["forces"]])
            stored = np.hstack([forces["force"][rows], forces["moment"][rows]])
            assert np.abs(printed - stored).max() < 1e-12 * np.abs(printed).max()
stresses, shapes = [], []
for step, (subcase, displacements) in zip(steps, report["subcases"].items()):
    reader.UpdateTimeStep(step)
    grid = reader.GetOutput()
    numbers = vtk_to_numpy(grid.GetPointData().GetArray("grid"))
    shape = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
    # As they are, in single precision.
    expected = np.array([displacements[str(number)][:3] for number in numbers])
    assert np.abs(shape - expected).max() < 1e-6 * np.abs(expected).max() > 0
    # Loads and reactions as arrows: one is the opposite of the other.
    vectors = [vtk_to_numpy(grid.GetPointData().GetArray(f"{kind}_force")) for kind in ("applied", "spc", "mpc")]
    applied = vectors[0].sum(axis=0)
    assert np.abs(applied + vectors[1].sum(axis=0)).max() < 1e-6 * np.abs(applied).max() > 0
    element = vtk_to_numpy(grid.GetCellData().GetArray("element"))
    property = vtk_to_numpy(grid.GetCellData().GetArray("property"))
    stress = vtk_to_numpy(grid.GetCellData().GetArray("von_mises"))
    known = report["stress"][subcase]["von_mises"]
    expected = np.array([known[str(number)] for number in element[property > 0]])
    assert np.abs(stress[property > 0] - expected).max() < 1e-6 * expected.max() > 0
    assert report["stress"][subcase]["peak"]["von_mises"] == max(known.values())
    assert vtk_to_numpy(grid.GetCellData().GetArray("principal_strain")).max() > 0
    stresses.append(expected)
    shapes.append(shape)
assert np.abs(2 * stresses[0] - stresses[1]).max() < 1e-9 * stresses[1].max()
print(f"{len(steps)} subcases are there")
