//! `pliant compare` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).env("PLIANT_CACHE", folder.join("cache")).current_dir(folder);
    command.output().unwrap()
}

/// A rigid pendulum bar of this mass, turned by a servo, with steps of this length.
fn run(folder: &Path, name: &str, mass: f64, step: f64) {
    let text = format!(
        "title = 'arm'\ngravity = [0, 0, -9.81]\n\
         [links.arm]\nrigid = {{ mass = {mass:?}, centre = [0.5, 0, 0], inertia = [0.01, 0.2, 0.2], interfaces = {{ tip = [1, 0, 0] }} }}\n\
         [joints.hub]\nparent = 'ground'\nchild = 'arm'\ntype = 'revolute'\naxis = '-y'\n\
         drive = {{ motion = {{ profile = 'cycloidal', to = 1, time = 0.5 }} }}\n\
         [analysis]\nend = 1\nstep = {step:?}\n[output]\ntip = 'arm.tip'\nevery = 0.01\n"
    );
    let file = format!("{name}.toml");
    std::fs::write(folder.join(&file), text).unwrap();
    let ran = pliant(folder, &["run", &file, "--out", &format!("{name}.vtkhdf")]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
}

fn facts(folder: &Path, arguments: &[&str]) -> (Value, Option<i32>) {
    let out = pliant(folder, &[&["compare", "--json"], arguments].concat());
    (serde_json::from_slice(&out.stdout).unwrap(), out.status.code())
}

#[test]
fn a_run_equals_itself_and_a_heavier_arm_takes_more_torque() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "a", 2.0, 1e-3);
    run(folder, "b", 2.0, 1e-3);
    run(folder, "heavy", 3.0, 1e-3);
    let (same, code) = facts(folder, &["a.vtkhdf", "b.vtkhdf", "--tolerance", "0"]);
    assert_eq!((code, &same["beyond"]), (Some(0), &Value::from(0)), "{same:#}");

    let (other, code) = facts(folder, &["a.vtkhdf", "heavy.vtkhdf", "--tolerance", "1e-6"]);
    assert_eq!(code, Some(1));
    let analysis = &other["comparison"]["analyses"][0];
    let row = |list: &str, key: &str, name: &str| {
        let rows = analysis[list].as_array().unwrap();
        rows.iter().find(|row| row[key] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    // A rigid bar on a given motion: M(t) = (I + m c²) α + m g c cos θ, with c = 0.5, I = 0.2. One kilogram
    // more takes c² α + g c cos θ.
    let mass = row("metrics", "name", "mass");
    assert_eq!((&mass["values"], &mass["difference"]), (&serde_json::json!([2.0, 3.0]), &Value::from(0.5)));
    let torque = row("curves", "quantity", "joints/hub/torque");
    let (mut largest, mut square, mut at) = (0.0f64, 0.0, 0.0);
    for k in 0..=100 {
        let (t, tau) = (0.01 * f64::from(k), (0.02 * f64::from(k)).min(1.0));
        let turn = std::f64::consts::TAU;
        let angle = tau - (turn * tau).sin() / turn;
        let acceleration = if tau < 1.0 { 4.0 * turn * (turn * tau).sin() } else { 0.0 };
        let more = 0.25 * acceleration + 9.81 * 0.5 * angle.cos();
        square += more * more * if k % 100 == 0 { 0.5 } else { 1.0 } / 100.0;
        if more.abs() > largest {
            (largest, at) = (more.abs(), t);
        }
    }
    let difference = &torque["differences"][0];
    let close = |key: &str, expected: f64| {
        let found = difference[key].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-6 * expected, "{key}: {found} for {expected}");
    };
    close("largest", largest);
    close("time", at);
    close("rms", square.sqrt());
    // The motion is given: positions are the same.
    assert_eq!(row("curves", "quantity", "joints/hub/position")["difference"], 0.0);
    // The number of steps is shown and not judged.
    assert_eq!(row("metrics", "name", "solver_steps")["judged"], false);
}

#[test]
fn only_some_quantities_a_page_and_what_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "a", 2.0, 1e-3);
    run(folder, "b", 2.5, 2e-3);
    let (some, code) =
        facts(folder, &["a.vtkhdf", "b.vtkhdf", "--only", "joints/hub/position", "--tolerance", "1e-9"]);
    assert_eq!(code, Some(0), "{some:#}");
    assert_eq!(some["comparison"]["analyses"][0]["metrics"], Value::Array(Vec::new()));

    let out = pliant(folder, &["compare", "a.vtkhdf", "b.vtkhdf", "--out", "page.html"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "without a tolerance nothing is judged: {text}");
    assert!(text.contains("joints/hub/torque") && text.contains("25 %"), "{text}");
    let html = std::fs::read_to_string(folder.join("page.html")).unwrap();
    // Both machines are in one picture.
    assert!(html.contains("\"groups\":[\"a.vtkhdf\",\"b.vtkhdf\"]"));
    assert!(html.contains("joints hub torque") && html.contains("plot-compared-0"), "the torque is drawn");

    let before = std::fs::read(folder.join("b.vtkhdf")).unwrap();
    for (arguments, word) in [
        (vec!["a.vtkhdf", "b.vtkhdf", "--out", "b.vtkhdf"], "cannot be written"),
        (vec!["a.vtkhdf", "none.vtkhdf"], "none.vtkhdf"),
        (vec!["a.vtkhdf", "a.toml"], "a.toml"),
        (vec!["a.vtkhdf", "b.vtkhdf", "--only", "tipp"], "begins with tipp"),
    ] {
        let out = pliant(folder, &[&["compare"], &arguments[..]].concat());
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read(folder.join("b.vtkhdf")).unwrap(), before);
    assert_eq!(pliant(folder, &["compare", "a.vtkhdf"]).status.code(), Some(2), "one file is too few");
}
