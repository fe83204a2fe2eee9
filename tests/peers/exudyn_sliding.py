"""The axially moving cantilever of crates/machine/tests/sliding/moving.rs, computed by Exudyn 1.13.6.

    python3 -m venv venv && venv/bin/pip install exudyn==1.13.6 && venv/bin/python tests/peers/exudyn_sliding.py

A beam of 1 m (EI = 100 N m2, 1 kg/m) of cubic ANCF cables slides along x through a clamp at the origin: a sliding joint that holds position
and slope of whatever part of the beam is there (ObjectJointSliding2D, constrainRotation). Its inner end has a prescribed speed. The tip is
pushed by 10 sin2(pi t/0.02) N for 0.02 s, and deflections are printed per newton; tenfold, because Exudyn's tolerances are absolute.

An element that straddles the clamp cannot have the jump of curvature there, so that the answer converges with the first power of the
element's length: differences from the limit halve from 160 to 320 to 640 elements, and 2 y(640) - y(320) is taken for it. A minute.
"""

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    Cable2D,
    CoordinateConstraint,
    Force,
    MarkerBodyCable2DCoordinates,
    MarkerBodyRigid,
    MarkerNodeCoordinate,
    MarkerNodePosition,
    NodeGenericData,
    NodePointGround,
    ObjectGround,
    ObjectJointSliding2D,
    Point2DS1,
    SensorNode,
)

LENGTH, EI, EA, RHO_A = 1.0, 100.0, 1e7, 1.0
PUSH, PULSE = 10.0, 0.02


def tip(outside, speed, elements, end, step=5e-5):
    """Time and deflection per newton of a beam that begins with `outside` metres beyond the clamp."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(ObjectGround())
    size, inside = LENGTH / elements, LENGTH - outside
    nodes = [
        mbs.AddNode(Point2DS1(referenceCoordinates=[size * i - inside, 0, 1, 0], initialVelocities=[speed, 0, 0, 0]))
        for i in range(elements + 1)
    ]
    cables = [
        mbs.AddObject(
            Cable2D(length=size, massPerLength=RHO_A, bendingStiffness=EI, axialStiffness=EA, nodeNumbers=nodes[i : i + 2])
        )
        for i in range(elements)
    ]
    still = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    inner = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=0))
    mbs.AddObject(
        CoordinateConstraint(
            markerNumbers=[still, inner],
            offsetUserFunction=lambda mbs, t, item, offset: speed * t,
            offsetUserFunction_t=lambda mbs, t, item, offset: speed,
        )
    )
    push = lambda mbs, t, load: [0, PUSH * np.sin(np.pi * min(t, PULSE) / PULSE) ** 2, 0]
    outer = mbs.AddMarker(MarkerNodePosition(nodeNumber=nodes[-1]))
    mbs.AddLoad(Force(markerNumber=outer, loadVector=[0, PUSH, 0], loadVectorUserFunction=push))
    markers = [mbs.AddMarker(MarkerBodyCable2DCoordinates(bodyNumber=cable)) for cable in cables]
    first = min(int(inside / size + 1e-9), elements - 1)
    data = mbs.AddNode(NodeGenericData(initialCoordinates=[first, inside], numberOfDataCoordinates=2))
    clamp = mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground))
    mbs.AddObject(
        ObjectJointSliding2D(
            markerNumbers=[clamp, markers[first]],
            slidingMarkerNumbers=markers,
            slidingMarkerOffsets=[size * i for i in range(elements)],
            nodeNumber=data,
            constrainRotation=True,
        )
    )
    position = exu.OutputVariableType.Position
    sensor = mbs.AddSensor(
        SensorNode(nodeNumber=nodes[-1], outputVariableType=position, storeInternal=True, writeToFile=False)
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(end / step)
    settings.timeIntegration.endTime = end
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.relativeTolerance = 1e-4
    settings.timeIntegration.newton.absoluteTolerance = 1e-4
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = step
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    mbs.SolveDynamic(settings)
    history = mbs.GetSensorStoredData(sensor)
    return history[:, 0], history[:, 2] / PUSH


for outside, speed, count in [(0.3, 2.0, 6), (0.9, -2.0, 5)]:
    times = 0.05 * np.arange(1, count + 1)
    found = {n: np.interp(times, *tip(outside, speed, n, times[-1])) for n in (160, 320, 640)}
    for elements, y in found.items():
        print(f"{speed:+.0f} m/s, {elements} elements:", *(f"{value:.6e}" for value in y), flush=True)
    print(f"{speed:+.0f} m/s, limit:", *(f"{value:.6e}" for value in 2 * found[640] - found[320]), flush=True)
