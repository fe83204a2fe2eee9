"""Bennett's linkage, the stiff flyball governor and a strip that buckles sideways in Exudyn: references for
crates/dynamics/tests/loops/bennett.rs and tests/verification/published.rs, and a check of tests/peers/exact_beams.py.

    python3 -m venv venv && venv/bin/pip install exudyn==1.13.6 && venv/bin/python -W ignore tests/peers/exudyn_machines.py

* `governor`: kinematic tree (minimal coordinates), explicit rule of sixth order. Numbers of the test.
* `bennett`: kinematic tree; of the last joint two conditions close it, which hold the others as well. They lose their independence where the linkage
  is folded, so the run ends before. Trapezoidal rule, two steps extrapolated.
* `strip`: ObjectBeamGeometricallyExact, the machine of `exact_beams.py strip-simo`. Generalised-alpha, 0.5 ms.
"""

import numpy as np
import exudyn as exu
from exudyn.utilities import *


def turn(axis, angle):
    return {"x": RotationMatrixX, "y": RotationMatrixY, "z": RotationMatrixZ}[axis](angle)


def tree(mbs, types, parents, masses, coms, inertias, rotations, offsets, start, rate, gravity):
    n = len(types)
    node = mbs.AddNode(NodeGenericODE2(referenceCoordinates=[0.0] * n, initialCoordinates=start, initialCoordinates_t=rate,
                                       numberOfODE2Coordinates=n))
    to = lambda all: exu.Vector3DList([np.array(v, dtype=float) for v in all])
    mat = lambda all: exu.Matrix3DList([np.array(v, dtype=float) for v in all])
    body = mbs.AddObject(ObjectKinematicTree(
        nodeNumber=node, jointTypes=types, linkParents=parents, jointTransformations=mat(rotations), jointOffsets=to(offsets),
        linkInertiasCOM=mat(inertias), linkCOMs=to(coms), linkMasses=masses, baseOffset=[0.0, 0.0, 0.0], gravity=gravity))
    return node, body


def governor(times):
    rho, width, k, c, free, offset, ball = 3000.0, 0.01, 8e5, 4e4, 0.5, 0.05, 5.0
    rod, slider, cube = rho * width**2, rho * 1e-3, 0.1
    thin = rod * width**2 / 12
    first, second, tilt = 0.5 * rod + ball, rod / 3 + ball, np.pi / 6
    centre = first / (rod + ball)
    across = second + thin - (rod + ball) * centre**2
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    J = exu.JointType
    arm = np.diag([2 * thin, across, across])
    node, body = tree(
        mbs, [J.RevoluteZ, J.PrismaticZ, J.RevoluteY, J.RevoluteY], [-1, 0, 0, 0], [rod, slider, rod + ball, rod + ball],
        [[0, 0, 0], [0, 0, 0], [centre, 0, 0], [centre, 0, 0]],
        [np.diag([rod / 12 + thin, rod / 12 + thin, 2 * thin]), np.eye(3) * slider * cube**2 / 6, arm, arm],
        [np.eye(3), np.eye(3), turn("y", tilt), turn("y", np.pi - tilt)], [[0, 0, 0], [0, 0, 0], [offset, 0, 0.5], [-offset, 0, 0.5]],
        [0, 0, 0, 0], [2 * np.pi, 0, 0, 0], [0, 0, -9.81])
    at = lambda link, x: mbs.AddMarker(MarkerKinematicTreeRigid(objectNumber=body, linkNumber=link, localPosition=[x, 0, 0]))
    for link, side in ((2, 1), (3, -1)):
        mbs.AddObject(SpringDamper(markerNumbers=[at(1, side * offset), at(link, 0.5)], referenceLength=free, stiffness=k, damping=c))
    s = mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=exu.OutputVariableType.Coordinates, storeInternal=True))
    v = mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=exu.OutputVariableType.Coordinates_t, storeInternal=True))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = times[-1]
    # The dampers have a time constant of about 0.1 ms: stability limits the step.
    settings.timeIntegration.numberOfSteps = round(times[-1] / 2e-5)
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = times[0]
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK67)
    q, qt = mbs.GetSensorStoredData(s), mbs.GetSensorStoredData(v)
    for t in times:
        i = np.argmin(abs(q[:, 0] - t))
        print(f"governor {q[i,0]:.3f} s: slider {0.5 + q[i,2]:.9f} m, {qt[i,2]:.8f} m/s, shaft {qt[i,1]:.9f} rad/s, rod {q[i,3]:.9f}")


