"""Controllers in Python: the same torque as the same law in the engine, exceptions, the cost of a call."""

import time
from pathlib import Path

import numpy
import pliant
import pytest

from test_run import contents

SERVO = {"position_gain": 2e3, "rate_gain": 60.0, "sample": 1e-3, "delay": 1e-3, "limit": 15.0}


# Without the inertia of a motor the sampled loop is unstable: at high frequencies nothing but the end of a light beam
# is left to be turned.
ROTOR = {"joints.elbow.rotor": {"inertia": 1e-4, "ratio": 100}}


def arm() -> pliant.Case:
    return pliant.load("machine.toml").set(ROTOR)


def follow() -> dict[str, object]:
    motion = arm()["joints.elbow.drive.motion"]
    assert isinstance(motion, dict)
    return motion


def law(t: float, y: pliant.Measurement) -> float:
    """What a servo computes, in the same order."""
    return 2e3 * (y.command - y.position) + 60.0 * (y.command_rate - y.rate)


def test_the_law_of_a_servo_in_python_gives_the_bits_of_the_servo() -> None:
    servo = arm().set({"joints.elbow.drive": {"servo": {"follow": follow(), **SERVO}}})
    # The arm starts in equilibrium: until the first torque comes into force a controller holds the joint, and a servo
    # without integral does not. So they are compared without delay.
    undelayed = servo.set({"joints.elbow.drive.servo.delay": 0.0})
    own = undelayed.run("servo.vtkhdf")
    undelayed.with_controller("elbow", law, sample=1e-3).run("python.vtkhdf")
    parts = ("inputs", "metrics", "solver")
    assert contents("servo.vtkhdf", parts) == contents("python.vtkhdf", parts)
    # What is stored holds the rest of the equation of the coordinate, which Newton leaves at 1e-7 of the forces.
    assert float(abs(own.joints.elbow.torque).max()) == pytest.approx(15.0, rel=1e-6), "the limit acts"


def test_a_motion_becomes_the_command_and_calls_come_at_the_samples() -> None:
    seen: list[tuple[float, float, float]] = []

    def control(t: float, y: pliant.Measurement) -> float:
        assert y["elbow"] == (y.position, y.rate)
        seen.append((t, y.command, y["shoulder"][0]))
        return y.holding + law(t, y)

    result = arm().with_controller("elbow", control, sample=2e-3).run()
    t, command, shoulder = numpy.array(seen).T
    numpy.testing.assert_allclose(t, 2e-3 * numpy.arange(101), atol=1e-12)
    # A cycloid to -60 degrees in 0.8 s: x/T − sin(2πx/T)/2π.
    u = t / 0.8
    expected = numpy.deg2rad(-60) * (u - numpy.sin(2 * numpy.pi * u) / (2 * numpy.pi))
    numpy.testing.assert_allclose(command, expected, atol=1e-14)
    numpy.testing.assert_array_equal(shoulder, result.joints.shoulder.position.sel(time=t, method="nearest").values)
    notes = [one.message for one in result.diagnostics if one.severity == "note"]
    assert "modes count joint `elbow` as free: its controller comes from outside" in notes
    # It holds the arm where it starts: 2 kg and the forearm, 0.6 m out.
    assert abs(float(result.joints.elbow.torque[0])) == pytest.approx(2 * 9.81 * 0.6 + 0.717 * 9.81 * 0.3, rel=0.01)


def test_state_is_reset_before_each_analysis() -> None:
    class Integral:
        def reset(self) -> None:
            self.calls = 0
            starts.append(self)

        def __call__(self, t: float, y: pliant.Measurement) -> float:
            self.calls += 1
            return y.holding + law(t, y)

    starts: list[Integral] = []
    control = Integral()
    case = arm().set({"analysis.kind": ["nonlinear", "rigid"]})
    case.with_controller("elbow", control, sample=1e-3).run()
    assert len(starts) == 2 and control.calls == 201


