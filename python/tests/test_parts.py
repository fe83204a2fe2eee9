"""Studies, links, responses, machines built in Python, drawings, the installed command."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import control
import h5py
import numpy
import pliant
import pytest
import scipy.linalg

from programs import INSTALLED, cli

GRID = {"payload.mass": [0.0, 2.0, 4.0], "joints.elbow.drive.motion.to_deg": [-60, -30]}
METRICS = {"peak": "max(abs(tip.error))", "torque": "drive_peak_shoulder"}


def test_a_study_is_that_of_the_command_bit_for_bit() -> None:
    study = pliant.study(pliant.load("machine.toml"), grid=GRID, metrics=METRICS)
    result = study.run("python-study")
    Path("study.toml").write_text(study.to_toml())
    cli("run", "study.toml", "--out", "command-study")
    assert Path("python-study/results.csv").read_text() == Path("command-study/results.csv").read_text()
    table = result.to_pandas()
    assert (result.cases, result.done, result.failed) == (6, 6, 0) and len(table) == 6
    with h5py.File("command-study/study.h5") as file:
        numpy.testing.assert_array_equal(table["peak"].to_numpy(), file["metrics/peak"][:])
    # One case of it is a run.
    case = pliant.load("machine.toml").set({"payload.mass": 4.0, "joints.elbow.drive.motion.to_deg": -30})
    row = table[(table["payload.mass"] == 4.0) & (table["joints.elbow.drive.motion.to_deg"] == -30)].iloc[0]
    assert row["torque"] == case.run().numbers["drive_peak_shoulder"]
    assert "peak" in result._repr_html_() and "6 of 6" in repr(result)


def test_a_study_that_was_interrupted_goes_on() -> None:
    study = pliant.study(pliant.load("machine.toml"), grid={"payload.mass": [float(k) for k in range(40)]})

    def stop(share: float, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run("study", progress=stop)
    seen: list[float] = []
    result = study.run("study", progress=lambda share, text: seen.append(share))
    assert result.done == 40 and seen[-1] == 1.0
    other = pliant.study(pliant.load("machine.toml"), grid={"payload.mass": [1.0]})
    with pytest.raises(pliant.StudyError, match="holds another study"):
        other.run("study")
    with pytest.raises(pliant.InputError, match="no cases"):
        pliant.study(pliant.load("machine.toml")).run()


def test_a_reduced_link_has_the_matrices_and_frequencies_of_its_mesh() -> None:
    link = pliant.reduce("upper.bdf", inboard=1, interfaces={"elbow": 2}, modes=29, units="mm-t-s")
    # Ω² of K and M, found by LAPACK. 1e-9: rounding of K beside its largest entry, squared frequencies over 1e7.
    omega2 = scipy.linalg.eigh(link.K, link.M, eigvals_only=True)
    numpy.testing.assert_allclose(link.frequencies, numpy.sqrt(omega2) / (2 * numpy.pi), rtol=1e-6)
    # Free-free: K and M with the six rigid motions, against those the command found on the full mesh.
    size = len(link.coordinates)
    M = numpy.block([[link.rigid_mass, link.coupling], [link.coupling.T, link.M]])
    K = numpy.zeros_like(M)
    K[6:, 6:] = link.K
    free = numpy.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[6:]) / (2 * numpy.pi)
    mesh = json.loads(cli("reduce", "--json", "machine.toml"))["links"]["upper"]["frequencies_hz"]
    numpy.testing.assert_allclose(free[:6], mesh["reduced"][:6], rtol=1e-6)
    # The basis holds the first frequencies of the full mesh, which Lanczos found, to 1 %: the health check's bar.
    numpy.testing.assert_allclose(free[:6], mesh["full"][:6], rtol=1e-2)
    assert link.rigid_mass[0, 0] == pytest.approx(link.health["mass"], rel=1e-9)
    assert link.D.shape == (size, size) and link.interfaces[0].name == "elbow"
    numpy.testing.assert_allclose(link.interfaces[0].rotation, numpy.eye(3), atol=1e-12)
    assert link.interfaces[0].position[0] == pytest.approx(0.7, abs=1e-9)

    with pytest.raises(pliant.InputError) as caught:
        pliant.reduce("upper.bdf", inboard=1, interfaces={"elbow": 999999}, modes=3)
    assert "999999" in str(caught.value)
    with pytest.raises(pliant.InputError, match="nowhere.bdf"):
        pliant.reduce("nowhere.bdf", inboard=1)


def test_a_response_is_the_same_for_control_and_in_the_file() -> None:
    asked = {"inputs": ["tip.force_z"], "outputs": ["tip.position_z"], "state_space": True}
    asked["frequencies"] = {"from": 1.0, "to": 200.0, "count": 50}
    response = pliant.load("machine.toml").response(damped=True, **asked)
    system = response.state_space()
    assert isinstance(system, control.StateSpace) and system.input_labels == ["tip_force_z"]
    swept = response.response.isel(pose=0).sel(input="tip.force_z", output="tip.position_z")
    omega = 2 * numpy.pi * swept.coords["frequency"].values
    # C (jω − A)⁻¹ B + D, solved by python-control. 1e-8: conditioning of jω − A near the least damped mode.
    numpy.testing.assert_allclose(swept.values, system(1j * omega), rtol=1e-8)
    poles = numpy.linalg.eigvals(system.A)
    lowest = numpy.sort(numpy.abs(poles[poles.imag > 0])) / (2 * numpy.pi)
    numpy.testing.assert_allclose(response.damping[0, :3, 0], lowest[:3], rtol=1e-6)
    assert response.frequencies.shape[0] == 1 and "poses" in repr(response)
    with pytest.raises(KeyError, match="no state space of pose 2"):
        response.state_space(2)


def test_without_control_the_state_space_is_plain() -> None:
    code = """
