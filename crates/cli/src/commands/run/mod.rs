//! `pliant run PIPELINE`: from the links to the motion of the machine.

mod elements;
mod metrics;
mod modes;
mod observer;
mod report;
mod store;
mod text;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::{AnalysisKind, Settings, SolverStatistics, nominal_motion, simulate};
use pliant_link::ReducedLink;
use pliant_machine::Plan;
use pliant_mechanism::Model;
use pliant_pipeline::PipelineFile;
use pliant_store::FileKind;
use pliant_store::results::{AnalysisInfo, LinkElements, LinkShape, ResultsError, ResultsWriter, part_of};

use super::Outcome;
use super::links::side_by_side;
use super::reduce::facts::LinkFacts;
use super::reduce::user_cache;
use crate::Common;
use crate::interrupt::Interrupt;
use crate::terminal::say;

use observer::Watch;
use report::Report;

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

/// The links and what is drawn and recovered of them.
#[derive(Default)]
struct Links {
    /// By name.
    links: Vec<(String, Arc<ReducedLink>)>,
    shapes: Vec<Arc<LinkShape>>,
    elements: Vec<Arc<LinkElements>>,
}

/// What a run has come to.
#[derive(Default)]
struct Run {
    /// With places in the pipeline file, or none.
    diagnostics: Diagnostics,
    links: Vec<LinkFacts>,
    /// Of the first kind of analysis.
    report: Option<Report>,
    /// Of the other kinds, by their words.
    others: Vec<(&'static str, Report)>,
    /// What the first kind is.
    kind: Option<&'static str>,
    /// The results file, once it is whole.
    results: Option<PathBuf>,
}

/// Reads, plans, reduces, moves; each only when the one before went well.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let start = Instant::now();
    let read = pliant_pipeline::read(&arguments.pipeline);
    if !read.diagnostics.has_errors() && read.output.table.as_ref().is_some_and(|table| table.study.is_some())
    {
        return super::study::run(
            read.output,
            &arguments.study,
            arguments.out.as_deref(),
            arguments.no_cache,
            common,
        );
    }
    let file = &read.output;
    let mut run = Run { diagnostics: read.diagnostics, ..Run::default() };
    if !run.diagnostics.has_errors()
        && let Some(option) = arguments.study.only_for_studies()
    {
        run.diagnostics.push(Diagnostic::error(format!("{option} is for files with a [study]")));
    }
    run.work(file, arguments, common);
    if let Some(report) = &mut run.report {
        report.seconds = start.elapsed().as_secs_f64();
    }
    say(
        common,
        |out| report::print(out, &run, file),
        |out, style| text::print(out, style, &run, file, common.quiet),
    )?;
    let good =
        run.report.is_some() && !run.diagnostics.has_errors() && run.links.iter().all(LinkFacts::is_good);
    Ok(if good { Outcome::Good } else { Outcome::Bad })
}

impl Run {
    fn work(&mut self, file: &PipelineFile, arguments: &Arguments, common: &Common) {
        if self.diagnostics.has_errors() {
            return;
        }
        let path = arguments.out.clone().unwrap_or_else(|| store::default_path(&arguments.pipeline));
        self.diagnostics.extend(super::refused_target(
            Some(&path),
            FileKind::Results,
            arguments.force,
            &file.sources,
        ));
        if self.diagnostics.has_errors() {
            return;
        }
        let planned = Plan::new(file);
        self.diagnostics.extend(planned.diagnostics);
        let Some(plan) = planned.output else { return };
        let show = !common.quiet && !common.json;
        self.diagnostics.extend(elements::unknown_links(file));
        self.diagnostics.extend(store::one_name_for_two(file));
        if self.diagnostics.has_errors() {
            return;
        }
        let Some(Links { links, shapes, elements }) = self.links(file, arguments, show) else { return };
        let (kinds, settings) = (plan.kinds.clone(), plan.settings);
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
        let rigid = model.rigid();
        let machine = |kind: AnalysisKind| if kind == AnalysisKind::Rigid { &rigid } else { &model };
        let watch = |kind: &AnalysisKind| {
            let shown = (kinds.len() > 1).then_some(word(*kind));
            let nominal = nominal_motion(machine(*kind), *kind, &settings);
            let mut watch = Watch::new(
                machine(*kind),
                tip,
                settling,
                settings.t_end,
                interrupt.clone(),
                show,
                shown,
                nominal,
            );
            watch.modes = modes::at_start(machine(*kind), &settings);
            watch
        };
        let mut watches: Vec<Watch> = kinds.iter().map(watch).collect();
        let decks = self.links.iter().map(|link| &link.sources);
        let refused: Vec<_> = decks
            .filter_map(|decks| super::refused_target(Some(&path), FileKind::Results, arguments.force, decks))
            .collect();
        if !refused.is_empty() {
            return self.diagnostics.extend(refused);
        }
        let info = |(kind, watch): (&AnalysisKind, &Watch)| {
            let model = machine(*kind);
            let expected = Report::new(model, watch, SolverStatistics::default(), 0.0)?;
            io::Result::Ok(AnalysisInfo {
                kind: word(*kind),
                model,
                nominal: watch.nominal,
                tip,
                outputs: outputs(&settings),
                span: (settings.t_start, settings.t_end),
                // Rigid links have none.
                elements: if *kind == AnalysisKind::Rigid { Vec::new() } else { elements.clone() },
                metrics: metrics::metrics(&expected).into_iter().map(|metric| metric.info).collect(),
            })
        };
        let analyses: Vec<_> = match kinds.iter().zip(&watches).map(info).collect() {
            Ok(analyses) => analyses,
            Err(error) => return self.diagnostics.push(Diagnostic::error(error.to_string())),
        };
        let (writer, recorders) = match store::create(&path, file, &self.links, &analyses, &shapes) {
            Ok(created) => created,
            Err(error) => return self.diagnostics.push(store::complaint(&error, &part_of(&path))),
        };
        if let Some(kept) = writer.kept_aside() {
            let message = format!("an earlier run was killed; what it wrote is now {}", kept.display());
            let hint = format!("pliant recover {}", kept.display());
            self.diagnostics.push(Diagnostic::note(message).hint(hint));
        }
        for (watch, recorder) in watches.iter_mut().zip(recorders) {
            watch.recorder = Some(recorder);
        }
        let mut whole = true;
        for (kind, watch) in kinds.iter().zip(&mut watches) {
            whole = whole && self.analysis(machine(*kind), *kind, &settings, watch, kinds.len() > 1);
        }
        let interrupted = watches.iter().find_map(|watch| watch.interrupted);
        // The recorders of analyses that were not begun must not keep the writer waiting.
        drop(watches);
        self.keep(writer, whole, interrupted);
    }