def test_what_a_controller_raises_arrives() -> None:
    def fails(t: float, y: pliant.Measurement) -> float:
        if t > 0.05:
            raise ZeroDivisionError("my own")
        return y.holding

    case = arm()
    with pytest.raises(ZeroDivisionError, match="my own"):
        case.with_controller("elbow", fails, sample=1e-3).run("failed.vtkhdf")
    assert not list(Path().glob("failed*"))
    with pytest.raises(TypeError):
        case.with_controller("elbow", lambda t, y: "torque", sample=1e-3).run()  # type: ignore[arg-type, return-value]
    with pytest.raises(pliant.RunError, match="controller of joint `elbow` failed: it returned NaN"):
        case.with_controller("elbow", lambda t, y: float("nan"), sample=1e-3).run()
    with pytest.raises(KeyError, match="there is no joint"):
        case.with_controller("elbow", lambda t, y: y["wrist"][0], sample=1e-3).run()
    # The exception of one run is not that of the next.
    case.run()


def test_joints_that_cannot_be_controlled_are_refused() -> None:
    case = arm()
    with pytest.raises(pliant.InputError, match="no joint `wrist` to control .*the joints are shoulder, elbow"):
        case.with_controller("wrist", law, sample=1e-3)
    with pytest.raises(pliant.InputError, match="no motion that a controller could follow"):
        case.set({"joints.elbow.drive": "free"}).with_controller("elbow", law, sample=1e-3)
    with pytest.raises(pliant.InputError, match="sample"):
        case.with_controller("elbow", law, sample=-1.0)
    with pytest.raises(pliant.RunError, match="not an integer multiple of the step"):
        case.with_controller("elbow", law, sample=0.7e-3).run()
    controlled = case.with_controller("elbow", law, sample=1e-3)
    with pytest.raises(pliant.RunError, match="finds no servo there"):
        controlled.set({"joints.elbow.drive": "free"}).run()
    with pytest.raises(pliant.RunError, match="has no frequency response"):
        controlled.response()
    with pytest.raises(pliant.StudyError, match="found those of elbow"):
        pliant.study(controlled, grid={"payload.mass": [1, 2]})


def test_a_call_costs_five_microseconds_beyond_that_of_python() -> None:
    """Measured inside a run: from the end of one call to the begin of the next, in a machine whose step does next
    to nothing, cannot be told apart from the step. So the same run with the law in the engine is subtracted."""
    machine = pliant.Machine(title="Wheel")
    machine.links["wheel"] = {"rigid": {"mass": 1, "inertia": [1, 1, 1], "interfaces": {"rim": [1, 0, 0]}}}
    servo = {"follow": {"profile": "cycloidal", "to": 1, "time": 1}, **SERVO, "sample": 1e-4, "delay": 0.0}
    machine.joints["axle"] = {"parent": "ground", "child": "wheel", "type": "revolute", "axis": "z", "drive": {"servo": servo}}
    machine.analysis = {"end": 2.0, "step": 5e-5}
    machine.output = {"every": 1.0}
    case = machine.case()
    seen: list[pliant.Measurement] = []

    def keep(t: float, y: pliant.Measurement) -> float:
        seen.append(y)
        return law(t, y)

    case.with_controller("axle", keep, sample=1e-4).run()

    def seconds(some: pliant.Case) -> float:
        begin = time.process_time()
        some.run()
        return time.process_time() - begin

    controlled = case.with_controller("axle", law, sample=1e-4)
    calls = len(seen)
    costs = []
    for _ in range(5):
        inside = seconds(controlled) - seconds(case)
        begin = time.process_time()
        for k in range(calls):
            law(k * 1e-4, seen[-1])
        costs.append((inside - (time.process_time() - begin)) / calls)
    costs.sort()
    print(f"a call: {1e6 * costs[2]:.2f} µs beyond Python's own")
    assert costs[2] < 5e-6, costs
