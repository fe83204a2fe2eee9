//! Metrics of the tip error.

use nalgebra::Vector3;
use pliant_mechanism::{InterfaceRef, Model};
use thiserror::Error;

use super::tail::Tail;
use crate::linear::frequencies::lowest_frequency;
use crate::{Flow, Frame, Observer, ObserverError, Settings};

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
    /// Largest error (m).
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
    pub residual: f64,
    /// Time from the end of the nominal motion until the error stays within the tolerance (s); `None` when it
    /// does not, or not for two periods of the residual vibration before the run ends.
    pub settling_time: Option<f64>,
    /// Frequency of the residual vibration (Hz): of its zero crossings, or the machine's lowest where it has
    /// too few of them.
    pub residual_hz: Option<f64>,
}

/// Periods of the residual vibration that the error must have been within the tolerance before it counts as
/// settled.
const PERIODS: f64 = 2.0;

/// Crossings of zero that say a frequency: one and a half periods at least.
const CROSSINGS: u64 = 4;

/// How the error goes after the motion, about a position of rest.
#[derive(Clone, Copy, Debug, Default)]
struct Settling {
    residual: f64,
    /// Time since which the error has stayed within the tolerance.
    inside_since: Option<f64>,
    /// It has been outside after the motion.
    was_outside: bool,
}

impl Settling {
    fn take(&mut self, t: f64, distance: f64, tolerance: f64) {
        self.residual = self.residual.max(distance);
        if distance > tolerance {
            (self.inside_since, self.was_outside) = (None, true);
        } else if self.inside_since.is_none() {
            self.inside_since = Some(t);
        }
    }

    /// From the end of the motion; zero when it never left the band. `None` unless it has been inside for
    /// `required` (s) at `end`.
    fn time(&self, motion_end: f64, end: f64, required: f64) -> Option<f64> {
        let since = self.inside_since.filter(|since| end - since >= required * (1.0 - 1e-9))?;
        Some(if self.was_outside { since - motion_end } else { 0.0 })
    }
}

/// Collects frames and makes the metrics of one tip. Means weigh frames equally: outputs are equally spaced.
#[derive(Debug)]
pub struct TipMetricsCollector {
    tip: InterfaceRef,
    tolerance: f64,
    about: SettleAbout,
    motion_end: f64,
    frames: u64,
    /// So far; the mean is still a sum of squares, and what comes after the motion is not in it.
    sums: TipMetrics,
    /// Errors after the motion.
    tail: Tail,
    /// Every frame had a nominal pose of the tip.
    known: bool,
    /// Times of the first and the last frame.
    start: f64,
    last: f64,
}

impl TipMetricsCollector {
    /// The error of the `tip` is settled when it stays within `tolerance` (m).
    pub fn new(tip: InterfaceRef, tolerance: f64, about: SettleAbout) -> Self {
        Self {
            tip,
            tolerance,
            about,
            motion_end: 0.0,
            frames: 0,
            sums: TipMetrics::default(),
            tail: Tail::default(),
            known: true,
            start: 0.0,
            last: 0.0,
        }
    }

    /// False when the run had no nominal motion, or lost it: then there is no tip error.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// The metrics of the tip of this machine, which is that of the frames.
    ///
    /// # Errors
    /// What a long run has put aside cannot be read again.
    pub fn tip(&self, model: &Model) -> std::io::Result<TipMetrics> {
        let mut settling = Settling::default();
        let mean = self.tail.mean().unwrap_or_default();
        let rest = match self.about {
            SettleAbout::Nominal => Vector3::zeros(),
            SettleAbout::FinalMean => mean,
        };
        self.tail.each(|t, error| settling.take(t, (error - rest).norm(), self.tolerance))?;
        let residual_hz = self.crossings_hz(&mean)?.or_else(|| self.lowest_hz(model));
        let required = residual_hz.map_or(0.0, |hz| PERIODS / hz);
        Ok(TipMetrics {
            rms: (self.sums.rms / self.frames.max(1) as f64).sqrt(),
            residual: settling.residual,
            settling_time: settling.time(self.motion_end, self.last, required),
            residual_hz,
            ..self.sums
        })
    }

    /// Frequency at which the largest component of the error after the motion crosses its mean (Hz). A
    /// crossing counts when the error has been beyond a tenth of its standard deviation on both sides, so
    /// that ripples on top of the vibration do not.
    fn crossings_hz(&self, mean: &Vector3<f64>) -> std::io::Result<Option<f64>> {
        let (mut squares, mut count) = (Vector3::zeros(), 0.0);
        self.tail.each(|_, error| {
            squares += (error - mean).component_mul(&(error - mean));
            count += 1.0;
        })?;
        let axis = squares.imax();
        let band = 0.1 * (squares[axis] / f64::max(count, 1.0)).sqrt();
        let (mut side, mut crossings, mut first, mut last) = (0.0, 0, 0.0, 0.0);
        self.tail.each(|t, error| {
            let x = error[axis] - mean[axis];
            if x.abs() > band && x.signum() != side {
                if side != 0.0 {
                    crossings += 1;
                    if crossings == 1 {
                        first = t;
                    }
                    last = t;
                }
                side = x.signum();
            }
        })?;
        let half_periods = crossings as f64 - 1.0;
        Ok((crossings >= CROSSINGS && last > first).then(|| half_periods / (2.0 * (last - first))))
    }

    /// The lowest frequency of the undeformed machine where it started (Hz), where something may settle.
    fn lowest_hz(&self, model: &Model) -> Option<f64> {
        let settings = Settings { t_start: self.start, ..Settings::default() };
        let settles = self.frames > 0 && self.tolerance.is_finite();
        settles.then(|| lowest_frequency(model, &settings)).flatten()
    }

    fn take(&mut self, t: f64, error: &Vector3<f64>) -> std::io::Result<()> {
        let (sums, size) = (&mut self.sums, error.norm());
        self.frames += 1;
        if size > sums.peak {
            (sums.peak, sums.peak_time) = (size, t);
        }
        for (peak, e) in sums.peak_components.iter_mut().zip(error.iter()) {
            *peak = f64::max(*peak, e.abs());
        }
        sums.rms += error.norm_squared();
        if t < self.motion_end {
            return Ok(());
        }
        self.tail.push(t, error)
    }
}

/// The errors of the tip after the motion, which are buffered in a file, cannot be written.
#[derive(Debug, Error)]
#[error("the tip errors cannot be buffered in a temporary file: {0}")]
struct TailError(std::io::Error);

impl Observer for TipMetricsCollector {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, ObserverError> {
        if self.frames == 0 {
            // A motion without end has nothing to settle after.
            self.motion_end = frame.model.motion_end();
            self.start = frame.state.t;
        }
        self.known &= frame.has_nominal(self.tip);
        if !self.known {
            return Ok(Flow::Continue);
        }
        self.last = frame.state.t;
        let (displacement, rotation) = frame.error(self.tip);
        self.sums.peak_rotation = self.sums.peak_rotation.max(rotation.norm());
        self.take(frame.state.t, &displacement).map_err(TailError)?;
        Ok(Flow::Continue)
    }
}
