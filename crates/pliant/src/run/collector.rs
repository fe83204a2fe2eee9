//! Collects the numbers of an analysis while the machine moves.

use std::sync::Arc;

use pliant_dynamics::{
    Energy, Flow, Frame, NominalKind, Observer, ObserverError, SettleAbout, State, TipMetricsCollector,
    TorqueMetrics, Warning,
};
use pliant_machine::Settling;
use pliant_mechanism::{CoordinateRef, Drive, InterfaceRef, JointRef, JointView, Model};
use pliant_store::results::{ElementEnvelope, LinkElements, Recorder};

use super::CaseObserver;
use super::elements::Loads;
use super::modes::ModesSummary;
use crate::durability::{DamageWatch, LinkDamage};

/// Collects metrics and warnings, and hands every frame to the recorder and to the caller's observer.
pub(super) struct Collector<'o> {
    /// None without a tip or a nominal motion.
    pub(super) tip: Option<TipMetricsCollector>,
    pub(super) settling: Option<Settling>,
    /// Each driven coordinate and its numbers; `rms` is a sum of squares until the end.
    pub(super) drives: Vec<(CoordinateRef, TorqueMetrics)>,
    /// The same of forces along a line: row among the closures.
    pub(super) pushes: Vec<(usize, TorqueMetrics)>,
    /// The same rows in the rigid machine, where cylinders with oil are constraints.
    rigid_rows: Vec<Option<usize>>,
    /// Every output had a rigid machine to be compared with.
    pub(super) rigid_known: bool,
    /// Some motion ends before the run does, so that there is something to settle after.
    pub(super) motion_ends: bool,
    pub(super) energy: Energy,
    /// Largest magnitude of the balance (J).
    pub(super) worst_balance: f64,
    pub(super) outputs: u64,
    pub(super) warnings: Vec<Warning>,
    pub(super) modes: ModesSummary,
    /// Mass of links and payloads (kg).
    pub(super) mass: f64,
    /// Lowest natural frequency at the start (Hz), where it was asked for.
    pub(super) natural_frequency: Option<f64>,
    pub(super) response: Vec<(String, f64)>,
    /// The state of the last output.
    pub(super) last: Option<State>,
    /// Stress, strain, gauges, loads of joints.
    pub(super) loads: Loads,
    /// What damage is computed from, and the damage once it is.
    pub(super) damage: DamageWatch,
    pub(super) damaged: Vec<LinkDamage>,
    /// Stores the frames.
    pub(super) recorder: Option<Recorder>,
    /// Time at which the caller's observer ended the run (s).
    pub(super) stopped: Option<f64>,
    observer: &'o mut dyn CaseObserver,
}

impl<'o> Collector<'o> {
    pub(super) fn new(
        model: &Model,
        tip: Option<InterfaceRef>,
        settling: Option<Settling>,
        end: f64,
        nominal: NominalKind,
        elements: &[Arc<LinkElements>],
        observer: &'o mut dyn CaseObserver,
    ) -> Self {
        let tolerance = settling.map_or(f64::INFINITY, |settling| settling.tolerance);
        let about = settling.map_or(SettleAbout::Nominal, |settling| settling.about);
        let driven = |(joint, view): (JointRef, JointView<'_>)| {
            let all = view.coordinates.iter().enumerate().filter(|(_, c)| !matches!(c.drive, Drive::Free));
            let metrics = |(coordinate, _)| (CoordinateRef { joint, coordinate }, TorqueMetrics::default());
            all.map(metrics).collect::<Vec<_>>()
        };
        let closures = model.closures();
        let motion_end = model.motion_end();
        let rigid = model.nominal();
        let of_rigid = rigid.closures().pushes();
        let rigid_row = |name: &str| of_rigid.iter().find(|(other, _)| *other == name).map(|(_, row)| *row);
        Self {
            rigid_rows: closures.pushes().iter().map(|(name, _)| rigid_row(name)).collect(),
            rigid_known: nominal == NominalKind::Rigid,
            tip: tip
                .filter(|_| nominal != NominalKind::None)
                .map(|tip| TipMetricsCollector::new(tip, tolerance, about)),
            settling,
            drives: model.joints().flat_map(driven).collect(),
            pushes: closures.pushes().iter().map(|(_, row)| (*row, TorqueMetrics::default())).collect(),
            motion_ends: motion_end.is_finite() && motion_end > 0.0 && motion_end < end,
            energy: Energy::default(),
            worst_balance: 0.0,
            outputs: 0,
            warnings: Vec::new(),
            modes: ModesSummary::default(),
            mass: 0.0,
            natural_frequency: None,
            response: Vec::new(),
            last: None,
            loads: Loads::new(model, elements),
            damage: DamageWatch::default(),
            damaged: Vec::new(),
            recorder: None,
            stopped: None,
            observer,
        }
    }

    /// No more outputs come: searches what waits for the largest of elements and stores them.
    pub(super) fn finish_elements(&mut self) {
        self.loads.envelopes.iter_mut().for_each(ElementEnvelope::finish);
        if let Some(recorder) = &mut self.recorder {
            // A writer that has stopped says why when it is closed.
            let _ = recorder.largest(&self.loads.envelopes);
        }
    }

    /// The run has come to its end: computes the damage and stores it.
    pub(super) fn finish_damage(&mut self) {
        self.damaged = self.damage.damage();
        if let Some(recorder) = &self.recorder {
            // A writer that has stopped says why when it is closed.
            let _ = recorder.damage(self.damaged.iter().map(LinkDamage::stored).collect());
        }
    }

    /// The caller's observer.
    pub(super) fn observer(&mut self) -> &mut dyn CaseObserver {
        self.observer
    }
}

impl Observer for Collector<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        self.outputs += 1;
        let add = |found: &mut TorqueMetrics, force: f64, rigid: f64| {
            found.peak = found.peak.max(force.abs());
            found.rms += force * force;
            found.rigid_peak = found.rigid_peak.max(rigid.abs());
        };
        for (coordinate, drive) in &mut self.drives {
            add(drive, frame.drive_force(*coordinate), frame.nominal_drive_force(*coordinate));
        }
        for ((row, push), of_rigid) in self.pushes.iter_mut().zip(&self.rigid_rows) {
            let rigid = of_rigid.map_or(0.0, |row| frame.nominal.work().multipliers()[row]);
            add(push, frame.work.multipliers()[*row], rigid);
        }
        self.rigid_known &= frame.nominal.known() == NominalKind::Rigid;
        self.energy = *frame.energy;
        match &mut self.last {
            Some(last) => last.clone_from(frame.state),
            None => self.last = Some(frame.state.clone()),
        }
        self.loads.frame(frame);
        self.damage.frame(frame);
        self.worst_balance = self.worst_balance.max(frame.energy.balance.abs());
        if let Some(tip) = &mut self.tip {
            tip.frame(frame)?;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(frame)?;
        }
        let flow = self.observer.frame(frame)?;
        if flow == Flow::Stop {
            self.stopped = Some(frame.state.t);
        }
        Ok(flow)
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.clone());
        if let Some(recorder) = &mut self.recorder {
            recorder.warning(warning);
        }
    }
}
