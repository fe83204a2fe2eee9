"""Warp By Vector × 50 of the deviation, as VTK draws it. Usage: check_warp.py FILE PAIRS GROUND [GRID …]

PAIRS points of different links meet at joints, at least GROUND points are held by the ground. Where decks have several grids in
one place, GRID … are those of interfaces.
"""

import sys

import numpy as np
import vtk
from scipy.spatial import cKDTree
from vtk.util.numpy_support import vtk_to_numpy

path, pairs_expected, ground_expected = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
interfaces = [int(grid) for grid in sys.argv[4:]]
reader = vtk.vtkHDFReader()
reader.SetFileName(path)
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())


def warped(time, factor):
    warp = vtk.vtkWarpVector()
    warp.SetInputConnection(reader.GetOutputPort())
    warp.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "deviation")
    warp.SetScaleFactor(factor)
    warp.UpdateTimeStep(time)
    return vtk_to_numpy(warp.GetOutput().GetPoints().GetData()).astype(float)


def links():
    """The link of each point, and whether it may be at a joint."""
    grid = reader.GetOutput()
    link = np.zeros(grid.GetNumberOfPoints(), int)
    for cell, number in enumerate(vtk_to_numpy(grid.GetCellData().GetArray("link"))):
        ids = grid.GetCell(cell).GetPointIds()
        link[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]] = number
    numbers = vtk_to_numpy(grid.GetPointData().GetArray("grid"))
    return link, np.isin(numbers, interfaces) if interfaces else np.ones(len(link), bool)


# The rigid machine: there joints are closed.
rigid = warped(times[0], -1.0)
link, at_joint = links()
size = np.linalg.norm(np.ptp(rigid, axis=0))
pairs = np.array(sorted(cKDTree(rigid).query_pairs(1e-5 * size)), int).reshape(-1, 2)
pairs = pairs[(link[pairs[:, 0]] != link[pairs[:, 1]]) & at_joint[pairs].all(axis=1)]
assert len(pairs) == pairs_expected, (len(pairs), rigid[pairs[:, 0]])
gaps, moved, held = [0.0], [], np.ones(len(rigid), bool)
for time in times:
    points = warped(time, 49.0)
    deviation = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("deviation")).astype(float)
    gaps += list(np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1))
    held &= 50.0 * np.linalg.norm(deviation, axis=1) < 1e-6 * size
    moved.append(50.0 * np.abs(deviation).max())
assert max(gaps) < 1e-6 * size, max(gaps) / size
assert (held & at_joint).sum() >= ground_expected, np.argwhere(held & at_joint)
# A thousand times the gap that is allowed.
assert max(moved) > 1e-3 * size, max(moved) / size
print(f"{len(pairs)} joints stay closed: gaps {max(gaps) / size:.1e} of the size, motion {max(moved) / size:.2f}")
