//! From a case and its links to the motion of the machine: the one sequence that runs a case.

mod collector;
mod elements;
mod modes;
mod results;
mod summary;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use pliant_diag::{Diagnostic, Diagnostics, real};
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, ObserverError, Settings, SimulationError, SolverStatistics, Warning,
    natural_frequencies, nominal_motion, simulate,
};
use pliant_store::results::{AnalysisInfo, LinkElements, MetricInfo, ResultsError, ResultsWriter, part_of};

use thiserror::Error;

use crate::case::{Case, Machine};
use crate::durability::DamageWatch;
use crate::links::MachineLink;
use crate::metrics::metrics;

use collector::Collector;
pub use elements::{Extreme, LinkStress, LoadSummary, MarginSummary, PeakSummary};
pub use modes::{ModeSummary, ModesSummary, REPORTED_MODES};
pub use results::{Partial, ResultsTarget, default_results_path};
pub use summary::{DriveSummary, EnergySummary, LifeSummary, SolverSummary, Summary, TipSummary};

/// Watches a run: shows progress, ends it early, adds metrics of its own.
pub trait CaseObserver {
    /// An analysis is about to start.
    ///
    /// # Errors
    /// An error ends the run.
    fn start(&mut self, kind: AnalysisKind, machine: &Machine) -> Result<(), ObserverError> {
        let _ = (kind, machine);
        Ok(())
    }

    /// An output time.
    ///
    /// # Errors
    /// An error ends the run.
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        let _ = frame;
        Ok(Flow::Continue)
    }

    /// Metrics that the observer adds to those of the catalogue.
    fn declared(&self) -> Vec<MetricInfo> {
        Vec::new()
    }

    /// The values of the declared metrics. Called when the analysis has reached its end.
    ///
    /// # Errors
    /// An error ends the run.
    fn values(&mut self, summary: &Summary) -> Result<Vec<f64>, ObserverError> {
        let _ = summary;
        Ok(Vec::new())
    }

    /// An analysis has ended.
    fn end(&mut self) {}
}

/// Watches nothing.
impl CaseObserver for () {}

/// What is computed and stored.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The kinds of analysis, in this order.
    pub kinds: Vec<AnalysisKind>,
    /// Where results are stored.
    pub results: Option<ResultsTarget>,
    /// Compute the damped modes of the machine at the start and at the end.
    pub modes: bool,
    /// Compute the lowest natural frequency at the start.
    pub natural_frequency: bool,
    /// Compute what `[response]` asks for, for its metrics.
    pub response: bool,
}

