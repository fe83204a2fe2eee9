//! The reference decks and what other solvers said about them.

use std::path::{Path, PathBuf};

use pliant_diag::Severity;
use pliant_mesh::{LinkMesh, Units};
use serde_json::Value;

/// One run of a case.
pub(crate) struct Run {
    /// Case and deck, for tables.
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) deck: PathBuf,
    pub(crate) kind: String,
    pub(crate) tolerance: f64,
    pub(crate) json: Value,
}

/// All runs, or `None` with a visible line when the data is not there.
pub(crate) fn runs() -> Option<Vec<Run>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nastran"));
    if !root.is_dir() {
        println!("SKIPPED: {} is not there", root.display());
        return None;
    }
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    let mut runs = Vec::new();
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("reference.json")).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let case = folder.file_name().unwrap().to_string_lossy().into_owned();
        for run in json["runs"].as_array().unwrap() {
            let deck = run["deck"].as_str().unwrap();
            // CQUAD8: 20 %, as the reference's own note says (formulations differ).
            let tolerance = if deck.starts_with("CQUAD8") {
                0.2
            } else {
                json["suggested_rel_tolerance"]["value"].as_f64().unwrap()
            };
            runs.push(Run {
                name: format!("{case}/{deck}"),
                deck: folder.join(deck),
                folder: folder.clone(),
                kind: run["kind"].as_str().unwrap().to_owned(),
                tolerance,
                json: run.clone(),
            });
        }
    }
    Some(runs)
}

/// The mesh of a deck, or its errors in one line.
pub(crate) fn mesh(deck: &Path) -> Result<LinkMesh, String> {
    let read = pliant_bulk::read(deck, Units::SI);
    let errors: Vec<String> =
        read.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.headline()).collect();
    if errors.is_empty() { Ok(read.output.mesh) } else { Err(first_few(&errors)) }
}

/// A few lines, joined.
pub(crate) fn first_few(lines: &[String]) -> String {
    let shown: Vec<&str> = lines.iter().take(3).map(String::as_str).collect();
    format!("{} problems: {}", lines.len(), shown.join(" | "))
}

/// A line of a table.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) tolerance: f64,
    /// The error and a note, or why there is none.
    pub(crate) result: Result<(f64, String), String>,
}

/// Runs that miss their suggested tolerance for a known reason. One of them at least must: an entry that no
/// longer applies fails the test.
pub(crate) struct Known {
    /// How the name of the line begins.
    pub(crate) name: &'static str,
    /// What is allowed instead; `None` when it is refused.
    pub(crate) allowed: Option<f64>,
    pub(crate) reason: &'static str,
}

impl Known {
    fn covers(&self, line: &Line) -> bool {
        line.name.starts_with(self.name)
    }

    /// Whether one of the runs it covers needs it.
    fn applies(&self, lines: &[Line]) -> bool {
        lines.iter().filter(|line| self.covers(line)).any(|line| match &line.result {
            // An error that is not a number is out of any tolerance.
            Ok((error, _)) => error.is_nan() || *error > line.tolerance,
            Err(_) => self.allowed.is_none(),
        })
    }
}

/// Prints one line per run and fails at the end if any run is out of its tolerance, or if an exception is no
/// longer one.
pub(crate) fn judge(title: &str, lines: &[Line], known: &[Known]) {
    println!("\n{title}\n{:<76} {:>9} {:>9}", "case / run", "error", "allowed");
    let mut bad = Vec::new();
    for line in lines {
        let Line { name, tolerance, result } = line;
        let exception = known.iter().find(|k| k.covers(line));
        let allowed = exception.and_then(|k| k.allowed).unwrap_or(*tolerance);
        let reason = exception.map_or(String::new(), |k| format!(" KNOWN: {}", k.reason));
        let (good, text) = match result {
            Ok((error, note)) => {
                (*error <= allowed, format!("{error:>9.1e} {allowed:>9.1e}  {note}{reason}"))
            }
            Err(message) => {
                let refused = exception.is_some_and(|k| k.allowed.is_none());
                (refused, format!("{:>9} {tolerance:>9.1e}  {message}{reason}", "none"))
            }
        };
        println!("{name:<76} {text}{}", if good { "" } else { "  <-- OUT" });
        if !good {
            bad.push(name.as_str());
        }
    }
    assert!(!lines.is_empty(), "no run was found");
    assert!(bad.is_empty(), "{} of {} are out: {bad:#?}", bad.len(), lines.len());
    let stale: Vec<&str> = known.iter().filter(|k| !k.applies(lines)).map(|k| k.name).collect();
    assert!(stale.is_empty(), "KNOWN no longer applies to {stale:#?}: take it out");
}

#[test]
fn an_exception_that_no_longer_applies_is_found() {
    let line = |name: &str, result| Line { name: name.to_owned(), tolerance: 0.02, result };
    let known = |name, allowed| Known { name, allowed, reason: "" };
    let lines = [
        line("plate/a", Ok((0.03, String::new()))),
        line("plate/b", Ok((0.01, String::new()))),
        line("ring", Err("refused".to_owned())),
    ];
    let applies = |name, allowed| known(name, allowed).applies(&lines);
    assert!(applies("plate/a", Some(0.04)) && applies("plate/", Some(0.04)) && applies("ring", None));
    assert!(!applies("plate/b", Some(0.04)) && !applies("plate/b", None));
    assert!(!applies("shell", Some(0.04)) && !applies("ring", Some(0.04)));
}
