//! Files that the program itself wrote: studies, results, cache entries.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pliant_machine::Links;
use pliant_store::Cache;
use pliant_store::results::{ResultsFile, has_seal};
use pliant_study::{Manifest, Study, read_segment};
use sha2::{Digest, Sha256};

use crate::seeds::STUDY;

/// Between the three texts of a study.
const BETWEEN: &str = "\n%%%%\n";
/// Results of a golden file, see tests/golden.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/results-1/rod.vtkhdf");

/// A folder for the files of this process. [`clean`] removes it.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder =
            tempfile::Builder::new().prefix("pliant-fuzz").tempdir().expect("a folder for temporary files");
        folder.keep()
    })
}

/// Removes the files of this process.
pub fn clean() {
    // What cannot be removed is in the folder of temporary files.
    let _ = fs::remove_dir_all(folder());
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The three texts of a study that was saved.
pub(crate) fn manifests() -> Vec<Vec<u8>> {
    let file = pliant_pipeline::from_text(Path::new("/nonexistent/machine.toml"), STUDY.to_owned());
    let planned = pliant_study::plan::Plan::new(file.output).0;
    let plan = planned.output.unwrap_or_else(|| panic!("the seed is a study: {:?}", planned.diagnostics));
    let saved = folder().join("study");
    plan.save(&saved).unwrap_or_else(|error| panic!("a study is saved: {}", error.message));
    let text = |name: &str| fs::read_to_string(saved.join(name)).expect("a study has its files");
    vec![["study.json", "pipeline.toml", "cases.csv"].map(text).join(BETWEEN).into_bytes()]
}

/// A manifest as somebody may have written it: with the hashes that belong to its damaged texts, and without.
pub(crate) fn manifest(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut parts = text.split(BETWEEN);
    let [json, toml, csv] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let _ = Study::from_parts(Path::new("/nonexistent"), json, toml.to_owned(), csv);
    let Ok(mut manifest) = serde_json::from_str::<Manifest>(json) else { return };
    manifest.pipeline_sha256 = hex(toml.as_bytes());
    manifest.cases_sha256 = hex(csv.as_bytes());
    manifest.hash = manifest.own_hash();
    let json = serde_json::to_string(&manifest).expect("invariant: a manifest is plain data");
    let _ = Study::from_parts(Path::new("/nonexistent"), &json, toml.to_owned(), csv);
}

pub(crate) fn segments() -> Vec<Vec<u8>> {
    let header = r#"{"pliant_segment":1,"study":"s","columns":["a","b"]}"#;
    let done = r#"{"case":0,"input":"0123456789abcdef","status":"done","seconds":0.1,"values":[1.5,null]}"#;
    let failed = r#"{"case":1,"input":"0123456789abcdef","status":"failed","reason":"x","seconds":2,"values":[null,null]}"#;
    vec![format!("{header}\n{done}\n{failed}\n").into_bytes()]
}

/// The lines of a segment with the last line that belongs to them, and without.
pub(crate) fn segment(bytes: &[u8]) {
    let _ = read_segment(bytes, "s", &["a", "b"]);
    let rows = bytes.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
    let footer = format!("{{\"rows\":{rows},\"sha256\":\"{}\"}}\n", hex(bytes));
    let _ = read_segment(&[bytes, footer.as_bytes()].concat(), "s", &["a", "b"]);
}

pub(crate) fn results_files() -> Vec<Vec<u8>> {
    vec![fs::read(RESULTS).expect("tests/golden has results")]
}

/// A results file with a seal. One without is read by a child process of the command line alone, because
/// libhdf5 may crash; `crates/cli/tests/guarantees/damage.rs` does that.
pub(crate) fn results(bytes: &[u8]) {
    let path = folder().join("r.vtkhdf");
    if fs::write(&path, bytes).is_err() || !has_seal(&path) {
        return;
    }
    let Ok(file) = ResultsFile::open(&path) else { return };
    for (_, prefix) in file.analyses() {
        for path in file.along_time(&prefix).unwrap_or_default() {
            let _ = file.series(&path);
        }
        let _ = (file.metrics(&prefix), file.warnings(&prefix));
    }
    let _ = file.inputs();
}

const BEAM: &str = "[links.rod]\n\
    beam = { length = 1.0, elements = 2, section = { rod = 0.04 }, material = \"steel\" }\nmodes = { count = 2 }\n";

fn beam() -> &'static Links {
    static LINKS: OnceLock<Links> = OnceLock::new();
    LINKS.get_or_init(|| {
        let file = pliant_pipeline::from_text(Path::new("/nonexistent/m.toml"), BEAM.to_owned()).output;
        pliant_machine::links(&file).output
    })
}

/// Makes the link of [`beam`] with a cache; true when it came from there.
fn beam_link(cache: &Cache) -> bool {
    let request = beam().requests.first().expect("the seed has a link");
    let Ok(made) = pliant::link::reduce(request, Some(cache)) else { panic!("a beam is reduced") };
    made.from_cache
}

fn cache_folder() -> Cache {
    Cache::at(folder().join("cache"))
}

pub(crate) fn cache_entries() -> Vec<Vec<u8>> {
    beam_link(&cache_folder());
    let entries = cache_folder().entries().expect("a cache with an entry");
    entries.iter().map(|entry| fs::read(&entry.path).expect("an entry can be read")).collect()
}

/// A damaged entry is reduced again, and the new entry is found the next time.
pub(crate) fn cache(bytes: &[u8]) {
    static INTACT: OnceLock<(PathBuf, Vec<u8>)> = OnceLock::new();
    let (path, intact) = INTACT.get_or_init(|| {
        let bytes = cache_entries().remove(0);
        (cache_folder().entries().expect("a cache with an entry").remove(0).path, bytes)
    });
    if fs::write(path, bytes).is_ok() {
        let found = beam_link(&cache_folder());
        assert_eq!(found, bytes == intact.as_slice(), "a damaged entry is not used, an intact one is");
    }
}
