#!/usr/bin/env python3
"""Writes the link decks of the six-axis arm: floor, base, column, upper arm, forearm and wrist.

Millimetre, tonne, second. Every deck is written the way a preprocessor would: GRIDs, shells or solids, an RBE2
spider on each bearing seat, a CBUSH for each bearing and a CONM2 for each motor. The link frame sits on GRID 1
(inboard side of the bearing); GRID 2 is the outboard flange. Run it again after a change:

    python3 inputs/six-axis/make_decks.py
"""
import math
from pathlib import Path

HERE = Path(__file__).parent
STEEL = (210000.0, 0.3, 7.85e-9)
ALUMINIUM = (70000.0, 0.33, 2.7e-9)
CAST_IRON = (110000.0, 0.26, 7.2e-9)
CONCRETE = (30000.0, 0.2, 2.4e-9)


def real(x):
    """A real number in at most eight columns."""
    if x == 0.0:
        return "0."
    for digits in range(7, 0, -1):
        text = f"{x:.{digits}g}"
        if "e" in text:
            mantissa, exponent = text.split("e")
            if "." not in mantissa:
                mantissa += "."
            text = f"{mantissa}{int(exponent):+d}"
        elif "." not in text:
            text += "."
        text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
        if len(text) <= 8:
            return text
    raise ValueError(x)


def card(name, *fields):
    """A small-field card over as many lines as it takes."""
    cells = ["" if f is None else real(f) if isinstance(f, float) else str(f) for f in fields]
    lines = []
    for start in range(0, max(len(cells), 1), 8):
        head = name if start == 0 else ""
        lines.append((f"{head:8}" + "".join(f"{c:8}" for c in cells[start:start + 8])).rstrip())
    return "\n".join(lines)


class Deck:
    def __init__(self, title):
        self.title, self.lines, self.grids, self.elements = title, [], 100, 100

    def add(self, name, *fields):
        self.lines.append(card(name, *fields))

    def comment(self, text):
        self.lines.append(f"$ {text}")

    def grid(self, x, y, z, number=None):
        if number is None:
            self.grids += 1
            number = self.grids
        self.add("GRID", number, None, float(x), float(y), float(z))
        return number

    def element(self, name, prop, *grids):
        self.elements += 1
        self.add(name, self.elements, prop, *grids)
        return self.elements

    def material(self, number, values):
        e, nu, rho = values
        self.add("MAT1", number, e, None, nu, rho)

    def shell(self, number, material, thickness):
        self.add("PSHELL", number, material, float(thickness), material, None, material)

    def spider(self, centre, grids):
        self.elements += 1
        self.add("RBE2", self.elements, centre, 123456, *grids)

    def bearing(self, inboard, seat, radial, axial, tilting, axis):
        """A bearing as a CBUSH of zero length in basic axes; `axis` turns freely only in the joint outside."""
        self.elements += 1
        k = [radial] * 3 + [tilting] * 3
        k[axis] = axial
        self.add("PBUSH", self.elements, "K", *[float(v) for v in k])
        self.add("CBUSH", self.elements, self.elements, inboard, seat, None, None, None, 0)

    def motor(self, grid, mass, inertia, offset):
        self.elements += 1
        self.add("CONM2", self.elements, grid, 0, float(mass), *[float(v) for v in offset], None,
                 float(inertia), None, float(inertia), None, None, float(inertia))

    def tube(self, prop, sections, around):
        """Quadrilaterals between closed sections; each section is a function of an angle 0..1. Returns the rings."""
        rings = [[self.grid(*section(k / around)) for k in range(around)] for section in sections]
        for lower, upper in zip(rings, rings[1:]):
            for k in range(around):
                n = (k + 1) % around
                self.element("CQUAD4", prop, lower[k], lower[n], upper[n], upper[k])
        return rings

    def write(self, name):
        text = f"$ {self.title}\n$ Written by make_decks.py; millimetre, tonne, second.\nBEGIN BULK\n"
        text += "\n".join(self.lines) + "\nENDDATA\n"
        (HERE / name).write_text(text)


def circle(radius, centre, axis):
    """A section function: a circle about an axis (0 x, 1 y, 2 z)."""
    def section(s):
        a, b = radius * math.cos(2 * math.pi * s), radius * math.sin(2 * math.pi * s)
        offset = [[0, a, b], [b, 0, a], [a, b, 0]][axis]
        return [c + o for c, o in zip(centre, offset)]
    return section


