//! Control laws from outside: what a sampled servo computes instead of its own law. A function of a caller
//! is one; a model of a controller that another program has exported would be another.

use std::fmt::Debug;

use thiserror::Error;

use crate::MotionSample;

/// Makes a controller for each analysis. The model that holds it stays immutable and shared.
pub trait ControlLaw: Debug + Send + Sync {
    /// A controller at its start. `joints` are the names of all joint coordinates that are one number, in the
    /// order of [`Measurement::joints`].
    fn start(&self, joints: &[String]) -> Box<dyn Controller>;
}

/// A control law with its memory, at work in one analysis. It is called once at each sample, in the order of
/// time.
pub trait Controller: Debug + Send {
    /// The torque or force that comes into force after the delay of the servo (N·m, N). The servo limits it.
    ///
    /// # Errors
    /// An error ends the analysis.
    fn torque(&mut self, measured: &Measurement<'_>) -> Result<f64, ControlError>;
}

/// What a controller measures at a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement<'a> {
    /// Time (s).
    pub t: f64,
    /// Position of the joint coordinate (rad, m).
    pub position: f64,
    /// Its rate (rad/s, m/s).
    pub rate: f64,
    /// What it is commanded.
    pub command: MotionSample,
    /// Torque that holds the joint in the equilibrium in which the run starts (N·m, N); zero in a run that
    /// starts elsewhere.
    pub holding: f64,
    /// Position and rate of every joint coordinate that is one number.
    pub joints: &'a [[f64; 2]],
}

/// Why a controller has no torque.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ControlError {
    /// What is wrong.
    pub message: String,
}
