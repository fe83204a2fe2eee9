//! What is watched while the machine moves.

use indicatif::{ProgressBar, ProgressStyle};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::{
    Energy, Flow, Frame, NominalKind, Observer, SettleAbout, State, TipMetricsCollector, TorqueMetrics,
    Warning,
};
use pliant_machine::Settling;
use pliant_mechanism::{Drive, JointCoordinate, Model};
use pliant_store::results::Recorder;

use super::modes::ModesReport;
use crate::interrupt::Interrupt;

/// Parts of the progress bar.
const PARTS: f64 = 1000.0;

/// Collects metrics and warnings and shows how far the run is.
pub(super) struct Watch {
    /// With a tip; its torques are those of all drives.
    pub(super) metrics: Option<TipMetricsCollector>,
    pub(super) settling: Option<Settling>,
    /// Of each driven coordinate's force: (body, coordinate) and numbers, of which the mean is still a sum of squares.
    pub(super) drives: Vec<((usize, usize), TorqueMetrics)>,
    /// The same of the joints that close loops: (joint, coordinate).
    pub(super) loop_drives: Vec<((usize, usize), TorqueMetrics)>,
    /// The same of what pushes along a line: its row among the closures.
    pub(super) pushes: Vec<(usize, TorqueMetrics)>,
    /// The same rows in the rigid machine, where cylinders with oil are constraints.
    rigid_rows: Vec<Option<usize>>,
    /// What the run is compared with from its start on.
    pub(super) nominal: NominalKind,
    /// Every output had a rigid machine to be compared with.
    pub(super) rigid_known: bool,
    /// Some motion ends before the run does, so that there is something to settle after.
    pub(super) motion_ends: bool,
    pub(super) energy: Energy,
    /// Largest magnitude of the balance (J).
    pub(super) worst_balance: f64,
    pub(super) outputs: u64,
    pub(super) warnings: Diagnostics,
    /// Modes of the machine where it starts and ends.
    pub(super) modes: ModesReport,
    /// The last output.
    pub(super) last: Option<State>,
    /// Keeps the frames.
    pub(super) recorder: Option<Recorder>,
    /// When the user wanted the run to end (s).
    pub(super) interrupted: Option<f64>,
    interrupt: Interrupt,
    end: f64,
    bar: ProgressBar,
}

impl Watch {
    #[expect(clippy::too_many_arguments, reason = "what a run is watched for, once")]
    pub(super) fn new(
        model: &Model,
        tip: Option<(usize, usize)>,
        settling: Option<Settling>,
        end: f64,
        interrupt: Interrupt,
        show: bool,
        kind: Option<&'static str>,
        nominal: NominalKind,
    ) -> Self {
        let bar = if show { ProgressBar::new(PARTS as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {prefix}{wide_bar} {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        let tolerance = settling.map_or(f64::INFINITY, |settling| settling.tolerance);
        let about = settling.map_or(SettleAbout::Nominal, |settling| settling.about);
        bar.set_prefix(kind.map(|kind| format!("{kind} ")).unwrap_or_default());
        let driven = |coordinates: &[JointCoordinate]| {
            let of = coordinates.iter().enumerate().filter(|(_, c)| !matches!(c.drive, Drive::Free));
            of.map(|(k, _)| k).collect::<Vec<_>>()
        };
        let all = |place: usize, coordinates| {
            driven(coordinates).into_iter().map(move |k| ((place, k), TorqueMetrics::default()))
        };
        let closures = model.closures();
        let motion_end = model.motion_end();
        let rigid = model.nominal();
        let of_rigid = rigid.closures().pushes();
        let rigid_row = |name: &str| of_rigid.iter().find(|(other, _)| *other == name).map(|(_, row)| *row);
        Self {
            rigid_rows: closures.pushes().iter().map(|(name, _)| rigid_row(name)).collect(),
            nominal,
            rigid_known: nominal == NominalKind::Rigid,
            metrics: tip
                .filter(|_| nominal != NominalKind::None)
                .map(|tip| TipMetricsCollector::new(tip, tolerance, about)),
            settling,
            drives: model
                .bodies()
                .iter()
                .enumerate()
                .flat_map(|(b, body)| all(b, &body.coordinates))
                .collect(),
            loop_drives: closures
                .joints
                .iter()
                .enumerate()
                .flat_map(|(j, joint)| all(j, &joint.coordinates))
                .collect(),
            pushes: closures.pushes().iter().map(|(_, row)| (*row, TorqueMetrics::default())).collect(),
            motion_ends: motion_end.is_finite() && motion_end > 0.0 && motion_end < end,
            energy: Energy::default(),
            worst_balance: 0.0,
            outputs: 0,
            warnings: Diagnostics::new(),
            modes: ModesReport::default(),
            last: None,
            recorder: None,
            interrupted: None,
            interrupt,
            end,
            bar,
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, String> {
        self.outputs += 1;
        let add = |found: &mut TorqueMetrics, force: f64, rigid: f64| {
            found.peak = found.peak.max(force.abs());
            found.rms += force * force;
            found.rigid_peak = found.rigid_peak.max(rigid.abs());
        };
        for ((body, coordinate), drive) in &mut self.drives {
            let rigid = frame.nominal_drive_force(*body, *coordinate);
            add(drive, frame.drive_force(*body, *coordinate), rigid);
        }
        for ((joint, coordinate), drive) in &mut self.loop_drives {
            let rigid = frame.nominal_loop_drive_force(*joint, *coordinate);
            add(drive, frame.loop_drive_force(*joint, *coordinate), rigid);
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
        self.worst_balance = self.worst_balance.max(frame.energy.balance.abs());
        let (t, statistics) = (frame.state.t, frame.statistics);
        self.bar.set_position((PARTS * t / self.end) as u64);
        let mean = statistics.iterations as f64 / statistics.steps.max(1) as f64;
        self.bar.set_message(format!("t = {t:.3} s, {mean:.1} iterations a step"));
        if let Some(metrics) = &mut self.metrics {
            metrics.frame(frame)?;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(frame)?;
        }
        if self.interrupt.came() {
            self.interrupted = Some(t);
            return Ok(Flow::Stop);
        }
        Ok(Flow::Continue)
    }

    fn warning(&mut self, warning: &Warning) {
        let message = format!("t = {:.6e} s, {}: {}", warning.t, warning.place, warning.message);
        self.warnings.push(Diagnostic::warning(message));
        if let Some(recorder) = &mut self.recorder {
            recorder.warning(warning);
        }
    }
}
