//! The facts of a run, and the same for machines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant_dynamics::{SettleAbout, SolverStatistics, TipMetricsCollector, TorqueMetrics};
use pliant_mechanism::{Joint, Model};
use pliant_pipeline::PipelineFile;
use serde::Serialize;

use super::Run;
use super::modes::ModesReport;
use super::observer::Watch;
use crate::report::{DiagnosticReport, diagnostics};

/// What a run has found.
#[derive(Serialize)]
pub(super) struct Report {
    /// Null without a tip.
    pub(super) tip: Option<TipReport>,
    /// What was found before the nominal motion was lost: there is no tip error of the run.
    #[serde(skip)]
    pub(super) lost_tip: Option<TipReport>,
    /// Some motion ends before the run does.
    #[serde(skip)]
    pub(super) motion_ends: bool,
    /// By joint and coordinate.
    pub(super) drives: BTreeMap<String, DriveReport>,
    /// Of springs, dampers, cylinders, distances and planes, by name.
    pub(super) forces: BTreeMap<String, DriveReport>,
    pub(super) energy: EnergyReport,
    /// The lowest modes of the machine at the start and at the end.
    pub(super) modes: ModesReport,
    pub(super) solver: SolverReport,
    /// All of it, links included.
    pub(super) seconds: f64,
}

/// Errors against the rigid machine (m, rad).
#[derive(Serialize)]
pub(super) struct TipReport {
    pub(super) peak_error: f64,
    pub(super) peak_time: f64,
    pub(super) peak_components: [f64; 3],
    pub(super) rms_error: f64,
    pub(super) peak_rotation: f64,
    /// After the motion has ended.
    pub(super) residual_peak: f64,
    /// When the last motion ends (s); null when one has no end.
    pub(super) motion_end: Option<f64>,
    /// Null without `settle`.
    pub(super) settle_tolerance: Option<f64>,
    /// Whether it settles about its mean error after the motion, rather than about the rigid tip.
    pub(super) settle_about_mean: bool,
    /// After the motion has ended (s); null without `settle`, or when it does not settle within the run.
    pub(super) settling_time: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct DriveReport {
    pub(super) peak: f64,
    pub(super) rms: f64,
    /// Of the rigid machine in its nominal motion; null without one.
    pub(super) rigid_peak: Option<f64>,
    pub(super) units: &'static str,
}

/// At the end of the run (J).
#[derive(Serialize)]
pub(super) struct EnergyReport {
    pub(super) kinetic: f64,
    pub(super) strain: f64,
    pub(super) gravity: f64,
    pub(super) drive_work: f64,
    pub(super) load_work: f64,
    pub(super) dissipated: f64,
    /// Largest magnitude of the balance during the run.
    pub(super) worst_balance: f64,
}

#[derive(Serialize)]
pub(super) struct SolverReport {
    pub(super) steps: u64,
    pub(super) iterations: u64,
    pub(super) cuts: u64,
    pub(super) rejected: u64,
    pub(super) worst_iterations: u64,
    pub(super) outputs: u64,
    pub(super) seconds: f64,
}

impl Report {
    /// # Errors
    /// What a long run has put aside cannot be read again.
    pub(super) fn new(
        model: &Model,
        watch: &Watch,
        solver: SolverStatistics,
        seconds: f64,
    ) -> io::Result<Self> {
        let metrics = watch.metrics.as_ref().map(|metrics| metrics.tip()).transpose()?;
        let tip = metrics.map(|m| TipReport {
            peak_error: m.peak,
            peak_time: m.peak_time,
            peak_components: m.peak_components,
            rms_error: m.rms,
            peak_rotation: m.peak_rotation,
            residual_peak: m.overshoot,
            motion_end: Some(model.motion_end()).filter(|end| end.is_finite()),
            settle_about_mean: watch
                .settling
                .is_some_and(|settling| settling.about == SettleAbout::FinalMean),
            settle_tolerance: watch.settling.map(|settling| settling.tolerance),
            settling_time: watch.settling.and(m.settling_time),
        });
        let known = watch.metrics.as_ref().is_none_or(TipMetricsCollector::is_known);
        let (tip, lost_tip) = if known { (tip, None) } else { (None, tip) };
        let outputs = watch.outputs.max(1) as f64;
        let told = |found: &TorqueMetrics, units| DriveReport {
            peak: found.peak,
            rms: (found.rms / outputs).sqrt(),
            rigid_peak: Some(found.rigid_peak).filter(|_| watch.rigid_known),
            units,
        };
        let drive = |name: &str, joint: &dyn Joint, coordinate: usize, found: &TorqueMetrics| {
            let name = match joint.coordinates() {
                [_] => name.to_owned(),
                names => format!("{name}.{}", names[coordinate]),
            };
            (name, told(found, if joint.is_angle(coordinate) { "N m" } else { "N" }))
        };
        let (bodies, closures) = (model.bodies(), model.closures());
        let carried = watch.drives.iter().map(|((body, k), found)| {
            drive(&bodies[*body].joint_name, &*bodies[*body].hinge.joint, *k, found)
        });
        let closing = watch.loop_drives.iter().map(|((joint, k), found)| {
            drive(&closures.joints[*joint].name, &*closures.joints[*joint].hinge.joint, *k, found)
        });
        let pushes = closures.pushes().into_iter().zip(&watch.pushes);
        let e = &watch.energy;
        Ok(Self {
            tip,
            lost_tip,
            motion_ends: watch.motion_ends,
            drives: carried.chain(closing).collect(),
            forces: pushes.map(|((name, _), (_, found))| (name.to_owned(), told(found, "N"))).collect(),
            energy: EnergyReport {
                kinetic: e.kinetic,
                strain: e.strain,
                gravity: e.gravity,
                drive_work: e.drive_work,
                load_work: e.load_work,
                dissipated: e.dissipated,
                worst_balance: watch.worst_balance,
            },
            modes: watch.modes.clone(),
            solver: SolverReport {
                steps: solver.steps,
                iterations: solver.iterations,
                cuts: solver.cuts,
                rejected: solver.rejected,
                worst_iterations: solver.worst_iterations,
                outputs: watch.outputs,
                seconds,
            },
            seconds: 0.0,
        })
    }
}

#[derive(Serialize)]
struct Analysis<'a> {
    kind: &'static str,
    #[serde(flatten)]
    report: &'a Report,
}

#[derive(Serialize)]
struct Whole<'a> {
    pipeline: String,
    /// The results file; null when there is none.
    results: Option<String>,
    /// Of the first kind of analysis; null when the run did not come to its end.
    run: Option<&'a Report>,
    /// All kinds of analysis, the first included, in the order of the file.
    analyses: Vec<Analysis<'a>>,
    diagnostics: Vec<DiagnosticReport>,
}

pub(super) fn print(out: &mut impl Write, run: &Run, file: &PipelineFile) -> io::Result<()> {
    let mut told = diagnostics(&run.diagnostics, &file.sources);
    for link in &run.links {
        told.extend(diagnostics(&link.deck, &link.sources));
        told.extend(diagnostics(&link.request, &file.sources));
    }
    let whole = Whole {
        pipeline: file.path.display().to_string(),
        results: run.results.as_ref().map(|path| path.display().to_string()),
        run: run.report.as_ref(),
        analyses: run.analyses().map(|(kind, report)| Analysis { kind, report }).collect(),
        diagnostics: told,
    };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}
