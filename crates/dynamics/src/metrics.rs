//! Numbers a designer asks for: settling time, overshoot, peaks and means of tip error and torque.

use nalgebra::Vector3;

use crate::{Flow, Frame, Observer};

/// What the tip settles about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SettleAbout {
    /// The nominal (rigid) tip: a static sag counts as error.
    #[default]
    Nominal,
    /// The mean error after the motion has ended: residual vibration alone counts.
    FinalMean,
}

/// Metrics of the tip error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TipMetrics {
    /// Largest error (m) and when (s).
    pub peak: f64,
    /// Time of the peak (s).
    pub peak_time: f64,
    /// Largest components in world axes (m).
    pub peak_components: [f64; 3],
    /// Root mean square over the run (m).
    pub rms: f64,
    /// Largest rotation error (rad).
    pub peak_rotation: f64,
    /// Largest error after the nominal motion has ended, about what it settles to (m).
    pub overshoot: f64,
    /// Time from the end of the nominal motion until the error stays within the tolerance (s); `None` when it
    /// does not within the run.
    pub settling_time: Option<f64>,
}

/// Metrics of one drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TorqueMetrics {
    /// Largest magnitude (N·m, N).
    pub peak: f64,
    /// Root mean square.
    pub rms: f64,
    /// Largest magnitude of the rigid machine's.
    pub rigid_peak: f64,
}

/// Collects frames and makes the metrics of one tip and all drives. Means weigh frames equally: outputs are
/// equally spaced.
#[derive(Clone, Debug)]
pub struct TipMetricsCollector {
    tip: (usize, usize),
    tolerance: f64,
    about: SettleAbout,
    motion_end: f64,
    times: Vec<f64>,
    errors: Vec<Vector3<f64>>,
    peak_rotation: f64,
    torque: Vec<((usize, usize), TorqueMetrics)>,
}

impl TipMetricsCollector {
    /// For the tip at (body, interface); the error is settled when it stays within `tolerance` (m).
    pub fn new(tip: (usize, usize), tolerance: f64, about: SettleAbout) -> Self {
        Self {
            tip,
            tolerance,
            about,
            motion_end: 0.0,
            times: Vec::new(),
            errors: Vec::new(),
            peak_rotation: 0.0,
            torque: Vec::new(),
        }
    }

    /// The metrics of the tip.
    pub fn tip(&self) -> TipMetrics {
        let mut metrics = TipMetrics { peak_rotation: self.peak_rotation, ..TipMetrics::default() };
        for (t, e) in self.times.iter().zip(&self.errors) {
            if e.norm() > metrics.peak {
                (metrics.peak, metrics.peak_time) = (e.norm(), *t);
            }
            for (peak, e) in metrics.peak_components.iter_mut().zip(e.iter()) {
                *peak = f64::max(*peak, e.abs());
            }
            metrics.rms += e.norm_squared();
        }
        metrics.rms = (metrics.rms / self.errors.len().max(1) as f64).sqrt();
        let first = self.times.partition_point(|t| *t < self.motion_end);
        let after = &self.errors[first..];
        if after.is_empty() {
            return metrics;
        }
        let rest = match self.about {
            SettleAbout::Nominal => Vector3::zeros(),
            SettleAbout::FinalMean => after.iter().sum::<Vector3<f64>>() / after.len() as f64,
        };
        metrics.overshoot = after.iter().map(|e| (e - rest).norm()).fold(0.0, f64::max);
        let last_outside = after.iter().rposition(|e| (e - rest).norm() > self.tolerance);
        metrics.settling_time = match last_outside {
            None => Some(0.0),
            Some(i) if i + 1 < after.len() => Some(self.times[first + i + 1] - self.motion_end),
            Some(_) => None,
        };
        metrics
    }

    /// The metrics of every joint coordinate that is driven: (body, coordinate) and numbers.
    pub fn torques(&self) -> Vec<((usize, usize), TorqueMetrics)> {
        let count = self.times.len().max(1) as f64;
        let finish = |m: &TorqueMetrics| TorqueMetrics { rms: (m.rms / count).sqrt(), ..*m };
        self.torque.iter().map(|(place, m)| (*place, finish(m))).collect()
    }
}

impl Observer for TipMetricsCollector {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, String> {
        if self.times.is_empty() {
            // A motion without end has nothing to settle after.
            self.motion_end = frame.model.motion_end();
            for (b, body) in frame.model.bodies().iter().enumerate() {
                for (k, c) in body.coordinates.iter().enumerate() {
                    if !matches!(c.drive, pliant_mechanism::Drive::Free) {
                        self.torque.push(((b, k), TorqueMetrics::default()));
                    }
                }
            }
        }
        let (displacement, rotation) = frame.error(self.tip.0, self.tip.1);
        self.times.push(frame.state.t);
        self.errors.push(displacement);
        self.peak_rotation = self.peak_rotation.max(rotation.norm());
        for ((body, coordinate), metrics) in &mut self.torque {
            let force = frame.drive_force(*body, *coordinate);
            metrics.peak = metrics.peak.max(force.abs());
            metrics.rms += force * force;
            metrics.rigid_peak = metrics.rigid_peak.max(frame.nominal_drive_force(*body, *coordinate).abs());
        }
        Ok(Flow::Continue)
    }
}
