//! Motions: functions of time with exact first and second derivatives, one file each.
//!
//! A motion is defined for all times: before it begins it rests at its first value, after its end at its
//! last. Adding one is one file, one line here, and one line in the contract tests.

mod cycloidal;
mod harmonic;
mod hold;
mod quintic;
mod segments;
mod sequence;
mod spin_up;
mod sum;
mod table;
mod trapezoidal_acceleration;
mod trapezoidal_velocity;

pub use cycloidal::Cycloidal;
pub use harmonic::Harmonic;
pub use hold::Hold;
pub use quintic::Quintic;
pub use sequence::{Sequence, SequenceError};
pub use spin_up::SpinUp;
pub use sum::Sum;
pub use table::TableMotion;
pub use trapezoidal_acceleration::TrapezoidalAcceleration;
pub use trapezoidal_velocity::TrapezoidalVelocity;

/// Value, rate and acceleration at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionSample {
    /// Value (rad or m).
    pub value: f64,
    /// First derivative.
    pub rate: f64,
    /// Second derivative.
    pub acceleration: f64,
}

impl MotionSample {
    /// At rest at `value`.
    pub fn rest(value: f64) -> Self {
        Self { value, rate: 0.0, acceleration: 0.0 }
    }
}

/// A prescribed motion.
pub trait Motion: std::fmt::Debug + Send + Sync {
    /// Value and derivatives at time `t` (s).
    fn at(&self, t: f64) -> MotionSample;

    /// Time after which nothing moves any more (s); infinite for a motion without end.
    fn end(&self) -> f64;

    /// Times where the acceleration jumps, ascending; an integrator may put steps there.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod contract;
