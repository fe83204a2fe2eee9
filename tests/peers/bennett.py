"""Bennett's linkage as three free bodies and twenty constraints, written from Newton and Euler's equations: the reference `PEERS` of
crates/dynamics/tests/loops/bennett.rs. It does not know the relation between the angles, nor that the linkage has one freedom.

    python3 -m venv venv && venv/bin/pip install numpy scipy && venv/bin/python tests/peers/bennett.py

    M a = f + A' l,  A a = -g,  l the smallest of the solutions of A M^-1 A' l = -g - A M^-1 f (three equations repeat others)

Positions, quaternions and velocities by SciPy's DOP853; no stabilisation: constraints are kept by the accuracy of the integration. Printed is the
first angle, with two tolerances.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

ALPHA, BETA, A = 0.5, 1.1, 0.6
LENGTH, TWIST = [A, A * np.sin(BETA) / np.sin(ALPHA)] * 2, [ALPHA, BETA] * 2
START = 1.2
NEXT = 2 * np.arctan2(np.sin((BETA + ALPHA) / 2) / np.sin((BETA - ALPHA) / 2), np.tan(START / 2))
# 1 kg per m, 20 mm square.
MASS = LENGTH[:3]
INERTIA = [np.diag([m * 4e-4 / 6] + [m * (m * m + 4e-4) / 12] * 2) for m in MASS]
ONE = np.eye(3)


def turn(axis, angle):
    return Rotation.from_rotvec(np.array(axis) * angle).as_matrix()


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def joints():
    """Parent, point and axes on it (the hinge is the third); child, point and axes. Origins of bodies are their centres."""
    along = lambda i: np.array([LENGTH[i] / 2, 0, 0])
    bend = [turn([1, 0, 0], t) for t in TWIST]
    yield None, np.zeros(3), ONE, 0, -along(0), ONE
    yield 0, along(0), bend[0], 1, -along(1), ONE
    yield 1, along(1), bend[1], 2, -along(2), ONE
    yield None, -2 * bend[3].T @ along(3), bend[3].T, 2, along(2), bend[2]


JOINTS = list(joints())


def rows(R, w):
    """A by velocities and angular velocities of the bodies in the world, and g = (dA/dt) v."""
    M, g = np.zeros((20, 18)), np.zeros(20)
    for k, (parent, at, axes, child, on, own) in enumerate(JOINTS):
        r, hinge = 5 * k, R[child] @ own[:, 2]
        for body, point, sign in ((child, on, 1), (parent, at, -1)):
            if body is None:
                continue
            arm = R[body] @ point
            M[r : r + 3, 6 * body : 6 * body + 3] = sign * ONE
            M[r : r + 3, 6 * body + 3 : 6 * body + 6] = -sign * skew(arm)
            g[r : r + 3] += sign * np.cross(w[body], np.cross(w[body], arm))
        rate = np.zeros(3) if parent is None else w[parent]
        for c in (0, 1):
            x = axes[:, c] if parent is None else R[parent] @ axes[:, c]
            # d(x.z)/dt = (z x x).(w_child - w_parent)
            normal = np.cross(hinge, x)
            M[r + 3 + c, 6 * child + 3 : 6 * child + 6] = normal
            if parent is not None:
                M[r + 3 + c, 6 * parent + 3 : 6 * parent + 6] = -normal
            change = np.cross(np.cross(w[child], hinge), x) + np.cross(hinge, np.cross(rate, x))
            g[r + 3 + c] = change @ (w[child] - rate)
    return M, g


def derivative(_, y):
    y = y.reshape(3, 13)
    R, v, w = [Rotation.from_quat(q).as_matrix() for q in y[:, 3:7]], y[:, 7:10], y[:, 10:]
    G, g = rows(R, w)
    inverse, f = np.zeros((18, 18)), np.zeros(18)
    for i in range(3):
        I = R[i] @ INERTIA[i] @ R[i].T
        inverse[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = ONE / MASS[i]
        inverse[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = np.linalg.inv(I)
        f[6 * i : 6 * i + 6] = [0, -9.81 * MASS[i], 0, *-np.cross(w[i], I @ w[i])]
    force = np.linalg.lstsq(G @ inverse @ G.T, -g - G @ inverse @ f, rcond=1e-9)[0]
    out = np.zeros((3, 13))
    out[:, :3] = v
    for i, q in enumerate(y[:, 3:7]):
        out[i, 3:6] = 0.5 * (q[3] * w[i] + np.cross(w[i], q[:3]))
        out[i, 6] = -0.5 * w[i] @ q[:3]
    out[:, 7:] = (inverse @ (f + G.T @ force)).reshape(3, 6)
    return out.ravel()


def main():
    y, R, p = np.zeros((3, 13)), ONE, np.zeros(3)
    for i, angle in enumerate([START, NEXT, -START]):
        R = R @ turn([0, 0, 1], angle)
        x = R @ [LENGTH[i], 0, 0]
        y[i, :3], y[i, 3:7] = p + x / 2, Rotation.from_matrix(R).as_quat()
        p, R = p + x, R @ turn([1, 0, 0], TWIST[i])
    for tolerance in (1e-11, 1e-13):
        found = solve_ivp(derivative, (0, 5), y.ravel(), "DOP853", np.linspace(0, 5, 11), rtol=tolerance, atol=tolerance)
        first = [Rotation.from_quat(state[3:7]).as_matrix() for state in found.y.T]
        angles = np.unwrap([np.arctan2(R[1, 0], R[0, 0]) for R in first])
        print(f"{tolerance}: {', '.join(f'{angle:.8f}' for angle in angles[1:])}")


if __name__ == "__main__":
    main()
