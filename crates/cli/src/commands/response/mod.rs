//! `pliant response PIPELINE`: the machine in the frequency domain.

mod others;
mod text;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant::Case;
use pliant::facts::ResponseFacts;
use pliant::links::MachineLink;
use pliant::response::{ResponseResult, default_response_path, response, write};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_store::FileKind;
use serde::Serialize;

use super::Outcome;
use super::case::{Done, Options, Report, report};
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
    /// The machine at a pose as one Nastran deck: K, M and B as DMIG on the GRIDs of its interfaces
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// For --deck: the pose, from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "deck")]
    pose: usize,
    #[command(flatten)]
    options: Options,
}

/// Reads, checks, reduces, linearises; each only when the step before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let loaded = pliant::load(&arguments.pipeline);
    let path = arguments.out.clone().unwrap_or_else(|| default_response_path(&arguments.pipeline));
    let target = (path, FileKind::Response);
    let report = report(start, loaded, target, &arguments.options, common, |case, links, path, found| {
        linearise(case, links, (path, arguments), found)
    });
    let result = || report.done.as_ref()?.outcome.as_ref();
    emit(
        common,
        |out| report.print_json(out, Facts::new(result(), report.seconds)),
        |out, style| text::print(out, style, &report, common.quiet),
    )?;
    let written = report.done.as_ref().is_some_and(|done| done.results.is_some());
    Ok(if written && report.is_good() { Outcome::Good } else { Outcome::Bad })
}

/// Computes what the file asks for, and writes it.
fn linearise(
    case: &Case,
    links: &[Arc<MachineLink>],
    (path, arguments): (PathBuf, &Arguments),
    diagnostics: &mut Diagnostics,
) -> Done<Option<ResponseResult>> {
    if let Some(problem) = others::impossible(case, arguments) {
        diagnostics.push(problem);
        return Done { outcome: None, results: None };
    }
    let mut result = match response(case, links) {
        Ok(result) => result,
        Err(problems) => {
            diagnostics.extend(problems);
            return Done { outcome: None, results: None };
        }
    };
    diagnostics.extend(std::mem::take(&mut result.diagnostics));
    others::write(case, links, &result, arguments, diagnostics);
    let written = write(&result, case, &path).map_err(|error| {
        let message = format!("{} cannot be written: {error}", path.display());
        diagnostics.push(Diagnostic::error(message));
    });
    Done { outcome: Some(result), results: written.ok().map(|()| path) }
}

/// The outcome for programs.
#[derive(Serialize)]
struct Facts<'a> {
    #[serde(flatten)]
    response: ResponseFacts<'a>,
    seconds: f64,
}

impl<'a> Facts<'a> {
    fn new(result: Option<&'a ResponseResult>, seconds: f64) -> Self {
        Self { response: result.map(ResponseFacts::new).unwrap_or_default(), seconds }
    }
}