def bennett(steps, times):
    alpha, beta, a = 0.5, 1.1, 0.6
    length = [a, a * np.sin(beta) / np.sin(alpha)] * 2
    twist = [alpha, beta] * 2
    start = 1.2
    follow = 2 * np.arctan2(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2), np.tan(start / 2))
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    s2 = 0.02**2
    masses = length[:3]
    inertia = [np.diag([m * s2 / 6, m * (l * l + s2) / 12, m * (l * l + s2) / 12]) for m, l in zip(masses, length)]
    R = [turn("x", t) for t in twist]
    node, body = tree(
        mbs, [exu.JointType.RevoluteZ] * 3, [-1, 0, 1], masses, [[l / 2, 0, 0] for l in length[:3]], inertia,
        [np.eye(3), R[0], R[1]], [[0, 0, 0], [length[0], 0, 0], [length[1], 0, 0]],
        [start, follow, -start], [0, 0, 0], [0, -9.81, 0])
    # The fourth axis in the ground: the inverse of the fourth link.
    ground = mbs.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    p = -R[3].T @ np.array([length[3], 0, 0])
    mg = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=p))
    mt = mbs.AddMarker(MarkerKinematicTreeRigid(objectNumber=body, linkNumber=2, localPosition=[length[2], 0, 0]))
    mbs.AddObject(GenericJoint(markerNumbers=[mg, mt], constrainedAxes=[1, 1, 0, 0, 0, 0], rotationMarker0=R[3].T, rotationMarker1=R[2]))
    s = mbs.AddSensor(SensorNode(nodeNumber=node, outputVariableType=exu.OutputVariableType.Coordinates, storeInternal=True))
    tip = mbs.AddSensor(SensorMarker(markerNumber=mt, outputVariableType=exu.OutputVariableType.Position, storeInternal=True))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = times[-1]
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.timeIntegration.generalizedAlpha.useNewmark = True
    settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    settings.timeIntegration.newton.relativeTolerance = 1e-12
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.timeIntegration.newton.useModifiedNewton = False
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = times[0]
    mbs.SolveDynamic(settings)
    q = mbs.GetSensorStoredData(s)
    x = mbs.GetSensorStoredData(tip)
    gap = np.abs(x[:, 1:] - p).max()
    return np.array([q[np.argmin(abs(q[:, 0] - t))] for t in times]), gap


def strip(elements, end=0.36, step=5e-4):
    """Tip in the frame of the hinge every 0.03 s."""
    E, rho, thick, high = 70e9, 2700, 0.002, 0.08
    G, area, ratio = E / 2.6, thick * high, thick / high
    i_y, i_z = high * thick**3 / 12, thick * high**3 / 12
    torsion = high * thick**3 * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
    swing = lambda t: 1.5 * (min(t / 0.32, 1) - np.sin(2 * np.pi * min(t / 0.32, 1)) / (2 * np.pi))
    rate = lambda t: 1.5 / 0.32 * (1 - np.cos(2 * np.pi * t / 0.32)) if t < 0.32 else 0.0
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    section = exu.BeamSection()
    section.stiffnessMatrix = np.diag([E * area, 5 / 6 * G * area, 5 / 6 * G * area, G * torsion, E * i_y, E * i_z])
    section.inertia, section.massPerLength = rho * np.diag([i_y + i_z, i_y, i_z]), rho * area
    nodes = [mbs.AddNode(NodeRigidBodyEP(referenceCoordinates=[k / elements, 0, 0, 1, 0, 0, 0])) for k in range(elements + 1)]
    for k in range(elements):
        mbs.AddObject(ObjectBeamGeometricallyExact(nodeNumbers=nodes[k : k + 2], physicsLength=1 / elements, sectionData=section))
    mbs.AddObject(ObjectRigidBody(nodeNumber=nodes[-1], physicsMass=0.5, physicsInertia=[1e-3, 1e-3, 1e-3, 0, 0, 0]))
    mbs.AddLoad(Force(markerNumber=mbs.AddMarker(MarkerNodeRigid(nodeNumber=nodes[-1])), loadVector=[0, 0, 0.02]))
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    # Position and the vector of the Euler parameters; their norm gives the scalar.
    for k in (0, 1, 2, 4, 5, 6):
        marker = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
        motion = {} if k < 6 else dict(
            offsetUserFunction=lambda mbs, t, itemIndex, lOffset: np.sin(swing(t) / 2),
            offsetUserFunction_t=lambda mbs, t, itemIndex, lOffset: 0.5 * np.cos(swing(t) / 2) * rate(t))
        mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, marker], **motion))
    tip = mbs.AddSensor(SensorNode(nodeNumber=nodes[-1], outputVariableType=exu.OutputVariableType.Position, storeInternal=True))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = end, round(end / step)
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.95
    settings.timeIntegration.newton.relativeTolerance = settings.timeIntegration.newton.absoluteTolerance = 1e-6
    settings.timeIntegration.newton.useModifiedNewton = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 0.03
    mbs.SolveDynamic(settings)
    print(f"strip with {elements} elements")
    for t, x, y, z in mbs.GetSensorStoredData(tip):
        c, s = np.cos(swing(t)), np.sin(swing(t))
        print(f"    {t:.3f} {c * x + s * y:.6f} {c * y - s * x:.6f} {z:.6f}")


if __name__ == "__main__":
    governor([0.1, 0.5, 1.0])
    times = [0.1 * k for k in range(1, 6)]
    (a, _), (b, gap) = [bennett(n, times) for n in (1000, 2000)]
    print(f"bennett: fourth axis open by {gap:.1e} m; differences {abs(b - a).max():.1e}")
    for row in b + (b - a) / 3:
        print(f"    {row[0]:.1f} s: {row[1]:.8f}")
    for elements in (24, 48):
        strip(elements)
