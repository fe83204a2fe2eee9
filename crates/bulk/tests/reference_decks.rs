//! Every reference deck reads into a mesh with no false error. The decks are not part of the repository.

use std::path::{Path, PathBuf};

use pliant_bulk::{DefaultProperties, Options, read_with};
use pliant_diag::{Diagnostic, Severity, SourceMap};
use pliant_mesh::{Material, MaterialId, MaterialLaw, Units};

fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no reference decks at {}", path.display());
    None
}

/// Decks that stand on their own, below a folder; files that others include or punch files have other endings
/// or names.
fn decks(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            decks(&path, found);
            continue;
        }
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ["bdf", "dat", "nas", "inp"].iter().any(|e| extension == *e) {
            found.push(path);
        }
    }
}

fn steel() -> Material {
    Material {
        id: MaterialId(1),
        density: 7.85e-9,
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: 210_000.0,
            shear_modulus: 210_000.0 / 2.6,
            poisson_ratio: 0.3,
            thermal_expansion: 0.0,
        },
        source: Default::default(),
    }
}

fn show(sources: &SourceMap, d: &Diagnostic) -> String {
    let location = d.span.map_or(String::new(), |s| {
        format!("{}:{} ", sources.file(s.file).path().display(), sources.line_column(s).line)
    });
    format!("{location}{}: {}", d.severity.as_str(), d.headline())
}

#[test]
fn every_reference_deck_reads_without_a_false_error() {
    let Some(shared) = shared() else { return };
    let mut paths = Vec::new();
    for folder in ["nastran", "fedem", "gmsh", "exudyn"] {
        decks(&shared.join(folder), &mut paths);
    }
    assert!(paths.len() > 90, "only {} decks found", paths.len());
    let mut wrong = Vec::new();
    for path in &paths {
        let bare = path.components().any(|c| c.as_os_str() == "gmsh");
        let material = bare.then(steel);
        let options = Options {
            units: Units::SI,
            default_properties: DefaultProperties { material, ..DefaultProperties::default() },
        };
        let deck = read_with(path, &options);
        let errors = deck.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        wrong.extend(errors.map(|d| format!("{}: {}", path.display(), show(&deck.output.sources, d))));
        if std::env::var_os("PLIANT_SHOW").is_some() {
            for d in deck.diagnostics.iter().filter(|d| d.severity != Severity::Error) {
                println!("{}: {}", path.display(), show(&deck.output.sources, d));
            }
        }
    }
    for line in wrong.iter().take(100) {
        println!("{line}");
    }
    assert!(wrong.is_empty(), "{} errors", wrong.len());
}

/// How often each card occurs, against the counts in the references, which were made with another program.
#[test]
fn card_counts_are_those_of_the_references() {
    let Some(shared) = shared() else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    let cases = std::fs::read_dir(shared.join("nastran")).expect("the folder can be read").flatten();
    for case in cases.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let text = std::fs::read_to_string(case.join("reference.json")).expect("each case has its reference");
        let reference: serde_json::Value = serde_json::from_str(&text).expect("the reference is JSON");
        for run in reference["runs"].as_array().into_iter().flatten() {
            let (Some(name), Some(counts)) = (run["deck"].as_str(), run["all_cards"].as_object()) else {
                continue;
            };
            let deck = read_with(case.join(name), &Options::default());
            let found: std::collections::BTreeMap<&str, u64> =
                deck.output.cards.iter().map(|(card, count)| (card.as_str(), count.count as u64)).collect();
            let mut expected: std::collections::BTreeMap<&str, u64> =
                counts.iter().map(|(card, count)| (card.as_str(), count.as_u64().unwrap_or(0))).collect();
            if name == "nas_s30_corner_stress_strain_hex20.DAT" {
                // The program that counted passed over `  PARAM, POST,-1`, which stands indented in the deck.
                expected.insert("PARAM", 1);
            }
            compared += 1;
            if found != expected {
                wrong.push(format!(
                    "{}/{name}\n  found    {found:?}\n  expected {expected:?}",
                    case.display()
                ));
            }
        }
    }
    assert!(compared > 50, "only {compared} decks have counts");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
