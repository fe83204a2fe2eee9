"""The rod in a sleeve of crates/machine/tests/sliding/published.rs, computed by the code its authors published.

    git clone https://github.com/pkouts/ale-fem-rod && apt-get install octave && python3 tests/peers/ale_sleeve.py ale-fem-rod

P. Koutsogiannakis, T. K. Papathanasiou, F. Dal Corso, *A simple yet effective ALE-FE method for the nonlinear planar dynamics of
variable-length flexible rods*, Applied Mathematical Modelling (2025) 115863: an inextensible rod of any deflection slides through a sleeve.
Their `One_sleeve/main.m` is run as it is but for: the numbers of the case; a start with the acceleration that belongs to it (theirs
is zero, which costs a power of the step); prescribed slides, as in a line of theirs that is commented out; no pictures; and MATLAB's `equilibrate`, which
Octave does not have. `published` is the example of `main.m` itself, turned so that the sleeve looks along x. Both element length and step enter
as squares (4, 8, 16, 32 elements: differences fall by 4.0), so that the limit follows from three runs. Two hours on one core.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# name: gravity along the sleeve (m/s2), tip force (N), end (s), distance of the times printed (s), length outside as cosine (mean, amplitude, Hz).
CASES = {
    "published": (-9.8, 8.0, 0.06, 0.01, None),
    "falling": (-9.8, 0.08, 0.35, 0.05, None),
    "pushed out": (0.0, 0.4, 0.7, 0.1, None),
    "out and in": (0.0, 0.08, 1.0, 0.1, (0.7, -0.3, 1.0)),
    "in and out": (0.0, 0.08, 0.2, 0.02, (0.7, 0.3, 5.0)),
}

SCALING = """function [P, R, C] = equilibrate(A)
    P = eye(rows(A)); r = 1 ./ max(abs(A), [], 2); R = diag(r); C = diag(1 ./ max(abs(R * A), [], 1));
end
"""


def case(gravity, force, end, every, slide, elements, step):
    """Lines that stand before the solution of `main.m`, and the first acceleration of the part inside."""
    lines = [
        f"sp.alpha = 0; sp.g = [{gravity}; 0]; sp.F1 = @(t) [0; {force}*sin(4*pi*t)];",
        f"sp.tmax = {end} - {step}/2; sp.dt = {step}; sp.Nel = {elements};",
    ]
    if slide is None:
        return "\n".join(lines) + "\n", -gravity
    mean, amplitude, hertz = slide
    lines.append(f"sp.prescribed = @(t) sp.L - {mean} - {amplitude}*cos(2*pi*{hertz}*t); sp.l0 = {mean + amplitude};")
    return "\n".join(lines) + "\n", f"{amplitude}*(2*pi*{hertz})^2"


def prepare(checkout, folder, every, step, setting, acceleration):
    """A copy of the authors' code with one case set."""
    shutil.copytree(checkout / "One_sleeve", folder, dirs_exist_ok=True)
    shared = checkout / "Two_sleeves" / "functions"
    if shared.is_dir():
        for file in shared.iterdir():
            if not (folder / "functions" / file.name).exists():
                shutil.copy(file, folder / "functions")
    main = (folder / "main.m").read_text()
    main, system = re.split(r"(?=^function Fval = nl_system_extended)", main, flags=re.M)
    (folder / "nl_system_extended.m").write_text(system)
    (folder / "equilibrate.m").write_text(SCALING)
    for pattern, text in [
        (r"^(clear all|close all|set\(0.*)\n", ""),
        (r"^fig = figure;.*?^axis equal\n", ""),
        (r"^    if mod\(cnt,20\)==0.*?^    end\n", ""),
        (r"^ *disp\(.*\n", ""),
        (r"^sp\.p = .*\n", lambda found: setting + found.group()),
        (r"^a1 = 0;\n", f"a1 = {acceleration};\nfor i = 1:sp.Nel\n  Upp(sp.map.X(i, [1 5])) = -a1 * sp.nodes([i i+1]);\nend\n"),
    ]:
        main, count = re.subn(pattern, text, main, flags=re.M | re.S if ".*?" in pattern else re.M)
        assert count, f"main.m has no {pattern}"
    every = round(every / step)
    main += f"\nfor i = {every}:{every}:cnt\n  printf('%.6f %.9e %.9e %.9e\\n', time(i), tip_x(i), tip_y(i), sp.L - DOFS(end, i));\nend\n"
    (folder / "main.m").write_text("1;\n" + main)
    condition = folder / "interface_condition.m"
    text = condition.read_text().rstrip()
    assert text.endswith("end")
    condition.write_text(text[:-3] + "    if isfield(sp, 'prescribed'), Fval = s1 - sp.prescribed(t); end\nend\n")


def solve(checkout, name, elements, step):
    gravity, force, end, every, slide = CASES[name]
    setting, acceleration = case(gravity, force, end, every, slide, elements, step)
    with tempfile.TemporaryDirectory() as folder:
        prepare(checkout, Path(folder), every, step, setting, acceleration)
        run = subprocess.run(["octave-cli", "--quiet", "main.m"], cwd=folder, capture_output=True, text=True)
    rows = [line.split() for line in run.stdout.splitlines() if re.match(r"\d+\.\d{6} ", line)]
    assert rows, run.stderr
    return [[float(value) for value in row] for row in rows]


checkout = Path(sys.argv[1])
for name in sys.argv[2:] or CASES:
    coarse, short, fine = (solve(checkout, name, *mesh) for mesh in [(8, 1e-3), (8, 5e-4), (16, 1e-3)])
    print(f"{name}: time, tip along and across the sleeve, length outside; 8 elements at 1 ms, half the step, twice the elements, limit")
    for rows in zip(coarse, short, fine):
        limit = [a + 4 / 3 * (b - a) + 4 / 3 * (c - a) for a, b, c in zip(*rows)]
        for row in (*rows, limit):
            print("  {:.2f} {:.7f} {:.6e} {:.7f}".format(*row), end="  ")
        print(flush=True)
