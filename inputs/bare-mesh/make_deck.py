#!/usr/bin/env python3
"""Writes lever.bdf: GRID and CTETRA (10 nodes) only, as a mesh generator exports a part. Millimetres.

A lever 10 mm thick, 100 mm between two bearing holes (radius 10 mm at the origin, 8 mm at x = 100) along z. Around each hole
a square of side 36 mm, between them a web 36 mm high. Python's own library is enough.
"""

import math
import os

THICK, SIDE, AROUND, RINGS = 10.0, 18.0, 16, 2


def square(angle):
    """Point of a square's edge in a direction."""
    c, s = math.cos(angle), math.sin(angle)
    return SIDE / max(abs(c), abs(s)) * c, SIDE / max(abs(c), abs(s)) * s


nodes, positions = {}, []


def node(x, y, z):
    key = (round(x, 6), round(y, 6), round(z, 6))
    if key not in nodes:
        nodes[key] = len(nodes) + 1
        positions.append((x, y, z))
    return nodes[key]


def block(corner, cells):
    """Hexahedra of a mapped block: corner(i, j, k) gives a point."""
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                yield [node(*corner(i + a, j + b, k + c)) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]


def ring(centre, radius):
    def corner(i, j, k):
        angle = 2 * math.pi * (i % AROUND) / AROUND + math.pi / 4
        edge, t = square(angle), j / RINGS
        x = (1 - t) * radius * math.cos(angle) + t * edge[0]
        y = (1 - t) * radius * math.sin(angle) + t * edge[1]
        return centre + x, y, THICK * k
    # Counter-clockwise around, outward, upward would be left-handed: outward runs first.
    return block(lambda i, j, k: corner(j, i, k), (RINGS, AROUND, 1))


def web():
    heights = [square(2 * math.pi * i / AROUND - math.pi / 4)[1] for i in range(AROUND // 4 + 1)]
    return block(lambda i, j, k: (SIDE + (100 - 2 * SIDE) * i / 6, heights[j], THICK * k), (6, AROUND // 4, 1))


HOLES = ((0.0, 10.0), (100.0, 8.0))
hexahedra = [h for centre, radius in HOLES for h in ring(centre, radius)] + list(web())

# Six faces of a hexahedron; each is cut along the diagonal at its lowest node, so neighbours agree, and every triangle that does
# not touch the lowest node of all makes a tetrahedron with it.
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
tetrahedra = []
for h in hexahedra:
    apex = min(h)
    for face in FACES:
        f = [h[i] for i in face]
        if apex in f:
            continue
        start = f.index(min(f))
        a, b, c, d = f[start:] + f[:start]
        # The faces turn outward; seen from the apex inside they are the base.
        tetrahedra += [(a, c, b, apex), (a, d, c, apex)]


def middle(a, b):
    p, q = positions[a - 1], positions[b - 1]
    x, y, z = ((u + v) / 2 for u, v in zip(p, q))
    for centre, radius in HOLES:
        on = [abs(math.hypot(u[0] - centre, u[1]) - radius) < 1e-6 for u in (p, q)]
        if all(on) and math.hypot(p[0] - q[0], p[1] - q[1]) > 1e-6:
            scale = radius / math.hypot(x - centre, y)
            x, y = centre + (x - centre) * scale, y * scale
    return node(x, y, z)


EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
rows = [t + tuple(middle(t[i], t[j]) for i, j in EDGES) for t in tetrahedra]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lever.bdf"), "w") as out:
    out.write("$ A lever with two bearing holes, bare as a mesh generator leaves it; see make_deck.py\n")
    for number, (x, y, z) in enumerate(positions, 1):
        out.write(f"GRID    {number:<8}{'':8}{x:<8.4f}{y:<8.4f}{z:<8.4f}\n")
    for number, row in enumerate(rows, 1):
        first = "".join(f"{n:<8}" for n in row[:6])
        rest = "".join(f"{n:<8}" for n in row[6:])
        out.write(f"CTETRA  {number:<8}{1:<8}{first}+\n+       {rest.rstrip()}\n")
    out.write("ENDDATA\n")
