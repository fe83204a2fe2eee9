"""Mode shapes of a deck as VTK sees them. Usage: check_modes.py FILE REPORT.json"""

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
    np.testing.assert_array_equal(file["modes/frequency"][:], report["frequencies_hz"])
    assert list(steps) == list(file["modes/mode"][:])
    assert file["VTKHDF/Steps/Values"].attrs["description"] == "number of the mode"
shapes = []
for step in steps:
    reader.UpdateTimeStep(step)
    grid = reader.GetOutput()
    points = vtk_to_numpy(grid.GetPoints().GetData())
    shape = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
    size = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    # Scaled to a tenth of the mesh, in single precision.
    assert abs(np.linalg.norm(shape, axis=1).max() / size - 0.1) < 1e-6
    assert grid.CheckAttributes() == 0 and grid.GetNumberOfCells() > 0
    shapes.append(shape.ravel() / np.linalg.norm(shape))
# Different modes have different shapes.
products = np.abs(np.array(shapes) @ np.array(shapes).T)
assert (products[~np.eye(len(shapes), dtype=bool)] < 0.999).all()
print(f"{len(steps)} modes are there")