def rectangle(width, height, centre, axis):
    """A section function: a rectangle about an axis, starting in the middle of a side."""
    def section(s):
        t = (s * 8) % 8
        path = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]
        i = min(int(t), 7)
        u = [p + (q - p) * (t - i) for p, q in zip(path[i], path[i + 1])]
        a, b = 0.5 * width * u[0], 0.5 * height * u[1]
        offset = [[0, a, b], [b, 0, a], [a, b, 0]][axis]
        return [c + o for c, o in zip(centre, offset)]
    return section


def floor():
    deck = Deck("Floor: concrete slab, 3 x 3 m and 300 mm thick, on four elastic pads; the arm is anchored in its middle")
    deck.material(1, CONCRETE)
    deck.add("PSOLID", 1, 1)
    deck.comment("GRID 1: the ground below the slab; GRID 2: the anchors of the base")
    deck.grid(0, 0, -300, 1)
    deck.grid(0, 0, 0, 2)
    lines = [-1500.0 + 250.0 * i for i in range(13)]
    grids = [[[deck.grid(x, y, z) for x in lines] for y in lines] for z in (-300.0, -150.0, 0.0)]
    for low, high in zip(grids, grids[1:]):
        for j in range(12):
            for i in range(12):
                face = lambda layer: (layer[j][i], layer[j][i + 1], layer[j + 1][i + 1], layer[j + 1][i])
                deck.element("CHEXA", 1, *face(low), *face(high))
    deck.comment("a pad of 0.5 x 0.5 m below each corner: rubber-steel sandwich, 400 kN/mm upright, a third of it sideways")
    ground = []
    for j in (0, 10):
        for i in (0, 10):
            patch = [grids[0][j + b][i + a] for b in range(3) for a in range(3)]
            x, y = lines[i + 1], lines[j + 1]
            seat, below = deck.grid(x, y, -300), deck.grid(x, y, -300)
            deck.spider(seat, patch)
            deck.bearing(below, seat, 1.3e5, 4e5, 2e9, 2)
            ground.append(below)
    deck.spider(1, ground)
    deck.comment("the four anchors")
    deck.spider(2, [grids[2][j][i] for j in (5, 7) for i in (5, 7)])
    deck.write("floor.bdf")


def base():
    deck = Deck("Base: cast iron pedestal on four anchors, slewing bearing on top")
    deck.material(1, CAST_IRON)
    deck.shell(1, 1, 22.0)
    deck.shell(2, 1, 30.0)
    deck.grid(0, 0, 0, 1)
    deck.grid(0, 0, 450, 2)
    deck.comment("pedestal wall, wider at the floor")
    rings = deck.tube(1, [circle(280 - 60 * z / 450, (0, 0, z), 2) for z in range(0, 451, 50)], 32)
    deck.comment("floor flange")
    outer = [deck.grid(*circle(360, (0, 0, 0), 2)(k / 32)) for k in range(32)]
    for k in range(32):
        n = (k + 1) % 32
        deck.element("CQUAD4", 2, outer[k], outer[n], rings[0][n], rings[0][k])
    deck.comment("anchors: four bolts in the flange, and the seat of the slewing bearing")
    deck.spider(1, [outer[k + j] for k in (4, 12, 20, 28) for j in (-1, 0, 1)])
    seat = deck.grid(0, 0, 450)
    deck.spider(seat, rings[-1])
    deck.bearing(seat, 2, 2e6, 3e6, 4e10, 2)
    deck.write("base.bdf")


def column():
    deck = Deck("Column: welded steel box that turns on the base and carries the shoulder")
    deck.material(1, STEEL)
    deck.shell(1, 1, 12.0)
    deck.shell(2, 1, 20.0)
    deck.grid(0, 0, 0, 1)
    deck.grid(150, 0, 550, 2)
    deck.comment("box section, leaning forward to the shoulder")
    sections = [rectangle(320, 280, (150 * z / 550, 0, z), 2) for z in range(0, 601, 50)]
    rings = deck.tube(1, sections, 24)
    deck.comment("bottom plate: four rings of shells down to the slewing bearing")
    inner = [rectangle(320 * f, 280 * f, (0, 0, 0), 2) for f in (0.8, 0.6, 0.4)]
    plate = [rings[0]] + [[deck.grid(*s(k / 24)) for k in range(24)] for s in inner]
    for lower, upper in zip(plate, plate[1:]):
        for k in range(24):
            n = (k + 1) % 24
            deck.element("CQUAD4", 2, lower[k], lower[n], upper[n], upper[k])
    deck.spider(1, plate[-1])
    deck.comment("shoulder bearing seats in both side walls, shoulder bearing, waist motor")
    seat = deck.grid(150, 0, 550)
    side = [g for ring in rings[-3:] for k, g in enumerate(ring) if k in (5, 6, 7, 17, 18, 19)]
    deck.spider(seat, side)
    deck.bearing(seat, 2, 1.2e6, 8e5, 1.5e10, 1)
    deck.motor(seat, 0.038, 450.0, (-120.0, 0.0, -200.0))
    deck.write("column.bdf")


