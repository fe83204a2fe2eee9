//! `pliant response`: text, JSON, the file in the hands of scipy, and mistakes at their lines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).current_dir(folder).env("PLIANT_CACHE", folder.join("cache")).output().unwrap()
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn example() -> String {
    fs::read_to_string(format!("{ROOT}/pipelines/response-3r.toml")).unwrap()
}

#[test]
fn scipy_finds_the_same_on_the_exported_matrices() {
    let folder = tempfile::tempdir().unwrap();
    let text = example().replace("points = 9", "points = 3");
    fs::write(folder.path().join("arm.toml"), text).unwrap();
    let output = pliant(folder.path(), &["response", "--json", "arm.toml", "--out", "arm.h5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["poses"].as_array().unwrap().len(), 3);
    let pose = &report["poses"][1];
    assert_eq!((pose["growing"].as_u64(), pose["free"].as_u64()), (Some(0), Some(0)), "{pose:#}");
    assert_eq!(pose["margins"].as_array().unwrap().len(), 3);
    assert_eq!(pose["margins"][0]["sampled"], true);
    assert_eq!(pose["response"].as_array().unwrap().len(), 200);
    // Shares of energy are parts of the machine and add up to one.
    for mode in pose["undamped"].as_array().unwrap() {
        let shares: f64 =
            mode["energy"].as_object().unwrap().values().map(|x| x.as_f64().unwrap().abs()).sum();
        assert!((shares - 1.0).abs() < 0.02, "{mode:#}");
    }
    let Some(python) = venv() else { return };
    let script = format!("{ROOT}/tests/other-tools/check_response.py");
    let output = Command::new(python).args([&script, "arm.h5"]).current_dir(folder.path()).output().unwrap();
    assert!(text_of(&output).contains("scipy finds the same"), "{}", text_of(&output));
}

#[test]
fn the_text_lists_modes_margins_and_responses() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.toml"), example()).unwrap();
    let output = pliant(folder.path(), &["response", "arm.toml"]);
    let text = text_of(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for expected in [
        "pose     9",
        "hip (sampled): gain",
        "shoulder (continuous)",
        "hip.torque → hip.motor_rate",
        "results/arm.response.h5",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let text = text_of(&pliant(folder.path(), &["response", "arm.toml", "--out", "one.h5"]));
    assert!(text.contains("(pose "), "the worst pose is named: {text}");
    let one = example().replace("points = 9", "points = 1");
    fs::write(folder.path().join("one.toml"), one).unwrap();
    let text = text_of(&pliant(folder.path(), &["response", "one.toml"]));
    assert!(text.contains("hip 0 deg, shoulder 0 deg"), "poses have units: {text}");
    // Its report.
    let output = pliant(folder.path(), &["report", "one.h5", "--out", "one.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let page = fs::read_to_string(folder.path().join("one.html")).unwrap();
    for section in ["id=\"machine\"", "id=\"campbell\"", "id=\"bode\"", "id=\"loops\""] {
        assert!(page.contains(section), "{section}");
    }
    // A second time it replaces its own file, a file of others it does not.
    assert_eq!(pliant(folder.path(), &["response", "-q", "arm.toml"]).status.code(), Some(0));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let refused = pliant(folder.path(), &["response", "arm.toml", "--out", "notes.txt"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text_of(&refused));
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
}

const POSES: &str = "poses       = { points = 9 }";

#[test]
fn mistakes_have_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let tried = [
        ("inputs      = [", "inputs = [\"hop.torque\", ", "did you mean `hip`?"),
        ("inputs      = [", "inputs = [\"hip.torqe\", ", "did you mean `hip.torque`?"),
        ("outputs     = [", "outputs = [\"tip.position_w\", ", "there is no output `position_w`"),
        ("outputs     = [", "outputs = [\"fore.top.position_x\", ", "has no outboard interface `top`"),
        (
            "poses       = { points = 9 }",
            "poses = { points = 9, times = [0.1] }",
            "found `times` and `points`",
        ),
        ("poses       = { points = 9 }", "poses = { times = [7.0] }", "after the end of the analysis"),
        (
            "poses       = { points = 9 }",
            "poses = { grid = { wrist = { from = 0, to = 1, count = 3 } } }",
            "there is no joint `wrist`",
        ),
        ("about       = \"equilibrium\"", "about = \"equilibrum\"", "did you mean `equilibrium`?"),
        ("margins     = true", "margins = true\nservos = \"open\"", "`margins` needs"),
        ("from = 0.5, to = 300", "from = 0.5, to = 0.1", "must not be below `from`"),
        ("outputs     = [", "outputs = [\"hip.load_a\", ", "did you mean `hip.load_"),
        ("outputs     = [", "outputs = [\"fore.7.stress.A.M1\", ", "the element is not recovered"),
        ("outputs     = [", "outputs = [\"fore.seven.stress.A.M1\", ", "expected the number of an element"),
        ("modes       = 8", "modes = 0", "`modes` must be 1 or more, found 0"),
        ("modes       = 8", "loops = 1000000000\nmodes = 8", "`loops` must be at most 100000"),
        (POSES, "poses = { points = 1000000 }", "the results would hold"),
        ("inputs      = [", "inputs = [\"tip.force_z\", ", "`tip.force_z` stands in `inputs` twice"),
        ("from = 0.5, to = 300, count = 200", "values = []", "`values` must not be empty"),
        (
            "from = 0.5, to = 300, count = 200",
            "values = [1], count = 3",
            "`values` excludes `count` and `spacing`",
        ),
        ("modes       = 8", "shapes = 12\nmodes = 8", "expected a pose from 1 to 9, found 12"),
        (
            POSES,
            "poses = { plane = { origin = [0.4, 0, 0.4], x = [0.2, 0, 0], y = [0.4, 0, 0], columns = 3, rows = 3 } }",
            "must not be zero or parallel",
        ),
        (
            POSES,
            "poses = { plane = { origin = [0.4, 0, 0.4], x = [0.2, 0, 0], y = [0, 0, 0.2], columns = 1, rows = 3 } }",
            "`columns` must be 2 or more, found 1",
        ),
        (
            POSES,
            "poses = { plane = { origin = [0.4, 0, 0.4], x = [0.2, 0, 0], y = [0, 0, 0.2], columns = 2, rows = 3, joints = { hop = {} } } }",
            "did you mean `hip`?",
        ),
        (
            POSES,
            "poses = { plane = { origin = [0.4, 0, 9.4], x = [0.2, 0, 0], y = [0, 0, 0.2], columns = 2, rows = 3, orientation = \"free\", joints = { elbow = { near_deg = -40 } } } }",
            "the tip reaches none of the 6 points of the plane",
        ),
        (
            POSES,
            "poses = { plane = { origin = [0.4, 0, 0.4], x = [0.2, 0, 0], y = [0, 0, 0.2], columns = 2, rows = 3, orientation = \"free\", axes = [[1, 0, 0], [0, 1, 0]] } }",
            "`axes` needs orientation",
        ),
    ];
    for (from, to, expected) in tried {
        let text = example();
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        let line = text.lines().position(|line| to.lines().any(|to| line.contains(to))).unwrap() + 1;
        fs::write(folder.path().join("arm.toml"), &text).unwrap();
        let output = pliant(folder.path(), &["response", "arm.toml"]);
        let shown = text_of(&output);
        assert_eq!(output.status.code(), Some(1), "{to}: {shown}");
        assert!(shown.contains(expected), "{to}: {shown}");
        let table = text.lines().position(|line| line == "[response]").unwrap() + 1;
        let at = |line: usize| shown.contains(&format!("arm.toml:{line}:"));
        assert!(at(line) || at(table), "{to}: no line {line} or {table} in {shown}");
    }
    let commands = example()
        .replace("\"equilibrium\"", "\"undeformed\"")
        .replace("outputs     = [", "commands = true\noutputs = [");
    fs::write(folder.path().join("arm.toml"), commands).unwrap();
    let shown = text_of(&pliant(folder.path(), &["response", "arm.toml"]));
    assert!(shown.contains("`commands` needs `about = \"equilibrium\"`, found \"undeformed\""), "{shown}");
    let no_tip = example().replace("tip = \"fore.tip\"", "every = 1e-3");
    let no_tip = no_tip.lines().filter(|line| !line.contains("tip.")).collect::<Vec<_>>().join("\n");
    fs::write(
        folder.path().join("arm.toml"),
        no_tip.replace("frequencies = { from = 0.5, to = 300, count = 200 }", ""),
    )
    .unwrap();
    let shown = text_of(&pliant(folder.path(), &["response", "arm.toml"]));
    assert!(shown.contains("`compliance` needs a tip, and the file has none"), "{shown}");
    // A torque on a joint whose motion is given.
    let text = example().replace("drive  = { servo = { follow = { profile = \"cycloidal\", to_deg = 60, time = 1.0 }, position_gain = 40e3, rate_gain = 600, sample = 1e-3, delay = 1e-3 } }", "drive = { motion = { profile = \"cycloidal\", to_deg = 60, time = 1.0 } }");
    fs::write(folder.path().join("arm.toml"), text).unwrap();
    let shown = text_of(&pliant(folder.path(), &["response", "arm.toml"]));
    assert!(shown.contains("`hip.torque`: the motion of this joint is given"), "{shown}");
    fs::write(folder.path().join("none.toml"), example().split("[response]").next().unwrap()).unwrap();
    let shown = text_of(&pliant(folder.path(), &["response", "none.toml"]));
    assert!(shown.contains("the file has no `[response]`"), "{shown}");
}

/// A pendulum that hangs, that stands on its head, and without gravity: stable, unstable, free.
#[test]
fn unstable_and_free_machines_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let machine = |gravity: f64| {
        format!(
            "gravity = [0, {gravity}, 0]\n[links.rod]\nrigid = {{ mass = 2, centre = [0, -0.5, 0] }}\n[joints.pin]\nparent = \"ground\"\nchild = \"rod\"\ntype = \"revolute\"\naxis = \"z\"\n[analysis]\nend = 1\nstep = 1e-3\n[response]\n"
        )
    };
    for (gravity, expected) in [(-9.81, ""), (9.81, "unstable"), (0.0, "nothing holds")] {
        fs::write(folder.path().join("rod.toml"), machine(gravity)).unwrap();
        let output = pliant(folder.path(), &["response", "rod.toml"]);
        let shown = text_of(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(shown.contains(expected), "{gravity}: {shown}");
        if gravity < 0.0 {
            // √(g/l)/2π, a point mass.
            let hz = (9.81f64 / 0.5).sqrt() / std::f64::consts::TAU;
            let output = pliant(folder.path(), &["response", "--json", "rod.toml"]);
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let found = report["poses"][0]["undamped"][0]["frequency"].as_f64().unwrap();
            assert!((found / hz - 1.0).abs() < 1e-12, "{found} for {hz}");
            assert!(!shown.contains("unstable") && !shown.contains("nothing holds"), "{shown}");
        }
    }
}

fn venv() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_pliant")).ancestors().nth(2).unwrap();
    let python = target.join("venv/bin/python");
    if !python.exists() {
        println!("SKIPPED: no {}; scripts/python-tools makes it", python.display());
        return None;
    }
    Some(python)
}

/// A motor with a hydraulic drive and a link that gives way.
fn hydraulic(drive: &str, joint: &str) -> String {
    format!(
        r#"
[links.arm]
beam = {{ length = 1.2, elements = 8, section = {{ tube = {{ od = 0.06, t = 0.003 }} }}, material = "steel" }}
modes = {{ count = 6 }}
damping = {{ ratio = 0.01 }}
[joints.base]
parent = "ground"
child = "arm"
type = "{joint}"
axis = "z"
rotor = {{ inertia = 5, ratio = 1 }}
[joints.base.drive.hydraulic]
{drive}
[payload]
at = "arm.tip"
mass = 8.0
[analysis]
end = 1
step = 1e-3
[response]
margins = true
state_space = true
truncate = {{ balanced = 8 }}
inputs = ["base.valve", "base.command", "arm.tip.force_y"]
outputs = ["base.tachometer", "base.pressure", "arm.tip.position_y"]
frequencies = {{ from = 0.5, to = 300, count = 120 }}
"#
    )
}

const DRIVE: &str = r#"follow = { profile = "hold" }
valve = { natural_hz = 60, flow_gain = 1.4e-3, pressure_flow = 6e-12, deadband = 0.01, stroke = 1 }
oil = { volume = 1.6e-3, bulk_modulus = 1.1e9, leakage = 1e-12 }
piston = { area = 2.8e-3, lever = 0.22 }
tachometer = { gain = 1, time_constant = 1.5e-3 }
rate = { gain = 0.03, integral_gain = 0.3 }
position = { gain = 3, lead = 0.02, lag = 0.005 }
limit = 1.0
delay = 1e-3"#;

/// Eigenvalues, responses, Hankel singular values and the bound of the truncation by scipy, margins by
/// python-control, from the MAT-file and the HDF5 file; the deck by `pliant modes`.
#[test]
fn other_programs_take_over_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.toml"), hydraulic(DRIVE, "revolute")).unwrap();
    let arguments =
        ["response", "--json", "arm.toml", "--out", "arm.h5", "--mat", "arm.mat", "--deck", "arm.bdf"];
    let output = pliant(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours: Vec<f64> = report["poses"][0]["undamped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mode| mode["frequency"].as_f64().unwrap())
        .collect();
    let output = pliant(folder.path(), &["modes", "--json", "arm.bdf"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let modes: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = modes["frequencies_hz"].as_array().unwrap();
    assert!(ours.len() >= 6 && found.len() >= ours.len(), "{ours:?} {found:?}");
    for (ours, found) in ours.iter().zip(found) {
        // Twelve digits of K.
        assert!((found.as_f64().unwrap() / ours - 1.0).abs() < 1e-6, "{ours} {found}");
    }
    fs::write(folder.path().join("arm.json"), report.to_string()).unwrap();
    // The plant of its loop.
    let open = hydraulic(DRIVE, "revolute")
        .replace("margins = true\n", "servos = \"open\"\n")
        .replace("\"base.command\", \"arm.tip.force_y\"", "")
        .replace("outputs = [", "outputs = [\"base.motor_position\", ")
        .replace("from = 0.5", "from = 0.02")
        .replace("count = 120", "count = 6000");
    let open = open.replace("truncate = { balanced = 8 }\n", "");
    fs::write(folder.path().join("open.toml"), open).unwrap();
    let output = pliant(folder.path(), &["response", "-q", "open.toml", "--out", "open.h5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let Some(python) = venv() else { return };
    let script = format!("{ROOT}/tests/other-tools/check_deck.py");
    let arguments = [&script, "arm.bdf", "arm.json"];
    let output = Command::new(&python).args(arguments).current_dir(folder.path()).output().unwrap();
    let shown = text_of(&output);
    assert!(shown.contains("the same frequencies"), "{shown}");
    let script = format!("{ROOT}/tests/other-tools/check_machine.py");
    let arguments = [&script, "arm.h5", "arm.mat", "arm.json"];
    let output = Command::new(python).args(arguments).current_dir(folder.path()).output().unwrap();
    let shown = text_of(&output);
    assert!(shown.contains("the same machine"), "{shown}");
}

#[test]
fn mistakes_in_a_hydraulic_drive_have_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let tried = [
        ("volume = 1.6e-3, ", "", "oil = {", "`volume`"),
        (
            "deadband = 0.01",
            "deadband = -0.01",
            "deadband = -0.01",
            "`deadband` must not be negative, found -0.01",
        ),
        (
            "bulk_modulus = 1.1e9",
            "bulk_modulus = 0",
            "bulk_modulus = 0",
            "`bulk_modulus` must be positive, found 0",
        ),
        ("leakage = 1e-12", "leakage = -1e-12", "leakage", "`leakage` must not be negative"),
        ("natural_hz = 60", "natural_hz = -60", "natural_hz", "`natural_hz` must be positive, found -60"),
        ("flow_gain = 1.4e-3, ", "", "valve = {", "`flow_gain`"),
        (", lever = 0.22", "", "piston", "needs a `lever`"),
        (
            "piston = { area = 2.8e-3, lever = 0.22 }\n",
            "",
            "[joints.base.drive.hydraulic]",
            "exactly one of `piston` and `motor` is needed, found none of them",
        ),
        (", lag = 0.005", "", "position = {", "a `lead` needs a `lag`"),
        (
            "time_constant = 1.5e-3",
            "time_constant = -1",
            "tachometer",
            "`time_constant` must not be negative",
        ),
        ("limit = 1.0", "limit = 0.0", "limit = 0.0", "`limit` must be positive, found 0"),
        ("delay = 1e-3", "delay = -1e-3", "delay = -1e-3", "`delay` must not be negative"),
        ("rate = { gain", "rate = { gian", "rate = {", "`gian`"),
        (
            "truncate = { balanced = 8 }",
            "truncate = { balanced = 8, modal = 3 }",
            "truncate",
            "found `balanced` and `modal`",
        ),
        ("truncate = { balanced = 8 }", "truncate = { modal = 0 }", "truncate", "`modal` must be 1 or more"),
        ("state_space = true", "state_space = false", "truncate", "`truncate` needs `state_space = true`"),
    ];
    for (from, to, line, expected) in tried {
        let text = hydraulic(DRIVE, "revolute");
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        let number = text.lines().position(|text| text.contains(line)).unwrap() + 1;
        fs::write(folder.path().join("arm.toml"), &text).unwrap();
        let shown = text_of(&pliant(folder.path(), &["response", "arm.toml"]));
        assert!(shown.contains(expected), "{to}: {shown}");
        assert!(shown.contains(&format!("arm.toml:{number}:")), "{to}: no line {number} in {shown}");
    }
    // A joint without a hydraulic drive has no valve.
    let example = example().replace("inputs      = [\"hip.torque\"", "inputs      = [\"hip.valve\"");
    fs::write(folder.path().join("arm.toml"), example).unwrap();
    let shown = text_of(&pliant(folder.path(), &["response", "arm.toml"]));
    assert!(shown.contains("`hip.valve`: no hydraulic drive turns this joint"), "{shown}");
}

/// Vibration of the waist in the third and last quarter of the run of the floor study on a slab.
fn vibration(folder: &Path, name: &str) -> [f64; 2] {
    let output = pliant(folder, &["run", "-q", name, "--out", "floor.h5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let arguments = ["export", "-q", "floor.h5", "--csv", "floor.csv", "--only", "joints/waist/velocity"];
    let output = pliant(folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let text = fs::read_to_string(folder.join("floor.csv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[4].parse::<f64>().unwrap(), cells[5].parse::<f64>().unwrap())
    });
    let rows: Vec<(f64, f64)> = rows.collect();
    let mut largest = [0.0f64; 2];
    // Second differences leave what changes fast: 48 Hz beside a motion that creeps to its end.
    for window in rows.windows(3).filter(|window| window[0].0 >= 1.0) {
        let fast = window[0].1 - 2.0 * window[1].1 + window[2].1;
        let half = usize::from(window[0].0 >= 1.5);
        largest[half] = largest[half].max(fast.abs());
    }
    largest
}

/// FLEXARM's floor study: what the margin of the base loop calls unstable grows in the nonlinear run, what
/// it calls stable decays.
#[test]
fn the_nonlinear_run_confirms_the_floor_study() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(
        fs::canonicalize(format!("{ROOT}/inputs")).unwrap(),
        folder.path().join("inputs"),
    )
    .unwrap();
    let place = folder.path().join("pipelines");
    fs::create_dir(&place).unwrap();
    let text = fs::read_to_string(format!("{ROOT}/pipelines/floor-study.toml")).unwrap();
    let text = text.split("[study]").next().unwrap();
    for (thickness, stable) in [(120, true), (100, false)] {
        let name = format!("floor-{thickness}.toml");
        let changed = text.replace("\"PSHELL.1.T\" = 300.0", &format!("\"PSHELL.1.T\" = {thickness}.0"));
        assert_ne!(changed, text);
        fs::write(place.join(&name), changed).unwrap();
        let output = pliant(&place, &["response", "--json", &name, "--out", "floor.response.h5"]);
        assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let margins = &report["poses"][1]["margins"][0];
        assert_eq!((margins["servo"].as_str(), margins["stable"].as_bool()), (Some("waist"), Some(stable)));
        let [before, now] = vibration(&place, &name);
        assert_eq!(now < before, stable, "{thickness} mm: {before} {now}");
    }
}

/// A cantilever with a mass at its tip, by a study: frequencies, compliance and margins are metrics.
#[test]
fn studies_ask_for_modes_compliance_and_margins() {
    let folder = tempfile::tempdir().unwrap();
    let machine = |mass: &str, study: &str| {
        format!(
            r#"
            [links.beam]
            beam = {{ length = 0.8, elements = 10, section = {{ values = {{ area = 8e-4, i1 = 4e-8, i2 = 4e-8, j = 8e-8 }} }}, material = {{ e = 2.1e11, nu = 0.3, rho = 7800 }} }}
            modes = {{ count = 8 }}
            damping = {{ ratio = 0.01 }}
            [joints.hub]
            parent = "ground"
            child = "beam"
            type = "revolute"
            axis = "y"
            rotor = {{ inertia = 1e-3, ratio = 50 }}
            drive = {{ servo = {{ follow = {{ profile = "hold" }}, position_gain = 2e4, rate_gain = 300, sample = 1e-3, delay = 1e-3 }} }}
            [payload]
            at = "beam.tip"
            mass = {mass}
            [analysis]
            end = 0.01
            step = 1e-3
            [output]
            tip = "beam.tip"
            [response]
            margins = true
            compliance = true
            {study}
            "#
        )
    };
    let study = "[study]\ngrid = { \"payload.mass\" = [1, 4] }\n[study.metrics]\n\
                 first = \"mode_1_hz\"\nzeta = \"mode_1_damping\"\nsoft = \"compliance_z\"\npeak = \"dynamic_compliance_z\"\npeak_y = \"dynamic_compliance_y\"\nsoft_y = \"compliance_y\"\nzeta_2 = \"mode_2_damping\"\n\
                 gain = \"gain_margin_hub\"\nphase = \"phase_margin_hub\"\ndisk = \"disk_margin_hub\"\n";
    fs::write(folder.path().join("study.toml"), machine("1", study)).unwrap();
    let output = pliant(folder.path(), &["run", "study.toml", "--out", "study"]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    let table = fs::read_to_string(folder.path().join("study/results.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| {
        rows[0].iter().position(|head| *head == name).unwrap_or_else(|| panic!("{name}: {table}"))
    };
    for (row, mass) in rows[1..].iter().zip(["1", "4"]) {
        let number = |name: &str| -> f64 { row[column(name)].parse().unwrap() };
        // L³/3EI, and L²/k of the servo without an integral.
        let compliance = 0.8f64.powi(3) / (3.0 * 2.1e11 * 4e-8) + 0.64 / 2e4;
        assert!((number("soft") / compliance - 1.0).abs() < 1e-6, "{} for {compliance}", number("soft"));
        // Below the frequency of the payload alone, above Dunkerley's bound 1/ω² = Σ δᵢ mᵢ with all of the
        // beam at the tip and the rotor on the spring of its servo.
        let (beam, rotor) = (7800.0 * 8e-4 * 0.8, 1e-3 * 2500.0);
        let m: f64 = mass.parse().unwrap();
        let hz = |sum: f64| 1.0 / sum.sqrt() / std::f64::consts::TAU;
        let (low, high) = (hz(compliance * (m + beam) + rotor / 2e4), hz(compliance * m));
        assert!(number("first") > low && number("first") < high, "{low} {} {high}", number("first"));
        // The same as the command says.
        fs::write(folder.path().join("one.toml"), machine(mass, "")).unwrap();
        let output = pliant(folder.path(), &["response", "--json", "one.toml"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        for (name, metric) in [
            ("first", "mode_1_hz"),
            ("zeta", "mode_1_damping"),
            ("peak", "dynamic_compliance_z"),
            ("gain", "gain_margin_hub"),
            ("phase", "phase_margin_hub"),
            ("disk", "disk_margin_hub"),
        ] {
            let value = report["metrics"][metric]["value"].as_f64().unwrap();
            assert!((number(name) / value - 1.0).abs() < 1e-12, "{metric}: {} for {value}", number(name));
        }
        // Across the servo's axis the beam is clamped: 1/(2ζ) of the 97 % that its first mode has of the
        // static one, and a little of the others.
        let peak = number("peak_y") / number("soft_y") * 2.0 * number("zeta_2");
        assert!((peak - 0.98).abs() < 0.02, "{peak}");
    }
    for (wrong, expected) in
        [("mode_99_hz", "numbered from 1 to 12"), ("gain_margin_hup", "did you mean `hub`?")]
    {
        let study =
            format!("[study]\ngrid = {{ \"payload.mass\" = [1, 4] }}\n[study.metrics]\nx = \"{wrong}\"\n");
        fs::write(folder.path().join("wrong.toml"), machine("1", &study)).unwrap();
        let shown = text_of(&pliant(folder.path(), &["run", "wrong.toml", "--out", "other"]));
        assert!(shown.contains(expected), "{shown}");
    }
}

/// A parallelogram that is driven into its dead centre, where all of its links lie in a line.
const PARALLELOGRAM: &str = r#"
[links.a]
rigid = { mass = 1, inertia = [0.1, 0.1, 0.1], interfaces = { end = [0.5, 0, 0] } }
[links.b]
rigid = { mass = 1, inertia = [0.1, 0.1, 0.1], interfaces = { end = [1.0, 0, 0] } }
[links.c]
rigid = { mass = 1, inertia = [0.1, 0.1, 0.1], interfaces = { end = [0.5, 0, 0] } }
[joints.a]
parent = "ground"
child = "a"
type = "revolute"
axis = "z"
drive = { servo = { follow = { profile = "cycloidal", from_deg = 30, to_deg = 0, time = 1.0 }, position_gain = 1000, rate_gain = 10 } }
[joints.b]
parent = "a.end"
child = "b"
type = "revolute"
axis = "z"
start = { value_deg = -30 }
[joints.c]
parent = "ground"
child = "c"
type = "revolute"
axis = "z"
start = { value_deg = 30 }
origin = [1.0, 0, 0]
[joints.d]
parent = "b.end"
child = "c.end"
type = "spherical"
[analysis]
end = 1
step = 1e-3
redundant = "least-norm"
[response]
poses = { times = [0.0, 0.5, 1.0] }
"#;

#[test]
fn a_singular_pose_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.toml"), PARALLELOGRAM).unwrap();
    let output = pliant(folder.path(), &["response", "p.toml"]);
    let shown = text_of(&output);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("pose 3 of 3") && shown.contains("singular configuration"), "{shown}");
    let line = PARALLELOGRAM.lines().position(|line| line.starts_with("poses")).unwrap() + 1;
    assert!(shown.contains(&format!("p.toml:{line}:")), "{shown}");
    // Before it the loop is in order.
    fs::write(folder.path().join("p.toml"), PARALLELOGRAM.replace("0.5, 1.0]", "0.5]")).unwrap();
    assert_eq!(pliant(folder.path(), &["response", "p.toml"]).status.code(), Some(0));
}
