"""Robots of PyPI `example-robot-data` against `pin` (Pinocchio): inverse dynamics.

python robots.py PLIANT [COUNT]

`pliant import` turns each URDF into a pipeline folder. All its joints are then driven by harmonic motions with random amplitudes, frequencies
and phases, and the rigid machine is run. At a hundred times Pinocchio's `rnea` for the positions, rates and accelerations of the results file is
compared with the drive torques in it: tau = M(q) a + h(q, v) is linear in a, and the accelerations of all joints are independent of each other, so
that the mass matrix takes part with all its entries. Friction and couplings are taken out, because `rnea` has none. A robot that is refused is
listed with the reasons. What cannot be imported is SKIPPED.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    import pinocchio as pin
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(0)

program = sys.argv[1]
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 20
TOLERANCE = 1e-10
random = np.random.default_rng(26)
site = pathlib.Path(pin.__file__).resolve()
paths = sorted({path for folder in site.parents[:8] for path in folder.glob("share/example-robot-data/robots/**/*.urdf")})
if not paths:
    print("SKIPPED: example-robot-data is not installed")

same = refused = 0
worst = 0.0
for path in paths:
    if same >= wanted:
        break
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "robot"
        run = subprocess.run([program, "import", path, "--out", out, "--json"], capture_output=True, text=True)
        if run.returncode != 0:
            reasons = [p["message"] for p in json.loads(run.stdout)["diagnostics"] if p["severity"] == "error"]
            assert reasons, f"{path}: refused without a reason: {run.stderr}"
            print(f"refused {path.name}: {len(reasons)} problems, such as: {reasons[0][:110]}")
            refused += 1
            continue
        text = (out / "machine.toml").read_text()
        text = re.sub(r"\nfriction = .*", "", text)
        text = re.sub(r"\n\[couplings\..*\nterms.*(\nvalue.*)?", "", text)
        text = re.sub(r"\n\[output\]\n.*\n", "\n", text)

        def drive(match):
            a, f, p = random.uniform(0.2, 0.8), random.uniform(0.5, 2.0), random.uniform(-180, 180)
            motion = f'{{ profile = "harmonic", amplitude = {a}, freq_hz = {f}, phase_deg = {p} }}'
            return f"{match[0]}\ndrive = {{ motion = {motion} }}"

        text = re.sub(r'\ntype   = "(revolute|prismatic)"', drive, text)
        text = text.replace("end  = 1.0\nstep = 1e-3", "end  = 1.0\nstep = 1e-2")
        (out / "machine.toml").write_text(text)
        results = out / "results.h5"
        run = subprocess.run([program, "run", out / "machine.toml", "--out", results], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"FAILED  {path.name}: {(run.stdout + run.stderr)[:400]}")
        model = pin.buildModelFromUrdf(str(path))
        data = model.createData()
        with h5py.File(results) as file:
            joints = {name: file["joints"][name.replace("/", "_").replace(".", "_")] for name in model.names[1:]}
            series = {name: [np.asarray(joints[name][key]) for key in ("position", "velocity", "acceleration", "torque")]
                      for name in joints}
        difference = largest = 0.0
        count = len(next(iter(series.values()))[0])
        for k in range(count):
            q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
            tau = np.zeros(model.nv)
            for name, (position, velocity, acceleration, torque) in series.items():
                joint = model.joints[model.getJointId(name)]
                if joint.nq == 2:
                    q[joint.idx_q:joint.idx_q + 2] = np.cos(position[k]), np.sin(position[k])
                else:
                    q[joint.idx_q] = position[k]
                v[joint.idx_v], a[joint.idx_v], tau[joint.idx_v] = velocity[k], acceleration[k], torque[k]
            reference = pin.rnea(model, data, q, v, a)
            difference = max(difference, np.abs(tau - reference).max())
            largest = max(largest, np.abs(reference).max())
        worst = max(worst, difference / largest)
        print(f"same    {path.name}: {model.nv} joints, {count} states, {difference / largest:.1e} of {largest:.4g}")
        assert difference <= TOLERANCE * largest, path
        same += 1
print(f"{same} robots the same, worst {worst:.1e}; {refused} refused")
