//! A results file in the hands of h5py, xarray, VTK and the command line tools of HDF5; the examples of the
//! documentation run.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The Python of `scripts/python-tools`, or `None` with a visible note.
fn python() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_pliant")).ancestors().nth(2).unwrap();
    let python = target.join("venv/bin/python");
    if python.exists() {
        return Some(python);
    }
    println!("SKIPPED: no {}; scripts/python-tools makes it", python.display());
    None
}

/// A short run of the spatial arm: the folder holds `results.vtkhdf` and `report.json`.
fn results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(format!("{ROOT}/pipelines/spatial-3r.toml")).unwrap();
    // All that a file may hold: several analyses, rates, stress and strain of every element and of one over
    // time.
    let text = text.replace("end   = 2.0", "end = 0.25\nkind = ['nonlinear', 'quasi-static', 'rigid']")
        + "\nframes = 11\nstress = { history = [1] }\nstrain = { history = [1] }\n"
        + "keep = ['joints', 'links', 'rates', 'loads', 'tip', 'energy', 'solver']\n";
    fs::write(folder.path().join("arm.toml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["run", "--json", "arm.toml", "--out", "results.vtkhdf"]).current_dir(folder.path());
    let output = command.env("PLIANT_CACHE", folder.path().join("cache")).output().unwrap();
    fs::write(folder.path().join("report.json"), reported(&output)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["export", "results.vtkhdf", "--mat", "results.mat"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("variables"));
    folder
}

fn reported(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&both));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn other_tools_see_the_same_numbers() {
    let Some(python) = python() else { return };
    let folder = results();
    let script = format!("{ROOT}/tests/other-tools/check_results.py");
    let mut command = Command::new(python);
    command.args([&script, "results.vtkhdf", "report.json"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("all tools see the same"));
}

#[test]
fn the_examples_of_the_documentation_run() {
    let Some(python) = python() else { return };
    let folder = results();
    let page = fs::read_to_string(format!("{ROOT}/docs/reading-results.md")).unwrap();
    let examples: Vec<&str> =
        page.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let expected = ["largest tip error", "balance", "deformed by at most"];
    assert_eq!(examples.len(), expected.len());
    for (example, expected) in examples.iter().zip(expected) {
        let output = Command::new(&python).args(["-c", example]).current_dir(folder.path()).output().unwrap();
        let reported = reported(&output);
        assert!(reported.contains(expected), "{example}\n{reported}");
    }
    let script = format!("{ROOT}/tests/other-tools/check_matlab.py");
    let page = format!("{ROOT}/docs/reading-results.md");
    let mut command = Command::new(&python);
    command.args([&script, &page, "results.vtkhdf"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("are there"));
}

#[test]
fn mode_shapes_open_as_steps() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    let deck = format!("{ROOT}/inputs/six-axis/wrist.bdf");
    command.args(["modes", "--json", "--free", "--count", "9", &deck, "--out", "modes.vtkhdf"]);
    let report = reported(&command.current_dir(folder.path()).output().unwrap());
    fs::write(folder.path().join("report.json"), report).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["show", "modes.vtkhdf"]).current_dir(folder.path());
    let shown = reported(&command.output().unwrap());
    assert!(shown.contains("   9  frequency "), "{shown}");
    let script = format!("{ROOT}/tests/other-tools/check_modes.py");
    let mut command = Command::new(python);
    command.args([&script, "modes.vtkhdf", "report.json"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("9 modes are there"));
}

/// Two subcases of a cantilever of shells under a force at its end, F and 2F.
#[test]
fn the_stress_of_a_static_answer_opens_in_vtk() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let deck = fs::read_to_string(format!("{ROOT}/inputs/kane/strip.bdf")).unwrap();
    let bulk = deck.split("BEGIN BULK").last().unwrap();
    let head = "SOL 101\nCEND\nSPC = 7\nSUBCASE 3\n LOAD = 8\nSUBCASE 5\n LOAD = 9\nBEGIN BULK\n";
    let cards = "SPC1,7,123456,1001\nFORCE,8,1002,,1.,0.,1.,0.\nFORCE,9,1002,,2.,0.,1.,0.\n";
    fs::write(folder.path().join("strip.bdf"), format!("{head}{cards}{bulk}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(["static", "--json", "strip.bdf", "--out", "static.vtkhdf"]);
    let report = reported(&command.current_dir(folder.path()).output().unwrap());
    fs::write(folder.path().join("report.json"), report).unwrap();
    let script = format!("{ROOT}/tests/other-tools/check_static.py");
    let mut command = Command::new(python);
    command.args([&script, "static.vtkhdf", "report.json"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("2 subcases are there"));
    let show = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(["show", "static.vtkhdf"]).args(options).current_dir(folder.path());
        reported(&command.output().unwrap())
    };
    let shown = show(&[]);
    assert!(shown.contains("Statics") && shown.contains("subcase 5") && shown.contains("MPa"), "{shown}");
    let facts: serde_json::Value = serde_json::from_str(&show(&["--json"])).unwrap();
    assert_eq!(facts["subcase"], serde_json::json!([3.0, 5.0]));
}

/// Warp By Vector × 50 of the deviation, in VTK's own reader: joints of an arm, of a machine with rods and of
/// a closed loop stay closed to a millionth of the machine's size. The six-axis arm has bearings of
/// coincident grids: 1 and 2 are those of interfaces, 0 the frames of rigid links.
#[test]
fn warp_by_vector_keeps_machines_together() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("six-axis", &["7", "1", "0", "1", "2"][..]),
        ("delta-robot", &["0", "3"]),
        ("flexible-four-bar", &["7", "2"]),
        ("slider-crank", &["2", "1"]),
    ];
    for (name, joints) in cases {
        let text = fs::read_to_string(format!("{ROOT}/pipelines/{name}.toml")).unwrap();
        let text = text.replace("../inputs", &format!("{ROOT}/inputs"));
        let short = |line: &str| match line.split_once('=') {
            Some((key, _)) if key.trim() == "end" => "end = 0.2\n".to_owned(),
            _ if line == "[output]" => "[output]\nframes = 11\n".to_owned(),
            _ => format!("{line}\n"),
        };
        let text: String = text.lines().map(short).collect();
        fs::write(folder.path().join("machine.toml"), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(["run", "--quiet", "machine.toml", "--out", "machine.vtkhdf"]);
        command.env("PLIANT_CACHE", folder.path().join("cache")).current_dir(folder.path());
        reported(&command.output().unwrap());
        let mut command = Command::new(&python);
        command.arg(format!("{ROOT}/tests/other-tools/check_warp.py")).arg("machine.vtkhdf").args(joints);
        let seen = reported(&command.current_dir(folder.path()).output().unwrap());
        assert!(seen.contains("joints stay closed"), "{name}: {seen}");
    }
}

/// Stress of a shell and of a bar and a strain gauge as RPC III, in the hands of PyPI's rpc-reader, and as a
/// table.
#[test]
fn fatigue_programs_read_the_channels() {
    let Some(python) = python() else { return };
    let folder = results();
    let pliant = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(arguments).current_dir(folder.path()).output().unwrap()
    };
    for file in ["channels.rsp", "channels.csv"] {
        let told = reported(&pliant(&["export", "results.vtkhdf", "--channels", file]));
        assert!(told.contains("channels"), "{told}");
        // Ours, so that it may be replaced.
        reported(&pliant(&["export", "results.vtkhdf", "--channels", file]));
    }
    let script = format!("{ROOT}/tests/other-tools/check_channels.py");
    let mut command = Command::new(python);
    command.args([&script, "results.vtkhdf", "channels.rsp", "channels.csv"]).current_dir(folder.path());
    assert!(reported(&command.output().unwrap()).contains("channels are there"));
    // What is chosen, whatever it is.
    let loads =
        reported(&pliant(&["export", "results.vtkhdf", "--channels", "a.csv", "--only", "tip/error"]));
    assert!(loads.contains("3 channels"), "{loads}");
    let none = pliant(&["export", "results.vtkhdf", "--channels", "b.rsp", "--only", "nothing"]);
    assert!(!none.status.success() && String::from_utf8_lossy(&none.stderr).contains("no such channel"));
}