import sys; sys.modules["control"] = None
import pliant
asked = {"inputs": ["tip.force_z"], "outputs": ["tip.position_z"], "state_space": True}
system = pliant.load("machine.toml").response(**asked).state_space()
assert type(system) is pliant.StateSpace and system.inputs == ["tip.force_z"], system
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@dataclass
class Beam:
    length: float
    section: dict[str, float]
    material: str = "steel"
    elements: int = 8
    offset: float | None = None


def test_a_machine_built_in_python_is_a_pipeline_file() -> None:
    machine = pliant.Machine(title="Rod", gravity=[0.0, 0.0, -9.81])
    machine.links["rod"] = {"beam": Beam(numpy.float64(1.0), {"rod": 0.02}), "modes": {"count": numpy.int64(4)}}
    servo = {"follow": {"profile": "cycloidal", "to_deg": 3, "time": 0.5}, "position_gain": 1e4, "rate_gain": 100}
    machine.joints["pivot"] = {"parent": "ground", "child": "rod", "type": "revolute", "axis": "-y", "drive": {"servo": servo}}
    machine.analysis = {"end": 0.1, "step": 5e-4}
    machine.output = {"tip": "rod.tip"}
    result = machine.case().run()
    Path("rod.toml").write_text(machine.to_toml())
    cli("run", "rod.toml", "--out", "rod.vtkhdf")
    numpy.testing.assert_array_equal(pliant.open("rod.vtkhdf").tip.error.values, result.tip.error.values)
    again = pliant.Machine.of(pliant.load("rod.toml"))
    assert again.to_toml() == machine.to_toml() and "offset" not in machine.to_toml()
    case = machine.case().set({"payload": {"at": "rod.tip", "mass": 1}})
    case.save("heavy.toml")
    assert pliant.load("heavy.toml").to_dict() == case.to_dict()
    with pytest.raises(FileExistsError):
        case.save("heavy.toml")
    machine.joints["pivot"]["axes"] = "z"  # three vectors, not one
    with pytest.raises(pliant.InputError, match="expected a list, found a string"):
        machine.case()


def test_notebooks_figures_and_meshes() -> None:
    case = pliant.load("machine.toml").set({"output.frames": 5})
    assert "shoulder, elbow" in case._repr_html_() and "2 links, 2 joints" in repr(case)
    result = case.run("drawn.vtkhdf")
    page = result._repr_html_()
    assert "tip_peak_error" in page and "<polyline" in page and "largest" in page
    figure = result.plot()
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["tip error (mm)", "drives (N m)", "energy (J)"]
    figure.savefig("figure.png")
    assert Path("figure.png").stat().st_size > 10_000

    first, last = result.frame(0.0), result.frame()
    assert first.field_data["time"][0] == 0.0 and last.field_data["time"][0] == pytest.approx(0.2)
    assert first.n_points == last.n_points > 100 and "link" in first.cell_data
    # What is exaggerated is the displacement alone.
    large = result.frame(0.0, warp=11.0)
    numpy.testing.assert_allclose(large.points - first.points, 10 * first.point_data["displacement"], atol=1e-6)


def test_the_installed_command_is_the_command() -> None:
    assert cli("--version", program=INSTALLED) == cli("--version")
    # A reader of results is a process of its own.
    shown = cli("show", "--json", "results.vtkhdf", program=INSTALLED)
    assert json.loads(shown) == json.loads(cli("show", "--json", "results.vtkhdf"))
    cli("run", "machine.toml", "--quiet", "--out", "installed.vtkhdf", program=INSTALLED)
    assert pliant.open("installed.vtkhdf").numbers["mass"] == pliant.open("results.vtkhdf").numbers["mass"]
    done = subprocess.run([INSTALLED, "run", "nowhere.toml"], capture_output=True, text=True)
    assert done.returncode == 1 and "nowhere.toml" in done.stdout + done.stderr
    done = subprocess.run([sys.executable, "-m", "pliant", "metrics"], capture_output=True, text=True)
    assert done.returncode == 2 and "unrecognized subcommand" in done.stderr
