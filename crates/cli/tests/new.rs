//! `pliant new` and `pliant schema` as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments).current_dir(folder).env("PLIANT_CACHE", folder.join("cache")).output().unwrap()
}

#[test]
fn a_new_folder_runs_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let made = pliant(folder.path(), &["new", "arms/first"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    assert!(String::from_utf8_lossy(&made.stdout).contains("pliant run arms/first/machine.toml"));
    let run = pliant(folder.path(), &["run", "--json", "arms/first/machine.toml"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let reported = report["diagnostics"].as_array().unwrap();
    assert!(reported.iter().all(|d| d["severity"] == "note"), "{reported:#?}");
    // Weight at the start (m g x): payload 2 kg at 1.3 m, beam of 0.718 kg at 1 m, tube of 3.757 kg at 0.35
    // m; the lift adds less than as much again.
    let weight = 9.81 * (2.0 * 1.3 + 0.718 + 3.757 * 0.35);
    let peak = report["run"]["drives"]["shoulder"]["peak"].as_f64().unwrap();
    assert!(peak > weight && peak < 2.0 * weight, "{peak} {weight}");
}

#[test]
fn what_is_there_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    let made = pliant(folder.path(), &["new", "mine"]);
    assert_eq!(made.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&made.stderr).contains("mine exists already"));
    assert_eq!(std::fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
}

#[test]
fn the_schema_is_json_and_the_page_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let schema = pliant(folder.path(), &["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["$defs"]["JointTable"]["properties"]["drive"].is_object());
    let page = pliant(folder.path(), &["schema", "--page"]);
    assert!(String::from_utf8_lossy(&page.stdout).starts_with("# The pipeline file\n"));
}
