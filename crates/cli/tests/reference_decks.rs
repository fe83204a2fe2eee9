//! `pliant check` on the reference decks: no false error, cards counted as pyNastran does, mass as the
//! solvers say.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// The reference data, which is not part of the project.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nastran");

#[test]
fn masses_are_those_of_the_solvers() {
    if !Path::new(SHARED).is_dir() {
        eprintln!("SKIPPED: no reference decks at {SHARED}");
        return;
    }
    let mut runs: Vec<(String, Value)> = Vec::new();
    for folder in std::fs::read_dir(SHARED).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(text) = std::fs::read_to_string(folder.join("reference.json")) else { continue };
        let reference: Value = serde_json::from_str(&text).unwrap();
        for run in reference["runs"].as_array().unwrap() {
            let deck = folder.join(run["deck"].as_str().unwrap());
            runs.push((deck.display().to_string(), run.clone()));
        }
    }
    let decks: Vec<&String> = runs.iter().map(|(deck, _)| deck).collect();
    let output =
        Command::cargo_bin("pliant").unwrap().arg("check").args(decks).arg("--json").output().unwrap();
    let facts: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(facts.len(), runs.len());
    let mut compared = 0;
    for ((deck, run), facts) in runs.iter().zip(&facts) {
        let problems = facts["diagnostics"].as_array().unwrap();
        let errors: Vec<_> = problems.iter().filter(|d| d["severity"] == "error").collect();
        assert!(errors.is_empty(), "{deck}: {errors:#?}");
        let expected: BTreeMap<String, u64> = serde_json::from_value(run["all_cards"].clone()).unwrap();
        for (card, count) in expected {
            assert_eq!(facts["cards"][&card]["count"].as_u64(), Some(count), "{deck}: {card}");
        }
        let solver = run["mass_check"]["gpwg_x_WTMASS"].as_f64();
        let second_opinion = run["pynastran_mass"]["mass_with_WTMASS_applied"].as_f64();
        // pyNastran's 0 may mean that it did not see the superelements.
        if let Some(mass) = solver.or(second_opinion).filter(|mass| *mass > 0.0) {
            let found = facts["mass"].as_f64().unwrap();
            // The solvers print seven digits.
            assert!((found / mass - 1.0).abs() < 1e-6, "{deck}: {found} instead of {mass}");
            compared += 1;
        }
    }
    assert!(compared > 25, "only {compared} masses to compare");
}