    /// All kinds of analysis that came to their end, in the order of the file.
    fn analyses(&self) -> impl Iterator<Item = (&'static str, &Report)> {
        let others = self.others.iter().map(|(kind, report)| (*kind, report));
        self.kind.zip(self.report.as_ref()).into_iter().chain(others)
    }

    /// One analysis; true when it came to its end.
    fn analysis(
        &mut self,
        model: &Model,
        kind: AnalysisKind,
        settings: &Settings,
        watch: &mut Watch,
        one_of_many: bool,
    ) -> bool {
        let start = Instant::now();
        let ended = simulate(model, kind, settings, watch);
        watch.finish();
        let seconds = start.elapsed().as_secs_f64();
        let told = |mut diagnostic: Diagnostic| {
            if one_of_many {
                diagnostic.message = format!("{}: {}", word(kind), diagnostic.message);
            }
            diagnostic
        };
        self.diagnostics.extend(std::mem::take(&mut watch.warnings).into_iter().map(told));
        let statistics = match ended {
            Ok(statistics) => statistics,
            Err(error) => {
                self.diagnostics.push(told(Diagnostic::error(error.to_string())));
                return false;
            }
        };
        if let Some(state) = &watch.last {
            watch.modes.at_end(model, settings, state);
        }
        let report = match Report::new(model, watch, statistics, seconds) {
            Ok(report) => report,
            Err(error) => {
                let message = format!("the tip's errors cannot be read again: {error}");
                self.diagnostics.push(told(Diagnostic::error(message)));
                return false;
            }
        };
        if let Some(recorder) = watch.recorder.take() {
            // A writer that has stopped says why when it is closed.
            let _ = recorder.finish(metrics::values(&report));
        }
        if self.kind.is_none() {
            self.kind = Some(word(kind));
            self.report = Some(report);
        } else {
            self.others.push((word(kind), report));
        }
        watch.interrupted.is_none()
    }

    /// Makes the results file whole, or as whole as a run allows that did not come to its end.
    fn keep(&mut self, writer: ResultsWriter, whole: bool, interrupted: Option<f64>) {
        let part = writer.part().to_owned();
        let kept = if whole {
            writer.finish().map(|finished| finished.path)
        } else {
            writer.finish_early().map(|recovered| recovered.path)
        };
        let kept = match kept {
            Ok(path) => path,
            // A run that failed before its first output has said why, and leaves nothing.
            Err(ResultsError::Unknown { .. }) if !whole => {
                self.report = None;
                let _ = std::fs::remove_file(&part);
                return;
            }
            Err(error) => {
                self.report = None;
                return self.diagnostics.push(store::complaint(&error, &part));
            }
        };
        if let Some(t) = interrupted {
            self.report = None;
            let message = format!("interrupted at t = {t:.6e} s; what was computed is in {}", kept.display());
            self.diagnostics.push(Diagnostic::error(message));
        }
        if !whole {
            self.report = None;
        }
        self.results = Some(kept);
    }

    /// All links, or none when one of them may not be used.
    fn links(&mut self, file: &PipelineFile, arguments: &Arguments, show: bool) -> Option<Links> {
        let cache = if arguments.no_cache { None } else { user_cache(&mut self.diagnostics) };
        let made = side_by_side(file, cache.as_ref(), show, |name, table, outcome| {
            let mut link = None;
            let outcome = outcome.and_then(|made| {
                let elements = elements::of_link(name, table, file, &made)?;
                let shape = LinkShape::new(name, &made.link, &made.shapes, &made.drawing);
                link = Some(((name.to_owned(), Arc::new(made.link.clone())), Arc::new(shape), elements));
                Ok(made)
            });
            (link, LinkFacts::new(name, table, outcome))
        });
        let mut all = Links::default();
        for (link, facts) in made {
            self.links.push(facts);
            if let Some((link, shape, elements)) = link {
                all.links.push(link);
                all.shapes.push(shape);
                all.elements.extend(elements);
            }
        }
        self.links.iter().all(LinkFacts::is_good).then_some(all)
    }
}

/// The word of the pipeline file.
fn word(kind: AnalysisKind) -> &'static str {
    match kind {
        AnalysisKind::Nonlinear => "nonlinear",
        AnalysisKind::Linear => "linear",
        AnalysisKind::Rigid => "rigid",
        AnalysisKind::QuasiStatic => "quasi-static",
        AnalysisKind::Static => "static",
    }
}

/// About how many outputs there will be.
fn outputs(settings: &Settings) -> usize {
    ((settings.t_end - settings.t_start) / settings.output_interval).ceil() as usize + 1
}
