//! `pliant response PIPELINE`: the machine in the frequency domain.

mod json;
mod mat;
mod text;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use pliant::links::MachineLink;
use pliant::response::{ResponseResult, deck, default_response_path, response, write};
use pliant::{Case, LoadFailure};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_store::{FileKind, Output, may_write, write_file};

use super::Outcome;
use super::links::machine_links;
use super::reduce::facts::LinkFacts;
use crate::Common;
use crate::terminal::emit;

/// Arguments of `pliant response`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file, with a [response]
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// The results; results/PIPELINE.response.h5 when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A, B, C, D of all poses as a MAT-file, and those with fewer states; needs `state_space = true`
    #[arg(long, value_name = "FILE")]
    mat: Option<PathBuf>,
    /// The machine at a pose as one Nastran deck: modes as SPOINTs with DMIG, interfaces as GRIDs
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// For --deck: the pose, from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "deck")]
    pose: usize,
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
    /// Reduce every link anew and keep nothing
    #[arg(long)]
    no_cache: bool,
}

/// The outcome, for text and JSON.
#[derive(Default)]
struct Report {
    /// With locations in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    result: Option<ResponseResult>,
    /// The results file, once it is complete.
    results: Option<PathBuf>,
    /// What else was written.
    also: Vec<PathBuf>,
    seconds: f64,
}

/// Reads, checks, reduces, linearises; each only when the step before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let mut report = Report::default();
    let file = match pliant::load(&arguments.pipeline) {
        Ok(Warned { output: case, diagnostics }) => {
            report.diagnostics = diagnostics;
            report.work(&case, arguments, common);
            case.into_file()
        }
        Err(failure) => {
            let LoadFailure { file, diagnostics } = *failure;
            report.diagnostics = diagnostics;
            file
        }
    };
    report.seconds = start.elapsed().as_secs_f64();
    emit(
        common,
        |out| json::print(out, &report, &file),
        |out, style| text::print(out, style, &report, &file, common.quiet),
    )?;
    let good = report.results.is_some() && !report.diagnostics.has_errors();
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

impl Report {
    /// The MAT-file and the deck, each when it is asked for.
    fn others(
        &mut self,
        case: &Case,
        links: &[Arc<MachineLink>],
        result: &ResponseResult,
        arguments: &Arguments,
    ) {
        if let Some(path) = &arguments.mat {
            let made = match result.poses.iter().any(|pose| pose.state_space.is_some()) {
                true => {
                    self.may(path, FileKind::Mat, arguments) && self.wrote(path, mat::write(path, result))
                }
                false => {
                    let hint = "state_space = true";
                    let message = "`--mat` needs the state space, and `[response]` does not ask for it";
                    self.diagnostics.push(Diagnostic::error(message).hint(hint));
                    false
                }
            };
            self.also.extend(made.then(|| path.clone()));
        }
        if let Some(path) = &arguments.deck {
            match deck(case, links, arguments.pose) {
                Ok(text) => {
                    let made = self.may(path, FileKind::Bulk, arguments)
                        && self.wrote(path, write_file(path, text.as_bytes()));
                    self.also.extend(made.then(|| path.clone()));
                }
                Err(problems) => self.diagnostics.extend(problems),
            }
        }
    }

    fn may(&mut self, path: &Path, kind: FileKind, arguments: &Arguments) -> bool {
        let target = Output { path, kind, force: arguments.force };
        self.wrote(path, may_write(target, [arguments.pipeline.as_path()]))
    }

    fn wrote(&mut self, path: &Path, outcome: io::Result<()>) -> bool {
        if let Err(error) = &outcome {
            let message = format!("{} cannot be written: {error}", path.display());
            self.diagnostics.push(Diagnostic::error(message));
        }
        outcome.is_ok()
    }

    fn work(&mut self, case: &Case, arguments: &Arguments, common: &Common) {
        let path = arguments.out.clone().unwrap_or_else(|| default_response_path(&arguments.pipeline));
        let target = Output { path: &path, kind: FileKind::Response, force: arguments.force };
        let (links, facts) = machine_links(case, target, arguments.no_cache, common, &mut self.diagnostics);
        self.links = facts;
        let Some(links) = links else { return };
        match response(case, &links) {
            Ok(mut result) => {
                self.diagnostics.extend(std::mem::take(&mut result.diagnostics));
                self.others(case, &links, &result, arguments);
                match write(&result, case, &path) {
                    Ok(()) => self.results = Some(path),
                    Err(error) => {
                        let message = format!("{} cannot be written: {error}", path.display());
                        self.diagnostics.push(Diagnostic::error(message));
                    }
                }
                self.result = Some(result);
            }
            Err(problems) => self.diagnostics.extend(problems),
        }
    }
}
