"""Compares a response file of Pliant with scipy on the matrices in it: check_response.py FILE."""
import sys

import h5py
import numpy as np
from scipy import linalg

with h5py.File(sys.argv[1]) as f:
    frequency = f["response/frequency"][:]
    inputs = [name.decode() for name in f["inputs/name"][:]]
    for k in range(len(f["poses/time"])):
        g = f[f"state_space/pose_{k + 1}"]
        A, B, C, D = (g[name][:] for name in "ABCD")
        columns = [name.decode() for name in g["columns"][:]]
        assert len(columns) == B.shape[1] and len(g["states"]) == len(A) and len(g["outputs"]) == len(C)
        # Eigenvalues, each against the nearest.
        values = linalg.eigvals(A)
        s = f["damped/s_real"][k] + 1j * f["damped/s_imag"][k]
        for ours in s[np.isfinite(s)]:
            error = abs(values - ours).min() / abs(ours)
            assert error < 1e-9, (k, ours, error)
        # Responses; a command goes in with its rate and acceleration.
        response = f["response/real"][k] + 1j * f["response/imag"][k]
        worst = 0.0
        for i in range(0, len(frequency), 7):
            jw = 2j * np.pi * frequency[i]
            H = C @ linalg.solve(jw * np.eye(len(A)) - A, B) + D
            for j, name in enumerate(inputs):
                total = 0
                for power, suffix in enumerate(["", "_rate", "_acceleration"]):
                    if name + suffix in columns:
                        total = total + jw**power * H[:, columns.index(name + suffix)]
                error = abs(response[i][:, j] - total).max() / abs(total).max()
                worst = max(worst, error)
        assert worst < 1e-8, (k, worst)
        # Compliance at rest is the response at zero frequency, where the force and the position are given.
        if "compliance" in f and "tip.force_z" in columns:
            outputs = [name.decode() for name in g["outputs"][:]]
            H = D - C @ linalg.solve(A, B)
            scipys = H[outputs.index("tip.position_z"), columns.index("tip.force_z")]
            ours = f["compliance/at_rest"][k, 2]
            assert abs(ours / scipys - 1) < 1e-8, (k, ours, scipys)
    # The disk margin is 1/max|S − 1/2| of the open loop: its samples cannot have more, and have nearly as much.
    if "loops" in f:
        L = f["loops/real"][:] + 1j * f["loops/imag"][:]
        for servo in range(L.shape[0]):
            for row, pose in enumerate(f["loops/pose"][:]):
                sampled = 1 / abs(1 / (1 + L[servo, row]) - 0.5).max()
                exact = f["margins/disk"][pose - 1, servo]
                assert exact * (1 - 1e-9) < sampled < 1.05 * exact, (servo, pose, sampled, exact)
    # All modes share the inertia of a drive: those that are kept have no more than all of it.
    if "undamped/drive_inertia" in f:
        share = f["undamped/effective_inertia"][:].sum(axis=1) / f["undamped/drive_inertia"][:]
        assert (share > 0).all() and (share < 1 + 1e-9).all(), share

# ParaView's own reader: a step for each mode, each a tenth of the machine.
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader

reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
with h5py.File(sys.argv[1]) as f:
    assert reader.GetNumberOfSteps() == f["undamped/frequency"].shape[1]
for step in range(reader.GetNumberOfSteps()):
    reader.SetStep(step)
    reader.Update()
    data = reader.GetOutput()
    points = vtk_to_numpy(data.GetPoints().GetData())
    moved = vtk_to_numpy(data.GetPointData().GetArray("displacement"))
    size = np.linalg.norm(points.max(0) - points.min(0))
    assert abs(np.linalg.norm(moved, axis=1).max() / size - 0.1) < 2e-3, step
print("scipy finds the same eigenvalues and responses")
