//! `pliant response PIPELINE`: the machine in the frequency domain.

mod json;
mod text;

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use pliant::response::{ResponseResult, default_response_path, response, write};
use pliant::{Case, LoadFailure};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_store::{FileKind, Output};

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
    fn work(&mut self, case: &Case, arguments: &Arguments, common: &Common) {
        let path = arguments.out.clone().unwrap_or_else(|| default_response_path(&arguments.pipeline));
        let target = Output { path: &path, kind: FileKind::Response, force: arguments.force };
        let (links, facts) = machine_links(case, target, arguments.no_cache, common, &mut self.diagnostics);
        self.links = facts;
        let Some(links) = links else { return };
        match response(case, &links) {
            Ok(mut result) => {
                self.diagnostics.extend(std::mem::take(&mut result.diagnostics));
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
