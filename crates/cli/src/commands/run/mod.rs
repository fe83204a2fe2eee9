//! `pliant run PIPELINE`: from the links to the motion of the machine.

mod metrics;
mod observer;
mod report;
mod store;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::{AnalysisKind, Settings, SolverStatistics, simulate};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_pipeline::PipelineFile;
use pliant_store::link_for;
use pliant_store::results::{AnalysisInfo, LinkShape, ResultsWriter, part_of};

use super::Outcome;
use super::reduce::facts::LinkFacts;
use super::reduce::user_cache;
use crate::Common;
use crate::interrupt::Interrupt;
use crate::terminal::Style;

use observer::Watch;
use report::Report;

/// Arguments of `pliant run`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The pipeline file
    #[arg(value_name = "PIPELINE")]
    pipeline: PathBuf,
    /// The results file; results/<pipeline>.vtkhdf when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Reduce every link anew and keep nothing
    #[arg(long)]
    no_cache: bool,
}

/// Links by name.
type NamedLinks = Vec<(String, Arc<ReducedLink>)>;

/// What a run has come to.
#[derive(Default)]
struct Run {
    /// With places in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    report: Option<Report>,
    /// The results file, once it is whole.
    results: Option<PathBuf>,
}

/// Reads, plans, reduces, moves; each only when the one before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let read = pliant_pipeline::read(&arguments.pipeline);
    let file = &read.output;
    let mut run = Run { diagnostics: read.diagnostics, ..Run::default() };
    run.work(file, arguments, common);
    if let Some(report) = &mut run.report {
        report.seconds = start.elapsed().as_secs_f64();
    }
    let stdout = io::stdout().lock();
    let style = Style::of(&stdout);
    let mut out = BufWriter::new(stdout);
    if common.json {
        report::print(&mut out, &run, file)?;
    } else {
        text::print(&mut out, style, &run, file, common.quiet)?;
    }
    out.flush()?;
    let good =
        run.report.is_some() && !run.diagnostics.has_errors() && run.links.iter().all(LinkFacts::is_good);
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

impl Run {
    fn work(&mut self, file: &PipelineFile, arguments: &Arguments, common: &Common) {
        if self.diagnostics.has_errors() {
            return;
        }
        let planned = Plan::new(file);
        self.diagnostics.extend(planned.diagnostics);
        let Some(plan) = planned.output else { return };
        let Some((links, shapes)) = self.links(file, arguments) else { return };
        let (kind, settings) = (plan.kind, plan.settings);
        let (tip, settling) = (plan.tip.clone(), plan.settling);
        let model = match plan.model(links, &file.document) {
            Ok(model) => model,
            Err(problems) => return self.diagnostics.extend(problems),
        };
        let tip = tip.and_then(|(link, interface)| model.interface(&link, &interface));
        let interrupt = match Interrupt::listen() {
            Ok(interrupt) => interrupt,
            Err(error) => {
                let message = format!("Ctrl-C will end the run at once: {error}");
                self.diagnostics.push(Diagnostic::warning(message));
                Interrupt::default()
            }
        };
        // The rigid analysis hands out frames of the machine without elasticity.
        let model = if kind == AnalysisKind::Rigid { model.rigid() } else { model };
        let show = !common.quiet && !common.json;
        let mut watch = Watch::new(&model, tip, settling, settings.t_end, interrupt, show);
        let path = arguments.out.clone().unwrap_or_else(|| store::default_path(&arguments.pipeline));
        let expected = Report::new(&model, &watch, SolverStatistics::default(), 0.0);
        let analysis = AnalysisInfo {
            kind: word(kind),
            model: &model,
            tip,
            outputs: outputs(&settings),
            span: (settings.t_start, settings.t_end),
            metrics: metrics::metrics(&expected).into_iter().map(|metric| metric.info).collect(),
        };
        let writer = match store::create(&path, file, &self.links, analysis, &shapes) {
            Ok((writer, recorder)) => {
                watch.recorder = Some(recorder);
                writer
            }
            Err(error) => return self.diagnostics.push(store::complaint(&error, &part_of(&path))),
        };
        let start = Instant::now();
        let ended = simulate(&model, kind, &settings, &mut watch);
        watch.finish();
        let seconds = start.elapsed().as_secs_f64();
        self.diagnostics.extend(std::mem::take(&mut watch.warnings));
        let whole = ended.is_ok() && watch.interrupted.is_none();
        match ended {
            Ok(statistics) => self.report = Some(Report::new(&model, &watch, statistics, seconds)),
            Err(error) => self.diagnostics.push(Diagnostic::error(error.to_string())),
        }
        if let (Some(recorder), Some(report)) = (watch.recorder.take(), &self.report) {
            // A writer that has stopped says why when it is closed.
            let _ = recorder.finish(metrics::values(report));
        }
        self.keep(writer, whole, &watch);
    }

    /// Makes the results file whole, or as whole as a run allows that did not come to its end.
    fn keep(&mut self, writer: ResultsWriter, whole: bool, watch: &Watch) {
        let part = writer.part().to_owned();
        let kept = if whole {
            writer.finish().map(|finished| finished.path)
        } else {
            writer.finish_early().map(|recovered| recovered.path)
        };
        let kept = match kept {
            Ok(path) => path,
            Err(error) => {
                self.report = None;
                return self.diagnostics.push(store::complaint(&error, &part));
            }
        };
        if let Some(t) = watch.interrupted {
            self.report = None;
            let message = format!("interrupted at t = {t:.6e} s; what was computed is in {}", kept.display());
            self.diagnostics.push(Diagnostic::error(message));
        }
        self.results = Some(kept);
    }

    /// All links, or none when one of them may not be used.
    fn links(
        &mut self,
        file: &PipelineFile,
        arguments: &Arguments,
    ) -> Option<(NamedLinks, Vec<Arc<LinkShape>>)> {
        let cache = if arguments.no_cache { None } else { user_cache(&mut self.diagnostics) };
        let (mut links, mut shapes) = (Vec::new(), Vec::new());
        for (name, table) in file.table.iter().flat_map(|table| table.links.iter()) {
            let outcome = link_for(name, table, file, cache.as_ref());
            if let Ok(made) = &outcome {
                links.push((name.to_owned(), Arc::new(made.link.clone())));
                shapes.push(Arc::new(LinkShape::new(name, &made.link, &made.shapes, &made.drawing)));
            }
            self.links.push(LinkFacts::new(name, table, outcome));
        }
        self.links.iter().all(LinkFacts::is_good).then_some((links, shapes))
    }
}

/// The word of the pipeline file.
fn word(kind: AnalysisKind) -> &'static str {
    match kind {
        AnalysisKind::Nonlinear => "nonlinear",
        AnalysisKind::Rigid => "rigid",
        AnalysisKind::QuasiStatic => "quasi-static",
    }
}

/// About how many outputs there will be.
fn outputs(settings: &Settings) -> usize {
    ((settings.t_end - settings.t_start) / settings.output_interval).ceil() as usize + 1
}
