//! Cycloidal: rest to rest with continuous acceleration.

use std::f64::consts::TAU;

use super::{Motion, MotionSample};

/// `from + (to − from)(s − sin 2πs / 2π)`, s = (t − start)/duration in 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycloidal {
    /// Value before.
    pub from: f64,
    /// Value after.
    pub to: f64,
    /// Begin (s).
    pub start: f64,
    /// Length (s), positive.
    pub duration: f64,
}

impl Motion for Cycloidal {
    fn at(&self, t: f64) -> MotionSample {
        let s = (t - self.start) / self.duration;
        if s <= 0.0 {
            return MotionSample::rest(self.from);
        }
        if s >= 1.0 {
            return MotionSample::rest(self.to);
        }
        let range = self.to - self.from;
        let (sin, cos) = (TAU * s).sin_cos();
        MotionSample {
            value: self.from + range * (s - sin / TAU),
            rate: range / self.duration * (1.0 - cos),
            acceleration: range / (self.duration * self.duration) * TAU * sin,
        }
    }

    fn end(&self) -> f64 {
        self.start + self.duration
    }
}
