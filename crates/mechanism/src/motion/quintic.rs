//! Quintic: rest to rest by the polynomial of degree five.

use super::{Motion, MotionSample};

/// `from + (to − from)(10s³ − 15s⁴ + 6s⁵)`, s = (t − start)/duration in 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quintic {
    /// Value before.
    pub from: f64,
    /// Value after.
    pub to: f64,
    /// Begin (s).
    pub start: f64,
    /// Length (s), positive.
    pub duration: f64,
}

impl Motion for Quintic {
    fn at(&self, t: f64) -> MotionSample {
        let s = (t - self.start) / self.duration;
        if s <= 0.0 {
            return MotionSample::rest(self.from);
        }
        if s >= 1.0 {
            return MotionSample::rest(self.to);
        }
        let range = self.to - self.from;
        MotionSample {
            value: self.from + range * s * s * s * (10.0 + s * (6.0 * s - 15.0)),
            rate: range / self.duration * 30.0 * s * s * (1.0 - s) * (1.0 - s),
            acceleration: range / (self.duration * self.duration) * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
        }
    }

    fn end(&self) -> f64 {
        self.start + self.duration
    }
}
