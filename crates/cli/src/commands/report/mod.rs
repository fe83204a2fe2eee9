//! `pliant report FILE_OR_DIR`: one HTML file that shows a run, a response, shapes of a deck or a study.

mod study;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant_store::results::{DeckShapes, ResultsError};
use pliant_store::{FileKind, Output, ResponseResults, may_write, write_file};
use pliant_study::StudyError;
use serde::Serialize;
use thiserror::Error;

use super::Outcome;
use crate::Common;
use crate::guarded;
use crate::number::bytes;
use crate::terminal::{self, complain, output};

/// Arguments of `pliant report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A results file, a file of `response`, the shapes that `modes`, `buckling` or `static` wrote with
    /// --out, or the folder of a study
    #[arg(value_name = "FILE_OR_DIR")]
    pub(super) results: PathBuf,
    /// The report (beside the results, ending in .html, when left out)
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Largest number of frames of the machine (as many as the file has, where they fit into memory, when
    /// left out)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Replace files of other kinds that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

/// The facts for machines.
#[derive(Serialize)]
struct Facts {
    results: String,
    /// Null when none could be made.
    report: Option<String>,
    bytes: u64,
    /// Null when all went well.
    error: Option<String>,
}

/// Reads the results and writes the page.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let out = arguments.out.clone().unwrap_or_else(|| default_path(&arguments.results));
    let target = Output { path: &out, kind: FileKind::Report, force: arguments.force };
    let cannot = |error: io::Error| ReportError::Write { path: out.clone(), error };
    let allowed = may_write(target, [arguments.results.as_path()]).map_err(cannot);
    let made = allowed.and_then(|()| page(arguments)).and_then(|html| {
        write_file(&out, html.as_bytes()).map_err(cannot)?;
        Ok(html.len() as u64)
    });
    let mut facts =
        Facts { results: arguments.results.display().to_string(), report: None, bytes: 0, error: None };
    match made {
        Ok(size) => (facts.report, facts.bytes) = (Some(out.display().to_string()), size),
        Err(error) => facts.error = Some(error.to_string()),
    }
    let (mut stdout, _) = output();
    if common.json {
        terminal::json(&mut stdout, &facts)?;
    } else if let Some(error) = &facts.error {
        complain(format_args!("error: {error}"));
    } else if !common.quiet {
        writeln!(stdout, "report: {} ({})", out.display(), bytes(facts.bytes))?;
    }
    stdout.flush()?;
    Ok(if facts.error.is_none() { Outcome::Good } else { Outcome::Bad })
}

/// Beside the results file; in the folder of a study.
fn default_path(results: &Path) -> PathBuf {
    if results.is_dir() { results.join("report.html") } else { results.with_extension("html") }
}

/// Why there is no report.
#[derive(Debug, Error)]
enum ReportError {
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error("{} cannot be written: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

fn page(arguments: &Arguments) -> Result<String, ReportError> {
    if arguments.results.is_dir() {
        return Ok(study::study(&arguments.results)?.into_html());
    }
    if let Some(file) = ResponseResults::open(&arguments.results)? {
        return Ok(pliant::report::response(&file)?.into_html());
    }
    if let Some(file) = DeckShapes::read(&arguments.results)? {
        return Ok(pliant::report::shapes(&file, &arguments.results)?.into_html());
    }
    let file = guarded::open(&arguments.results)?;
    let run = pliant::report::run(&file, arguments.frames.map(|frames| frames as usize))?;
    Ok(run.into_html())
}
