//! `pliant run PIPELINE`: from the links to the motion of the machine.

mod json;
mod progress;
mod text;

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use pliant::run::{
    AnalysisResult, Ending, Partial, ResultsTarget, RunOptions, default_results_path, run as run_case,
};
use pliant::{Case, LoadFailure};
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_store::{FileKind, Output};

use super::Outcome;
use super::links::machine_links;
use super::reduce::facts::LinkFacts;
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
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
    /// Reduce every link anew and keep nothing
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    study: super::study::RunOptions,
}

/// The outcome of a run, for text and JSON.
#[derive(Default)]
struct Report {
    /// With locations in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    /// Those that reached their end, in the order of the file.
    analyses: Vec<AnalysisResult>,
    /// The results file, once it is complete.
    results: Option<PathBuf>,
    /// All analyses reached their end and are stored.
    complete: bool,
    /// Of the complete command.
    seconds: f64,
}

/// Reads, checks, reduces, moves; each only when the step before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let mut read = pliant_pipeline::read(&arguments.pipeline);
    if !read.diagnostics.has_errors() {
        if read.output.table.as_ref().is_some_and(|table| table.study.is_some()) {
            let out = arguments.out.as_deref();
            return super::study::run(read.output, &arguments.study, out, arguments.no_cache, common);
        }
        if let Some(option) = arguments.study.only_for_studies() {
            read.diagnostics.push(
                Diagnostic::error(format!("{option} is for files with a [study], and this file has none"))
                    .hint("a single run is a job by itself: sbatch --wrap \"pliant run PIPELINE\""),
            );
        }
    }
    let mut report = Report::default();
    let file = match Case::new(read) {
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
    let good =
        report.complete && !report.diagnostics.has_errors() && report.links.iter().all(LinkFacts::is_good);
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

impl Report {
    fn work(&mut self, case: &Case, arguments: &Arguments, common: &Common) {
        let path = arguments.out.clone().unwrap_or_else(|| default_results_path(&arguments.pipeline));
        let target = Output { path: &path, kind: FileKind::Results, force: arguments.force };
        let (links, facts) = machine_links(case, target, arguments.no_cache, common, &mut self.diagnostics);
        self.links = facts;
        let Some(links) = links else { return };
        let interrupt = Interrupt::listen().unwrap_or_else(|error| {
            let message = format!("Ctrl-C will end the run at once: {error}");
            self.diagnostics.push(Diagnostic::warning(message));
            Interrupt::default()
        });
        let results = ResultsTarget { path, keep: pliant::keep(case.file()), partial: Partial::Keep };
        let options = RunOptions { results: Some(results), ..RunOptions::of(case) };
        let end = case.settings().t_end;
        let mut progress =
            Progress::new(interrupt, end, !common.quiet && !common.json, options.kinds.len() > 1);
        let result = run_case(case, &links, &options, &mut progress);
        self.diagnostics.extend(result.diagnostics);
        self.complete = result.ending == Ending::Complete;
        self.analyses = result.analyses;
        self.results = result.results;
    }
}
