//! Spin-up: a rate that rises cycloidally and then stays.

use std::f64::consts::TAU;

use super::{Motion, MotionSample};

/// Rate `Ω(s − sin 2πs / 2π)` for s = (t − start)/duration in 0..1, then Ω for ever; value
/// `from + ΩT(s²/2 + (cos 2πs − 1)/4π²)`. The spin-up of Kane, Ryan and Banerjee (1987).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinUp {
    /// Value before.
    pub from: f64,
    /// Final rate (rad/s or m/s).
    pub rate: f64,
    /// Begin (s).
    pub start: f64,
    /// Time to reach the final rate (s), positive.
    pub duration: f64,
}

impl Motion for SpinUp {
    fn at(&self, t: f64) -> MotionSample {
        let s = (t - self.start) / self.duration;
        if s <= 0.0 {
            return MotionSample::rest(self.from);
        }
        if s >= 1.0 {
            let value = self.from + self.rate * self.duration * (s - 0.5);
            return MotionSample { value, rate: self.rate, acceleration: 0.0 };
        }
        let (sin, cos) = (TAU * s).sin_cos();
        MotionSample {
            value: self.from + self.rate * self.duration * (0.5 * s * s + (cos - 1.0) / (TAU * TAU)),
            rate: self.rate * (s - sin / TAU),
            acceleration: self.rate / self.duration * (1.0 - cos),
        }
    }

    fn end(&self) -> f64 {
        f64::INFINITY
    }
}
