"""The upper part of NX's mixed deck (crates/fem/tests/nastran/mixed_deck.rs), refined and computed by OpenSees 3.7.1.

    python3 -m venv venv && venv/bin/pip install numpy openseespy==3.7.1.2
    venv/bin/python tests/peers/opensees_mixed.py ../shared/nastran/pyn_static_solid_shell_bar

A block of 1 x 1 x 2 (the deck's CHEXA and its two CPENTA) of 20-node bricks carries the deck's two tetrahedra and stands on a box of four
thin walls of ASDShellQ4, the deck's CQUAD4 and CTRIA3. What joins the parts stays that of the deck: the block's lower face moves as the
face of a CHEXA between grids 1 to 4 and its upper one as the faces of the tetrahedra between grids 9 to 12; the walls' upper edges are
straight between grids 1 to 4, and their lower ones move, linearly between grids 14 to 17, as NX says. This version has no constraint
equations: each part is condensed to those grids by moving them one component at a time, and the parts are joined here.

The walls' shear modulus is E/2(1 + nu), 0.14 % below the deck's G; the section cannot have both. Half a minute.
"""

import csv
import pathlib
import sys

import numpy as np
import openseespy.opensees as ops

E, NU, G, WALL = 2.9e7, 0.32, 1.1e7, 0.25
FOOT, HEAD, BASE, MIDDLE = (1, 2, 3, 4), (12, 11, 9, 10), (14, 17, 16, 15), (7, 8, 5, 6)
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def bilinear(x, y):
    return np.array([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])


def two_triangles(x, y):
    return np.array([1 - x - y, x, 0, y] if x + y <= 1 else [0, 1 - y, x + y - 1, 1 - x])


class Nodes(dict):
    """Nodes by position, created where they are missing."""

    def __missing__(self, position):
        self[position] = len(self) + 1
        ops.node(self[position], *position)
        return self[position]

    def at(self, *position):
        return self[tuple(float(c) for c in np.round(position, 9) + 0.0)]


def solve(held):
    """Statics with the first components of some nodes held."""
    ops.timeSeries("Constant", 1)
    ops.pattern("Plain", 1, 1)
    for node, motion in held.items():
        for k, value in enumerate(motion):
            ops.sp(node, k + 1, float(value))
    ops.wipeAnalysis()
    ops.constraints("Transformation")
    ops.numberer("RCM")
    ops.system("UmfPack")
    ops.algorithm("Linear")
    ops.integrator("LoadControl", 1.0)
    ops.analysis("Static")
    assert ops.analyze(1) == 0
    ops.reactions()


def release():
    ops.remove("loadPattern", 1)
    ops.remove("timeSeries", 1)


