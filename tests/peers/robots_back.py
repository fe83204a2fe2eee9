"""Robots of PyPI `example-robot-data` there and back: `pliant import`, then `pliant export --urdf`, against `pin` (Pinocchio).

python robots_back.py PLIANT [COUNT]

The mass matrix of the written file is compared with that of the original at ten random positions of each robot, joints matched by name (dots become
underscores). Both are read without a floating base, as `pliant import` stands them on the ground. A robot that one of the two commands refuses
is listed with the reason. What cannot be imported is SKIPPED.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pinocchio as pin
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(0)

program = sys.argv[1]
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 20
# Masses of fixed links are added, centres and tensors turned: sums of rounded products.
TOLERANCE = 1e-10
random = np.random.default_rng(26)
site = pathlib.Path(pin.__file__).resolve()
paths = sorted({path for folder in site.parents[:8] for path in folder.glob("share/example-robot-data/robots/**/*.urdf")})
if not paths:
    print("SKIPPED: example-robot-data is not installed")


def plain(name):
    return name.replace(".", "_").replace("#", "_")


def mass(model, angles):
    """Mass matrix over the joints of a list, at positions by name; a joint without limits is two numbers in Pinocchio."""
    q = pin.neutral(model)
    for joint, name in enumerate(model.names):
        if plain(name) in angles:
            at, angle = model.joints[joint].idx_q, angles[plain(name)]
            values = [angle] if model.joints[joint].nq == 1 else [np.cos(angle), np.sin(angle)]
            q[at : at + len(values)] = values
    data = model.createData()
    full = pin.crba(model, data, q)
    full = np.triu(full) + np.triu(full, 1).T
    rows = [model.joints[model.getJointId(name)].idx_v for name in (next(n for n in model.names if plain(n) == name) for name in angles)]
    return full[np.ix_(rows, rows)]


same = refused = 0
worst = 0.0
for path in paths:
    if same >= wanted:
        break
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "robot"
        back = pathlib.Path(temporary) / "back.urdf"
        steps = [["import", str(path), "--out", str(folder)], ["export", str(folder / "machine.toml"), "--urdf", str(back)]]
        done = None
        for words in steps:
            done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                break
        if done.returncode != 0:
            refused += 1
            reason = next((line for line in (done.stdout + done.stderr).splitlines() if line.startswith("error")), "?")
            print(f"refused  {path.parent.name}/{path.name}: {reason}")
            continue
        original, written = (pin.buildModelFromUrdf(str(file)) for file in (path, back))
        scalar = {plain(name) for joint, name in enumerate(original.names) if joint and original.joints[joint].nv == 1}
        found = {plain(name) for joint, name in enumerate(written.names) if joint and written.joints[joint].nv == 1}
        if scalar != found:
            print(f"DIFFERENT {path.name}: joints {sorted(scalar ^ found)}")
            sys.exit(1)
        error = 0.0
        for _ in range(10):
            angles = {name: random.uniform(-3, 3) for name in sorted(scalar)}
            ours, theirs = mass(written, angles), mass(original, angles)
            error = max(error, np.abs(ours - theirs).max() / np.abs(theirs).max())
        worst = max(worst, error)
        if error > TOLERANCE:
            print(f"DIFFERENT {path.name}: mass matrix {error:.1e}")
            sys.exit(1)
        same += 1
        print(f"same     {path.parent.name}/{path.name}: {len(scalar)} joints, mass matrix to {error:.1e}")
print(f"{same} robots are the same to {worst:.1e}, {refused} refused")
