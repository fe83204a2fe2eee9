//! What an analysis found, in numbers.

use std::collections::BTreeMap;
use std::io;

use pliant_dynamics::{SettleAbout, SolverStatistics, TipMetrics, TipMetricsCollector, TorqueMetrics};
use pliant_mechanism::{JointView, Model};
use serde::Serialize;

use super::collector::Collector;
use super::elements::{Extreme, LinkStress, LoadSummary};
use super::modes::ModesSummary;
use crate::durability::LinkDamage;

/// The numbers of one analysis. The catalogue of [`metrics`](crate::metrics) names and describes them.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Errors of the tip; none without a tip, or where the nominal motion was lost.
    pub tip: Option<TipSummary>,
    /// The machine has a tip and lost its nominal motion during the run: there is no tip error.
    #[serde(skip)]
    pub lost_nominal: bool,
    /// Some motion ends before the run does.
    #[serde(skip)]
    pub motion_ends: bool,
    /// By joint and coordinate.
    pub drives: BTreeMap<String, DriveSummary>,
    /// Springs, dampers, cylinders, distances and planes, by name.
    pub forces: BTreeMap<String, DriveSummary>,
    /// Largest stress and strain by link, where `[output]` asks for them.
    pub stress: BTreeMap<String, LinkStress>,
    /// Largest strain of gauges by name.
    pub gauges: BTreeMap<String, Extreme>,
    /// Largest loads of joints by name.
    pub joint_loads: BTreeMap<String, LoadSummary>,
    /// Damage and life by link, where `[durability]` asks for them.
    pub durability: BTreeMap<String, LifeSummary>,
    /// Energies at the end of the run.
    pub energy: EnergySummary,
    /// The lowest modes of the machine at the start and at the end.
    pub modes: ModesSummary,
    /// Counters.
    pub solver: SolverSummary,
    /// Mass of all links and payloads (kg).
    pub mass: f64,
    /// Lowest natural frequency at the start (Hz), where it was asked for.
    #[serde(skip)]
    pub natural_frequency: Option<f64>,
    /// What was asked of `[response]`, by the names of the catalogue.
    #[serde(skip)]
    pub response: Vec<(String, f64)>,
    /// The machine has a tip and a nominal motion at its start.
    #[serde(skip)]
    pub has_tip: bool,
    /// The pipeline file says when the tip counts as settled.
    #[serde(skip)]
    pub settles: bool,
}

/// Errors of the tip against the nominal motion (m, rad).
#[derive(Clone, Debug, Serialize)]
pub struct TipSummary {
    /// Largest error.
    pub peak_error: f64,
    /// When.
    pub peak_time: f64,
    /// Largest components in world axes.
    pub peak_components: [f64; 3],
    /// Root mean square over the run.
    pub rms_error: f64,
    /// Largest rotation error.
    pub peak_rotation: f64,
    /// Largest error after the motion has ended, about what it settles to.
    pub residual_error: f64,
    /// When the last motion ends (s); none when one has no end.
    pub motion_end: Option<f64>,
    /// None without `settle`.
    pub settle_tolerance: Option<f64>,
    /// It settles about its mean error after the motion, rather than about the nominal tip.
    pub settle_about_mean: bool,
    /// After the motion has ended (s); none without `settle`, or when it does not settle within the run.
    pub settling_time: Option<f64>,
}

/// Torque or force of a drive or force element.
#[derive(Clone, Debug, Serialize)]
pub struct DriveSummary {
    /// Largest magnitude.
    pub peak: f64,
    /// Root mean square over the run.
    pub rms: f64,
    /// Largest magnitude in the rigid machine in its nominal motion; none without one.
    pub rigid_peak: Option<f64>,
    /// `N m` or `N`.
    pub units: &'static str,
}

/// Damage and life of a link: of its worst element.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LifeSummary {
    /// Damage of all repeats.
    pub damage: f64,
    /// Repeats until the damage is 1; infinite where there is none.
    pub life: f64,
    /// The same in hours of running.
    pub hours: f64,
    /// Number of the element; none where no element has damage.
    pub element: Option<u32>,
    /// Number of its property; 0 for none.
    pub property: u32,
    /// Elements that were assessed.
    pub elements: usize,
    /// Those of them that a bound showed to have no damage.
    pub skipped: usize,
}

impl LifeSummary {
    fn new(found: &LinkDamage) -> Self {
        let LinkDamage { worst, skipped, duration, .. } = found;
        let of = |all: &[f64]| worst.map(|(_, _, at)| all[at]);
        let life = of(&found.life).unwrap_or(f64::INFINITY);
        Self {
            damage: of(&found.damage).unwrap_or(0.0),
            life,
            hours: life * duration / 3600.0,
            element: worst.map(|(element, _, _)| element),
            property: worst.map_or(0, |(_, property, _)| property),
            elements: found.damage.len(),
            skipped: *skipped,
        }
    }