impl RunOptions {
    /// All kinds of analysis of a case with their modes, without a results file.
    pub fn of(case: &Case) -> Self {
        Self {
            kinds: case.kinds().to_vec(),
            results: None,
            modes: true,
            natural_frequency: false,
            response: false,
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// All analyses reached their end.
    Complete,
    /// The observer ended it at this time (s).
    Stopped(f64),
    /// An error ended it; the diagnostics say which.
    Failed,
}

/// Why an analysis failed.
#[derive(Debug, Error)]
enum RunError {
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    #[error("the buffered tip errors cannot be read back: {0}")]
    TipErrors(std::io::Error),
    #[error("{0}")]
    Observer(ObserverError),
    #[error("[response]: {}", .0.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; "))]
    Response(Diagnostics),
}

/// One analysis that reached its end.
#[derive(Clone, Debug)]
pub struct AnalysisResult {
    /// Its kind.
    pub kind: AnalysisKind,
    /// Its numbers.
    pub summary: Summary,
    /// Values of the metrics that the observer declared.
    pub declared: Vec<f64>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct CaseResult {
    /// The analyses that reached their end, in order.
    pub analyses: Vec<AnalysisResult>,
    /// Errors, warnings and notes, with locations in the pipeline file where they have one.
    pub diagnostics: Diagnostics,
    /// The results file, once it is complete or recovered.
    pub results: Option<PathBuf>,
    /// How the run ended.
    pub ending: Ending,
}

/// Runs a case with its links: assembles the machine, integrates every analysis, stores what the options ask
/// for.
pub fn run(
    case: &Case,
    links: &[Arc<MachineLink>],
    options: &RunOptions,
    observer: &mut dyn CaseObserver,
) -> CaseResult {
    let mut result = CaseResult {
        analyses: Vec::new(),
        diagnostics: Diagnostics::new(),
        results: None,
        ending: Ending::Failed,
    };
    result.diagnostics.extend(crate::recovery::unknown_elements(case.file(), links));
    let by_name = links.iter().map(|link| (link.info.name.clone(), Arc::clone(&link.link))).collect();
    match case.machine(by_name) {
        Ok(machine) => Run { case, links, options, machine: &machine }.work(observer, &mut result),
        Err(problems) => result.diagnostics.extend(problems),
    }
    result
}

struct Run<'a> {
    case: &'a Case,
    links: &'a [Arc<MachineLink>],
    options: &'a RunOptions,
    machine: &'a Machine,
}

impl Run<'_> {
    fn work(&self, observer: &mut dyn CaseObserver, result: &mut CaseResult) {
        let mut prepared = Vec::new();
        for kind in &self.options.kinds {
            // Rigid links have no stress, and nothing is recovered where nobody asks for it.
            let recovered = !self.elements(*kind).is_empty();
            let refused = || self.damage(*kind).refused();
            if let Some(problem) = recovered.then(refused).flatten() {
                return result.diagnostics.push(problem);
            }
            match self.prepare(*kind, observer) {
                Ok(start) => prepared.push((*kind, start)),
                Err(error) => return result.diagnostics.push(Diagnostic::error(error.to_string())),
            }
        }
        let mut writer = None;
        let mut recorders = Vec::new();
        if let Some(target) = &self.options.results {
            let infos: Vec<AnalysisInfo<'_>> =
                prepared.iter().map(|(kind, start)| self.info(*kind, start)).collect();
            match results::create(target, self.case, self.links, &infos) {
                Ok((created, all)) => (writer, recorders) = (Some(created), all),
                Err(error) => {
                    return result.diagnostics.push(results::write_error(&error, &part_of(&target.path)));
                }
            }
        }
        if let Some(kept) = writer.as_ref().and_then(ResultsWriter::kept_aside) {
            let message =
                format!("an earlier run was killed; its incomplete results are now {}", kept.display());
            let hint = format!("pliant recover {}", kept.display());
            result.diagnostics.push(Diagnostic::note(message).hint(hint));
        }
        if self.options.modes {
            result.diagnostics.extend(self.case.controlled_joints().map(|joint| {
                let message =
                    format!("modes count joint `{joint}` as free: its controller comes from outside");
                Diagnostic::note(message)
            }));
        }
        let mut recorders = recorders.into_iter();
        result.ending = Ending::Complete;
        for (kind, start) in prepared {
            let recorder = recorders.next();
            result.ending = self.analysis(kind, start, recorder, observer, result);
            if result.ending != Ending::Complete {
                break;
            }
        }
        // The recorders of analyses that were not begun must not keep the writer waiting.
        drop(recorders);
        if let (Some(writer), Some(target)) = (writer, &self.options.results) {
            finish(writer, target, result);
        }
    }

    /// What is known of an analysis before it runs.
    fn prepare(&self, kind: AnalysisKind, observer: &mut dyn CaseObserver) -> Result<Start, RunError> {
        let (model, settings) = (self.machine.model(kind), self.case.settings());
        let nominal = nominal_motion(model, kind, settings);
        let natural_frequency = match self.options.natural_frequency {
            true => {
                let all = natural_frequencies(model, settings)?;
                Some(all.into_iter().next().unwrap_or(f64::NAN))
            }
            false => None,
        };
        let modes = if self.options.modes { modes::at_start(model, settings) } else { Vec::new() };
        let response = match self.options.response {
            true => {
                let found = crate::response::response(self.case, self.links).map_err(RunError::Response)?;
                found.metrics().into_iter().map(|(name, worst)| (name, worst.value)).collect()
            }
            false => Vec::new(),
        };
        let (metrics_of_it, stored) = (Vec::new(), Vec::new());
        let mut start = Start { nominal, natural_frequency, response, modes, metrics: metrics_of_it, stored };
        let expected =
            Summary::new(model, &self.collector(kind, &start, observer), SolverStatistics::default(), 0.0)
                .map_err(RunError::TipErrors)?;
        start.metrics = metrics(&expected).into_iter().map(|metric| metric.info).collect();
        let declared = observer.declared();
        // A metric of the catalogue may be declared once more: it is stored once.
        start.stored =
            declared.iter().map(|new| start.metrics.iter().all(|own| own.name != new.name)).collect();
        start
            .metrics
            .extend(declared.into_iter().zip(&start.stored).filter(|(_, stored)| **stored).map(|(m, _)| m));
        Ok(start)
    }

    fn collector<'o>(
        &self,
        kind: AnalysisKind,
        start: &Start,
        observer: &'o mut dyn CaseObserver,
    ) -> Collector<'o> {
        let (model, settings) = (self.machine.model(kind), self.case.settings());
        let (tip, settling) = (self.machine.tip, self.case.settling());
        let elements = self.elements(kind);
        let (end, nominal) = (settings.t_end, start.nominal);
        let mut collector = Collector::new(model, tip, settling, end, nominal, &elements, observer);
        collector.modes.start.clone_from(&start.modes);
        collector.natural_frequency = start.natural_frequency;
        collector.response.clone_from(&start.response);
        collector.mass = self.mass();
        collector.damage = self.damage(kind);
        collector
    }

    /// What keeps the motion for the damage of elements.
    fn damage(&self, kind: AnalysisKind) -> DamageWatch {
        let (case, model) = (self.case, self.machine.model(kind));
        DamageWatch::new(case.durability(), case.links(), model, &self.elements(kind))
    }

    /// Mass of all links and payloads (kg).
    fn mass(&self) -> f64 {
        let table = self.case.table();
        let payloads = table.payload.iter().chain(table.payloads.iter().map(|(_, payload)| payload));
        let links: f64 = self.links.iter().map(|link| link.link.invariants.mass()).sum();
        links + payloads.map(|payload| payload.mass).sum::<f64>()
    }

    /// What is recovered; rigid links have no stress.
    fn elements(&self, kind: AnalysisKind) -> Vec<Arc<LinkElements>> {
        let all = self.links.iter().filter_map(|link| link.elements.clone());
        if kind == AnalysisKind::Rigid { Vec::new() } else { all.collect() }
    }

    fn info<'a>(&'a self, kind: AnalysisKind, start: &Start) -> AnalysisInfo<'a> {
        let settings = self.case.settings();
        AnalysisInfo {
            kind: kind_name(kind),
            model: self.machine.model(kind),
            nominal: start.nominal,
            tip: self.machine.tip,
            outputs: expected_outputs(settings),
            span: (settings.t_start, settings.t_end),
            elements: self.elements(kind),
            damage: self.damage(kind).links().map(str::to_owned).collect(),
            metrics: start.metrics.clone(),
        }
    }

    /// One analysis from its start to its end.
    fn analysis(
        &self,
        kind: AnalysisKind,
        start: Start,
        recorder: Option<pliant_store::results::Recorder>,
        observer: &mut dyn CaseObserver,
        result: &mut CaseResult,
    ) -> Ending {
        let (model, settings) = (self.machine.model(kind), self.case.settings());
        let many = self.options.kinds.len() > 1;
        let named = |mut diagnostic: Diagnostic| {
            if many {
                diagnostic.message = format!("{}: {}", kind_name(kind), diagnostic.message);
            }
            diagnostic
        };
        let begin = Instant::now();
        if let Err(error) = observer.start(kind, self.machine) {
            result.diagnostics.push(named(Diagnostic::error(error.to_string())));
            return Ending::Failed;
        }
        let mut collector = self.collector(kind, &start, observer);
        collector.recorder = recorder;
        let ended = simulate(model, kind, settings, &mut collector);
        collector.finish_elements();
        collector.observer().end();
        let seconds = begin.elapsed().as_secs_f64();
        let warning = |warning: Warning| named(Diagnostic::warning(warning.to_string()));
        result.diagnostics.extend(std::mem::take(&mut collector.warnings).into_iter().map(warning));
        let finished = ended.map_err(RunError::Simulation).and_then(|statistics| {
            if collector.stopped.is_none() {
                collector.finish_damage();
            }
            if let (Some(state), true) = (&collector.last, self.options.modes) {
                collector.modes.end = modes::at_end(model, settings, state);
            }
            let summary =
                Summary::new(model, &collector, statistics, seconds).map_err(RunError::TipErrors)?;
            if let Some(t) = collector.stopped {
                return Ok((summary, Vec::new(), Ending::Stopped(t)));
            }
            let declared = collector.observer().values(&summary).map_err(RunError::Observer)?;
            Ok((summary, declared, Ending::Complete))
        });
        let (summary, declared, ending) = match finished {
            Ok(finished) => finished,
            Err(error) => {
                result.diagnostics.push(named(Diagnostic::error(error.to_string())));
                return Ending::Failed;
            }
        };
        if let Some(recorder) = collector.recorder.take() {
            // No NaN and no missing number in a file: what the run does not have is infinite.
            let own = metrics(&summary).into_iter().map(|metric| metric.value.unwrap_or(f64::INFINITY));
            let added = declared.iter().zip(&start.stored).filter(|(_, stored)| **stored);
            let added = added.map(|(x, _)| if x.is_nan() { f64::INFINITY } else { *x });
            let all: Vec<f64> = own.chain(added).collect();
            // A writer that has stopped says why when it is closed.
            let _ = recorder.finish(all);
        }
        result.analyses.push(AnalysisResult { kind, summary, declared });
        ending
    }
}

