//! `pliant run PIPELINE`: from the links to the motion of the machine.

mod progress;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant::Case;
use pliant::facts::AnalysisFacts;
use pliant::links::MachineLink;
use pliant::run::{
    CaseResult, Ending, Partial, ResultsTarget, RunOptions, default_results_path, run as run_case,
};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_store::FileKind;
use serde::Serialize;

use super::Outcome;
use super::case::{Done, Options, Report, report};
use crate::Common;
use crate::interrupt::Interrupt;
use crate::terminal::emit;

use progress::Progress;

/// Arguments of `pliant run`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// The results file, or the folder of a study; results/PIPELINE.vtkhdf or results/PIPELINE when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    study: super::study::RunOptions,
}

/// Reads, checks, reduces, moves; each only when the step before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let mut read = pliant_pipeline::read(&arguments.pipeline);
    if !read.diagnostics.has_errors() {
        if read.output.table.as_ref().is_some_and(|table| table.study.is_some()) {
            let out = arguments.out.as_deref();
            return super::study::run(read.output, &arguments.study, out, arguments.options.no_cache, common);
        }
        if let Some(option) = arguments.study.only_for_studies() {
            read.diagnostics.push(
                Diagnostic::error(format!("{option} is for files with a [study], and this file has none"))
                    .hint("a single run is a job by itself: sbatch --wrap \"pliant run PIPELINE\""),
            );
        }
    }
    let loaded = Case::new(read);
    let path = arguments.out.clone().unwrap_or_else(|| default_results_path(&arguments.pipeline));
    let target = (path, FileKind::Results);
    let report =
        report(start, loaded, target, &arguments.options, common, |case, links, path, diagnostics| {
            move_machine(case, links, path, common, diagnostics)
        });
    emit(
        common,
        |out| print_json(out, &report),
        |out, style| text::print(out, style, &report, common.quiet),
    )?;
    let complete = report.done.as_ref().is_some_and(|done| done.outcome.ending == Ending::Complete);
    Ok(if complete && report.is_good() { Outcome::Good } else { Outcome::Bad })
}

/// Runs the analyses, with a bar and Ctrl-C.
fn move_machine(
    case: &Case,
    links: &[Arc<MachineLink>],
    path: PathBuf,
    common: &Common,
    diagnostics: &mut Diagnostics,
) -> Done<CaseResult> {
    let interrupt = Interrupt::listen().unwrap_or_else(|error| {
        let message = format!("Ctrl-C will end the run at once: {error}");
        diagnostics.push(Diagnostic::warning(message));
        Interrupt::default()
    });
    let results = ResultsTarget { path, keep: pliant::keep(case.file()), partial: Partial::Keep };
    let options = RunOptions { results: Some(results), ..RunOptions::of(case) };
    let (end, show) = (case.settings().t_end, !common.quiet && !common.json);
    let mut progress = Progress::new(interrupt, end, show, options.kinds.len() > 1);
    let mut result = run_case(case, links, &options, &mut progress);
    diagnostics.extend(std::mem::take(&mut result.diagnostics));
    Done { results: result.results.take(), outcome: result }
}

/// An analysis, with the time of the complete command.
#[derive(Serialize)]
struct Analysis<'a> {
    #[serde(flatten)]
    facts: AnalysisFacts<'a>,
    seconds: f64,
}

/// The outcome of a run for programs.
#[derive(Serialize)]
struct Facts<'a> {
    /// The first kind of analysis; null when the run did not reach its end.
    run: Option<Analysis<'a>>,
    /// All kinds of analysis, the first included, in the order of the file.
    analyses: Vec<Analysis<'a>>,
}

fn print_json(out: &mut impl Write, report: &Report<CaseResult>) -> io::Result<()> {
    let result = report.done.as_ref().map(|done| &done.outcome);
    let analyses = || result.iter().flat_map(|result| &result.analyses);
    let complete = result.is_some_and(|result| result.ending == Ending::Complete);
    let facts = |found| Analysis { facts: AnalysisFacts::new(found), seconds: report.seconds };
    let run = analyses().next().filter(|_| complete).map(facts);
    report.print_json(out, Facts { run, analyses: analyses().map(facts).collect() })
}
