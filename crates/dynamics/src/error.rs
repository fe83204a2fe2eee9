//! What can go wrong in a run, with where and when.

use thiserror::Error;

/// A run that could not go on. Times in s.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulationError {
    /// The equations cannot be solved for a coordinate: it has neither inertia nor stiffness.
    #[error(
        "t = {t:.6e} s: the equations are singular at {place}: it has no inertia or stiffness of its own"
    )]
    Singular {
        /// Time.
        t: f64,
        /// Coordinate in words.
        place: String,
    },
    /// The equilibrium iteration did not converge even with the smallest step.
    #[error(
        "t = {t:.6e} s: no equilibrium with a step of {step:.3e} s after {iterations} iterations; residual {residual:.3e} of the forces, worst at {place}"
    )]
    NotConverged {
        /// Time the step was to reach.
        t: f64,
        /// Step.
        step: f64,
        /// Iterations made.
        iterations: usize,
        /// Residual over the size of the forces.
        residual: f64,
        /// Worst coordinate in words.
        place: String,
    },
    /// A number stopped being finite.
    #[error("t = {t:.6e} s: {place} is no longer finite (step {step:.3e} s)")]
    NotFinite {
        /// Time the step was to reach.
        t: f64,
        /// Step.
        step: f64,
        /// First coordinate in words.
        place: String,
    },
    /// No static equilibrium, at the start or in a quasi-static analysis.
    #[error(
        "t = {t:.6e} s: no static equilibrium after {iterations} iterations; residual {residual:.3e} of the forces, worst at {place}"
    )]
    NoEquilibrium {
        /// Time.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Residual over the size of the forces.
        residual: f64,
        /// Worst coordinate in words.
        place: String,
    },
    /// A setting makes no sense.
    #[error("{setting}: {message}")]
    Setting {
        /// Which.
        setting: &'static str,
        /// Why.
        message: String,
    },
    /// An observer could not take a frame.
    #[error("t = {t:.6e} s: {message}")]
    Output {
        /// Time.
        t: f64,
        /// Why.
        message: String,
    },
}
