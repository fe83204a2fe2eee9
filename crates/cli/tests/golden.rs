//! Promise 8 of docs/guarantees.md: files of every version that was released are read, with the numbers that
//! they were written with.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use pliant_machine::Plan;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");

/// Folders of all versions of a format.
fn versions(format: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir(GOLDEN).unwrap().map(|entry| entry.unwrap().path());
    let of_format = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.strip_prefix(format).is_some_and(|rest| rest.starts_with('-'))
    };
    let mut found: Vec<_> = folders.filter(of_format).collect();
    found.sort();
    assert!(!found.is_empty(), "{format} has no golden files");
    found
}

fn pliant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("pliant"));
    let output = command.args(arguments).current_dir(folder).env("PLIANT_CACHE", folder).output().unwrap();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&text));
    output
}

#[test]
fn every_version_has_its_golden_files() {
    let wanted = [
        ("results", pliant_store::results::RESULTS_VERSION),
        ("cache", pliant_store::SCHEMA_VERSION),
        ("study", pliant_study::STUDY_FORMAT),
        ("pipeline", pliant_pipeline::PIPELINE_FORMAT),
    ];
    for (format, version) in wanted {
        let folder = Path::new(GOLDEN).join(format!("{format}-{version}"));
        assert!(
            folder.is_dir(),
            "{} is missing: scripts/golden writes it, see CONTRIBUTING.md",
            folder.display()
        );
    }
}

#[test]
fn golden_results_have_their_numbers() {
    for golden in versions("results") {
        let work = tempfile::tempdir().unwrap();
        let file = golden.join("rod.vtkhdf");
        pliant(work.path(), &["export", file.to_str().unwrap(), "--csv", "rod.csv"]);
        let (found, expected) = (fs::read(work.path().join("rod.csv")), fs::read(golden.join("rod.csv")));
        assert_eq!(found.unwrap(), expected.unwrap(), "{}", golden.display());
        pliant(work.path(), &["show", file.to_str().unwrap()]);
    }
}

#[test]
fn golden_studies_are_merged_to_their_tables() {
    for golden in versions("study") {
        let work = tempfile::tempdir().unwrap();
        fs::create_dir(work.path().join("segments")).unwrap();
        for name in ["study.json", "pipeline.toml", "cases.csv"] {
            fs::copy(golden.join(name), work.path().join(name)).unwrap();
        }
        for segment in fs::read_dir(golden.join("segments")).unwrap().map(|entry| entry.unwrap()) {
            fs::copy(segment.path(), work.path().join("segments").join(segment.file_name())).unwrap();
        }
        pliant(work.path(), &["merge", "."]);
        let (found, expected) =
            (fs::read(work.path().join("results.csv")), fs::read(golden.join("results.csv")));
        assert_eq!(found.unwrap(), expected.unwrap(), "{}", golden.display());
        // What was merged then holds the same columns as what is merged now.
        let column = |path: PathBuf| {
            let file = hdf5::File::open(path).unwrap();
            file.dataset("metrics/worst").unwrap().read_raw::<f64>().unwrap()
        };
        assert_eq!(column(golden.join("study.h5")), column(work.path().join("study.h5")));
    }
}

#[test]
fn golden_pipeline_files_are_read_without_a_word() {
    for path in versions("pipeline").iter().flat_map(|golden| fs::read_dir(golden).unwrap()) {
        let path = path.unwrap().path();
        let read = pliant_pipeline::read(&path);
        assert!(read.diagnostics.is_empty(), "{}: {:?}", path.display(), read.diagnostics);
        let planned = Plan::new(&read.output);
        assert!(
            planned.output.is_some() && planned.diagnostics.is_empty(),
            "{}: {:?}",
            path.display(),
            planned.diagnostics
        );
    }
}
