//! Metrics of the tip error.

use nalgebra::Vector3;

use super::tail::Tail;
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
    pub overshoot: f64,
    /// Time from the end of the nominal motion until the error stays within the tolerance (s); `None` when it
    /// does not within the run.
    pub settling_time: Option<f64>,
}

/// How the error goes after the motion, about a place of rest.
#[derive(Clone, Copy, Debug, Default)]
struct Settling {
    overshoot: f64,
    /// Time since which the error has stayed within the tolerance.
    inside_since: Option<f64>,
    /// It has been outside after the motion.
    was_outside: bool,
}

impl Settling {
    fn take(&mut self, t: f64, distance: f64, tolerance: f64) {
        self.overshoot = self.overshoot.max(distance);
        if distance > tolerance {
            (self.inside_since, self.was_outside) = (None, true);
        } else if self.inside_since.is_none() {
            self.inside_since = Some(t);
        }
    }

    /// From the end of the motion; zero when it never left the band.
    fn time(&self, motion_end: f64) -> Option<f64> {
        self.inside_since.map(|t| if self.was_outside { t - motion_end } else { 0.0 })
    }
}

/// Collects frames and makes the metrics of one tip. Means weigh frames equally: outputs are equally spaced.
#[derive(Debug)]
pub struct TipMetricsCollector {
    tip: (usize, usize),
    tolerance: f64,
    about: SettleAbout,
    motion_end: f64,
    frames: u64,
    /// So far; the mean is still a sum of squares, and what comes after the motion is not in it.
    sums: TipMetrics,
    /// About the nominal tip.
    settling: Settling,
    /// What waits for its mean.
    tail: Tail,
    /// Every frame had a nominal pose of the tip.
    known: bool,
}

impl TipMetricsCollector {
    /// For the tip at (body, interface); the error is settled when it stays within `tolerance` (m).
    pub fn new(tip: (usize, usize), tolerance: f64, about: SettleAbout) -> Self {
        Self {
            tip,
            tolerance,
            about,
            motion_end: 0.0,
            frames: 0,
            sums: TipMetrics::default(),
            settling: Settling::default(),
            tail: Tail::default(),
            known: true,
        }
    }

    /// False when the run had no nominal motion, or lost it: then there is no tip error.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// The metrics of the tip.
    ///
    /// # Errors
    /// What a long run has put aside cannot be read again.
    pub fn tip(&self) -> std::io::Result<TipMetrics> {
        let mut settling = self.settling;
        if let Some(rest) = self.tail.mean() {
            self.tail.each(|t, error| settling.take(t, (error - rest).norm(), self.tolerance))?;
        }
        Ok(TipMetrics {
            rms: (self.sums.rms / self.frames.max(1) as f64).sqrt(),
            overshoot: settling.overshoot,
            settling_time: settling.time(self.motion_end),
            ..self.sums
        })
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
        match self.about {
            SettleAbout::Nominal => self.settling.take(t, size, self.tolerance),
            SettleAbout::FinalMean => self.tail.push(t, error)?,
        }
        Ok(())
    }
}

impl Observer for TipMetricsCollector {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<Flow, String> {
        if self.frames == 0 {
            // A motion without end has nothing to settle after.
            self.motion_end = frame.model.motion_end();
        }
        self.known &= frame.has_nominal(self.tip.0, self.tip.1);
        if !self.known {
            return Ok(Flow::Continue);
        }
        let (displacement, rotation) = frame.error(self.tip.0, self.tip.1);
        self.sums.peak_rotation = self.sums.peak_rotation.max(rotation.norm());
        self.take(frame.state.t, &displacement)
            .map_err(|error| format!("the tip's errors cannot be put aside: {error}"))?;
        Ok(Flow::Continue)
    }
}
