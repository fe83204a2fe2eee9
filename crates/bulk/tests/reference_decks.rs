//! Every reference deck is read without a false error, and its cards are counted as pyNastran counts them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pliant_bulk::read_cards;
use pliant_diag::Severity;

/// The folder of reference data, which is not part of the project.
fn shared() -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    if path.is_dir() {
        Some(path.to_owned())
    } else {
        eprintln!("SKIPPED: no reference decks at {}", path.display());
        None
    }
}

fn counts(path: &Path) -> (BTreeMap<String, u64>, Vec<String>) {
    let read = read_cards(path);
    let mut counts = BTreeMap::new();
    for card in &read.output.cards {
        *counts.entry(card.name().to_owned()).or_default() += 1;
    }
    let problems = read.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    (counts, problems.map(|d| d.headline()).collect())
}

#[test]
fn cards_are_counted_as_pynastran_counts_them() {
    let Some(shared) = shared() else { return };
    let mut runs = 0;
    for folder in std::fs::read_dir(shared.join("nastran")).unwrap() {
        let folder = folder.unwrap().path();
        let Ok(text) = std::fs::read_to_string(folder.join("reference.json")) else { continue };
        let reference: serde_json::Value = serde_json::from_str(&text).unwrap();
        for run in reference["runs"].as_array().unwrap() {
            let deck = folder.join(run["deck"].as_str().unwrap());
            let mut expected: BTreeMap<String, u64> =
                serde_json::from_value(run["all_cards"].clone()).unwrap();
            // pyNastran takes this deck's indented `  PARAM, POST,-1` for a continuation.
            if deck.ends_with("nas_s30_corner_stress_strain_hex20.DAT") {
                expected.insert("PARAM".to_owned(), 1);
            }
            let (found, errors) = counts(&deck);
            assert_eq!(errors, [""; 0], "{}", deck.display());
            assert_eq!(found, expected, "{}", deck.display());
            runs += 1;
        }
    }
    assert!(runs > 50, "found only {runs} reference runs");
}

#[test]
fn decks_of_fedem_gmsh_and_exudyn_are_read() {
    let Some(shared) = shared() else { return };
    let mut decks = Vec::new();
    for folder in ["fedem", "gmsh", "exudyn"] {
        find_decks(&shared.join(folder), &mut decks);
    }
    assert!(decks.len() > 30, "found only {} decks", decks.len());
    for deck in decks {
        let (counts, errors) = counts(&deck);
        assert_eq!(errors, [""; 0], "{}", deck.display());
        // An independent count: lines that begin with the word.
        let text = std::fs::read(&deck).unwrap();
        for name in ["GRID", "CTETRA", "CQUAD4", "CHEXA", "RBE2", "MAT1", "CBAR"] {
            let lines = text.split(|b| *b == b'\n').filter(|line| {
                line.starts_with(name.as_bytes())
                    && line.get(name.len()).is_some_and(|b| b" ,*\t".contains(b))
            });
            let expected = lines.count() as u64;
            assert_eq!(counts.get(name).copied().unwrap_or(0), expected, "{name} in {}", deck.display());
        }
    }
}

fn find_decks(folder: &Path, decks: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            find_decks(&path, decks);
        } else if path.extension().is_some_and(|e| e == "bdf" || e == "nas") {
            decks.push(path);
        }
    }
}
