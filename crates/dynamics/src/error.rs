//! What can go wrong in a run, with where and when.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// A run that could not go on. Times in s.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulationError {
    /// The equations cannot be solved for a coordinate: it has neither inertia nor stiffness.
    #[error(
        "t = {t:.6e} s: the equations are singular at {subject}: it has no inertia or stiffness of its own, or its link bends further \
         than second-order kinematics describe (`segments` cut a beam; `second_order = false` leaves the shortening out)"
    )]
    Singular {
        /// Time.
        t: f64,
        /// Coordinate in words.
        subject: String,
    },
    /// The constraints of a loop lose their rank: they do not determine the motion.
    #[error(
        "t = {t:.6e} s: singular configuration at {subject}: the constraints no longer determine the motion there"
    )]
    SingularConfiguration {
        /// Time.
        t: f64,
        /// Closure and direction in words.
        subject: String,
    },
    /// A constraint that was redundant at the start no longer is.
    #[error(
        "t = {t:.6e} s: {subject} was redundant at the start and no longer is: the machine started in a singular configuration"
    )]
    RedundancyLost {
        /// Time.
        t: f64,
        /// Closure and direction in words.
        subject: String,
    },
    /// A joint that the equilibrium of the start would leave to itself.
    #[error(
        "{subject}: nothing holds it in equilibrium (no command, no spring, no servo); give it start = {{ hold = true }} (of the joint, or of \
         this coordinate under `coordinates` where the joint has several) to hold it where it starts, or let the run start = \"undeformed\""
    )]
    NothingHolds {
        /// Coordinate in words.
        subject: String,
    },
    /// An equilibrium from which the smallest push leads away.
    #[error(
        "t = {t:.6e} s: the equilibrium that was found is unstable: under these loads the stiffness is negative in some direction (buckling, or an \
         inverted pendulum); reduce the loads, start the joints elsewhere, or give the run start = \"undeformed\" to see it leave"
    )]
    UnstableEquilibrium {
        /// Time.
        t: f64,
    },
    /// A grip has left its rail.
    #[error(
        "t = {t:.6e} s: joint `{joint}` leaves its rail: the displacement is {displacement:.6} m, the rail holds from {least:.6} m to {most:.6} m"
    )]
    OffTheRail {
        /// Time.
        t: f64,
        /// Joint.
        joint: String,
        /// Its displacement (m).
        displacement: f64,
        /// The least displacement on the rail (m).
        least: f64,
        /// The largest displacement on the rail (m).
        most: f64,
    },
    /// A law has left the rows of its table, outside of which it is not defined.
    #[error(
        "t = {t:.6e} s: {subject} has left the rows of its table: {at:.4e}, the rows go from {first:.4e} to {last:.4e}; give more rows, or \
         outside = \"hold\""
    )]
    LeftTable {
        /// Time.
        t: f64,
        /// Force element.
        subject: String,
        /// Argument (m, m/s).
        at: f64,
        /// First row.
        first: f64,
        /// Last row.
        last: f64,
    },
    /// Constraints that say nothing new, while their reactions are asked for.
    #[error(
        "{} redundant: {}; release them (a spherical or cylindrical joint, a bearing), or let their reactions be the smallest with redundant = \"least-norm\"",
        if constraints.len() == 1 { "1 constraint is".to_owned() } else { format!("{} constraints are", constraints.len()) },
        constraints.join("; ")
    )]
    Redundant {
        /// Closures and directions in words.
        constraints: Vec<String>,
    },
    /// The loops cannot be closed from where the joints were said to start.
    #[error(
        "the loops cannot be closed: {misfit:.3e} m remain after {iterations} iterations, worst at {subject}"
    )]
    NotAssembled {
        /// Misfit left (m; angles times the length of the machine).
        misfit: f64,
        /// Iterations made.
        iterations: usize,
        /// Closure and direction in words.
        subject: String,
    },
    /// The equilibrium iteration did not converge even with the smallest step.
    #[error(
        "t = {t:.6e} s: no equilibrium with a step of {step:.3e} s after {iterations} iterations; residual {residual:.3e} of the forces, worst at {subject}"
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
        subject: String,
    },
    /// The error control wants a step below the smallest one.
    #[error(
        "t = {t:.6e} s: the error needs a step of {step:.3e} s, below the smallest of {min_step:.3e} s; worst at {subject}"
    )]
    StepTooSmall {
        /// Time at which the step was to begin.
        t: f64,
        /// Step that would do.
        step: f64,
        /// Smallest step allowed.
        min_step: f64,
        /// Coordinate with the largest error in words.
        subject: String,
    },
    /// A number stopped being finite.
    #[error("t = {t:.6e} s: {subject} is no longer finite (step {step:.3e} s)")]
    NotFinite {
        /// Time the step was to reach.
        t: f64,
        /// Step.
        step: f64,
        /// First coordinate in words.
        subject: String,
    },
    /// No static equilibrium, at the start or in a quasi-static analysis.
    #[error(
        "t = {t:.6e} s: no static equilibrium after {iterations} iterations; residual {residual:.3e} of the forces, worst at {subject}; start the \
         joints nearer to it (`start = {{ value = … }}`), or apply the loads in smaller steps (`kind = \"static\"`)"
    )]
    NoEquilibrium {
        /// Time.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Residual over the size of the forces.
        residual: f64,
        /// Worst coordinate in words.
        subject: String,
    },
    /// A link has deformed by more than its own size.
    #[error(
        "t = {t:.6e} s: interface `{interface}` of link `{link}` is displaced by {displacement:.3e} m, more than the size of the link ({size:.3e} m): the run has diverged{}{}",
        if *first_order { "; the link is of first order, without the stiffening by forces along it (`second_order = false`)" } else { "; a link that bends this far needs `segments`" },
        if *in_loop { "; in a closed loop stiff links that are struck need a smaller step or numerical damping (`integrator = \"generalized-alpha\"`)" } else { "" }
    )]
    Collapsed {
        /// Time.
        t: f64,
        /// Link.
        link: String,
        /// Its interface.
        interface: String,
        /// How far it is from its position in the undeformed link (m).
        displacement: f64,
        /// Size of the link (m).
        size: f64,
        /// True when the link has no second-order displacement.
        first_order: bool,
        /// True when the machine has closed loops.
        in_loop: bool,
    },
    /// A setting makes no sense.
    #[error("{setting}: {message}")]
    Setting {
        /// Which.
        setting: &'static str,
        /// Why.
        message: String,
    },
    /// A control law from outside has no torque.
    #[error("t = {t:.6e} s: the controller of joint `{joint}` failed: {message}")]
    Controller {
        /// Time of the sample.
        t: f64,
        /// Joint.
        joint: String,
        /// Why.
        message: String,
    },
    /// An observer could not take a frame.
    #[error("t = {t:.6e} s: {error}")]
    Output {
        /// Time.
        t: f64,
        /// Why.
        error: ObserverError,
    },
}

/// Why an observer ends a run: an error of its own type. `?` makes one of any error.
#[derive(Clone)]
pub struct ObserverError(Arc<dyn std::error::Error + Send + Sync>);

impl<E: std::error::Error + Send + Sync + 'static> From<E> for ObserverError {
    fn from(error: E) -> Self {
        Self(Arc::new(error))
    }
}

impl fmt::Display for ObserverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for ObserverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Errors with the same message are equal.
impl PartialEq for ObserverError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}
