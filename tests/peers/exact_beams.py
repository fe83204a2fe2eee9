"""Geometrically exact beams, written here from the equations: references for a strip that buckles sideways and for L-frames.

Tests that quote the numbers: crates/machine/tests/mechanics/exact_beams.rs.

    python3 -m venv venv && venv/bin/pip install numpy scipy && venv/bin/python tests/peers/exact_beams.py

Element of two nodes with positions x and rotations R (Simo 1985, Reissner's strains), one point of integration:

    theta = log(R1' R2),  Rm = R1 exp(theta/2),  kappa = theta/h,  gamma = Rm' (x2 - x1)/h - e1 + r^2/2 kappa_1^2 e1,
    energy = h/2 (gamma' C_F gamma + kappa' C_M kappa)

The last term of gamma is Wagner's: fibres of a twisted bar are helices, longer than the axis by r^2/2 kappa_1^2 in the mean of a section with
the polar radius of gyration r. Simo's beam, and Exudyn's, has none (r = 0); Pliant's has it, and it counts in a section as high as the strip's.
The variation of that stretch over the section, of fourth order in kappa_1, is left out by both.

It is exact under rigid motions and converges with h^2; mass is lumped at the nodes, which keeps h^2. Newmark's trapezoidal rule on the rotation
group (Bruels and Cardona 2010 with rho = 1) converges with the square of the step. Nothing of Pliant is used.

Machines, printed is the tip in the frame of the hinge or clamp:

* `frame-in-plane`, `frame-upright`: an L of two round rods (1 m and 0.5 m) spun up to 30 rad/s in 1 s about z at the origin; the second leg points
  along y, in the plane of rotation, or along z, the axis of rotation.
* `strip`: a narrow strip with a mass at its tip, swung by 1.5 rad in 0.32 s in its stiff plane. Its inertia exceeds the critical load of
  lateral buckling about twice; 0.02 N along z select the side. `strip-simo` is the same without Wagner's term, for comparison with Exudyn
  (tests/peers/exudyn_machines.py): with 24 and 48 elements the two differ by 0.13 and 0.03 mm.

Check of this script: `bend`, the 45-degree bend of Bathe and Bolourchi (1979) under 600 lb. With 8 elements it gives (47.26, 15.74, 53.37).
"""

import sys

import numpy as np
from scipy.linalg import solve_banded

E1 = np.array([1.0, 0.0, 0.0])


