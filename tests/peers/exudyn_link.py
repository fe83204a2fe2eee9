"""A link that Pliant reduced moves in Exudyn as in Pliant: `pliant reduce --export exudyn`.

    python3 -m venv venv && venv/bin/pip install exudyn==1.13.6 && cargo build --release -p pliant-cli
    venv/bin/python tests/peers/exudyn_link.py [target/release/pliant]

A boom of 2 m with a payload turns by 90 degrees about z within half a second under gravity along y and swings out. Both codes have
the same reduced link (linear: `second_order = false`), the payload as a rigid body fixed to the tip, and steps of 0.5 ms. What is compared is
the displacement of the tip from the rigid position, all three components, over one second; the result is the largest difference over the
largest deflection. A payload whose centre lies 0.11 m off the tip differs by 0.10 % at every step: Exudyn's marker on points turns by the linear
rotation, Pliant's interface by the rotation of that vector.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PLIANT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "target" / "release" / "pliant"
END, STEP, TURN, WITHIN = 1.0, 5e-4, np.pi / 2, 0.5
MASS, INERTIA = 3.0, (0.02, 0.03, 0.04)
MACHINE = f"""
gravity = [0, -9.81, 0]
[links.boom]
beam = {{ length = 2, section = {{ tube = {{ od = 0.06, t = 0.003 }} }}, material = "steel", elements = 20 }}
modes = {{ count = 8 }}
second_order = false
[joints.hinge]
parent = "ground"
child = "boom"
type = "revolute"
axis = "z"
drive = {{ motion = {{ profile = "cycloidal", from_deg = 0, to_deg = 90, time = {WITHIN} }} }}
[payload]
at = "boom.tip"
mass = {MASS}
inertia = {list(INERTIA)}
[analysis]
end = {END}
step = {STEP}
[output]
tip = "boom.tip"
"""


def law(t):
    """The angle of the cycloidal motion."""
    s = min(t / WITHIN, 1.0)
    return TURN * (s - np.sin(2 * np.pi * s) / (2 * np.pi))


def pliant(folder):
    """Times, positions of the tip, and those of the rigid machine."""
    from scipy.io import loadmat

    (folder / "machine.toml").write_text(MACHINE)
    for words in (["reduce", "machine.toml", "--export", "exudyn"], ["run", "machine.toml", "--out", "r.vtkhdf"],
                  ["export", "r.vtkhdf", "--mat", "r.mat"]):
        subprocess.run([PLIANT, *words, "--quiet"], cwd=folder, check=True)
    found = loadmat(folder / "r.mat")
    return found["time"].ravel(), found["tip_actual"], found["tip_nominal"]


def exudyn(folder):
    """Positions of the tip at the end of every step."""
    import exudyn as exu
    import exudyn.utilities as eu
    from exudyn.FEM import ObjectFFRFreducedOrderInterface

    arrays = np.load(folder / "boom.npz", allow_pickle=False)
    cms = ObjectFFRFreducedOrderInterface()
    cms.LoadFromFile(str(folder / "boom"), mode="NPZ")
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    gravity = [0, -9.81, 0]
    body = cms.AddObjectFFRFreducedOrder(mbs, positionRef=[0, 0, 0], initialVelocity=[0, 0, 0], initialAngularVelocity=[0, 0, 0], gravity=gravity)
    ground = mbs.AddObject(eu.ObjectGround())
    on_ground = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=ground))
    frame = mbs.AddMarker(eu.MarkerNodeRigid(nodeNumber=body["nRigidBody"]))
    mbs.AddObject(eu.GenericJoint(markerNumbers=[on_ground, frame], constrainedAxes=[1] * 6,
                                  offsetUserFunctionParameters=np.zeros(6),
                                  offsetUserFunction=lambda mbs, t, item, parameters: [0, 0, 0, 0, 0, law(t)]))
    # The six points around the tip stand behind those around the inboard interface.
    points = list(range(6, 12))
    tip = mbs.AddMarker(eu.MarkerSuperElementRigid(bodyNumber=body["oFFRFreducedOrder"], meshNodeNumbers=points, weightingFactors=np.full(6, 1 / 6)))
    start = arrays["interfaceOrigins"][1]
    inertia = eu.RigidBodyInertia(mass=MASS, inertiaTensor=np.diag(INERTIA))
    load = mbs.CreateRigidBody(inertia=inertia, referencePosition=start, gravity=gravity)
    on_load = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=load, localPosition=[0, 0, 0]))
    mbs.AddObject(eu.GenericJoint(markerNumbers=[tip, on_load], constrainedAxes=[1] * 6))
    sensor = mbs.AddSensor(eu.SensorBody(bodyNumber=load, localPosition=[0, 0, 0], storeInternal=True, outputVariableType=exu.OutputVariableType.Position))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(END / STEP)
    settings.timeIntegration.endTime = END
    settings.timeIntegration.verboseMode = 0
    settings.solution.sensors.writePeriod = STEP
    settings.solution.file.write = False
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = False
    mbs.SolveDynamic(settings)
    return mbs.GetSensorStoredData(sensor)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        time, ours, rigid = pliant(folder)
        theirs = exudyn(folder)
        theirs = np.array([np.interp(time, theirs[:, 0], theirs[:, 1 + k]) for k in range(3)]).T
        deflection = np.linalg.norm(ours - rigid, axis=1).max()
        difference = np.linalg.norm(ours - theirs, axis=1).max()
        print(f"largest deflection {1e3 * deflection:.3f} mm, largest difference {1e3 * difference:.5f} mm: {100 * difference / deflection:.4f} %")
        sys.exit(0 if difference < 1e-3 * deflection else 1)


main()
