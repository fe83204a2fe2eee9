"""A machine of Pliant in the hands of scipy and python-control: check_machine.py RESPONSE.h5 STATE_SPACE.mat REPORT.json."""
import json
import sys

import h5py
import numpy as np
from scipy import io, linalg

report = json.load(open(sys.argv[3]))
mat = io.loadmat(sys.argv[2])
A, B, C, D = (mat[f"{name}_1"] for name in "ABCD")
with h5py.File(sys.argv[1]) as f:
    group = f["state_space/pose_1"]
    for name, ours in zip("ABCD", (A, B, C, D)):
        assert np.array_equal(group[name][:], ours), name
    frequency = f["response/frequency"][:]
    response = f["response/real"][0] + 1j * f["response/imag"][0]
    s = f["damped/s_real"][0] + 1j * f["damped/s_imag"][0]
    less = [group[f"truncated/{name}"][:] for name in "ABCD"]
    text = lambda name: [word.decode() for word in group[name][:]]
    units = dict(zip(text("states"), text("state_units")))
    assert all(units[name] == "J^(1/2)" for name in units if name.startswith("mode")), units
    assert units["hydraulic base oil"] == "J^(1/2)" and units["hydraulic base rate integral"] == "s", units
    assert units["hydraulic base position filter"] == "rad", units
    assert dict(zip(text("columns"), text("column_units")))["base.command_acceleration"] == "rad/s²"
    assert text("output_units") == ["1", "Pa", "m"]
    assert [f["inputs/units"][k].decode() for k in range(3)] == ["1", "rad", "N"]
    plain = lambda names: [name.replace("·", "*").replace("²", "^2") for name in names]
    assert [name.strip() for name in mat["state_units"]] == plain(text("state_units"))
    assert [name.strip() for name in mat["column_units"]] == plain(text("column_units"))
    bound, hankel = group["truncated/error_bound"][0], group["truncated/hankel"][:]
states = [name.strip() for name in mat["states"]]
columns = [name.strip() for name in mat["columns"]]
assert len(states) == len(A) and "hydraulic base oil" in states, states
assert [name.split(" (")[0].strip() for name in mat["inputs"]] == ["base.valve", "base.command", "arm.tip.force_y"]
assert "base.pressure (Pa)" in [name.strip() for name in mat["outputs"]]

values = linalg.eigvals(A)
for ours in s[np.isfinite(s)]:
    assert abs(values - ours).min() < 1e-9 * abs(ours), ours


def at(A, B, C, D, omega):
    return C @ linalg.solve(1j * omega * np.eye(len(A)) - A, B) + D


omegas = 2 * np.pi * frequency
for omega, ours in zip(omegas, response):
    H = at(A, B, C, D, omega)
    k = columns.index("base.command")
    command = sum((1j * omega) ** power * H[:, k + power] for power in range(3))
    theirs = np.column_stack([H[:, columns.index("base.valve")], command, H[:, columns.index("arm.tip.force_y")]])
    error = abs(ours - theirs) / abs(theirs).max(axis=1, keepdims=True)
    assert error.max() < 1e-8, (omega, error.max())

# Hankel singular values: roots of the eigenvalues of PQ, whose rounding is 1e-16 of the largest square and more where PQ is
# far from normal: at 1e-4 of the largest six digits are left.
P = linalg.solve_continuous_lyapunov(A, -B @ B.T)
Q = linalg.solve_continuous_lyapunov(A.T, -C.T @ C)
theirs = np.sort(np.sqrt(np.maximum(linalg.eigvals(P @ Q).real, 0)))[::-1]
large = theirs > 1e-4 * theirs[0]
assert large.sum() >= 8
assert np.allclose(hankel[large], theirs[large], rtol=1e-5), (hankel, theirs)
assert len(less[0]) == 8 and abs(bound - 2 * hankel[8:].sum()) <= 1e-12 * bound
errors = [linalg.svdvals(at(A, B, C, D, w) - at(*less, w))[0] for w in np.geomspace(1e-2, 1e5, 3000)]
assert max(errors) <= bound * (1 + 1e-6) and max(errors) >= 0.5 * hankel[8], (max(errors), bound, hankel)
assert linalg.eigvals(less[0]).real.max() < 0

# The margins of the loop, broken at the valve, by python-control on the response of the open machine.
import control

with h5py.File("open.h5") as f:
    omegas = 2 * np.pi * f["response/frequency"][:]
    G = f["response/real"][0][:, :, 0] + 1j * f["response/imag"][0][:, :, 0]
jw = 1j * omegas
position = 3 * (1 + 0.02 * jw) / (1 + 0.005 * jw)
L = (0.03 + 0.3 / jw) * (position * G[:, 0] + G[:, 1]) * np.exp(-1e-3 * jw)
gains, phases, _, at_phase, at_gain, _ = control.stability_margins(control.frd(L, omegas, smooth=True), returnall=True)
margins = report["poses"][0]["margins"][0]
assert margins["stable"]
highest = omegas[-1] / 2 / np.pi
for key, value, ws, theirs in [
    ("phase_crossings", "gain_factor", at_phase, gains),
    ("gain_crossings", "phase_margin_deg", at_gain, phases),
]:
    ours = [c for c in margins[key] if omegas[0] / 2 / np.pi < c["frequency"] < highest]
    assert ours and len(ours) == len(ws), (key, ours, ws)
    for c, w, margin in zip(ours, ws, theirs):
        assert abs(c["frequency"] * 2 * np.pi / w - 1) < 1e-4, (c, w)
        assert abs(c[value] / margin - 1) < 1e-4, (c, margin)
print("the same machine")
