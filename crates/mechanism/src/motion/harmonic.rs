//! Harmonic: a sine without end.

use std::f64::consts::TAU;

use super::{Motion, MotionSample};

/// `mean + amplitude · sin(2π f t + phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonic {
    /// Mean value.
    pub mean: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// Frequency (Hz).
    pub freq_hz: f64,
    /// Phase (rad).
    pub phase: f64,
}

impl Motion for Harmonic {
    fn at(&self, t: f64) -> MotionSample {
        let omega = TAU * self.freq_hz;
        let (sin, cos) = (omega * t + self.phase).sin_cos();
        MotionSample {
            value: self.mean + self.amplitude * sin,
            rate: self.amplitude * omega * cos,
            acceleration: -self.amplitude * omega * omega * sin,
        }
    }

    fn end(&self) -> f64 {
        f64::INFINITY
    }
}