/// What is known of an analysis before it runs.
struct Start {
    nominal: pliant_dynamics::NominalKind,
    natural_frequency: Option<f64>,
    response: Vec<(String, f64)>,
    modes: Vec<ModeSummary>,
    /// What the results file holds.
    metrics: Vec<MetricInfo>,
    /// Which of the declared metrics are among them.
    stored: Vec<bool>,
}

/// Completes the results file, or as much of it as a run allows that did not reach its end.
fn finish(writer: ResultsWriter, target: &ResultsTarget, result: &mut CaseResult) {
    let part = writer.part().to_owned();
    let complete = result.ending == Ending::Complete;
    if !complete && target.partial == Partial::Remove {
        drop(writer);
        // What cannot be removed is in nobody's way.
        let _ = std::fs::remove_file(&part);
        return;
    }
    let kept = match complete {
        true => writer.finish().map(|finished| finished.path),
        false => writer.finish_early().map(|recovered| recovered.path),
    };
    match kept {
        Ok(path) => {
            if let Ending::Stopped(t) = result.ending {
                let message = format!(
                    "interrupted at t = {} s; the results up to then are in {}",
                    real(t),
                    path.display()
                );
                result.diagnostics.push(Diagnostic::error(message));
            }
            result.results = Some(path);
        }
        // A run that failed before its first output has said why, and leaves nothing.
        Err(ResultsError::Unknown { .. }) if !complete => {
            let _ = std::fs::remove_file(&part);
        }
        Err(error) => {
            result.ending = Ending::Failed;
            result.diagnostics.push(results::write_error(&error, &part));
        }
    }
}

/// The name of a kind of analysis in pipeline files and results.
pub fn kind_name(kind: AnalysisKind) -> &'static str {
    match kind {
        AnalysisKind::Nonlinear => "nonlinear",
        AnalysisKind::Linear => "linear",
        AnalysisKind::Rigid => "rigid",
        AnalysisKind::QuasiStatic => "quasi-static",
        AnalysisKind::Static => "static",
    }
}

/// About how many outputs there will be.
fn expected_outputs(settings: &Settings) -> usize {
    ((settings.t_end - settings.t_start) / settings.output_interval).ceil() as usize + 1
}
