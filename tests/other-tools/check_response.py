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
print("scipy finds the same eigenvalues and responses")