    /// Of a link that is not damaged yet.
    fn none() -> Self {
        let (life, hours) = (f64::INFINITY, f64::INFINITY);
        Self { damage: 0.0, life, hours, element: None, property: 0, elements: 0, skipped: 0 }
    }
}

/// Energies at the end of the run (J).
#[derive(Clone, Debug, Serialize)]
pub struct EnergySummary {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Strain energy.
    pub strain: f64,
    /// Potential of gravity.
    pub gravity: f64,
    /// Work of drives since the start.
    pub drive_work: f64,
    /// Work of loads since the start.
    pub load_work: f64,
    /// Energy lost since the start.
    pub dissipated: f64,
    /// Largest magnitude of the balance during the run.
    pub worst_balance: f64,
}

/// Counters of the solver.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SolverSummary {
    /// Steps taken.
    pub steps: u64,
    /// Equilibrium iterations.
    pub iterations: u64,
    /// Steps that had to be halved.
    pub cuts: u64,
    /// Steps refused by the error control.
    pub rejected: u64,
    /// Most iterations of one step.
    pub worst_iterations: u64,
    /// Outputs.
    pub outputs: u64,
    /// Wall time, storing included (s).
    pub seconds: f64,
}

impl Summary {
    /// # Errors
    /// Errors of the tip that a long run has moved to a temporary file cannot be read back.
    pub(super) fn new(
        model: &Model,
        collector: &Collector<'_>,
        solver: SolverStatistics,
        seconds: f64,
    ) -> io::Result<Self> {
        let metrics = collector.tip.as_ref().map(|tip| tip.tip(model)).transpose()?;
        let known = collector.tip.as_ref().is_none_or(TipMetricsCollector::is_known);
        let outputs = collector.outputs.max(1) as f64;
        let summary = |found: &TorqueMetrics, units| DriveSummary {
            peak: found.peak,
            rms: (found.rms / outputs).sqrt(),
            rigid_peak: Some(found.rigid_peak).filter(|_| collector.rigid_known),
            units,
        };
        let drives = collector.drives.iter().map(|(at, found)| {
            let JointView { name, hinge, .. } = model.joint(at.joint);
            let name = match hinge.joint.coordinates() {
                [_] => name.to_owned(),
                names => format!("{name}.{}", names[at.coordinate]),
            };
            (name, summary(found, if hinge.joint.is_angle(at.coordinate) { "N m" } else { "N" }))
        });
        let pushes = model.closures().pushes().into_iter().zip(&collector.pushes);
        let damaged = collector.damaged.iter().map(|link| (link.link.clone(), LifeSummary::new(link)));
        let not_yet = collector.damage.links().map(|link| (link.to_owned(), LifeSummary::none()));
        let durability = not_yet.chain(damaged);
        let e = &collector.energy;
        Ok(Self {
            tip: metrics.filter(|_| known).map(|m| tip(model, collector, &m)),
            lost_nominal: !known,
            motion_ends: collector.motion_ends,
            drives: drives.collect(),
            forces: pushes.map(|((name, _), (_, found))| (name.to_owned(), summary(found, "N"))).collect(),
            stress: collector.loads.stress(),
            gauges: collector.loads.gauges(),
            joint_loads: collector.loads.joints(),
            durability: durability.collect(),
            energy: EnergySummary {
                kinetic: e.kinetic,
                strain: e.strain,
                gravity: e.gravity,
                drive_work: e.drive_work,
                load_work: e.load_work,
                dissipated: e.dissipated,
                worst_balance: collector.worst_balance,
            },
            modes: collector.modes.clone(),
            solver: SolverSummary {
                steps: solver.steps,
                iterations: solver.iterations,
                cuts: solver.cuts,
                rejected: solver.rejected,
                worst_iterations: solver.worst_iterations,
                outputs: collector.outputs,
                seconds,
            },
            mass: collector.mass,
            natural_frequency: collector.natural_frequency,
            response: collector.response.clone(),
            has_tip: collector.tip.is_some(),
            settles: collector.settling.is_some(),
        })
    }
}

fn tip(model: &Model, collector: &Collector<'_>, m: &TipMetrics) -> TipSummary {
    let settling = collector.settling;
    TipSummary {
        peak_error: m.peak,
        peak_time: m.peak_time,
        peak_components: m.peak_components,
        rms_error: m.rms,
        peak_rotation: m.peak_rotation,
        residual_error: m.residual,
        motion_end: Some(model.motion_end()).filter(|end| end.is_finite()),
        settle_about_mean: settling.is_some_and(|settling| settling.about == SettleAbout::FinalMean),
        settle_tolerance: settling.map(|settling| settling.tolerance),
        settling_time: settling.and(m.settling_time),
    }
}
