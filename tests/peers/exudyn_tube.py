"""Exudyn 1.13.6 and Pliant reduce the same tube in turn, one thread each: processor time of both processes, from deck to reduced link.

    python3 -m venv venv && venv/bin/pip install exudyn==1.13.6 scipy && cargo build --release -p pliant-cli
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 venv/bin/python tests/peers/exudyn_tube.py ../shared/exudyn/link_tube_hex8.bdf

Exudyn has no reader of decks: NumPy reads the grids and CHEXA and assembles K and M (trilinear, 8 points). Rigid end faces, 16 modes, and the
invariants of its floating frame, as `pliant reduce` makes them. Time without reading and assembly is printed by the inner run.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PLIANT = Path(__file__).resolve().parents[2] / "target" / "release" / "pliant"
LINK = '[links.tube]\ndeck = "{}"\nunits = "si"\ninboard = 9697\ninterfaces = {{ tip = 9698 }}\nmodes = {{ count = 16 }}\n'
E, NU, RHO = 2.07e11, 0.3, 7850.0


def read(deck):
    """Positions of the grids of CHEXA, and their numbers in each."""
    lines = deck.read_text().splitlines()
    position, hexas = {}, []
    for line, after in zip(lines, lines[1:]):
        if line.startswith("GRID*"):
            position[int(line[8:24])] = [float(x) for x in (line[40:56], line[56:72], after[8:24])]
        elif line.startswith("CHEXA,"):
            hexas.append([int(grid) for grid in line.split(",")[3:] + after.split(",")[1:]])
    used, index = np.unique(hexas, return_inverse=True)
    return np.array([position[grid] for grid in used]), index.reshape(-1, 8)


def assemble(positions, hexas):
    """Sparse K and M of trilinear hexahedra."""
    import scipy.sparse as sparse

    lame, shear = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
    law = np.diag([2 * shear] * 3 + [shear] * 3)
    law[:3, :3] += lame
    signs = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]])
    count = len(hexas)
    K, M = np.zeros((count, 24, 24)), np.zeros((count, 24, 24))
    for point in np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T / np.sqrt(3):
        factors = 1 + signs * point
        shape = factors.prod(axis=1) / 8
        slope = np.stack([signs[:, c] * np.delete(factors, c, axis=1).prod(axis=1) for c in range(3)]) / 8
        jacobian = np.einsum("ij,ejk->eik", slope, positions[hexas])
        volume = np.abs(np.linalg.det(jacobian))
        x, y, z = np.linalg.solve(jacobian, np.broadcast_to(slope, (count, 3, 8))).transpose(1, 0, 2)
        B = np.zeros((count, 6, 8, 3))
        B[:, 0, :, 0], B[:, 1, :, 1], B[:, 2, :, 2] = x, y, z
        B[:, 3, :, 0], B[:, 3, :, 1], B[:, 4, :, 1] = y, x, z
        B[:, 4, :, 2], B[:, 5, :, 0], B[:, 5, :, 2] = y, z, x
        B = B.reshape(count, 6, 24)
        K += np.einsum("eji,jk,ekl,e->eil", B, law, B, volume, optimize=True)
        N = np.kron(shape, np.eye(3))
        M += RHO * volume[:, None, None] * (N.T @ N)
    rows = (3 * hexas[:, :, None] + np.arange(3)).reshape(count, 24)
    at = np.repeat(rows, 24, axis=1).ravel(), np.tile(rows, (1, 24)).ravel()
    return [sparse.coo_matrix((A.ravel(), at), shape=(3 * len(positions),) * 2).tocsr() for A in (K, M)]


def exudyn(deck):
    from exudyn.FEM import FEMinterface, HCBstaticModeSelection, ObjectFFRFreducedOrderInterface

    positions, hexas = read(deck)
    fem = FEMinterface()
    fem.nodes, fem.elements = {"Position": positions}, [{"Name": "all", "Hex8": hexas}]
    fem.stiffnessMatrix, fem.massMatrix = assemble(positions, hexas)
    ends = [np.where(abs(positions[:, 0] - end(positions[:, 0])) < 1e-9)[0].tolist() for end in (np.min, np.max)]
    start = time.process_time()
    rigid = HCBstaticModeSelection.RBE2
    fem.ComputeHurtyCraigBamptonModes(boundaryNodesList=ends, nEigenModes=16, useSparseSolver=True, computationMode=rigid)
    ObjectFFRFreducedOrderInterface(fem)
    print(f"modes and invariants {time.process_time() - start:.2f} s")


def seconds(command, folder):
    """Processor time of a command."""
    process = subprocess.Popen(command, env=dict(os.environ, PLIANT_CACHE=f"{folder}/{time.time_ns()}"), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime


deck = Path(sys.argv[1]).resolve()
if sys.argv[2:] == ["exudyn"]:
    exudyn(deck)
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    pipeline = Path(folder) / "tube.toml"
    pipeline.write_text(LINK.format(deck))
    ours = [str(PLIANT), "reduce", str(pipeline), "--quiet", "--threads", "1"]
    ratios = []
    for _ in range(7):
        before, theirs, after = seconds(ours, folder), seconds([sys.executable, __file__, str(deck), "exudyn"], folder), seconds(ours, folder)
        ratios.append((before + after) / 2 / theirs)
        print(f"Pliant {before:.2f} s, Exudyn {theirs:.2f} s, Pliant {after:.2f} s: {ratios[-1]:.3f}", flush=True)
print(f"median {statistics.median(ratios):.3f}")
