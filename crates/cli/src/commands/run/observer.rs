//! What is watched while the machine moves.

use indicatif::{ProgressBar, ProgressStyle};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_dynamics::{Energy, Flow, Frame, Observer, SettleAbout, TipMetricsCollector, Warning};
use pliant_machine::Settling;
use pliant_mechanism::Model;
use pliant_store::results::Recorder;

use crate::interrupt::Interrupt;

/// Parts of the progress bar.
const PARTS: f64 = 1000.0;

/// Collects metrics and warnings and shows how far the run is.
pub(super) struct Watch {
    /// With a tip; its torques are those of all drives.
    pub(super) metrics: Option<TipMetricsCollector>,
    pub(super) settling: Option<Settling>,
    /// Largest magnitude of each driven coordinate's force: (body, coordinate) and size.
    pub(super) peaks: Vec<((usize, usize), f64)>,
    pub(super) energy: Energy,
    /// Largest magnitude of the balance (J).
    pub(super) worst_balance: f64,
    pub(super) outputs: u64,
    pub(super) warnings: Diagnostics,
    /// Keeps the frames.
    pub(super) recorder: Option<Recorder>,
    /// When the user wanted the run to end (s).
    pub(super) interrupted: Option<f64>,
    interrupt: Interrupt,
    end: f64,
    bar: ProgressBar,
}

impl Watch {
    pub(super) fn new(
        model: &Model,
        tip: Option<(usize, usize)>,
        settling: Option<Settling>,
        end: f64,
        interrupt: Interrupt,
        show: bool,
    ) -> Self {
        let bar = if show { ProgressBar::new(PARTS as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {wide_bar} {elapsed}  {msg}");
        bar.set_style(style.expect("invariant: the template is ours"));
        let tolerance = settling.map_or(f64::INFINITY, |settling| settling.tolerance);
        let about = settling.map_or(SettleAbout::Nominal, |settling| settling.about);
        let mut peaks = Vec::new();
        for (b, body) in model.bodies().iter().enumerate() {
            let driven =
                |c: &pliant_mechanism::JointCoordinate| !matches!(c.drive, pliant_mechanism::Drive::Free);
            let places = body.coordinates.iter().enumerate().filter(|(_, c)| driven(c));
            peaks.extend(places.map(|(k, _)| ((b, k), 0.0)));
        }
        Self {
            metrics: tip.map(|tip| TipMetricsCollector::new(tip, tolerance, about)),
            settling,
            peaks,
            energy: Energy::default(),
            worst_balance: 0.0,
            outputs: 0,
            warnings: Diagnostics::new(),
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
        for ((body, coordinate), peak) in &mut self.peaks {
            *peak = peak.max(frame.drive_force(*body, *coordinate).abs());
        }
        self.energy = *frame.energy;
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