def arm(name, title, length, first, last, thickness, material, stations, stiffness, motor):
    """A tapered box along x from the bearing at the origin to the next one at x = length, both about y."""
    deck = Deck(title)
    deck.material(1, material)
    deck.shell(1, 1, thickness)
    deck.shell(2, 1, 1.6 * thickness)
    deck.grid(0, 0, 0, 1)
    deck.grid(length, 0, 0, 2)
    start, end = -0.6 * first[1], length + 0.6 * last[1]
    def section(x):
        f = (x - start) / (end - start)
        return rectangle(first[0] + f * (last[0] - first[0]), first[1] + f * (last[1] - first[1]), (x, 0, 0), 0)
    xs = [start + (end - start) * i / stations for i in range(stations + 1)]
    rings = deck.tube(1, [section(x) for x in xs], 24)
    deck.comment("end caps")
    for ring, x, orientation in ((rings[0], xs[0], -1), (rings[-1], xs[-1], 1)):
        middle = deck.grid(x, 0, 0)
        for k in range(24):
            n = (k + 1) % 24
            grids = (middle, ring[k], ring[n]) if orientation > 0 else (middle, ring[n], ring[k])
            deck.element("CTRIA3", 2, *grids)
    deck.comment("bearing seats: grids of the side walls near each axis")
    def near(centre):
        hits = [g for ring, x in zip(rings, xs) if abs(x - centre) < 0.45 * first[1]
                for k, g in enumerate(ring) if k in (23, 0, 1, 11, 12, 13)]
        return hits
    inboard_seat, outboard_seat = deck.grid(0, 0, 0), deck.grid(length, 0, 0)
    deck.spider(inboard_seat, near(0))
    deck.spider(outboard_seat, near(length))
    deck.bearing(1, inboard_seat, *stiffness, 1)
    deck.bearing(outboard_seat, 2, *stiffness, 1)
    deck.motor(inboard_seat, *motor)
    deck.write(name)


def wrist():
    deck = Deck("Wrist: solid aluminium housing between the roll bearing and the tool flange")
    deck.material(1, ALUMINIUM)
    deck.add("PSOLID", 1, 1)
    deck.grid(0, 0, 0, 1)
    deck.grid(220, 0, 0, 2)
    deck.comment("a thick tube of hexahedra: 24 around, 2 through the wall, 10 along")
    radii, around, along = (40.0, 55.0, 70.0), 24, 10
    grids = [[[deck.grid(*circle(r, (220.0 * i / along, 0, 0), 0)(k / around)) for k in range(around)] for r in radii]
             for i in range(along + 1)]
    for i in range(along):
        for j in range(len(radii) - 1):
            for k in range(around):
                n = (k + 1) % around
                face = lambda m: (grids[m][j][k], grids[m][j + 1][k], grids[m][j + 1][n], grids[m][j][n])
                deck.element("CHEXA", 1, *face(i), *face(i + 1))
    seat = deck.grid(0, 0, 0)
    deck.comment("roll bearing, tool flange, wrist motors")
    deck.spider(seat, [g for ring in grids[0] for g in ring])
    deck.spider(2, [g for ring in grids[-1] for g in ring])
    deck.bearing(1, seat, 6e5, 8e5, 2e9, 0)
    deck.motor(seat, 0.006, 12.0, (-30.0, 0.0, 0.0))
    deck.write("wrist.bdf")


if __name__ == "__main__":
    floor()
    base()
    column()
    arm("upper-arm.bdf", "Upper arm: tapered steel box, 900 mm from shoulder to elbow", 900.0, (180, 220), (140, 170),
        8.0, STEEL, 40, (1.0e6, 6e5, 1.0e10), (0.030, 300.0, (0.0, 160.0, 0.0)))
    arm("forearm.bdf", "Forearm: tapered aluminium box, 800 mm from elbow to wrist", 800.0, (140, 170), (110, 120),
        7.0, ALUMINIUM, 36, (7.0e5, 4e5, 5.0e9), (0.020, 150.0, (-60.0, 120.0, 0.0)))
    wrist()