def skew(v):
    """Matrices of the cross product, v of shape (n, 3)."""
    S = np.zeros((len(v), 3, 3))
    S[:, 0, 1], S[:, 0, 2], S[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    return S - np.transpose(S, (0, 2, 1))


def series(v):
    """sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3 and a itself."""
    a = np.linalg.norm(v, axis=1)
    small = a < 1e-3
    b = np.where(small, 1.0, a)
    s = np.where(small, 1 - a**2 / 6 + a**4 / 120, np.sin(b) / b)
    c = np.where(small, 0.5 - a**2 / 24, (1 - np.cos(b)) / b**2)
    d = np.where(small, 1 / 6 - a**2 / 120, (b - np.sin(b)) / b**3)
    return a, s, c, d


def exp(v):
    _, s, c, _ = series(v)
    S = skew(v)
    return np.eye(3) + s[:, None, None] * S + c[:, None, None] * (S @ S)


def log(R):
    """Rotation vectors of less than half a turn."""
    w = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    sine, cosine = np.linalg.norm(w, axis=1), 0.5 * (np.trace(R, axis1=1, axis2=2) - 1)
    a = np.arctan2(sine, cosine)
    factor = np.where(sine < 1e-6, 1 + a**2 / 6, a / np.where(sine < 1e-6, 1.0, sine))
    return factor[:, None] * w


def right(v):
    """exp(v + dv) = exp(v) exp(right(v) dv)."""
    _, _, c, d = series(v)
    S = skew(v)
    return np.eye(3) - c[:, None, None] * S + d[:, None, None] * (S @ S)


def apply(A, v):
    return np.einsum("nij,nj->ni", A, v)


def transposed(A):
    return np.transpose(A, (0, 2, 1))


class Machine:
    """Beams end to end. `legs`: axes (3x3, x along the beam), length, elements, section (C_F, C_M, mass per length, inertia per length);
    `gyration2`: r^2 of Wagner's term, of all sections."""

    def __init__(self, legs, mass=0.0, inertia=0.0, gyration2=0.0):
        count = sum(leg[2] for leg in legs)
        self.axes, self.h = np.zeros((count, 3, 3)), np.zeros(count)
        self.C_F, self.C_M = np.zeros((count, 3)), np.zeros((count, 3))
        self.x = np.zeros((count + 1, 3))
        self.m, self.J = np.zeros(count + 1), np.zeros((count + 1, 3, 3))
        e = 0
        for axes, length, elements, (C_F, C_M, rho_a, rho_i) in legs:
            for _ in range(elements):
                h = length / elements
                self.axes[e], self.h[e], self.C_F[e], self.C_M[e] = axes, h, C_F, C_M
                self.x[e + 1] = self.x[e] + axes @ E1 * h
                for node in (e, e + 1):
                    self.m[node] += 0.5 * h * rho_a
                    self.J[node] += 0.5 * h * axes @ np.diag(rho_i) @ axes.T
                e += 1
        self.m[-1] += mass
        self.J[-1] += inertia * np.eye(3)
        self.R = np.tile(np.eye(3), (count + 1, 1, 1))
        # Start of a curved beam: strains that are no strains.
        self.kappa0 = np.zeros((count, 3))
        self.dead = np.zeros((count + 1, 3))
        self.gyration2 = gyration2

    def forces(self, x, R):
        """Gradient of the energy by positions and turns in the node's axes, for the two nodes of each element: (n, 12)."""
        Q1, Q2 = R[:-1] @ self.axes, R[1:] @ self.axes
        h = self.h[:, None]
        theta = log(transposed(Q1) @ Q2)
        half = exp(0.5 * theta)
        Qm = Q1 @ half
        w = apply(transposed(Qm), x[1:] - x[:-1]) / h
        kappa = theta / h - self.kappa0
        gamma = w - E1
        gamma[:, 0] += 0.5 * self.gyration2 * kappa[:, 0] ** 2
        N, M = self.C_F * gamma, self.C_M * kappa
        M[:, 0] += N[:, 0] * self.gyration2 * kappa[:, 0]
        force = apply(Qm, N)
        turn_m = h * np.cross(N, w)
        s = M + 0.5 * apply(transposed(right(0.5 * theta)), turn_m)
        inverse = np.linalg.inv(right(theta))
        # Left is the right of the negative angle.
        left = np.linalg.inv(right(-theta))
        turn1 = apply(half, turn_m) - apply(transposed(left), s)
        turn2 = apply(transposed(inverse), s)
        return np.concatenate([-force, apply(self.axes, turn1), force, apply(self.axes, turn2)], axis=1)

    def internal(self, x, R):
        f = self.forces(x, R)
        total = np.zeros((len(x), 6))
        total[:-1] += f[:, :6]
        total[1:] += f[:, 6:]
        return total

    def stiffness(self, x, R):
        """Derivatives of the elements' forces, (n, 12, 12), by central differences."""
        n, eps = len(self.h), 1e-6
        K = np.zeros((n, 12, 12))
        for k in range(12):
            # Every second element has its own node moved, so that two sweeps are independent.
            for parity in (0, 1):
                elements = np.arange(parity, n, 2)
                nodes = elements + k // 6
                sides = []
                for sign in (eps, -eps):
                    xx, RR = x.copy(), R.copy()
                    if k % 6 < 3:
                        xx[nodes, k % 6] += sign
                    else:
                        v = np.zeros((len(nodes), 3))
                        v[:, k % 6 - 3] = sign
                        RR[nodes] = RR[nodes] @ exp(v)
                    sides.append(self.forces(xx, RR)[elements])
                K[elements, :, k] = (sides[0] - sides[1]) / (2 * eps)
        return K

    def banded(self, K, diagonal):
        """Bands of the sum of element matrices and node matrices (n + 1, 6, 6), without the first node."""
        size, width = 6 * len(self.h), 11
        ab = np.zeros((2 * width + 1, size))
        first = 6 * (np.arange(len(self.h)) - 1)
        for i in range(12):
            for j in range(12):
                # The first node is held: of the first element only what belongs to its second node is left.
                inside = slice(1 if i < 6 or j < 6 else 0, None)
                ab[width + i - j, first[inside] + j] += K[inside, i, j]
        nodes = 6 * np.arange(len(self.h))
        for i in range(6):
            for j in range(6):
                ab[width + i - j, nodes + j] += diagonal[1:, i, j]
        return ab, width

    def static(self, loads):
        """Newton, the load in steps."""
        for load in loads:
            self.dead[-1] = load
            for _ in range(40):
                r = self.internal(self.x, self.R)
                r[:, :3] -= self.dead
                ab, width = self.banded(self.stiffness(self.x, self.R), np.zeros((len(self.x), 6, 6)))
                d = solve_banded((width, width), ab, -r[1:].ravel()).reshape(-1, 6)
                self.x[1:] += d[:, :3]
                self.R[1:] = self.R[1:] @ exp(d[:, 3:])
                if np.abs(d).max() < 1e-10 * np.abs(self.x).max():
                    break
        return self.x[-1]

    def run(self, motion, end, step, outputs=12):
        """Tip in the frame of the hinge at equal times: (outputs + 1, 4)."""
        n = len(self.x)
        v, W, a, A = (np.zeros((n, 3)) for _ in range(4))
        mass = np.zeros((n, 6, 6))
        mass[:, :3, :3] = self.m[:, None, None] * np.eye(3)
        mass[:, 3:, 3:] = self.J
        # The machine rests under no load but the one at its tip, which accelerates it from the start.
        a[1:] = self.dead[1:] / self.m[1:, None]
        # Factors serve until they need too many corrections; the answer does not depend on them.
        steps, ab, width = round(end / step), None, 0
        h, rows, every = end / steps, [], steps // outputs
        for k in range(steps + 1):
            t = end * k / steps
            if k > 0:
                x_p = self.x + h * v + 0.25 * h * h * a
                v_p = v + 0.5 * h * a
                turn_p, W_p = h * W + 0.25 * h * h * A, W + 0.5 * h * A
                hinge = exp(np.array([[0, 0, motion(t)]]))
                a_new, A_new = a.copy(), A.copy()
                a_new[0] = A_new[0] = 0.0
                for iteration in range(30):
                    x = x_p + 0.25 * h * h * a_new
                    turn = turn_p + 0.25 * h * h * A_new
                    R = self.R @ exp(turn)
                    x[0], R[0] = 0.0, hinge[0]
                    W_new = W_p + 0.5 * h * A_new
                    JW = apply(self.J, W_new)
                    r = self.internal(x, R)
                    r[:, :3] += self.m[:, None] * a_new - self.dead
                    r[:, 3:] += apply(self.J, A_new) + np.cross(W_new, JW)
                    if ab is None or iteration % 8 == 7:
                        # Small turns in a step: the gyroscopic part and d(turn) are left to the iteration.
                        ab, width = self.banded(0.25 * h * h * self.stiffness(x, R), mass)
                    d = solve_banded((width, width), ab, -r[1:].ravel()).reshape(-1, 6)
                    a_new[1:] += d[:, :3]
                    A_new[1:] += d[:, 3:]
                    if np.abs(d).max() < 1e-5 * (1 + np.abs(a_new).max() + np.abs(A_new).max()):
                        break
                else:
                    raise SystemExit(f"no equilibrium at {t}")
                x = x_p + 0.25 * h * h * a_new
                R = self.R @ exp(turn_p + 0.25 * h * h * A_new)
                x[0], R[0] = 0.0, hinge[0]
                v, W = v_p + 0.5 * h * a_new, W_p + 0.5 * h * A_new
                self.x, self.R, a, A = x, R, a_new, A_new
            if k % every == 0:
                rows.append([t, *(exp(np.array([[0, 0, -motion(t)]]))[0] @ self.x[-1])])
        return np.array(rows)


def section(E, nu, rho, area, i_y, i_z, torsion, shear):
    G = E / (2 * (1 + nu))
    return (
        [E * area, shear * G * area, shear * G * area],
        [G * torsion, E * i_y, E * i_z],
        rho * area,
        [rho * (i_y + i_z), rho * i_y, rho * i_z],
    )


def rod(d=0.02):
    i = np.pi * d**4 / 64
    return section(70e9, 0.3, 2700, np.pi * d * d / 4, i, i, 2 * i, 0.9)


def strip(thick=0.002, high=0.08):
    """High along y, so that the stiff plane is x-y; torsion constant of a rectangle (Roark)."""
    ratio = thick / high
    torsion = high * thick**3 * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
    return section(70e9, 0.3, 2700, thick * high, high * thick**3 / 12, thick * high**3 / 12, torsion, 5 / 6)


def spin_up(t, rate=30.0, time=1.0):
    """Kane's spin-up: the rate is Omega (t/T - sin(2 pi t/T)/2 pi) until T, then Omega."""
    s = min(t, time)
    return rate * (s * s / (2 * time) + time / (2 * np.pi) ** 2 * (np.cos(2 * np.pi * s / time) - 1)) + rate * max(t - time, 0.0)


def swing(t, angle=1.5, time=0.32):
    s = min(t / time, 1.0)
    return angle * (s - np.sin(2 * np.pi * s) / (2 * np.pi))


X = np.eye(3)
Y = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
Z = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0.0]])
STRIP_GYRATION2 = (0.08**2 + 0.002**2) / 12
# Machine of n elements, motion, end, step, number of elements of the coarsest of three meshes.
CASES = {
    "frame-in-plane": (lambda n: Machine([(X, 1.0, n, rod()), (Y, 0.5, n // 2, rod())]), spin_up, 1.2, 1e-3, 24),
    "frame-upright": (lambda n: Machine([(X, 1.0, n, rod()), (Z, 0.5, n // 2, rod())]), spin_up, 1.2, 1e-3, 24),
    "strip": (lambda n: pushed(Machine([(X, 1.0, n, strip())], 0.5, 1e-3, STRIP_GYRATION2)), swing, 0.36, 5e-4, 48),
    "strip-simo": (lambda n: pushed(Machine([(X, 1.0, n, strip())], 0.5, 1e-3)), swing, 0.36, 5e-4, 48),
}


def pushed(machine):
    machine.dead[-1] = [0, 0, 0.02]
    return machine


def bend(elements=8):
    """45 degrees of a circle of radius 100 in x-y, square section of 1, E = 1e7, no Poisson ratio, 600 along z at the tip."""
    angle = np.pi / 4 / elements
    chord = 200 * np.sin(angle / 2)
    legs = []
    for k in range(elements):
        c, s = np.cos((k + 0.5) * angle), np.sin((k + 0.5) * angle)
        axes = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        legs.append((axes, chord, 1, section(1e7, 0.0, 1.0, 1.0, 1 / 12, 1 / 12, 1 / 6, 1.0)))
    machine = Machine(legs)
    print(f"bend with {elements} elements: {machine.static([[0, 0, f] for f in np.linspace(10, 600, 60)])}")


def main(names):
    np.set_printoptions(precision=7, suppress=True, linewidth=150)
    if "bend" in names or not names:
        bend(8)
        bend(64)
    for name in [n for n in CASES if n in names or not names]:
        build, motion, end, step, coarse = CASES[name]
        meshes = (coarse, 2 * coarse, 4 * coarse)
        answers = [build(n).run(motion, end, step) for n in meshes]
        finer = build(meshes[0]).run(motion, end, step / 2)
        finest = build(meshes[0]).run(motion, end, step / 4)
        size = lambda a: np.abs(a[:, 1:]).max()
        mesh = [size(answers[1] - answers[0]), size(answers[2] - answers[1])]
        time = [size(finer - answers[0]), size(finest - finer)]
        orders = np.log2(mesh[0] / mesh[1]), np.log2(time[0] / time[1])
        print(f"{name}: mesh {mesh[0]:.2e}, {mesh[1]:.2e} m, order {orders[0]:.2f}; step {time[0]:.2e}, {time[1]:.2e} m, order {orders[1]:.2f}")
        limit = answers[2] + (answers[2] - answers[1]) / 3 + (finest - answers[0]) + (finest - finer) / 3
        for t, x, y, z in zip(answers[0][:, 0], *limit.T[1:]):
            print(f"    ({t:.3f}, [{x:.6f}, {y:.6f}, {z:.6f}]),")


if __name__ == "__main__":
    main(sys.argv[1:])
