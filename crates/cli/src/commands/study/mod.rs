//! Studies: `run` with a `[study]` table, `resume`, `status`, `cancel`, `merge`, and the worker that jobs
//! run.

mod cluster;
mod dry;
mod findings;
mod local;
mod progress;
mod signals;
mod status;
mod worker;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant::facts::diagnostics as diagnostic_facts;
use pliant_diag::{Diagnostic, Diagnostics, SourceMap};
use pliant_pipeline::PipelineFile;
use pliant_study::here::unfinished;
use pliant_study::plan::Plan;
use pliant_study::{Study, StudyError};
use serde_json::json;

use super::Outcome;
use crate::Common;
use crate::render;
use crate::terminal::{self, Out, emit, output};

pub(crate) use worker::{Arguments as WorkerArguments, run as work};

/// What `pliant run` takes for a study.
#[derive(Debug, clap::Args)]
pub(crate) struct RunOptions {
    /// Show the cases, the distinct reductions and an estimate of time and disk, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// Run the study on a cluster
    #[arg(long, value_name = "WHERE")]
    on: Option<RunOn>,
}

/// Where a study runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RunOn {
    /// Array jobs of Slurm
    Slurm,
}

impl RunOptions {
    /// What needs a `[study]` to mean anything.
    pub(crate) fn only_for_studies(&self) -> Option<&'static str> {
        if self.dry_run {
            Some("--dry-run")
        } else if self.on.is_some() {
            Some("--on")
        } else {
            None
        }
    }
}

/// A study's folder.
#[derive(Debug, clap::Args)]
pub(crate) struct FolderArguments {
    /// The study's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Arguments of `pliant resume`.
#[derive(Debug, clap::Args)]
pub(crate) struct ResumeArguments {
    /// The study's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Run failed cases again, too
    #[arg(long)]
    retry_failed: bool,
    /// Go on, on a cluster
    #[arg(long, value_name = "WHERE")]
    on: Option<RunOn>,
    /// Print the scripts of the cluster and submit nothing
    #[arg(long, requires = "on")]
    dry_run: bool,
    /// Reduce every link again and store nothing in the cache
    #[arg(long)]
    no_cache: bool,
}

/// `pliant run` of a file with a `[study]`.
pub(crate) fn run(
    file: PipelineFile,
    options: &RunOptions,
    out: Option<&Path>,
    no_cache: bool,
    common: &Common,
) -> io::Result<Outcome> {
    let stem = file.path.file_stem().map_or_else(|| "study".into(), PathBuf::from);
    let folder = out.map_or_else(|| Path::new("results").join(stem), Path::to_owned);
    let (planned, file) = Plan::new(file);
    let Some(plan) = planned.output else {
        let nothing = SourceMap::new();
        let sources = file.as_ref().map_or(&nothing, |file| &file.sources);
        return complain(&planned.diagnostics, sources, common);
    };
    if options.dry_run && options.on.is_none() {
        return dry::run(plan, no_cache, common);
    }
    if options.dry_run {
        return cluster::preview(&plan.unsaved(), &folder, common);
    }
    let study = match plan.save(&folder) {
        Ok(study) => study,
        Err(error) => return refuse(&error, common),
    };
    go_on(&study, false, options.on, no_cache, common)
}

/// `pliant resume DIR`.
pub(crate) fn resume(arguments: &ResumeArguments, common: &Common) -> io::Result<Outcome> {
    let study = match Study::open(&arguments.folder) {
        Ok(study) => study,
        Err(error) => return refuse(&error, common),
    };
    if arguments.dry_run {
        return cluster::preview(&study, &arguments.folder, common);
    }
    go_on(&study, arguments.retry_failed, arguments.on, arguments.no_cache, common)
}

fn go_on(
    study: &Study,
    retry_failed: bool,
    on: Option<RunOn>,
    no_cache: bool,
    common: &Common,
) -> io::Result<Outcome> {
    let cases = match unfinished(study, retry_failed) {
        Ok(cases) => cases,
        Err(error) => return refuse(&error, common),
    };
    match on {
        Some(RunOn::Slurm) => cluster::run(study, &cases, common),
        // Without an answer from the scheduler the cases run here: at worst some run twice, and agree.
        None => match cluster::tasks_left(study) {
            Ok(left) if left > 0 => refuse(&cluster::still_busy(left), common),
            _ => local::run(study, retry_failed, no_cache, common),
        },
    }
}

/// `pliant status DIR`.
pub(crate) fn status(arguments: &FolderArguments, common: &Common) -> io::Result<Outcome> {
    match Study::open_manifest(&arguments.folder).and_then(|study| status::Standing::of(&study)) {
        Ok(standing) => standing.print(common),
        Err(error) => refuse(&error, common),
    }
}

/// `pliant merge DIR`.
pub(crate) fn merge(arguments: &FolderArguments, common: &Common) -> io::Result<Outcome> {
    match Study::open_manifest(&arguments.folder) {
        Ok(study) => findings::merge_and_print(&study, common),
        Err(error) => refuse(&error, common),
    }
}

/// `pliant cancel DIR`.
pub(crate) fn cancel(arguments: &FolderArguments, common: &Common) -> io::Result<Outcome> {
    match Study::open_manifest(&arguments.folder).and_then(|study| cluster::cancel(&study)) {
        Ok(jobs) => {
            let (mut out, _) = output();
            if common.json {
                terminal::json(&mut out, &json!({ "cancelled": jobs }))?;
            } else if !common.quiet {
                let folder = arguments.folder.display();
                writeln!(out, "cancelled jobs: {}; finished cases are kept", jobs.join(", "))?;
                writeln!(out, "continue with: pliant resume {folder}")?;
            }
            out.flush()?;
            Ok(Outcome::Good)
        }
        Err(error) => refuse(&error, common),
    }
}

/// Reports what is wrong with the pipeline file.
fn complain(diagnostics: &Diagnostics, sources: &SourceMap, common: &Common) -> io::Result<Outcome> {
    let to_machines = |out: &mut Out<'_>| {
        let reported = json!({ "study": null, "diagnostics": diagnostic_facts(diagnostics, sources) });
        writeln!(out, "{reported:#}")
    };
    emit(common, to_machines, |out, style| {
        render::diagnostics(out, style, sources, diagnostics, common.quiet)
    })?;
    Ok(Outcome::Bad)
}

/// Reports why a study cannot go on.
fn refuse(error: &StudyError, common: &Common) -> io::Result<Outcome> {
    let reported = Diagnostic::error(error.message.clone());
    let reported = match &error.hint {
        Some(hint) => reported.hint(hint.clone()),
        None => reported,
    };
    complain(&[reported].into_iter().collect(), &SourceMap::new(), common)
}