def condense(ties, masters, base, wanted):
    """Forces at the masters and the wanted motions (node, component) for each unit motion, and for that of the base."""
    columns = 3 * masters
    force, motion = np.zeros((columns, columns + 1)), np.zeros((len(wanted), columns + 1))
    for m in range(columns + 1):
        held = {node: np.zeros(len(value)) if m < columns else value for node, value in base.items()}
        for node, shares in ties.items():
            held[node] = [shares[m // 3] if m < columns and k == m % 3 else 0.0 for k in range(3)]
        solve(held)
        for node, shares in ties.items():
            force[:, m] += np.outer(shares, ops.nodeReaction(node)[:3]).ravel()
        motion[:, m] = [ops.nodeDisp(node, k) for node, k in wanted]
        release()
    return force, motion


def block(cells):
    """The block on the grids of FOOT and HEAD, with the motions of MIDDLE."""
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 3)
    ops.nDMaterial("ElasticOrthotropic", 1, E, E, E, NU, NU, NU, G, G, G, 0.0)
    nodes, element = Nodes(), 0
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    for cell in np.ndindex(cells, cells, 2 * cells):
        corners = [(np.array(cell) + (*xy, z)) / cells for z in (0, 1) for xy in SQUARE]
        positions = corners + [(corners[a] + corners[b]) / 2 for a, b in edges]
        element += 1
        ops.element("20NodeBrick", element, *[nodes.at(*p) for p in positions], 1, 0.0, 0.0, 0.0, 0.0)
    ties, none = {}, np.zeros(4)
    for (x, y, z), node in nodes.items():
        if z == 0:
            ties[node] = np.concatenate([bilinear(x, y), none])
        elif z == 2:
            ties[node] = np.concatenate([none, two_triangles(x, y)])
    middle = [(nodes.at(*xy, 1.0), k) for xy in SQUARE for k in (1, 2, 3)]
    return condense(ties, 8, {}, middle)


def walls(cells, kind, nx):
    """The thin walls on the grids of FOOT, with their rotations."""
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    ops.section("ElasticMembranePlateSection", 1, E, NU, WALL, 0.0)
    nodes, element = Nodes(), 0
    for side in range(4):
        first, last = np.array(SQUARE[side]), np.array(SQUARE[(side + 1) % 4])
        for i, k in np.ndindex(cells, cells):
            along = [first + (last - first) * j / cells for j in (i, i + 1, i + 1, i)]
            up = [-1 + j / cells for j in (k, k, k + 1, k + 1)]
            element += 1
            ops.element(kind, element, *[nodes.at(*a, z) for a, z in zip(along, up)], 1)
    ties = {node: bilinear(x, y) for (x, y, z), node in nodes.items() if z == 0}
    motion = np.array([nx[g] for g in BASE])
    base = {node: bilinear(x, y) @ motion for (x, y, z), node in nodes.items() if z == -1}
    return condense(ties, 4, base, [(nodes.at(*xy, 0.0), k) for xy in SQUARE for k in (4, 5, 6)])


def tetrahedron(corners):
    """Stiffness of constant strain."""
    positions = np.hstack([np.ones((4, 1)), corners])
    gradients = np.linalg.inv(positions)[1:].T
    B = np.hstack([[[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]] for x, y, z in gradients])
    flexibility = np.diag([(1 + NU) / E] * 3 + [1 / G] * 3)
    flexibility[:3, :3] -= NU / E
    return abs(np.linalg.det(positions)) / 6 * B.T @ np.linalg.solve(flexibility, B)


def joined(block, walls):
    """Motions of grids 1 to 13 under the deck's force of 10000 along z at grid 13."""
    grids = (*FOOT, *HEAD, 13)
    K = np.zeros((27, 27))
    K[:24, :24] += block[0][:, :24]
    K[:12, :12] += walls[0][:, :12]
    position = {g: (*xy, 2.0) for g, xy in zip(HEAD, SQUARE)} | {13: (0.5, 0.5, 3.0)}
    for corners in ((10, 11, 9, 13), (10, 12, 11, 13)):
        rows = [3 * grids.index(g) + k for g in corners for k in range(3)]
        K[np.ix_(rows, rows)] += tetrahedron(np.array([position[g] for g in corners]))
    f = np.zeros(27)
    f[26] = 10000.0
    f[:12] -= walls[0][:, 12]
    u = np.linalg.solve(K, f)
    motion = {g: np.zeros(6) for g in range(1, 14)}
    for g, value in zip((*grids, *MIDDLE), np.concatenate([u, block[1][:, :24] @ u[:24]]).reshape(-1, 3)):
        motion[g][:3] = value
    for g, value in zip(FOOT, (walls[1] @ [*u[:12], 1.0]).reshape(-1, 3)):
        motion[g][3:] = value
    return motion


folder = pathlib.Path(sys.argv[1])
with open(folder / "ref_disp_static_solid_shell_bar.csv") as file:
    NX = {int(r["grid"]): np.array([float(r[k]) for k in ("t1", "t2", "t3", "r1", "r2", "r3")]) for r in csv.DictReader(file)}
sizes = np.repeat([max(abs(u[k : k + 3]).max() for u in NX.values()) for k in (0, 3)], 3)
bricks = {cells: block(cells) for cells in (2, 4)}
for kind, cells, brick in (("ShellMITC4", 16, 4), ("ASDShellQ4", 8, 2), ("ASDShellQ4", 16, 4)):
    motion = joined(bricks[brick], walls(cells, kind, NX))
    print(f"\n{kind}, {cells} x {cells} a wall, bricks {brick} x {brick} x {2 * brick}; then what NX is off in % of its largest")
    for g, u in motion.items():
        print(f"    ({g}, [{', '.join(f'{v:.3e}' for v in u)}]),", *[f"{e:7.2f}" for e in 100 * (NX[g] - u) / sizes])
