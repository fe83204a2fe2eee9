//! What can go wrong in a run, with where and when.

use std::fmt;
use std::sync::Arc;

use pliant_diag::real;
use thiserror::Error;

/// A run that could not go on. Times in s.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SimulationError {
    /// The equations cannot be solved for a coordinate: it has neither inertia nor stiffness.
    #[error(
        "t = {shown_t} s: the equations are singular at {subject}: it has no inertia or stiffness of its own, or its link bends further \
         than second-order kinematics describe (`segments` divides a beam; `second_order = false` leaves the shortening out)", shown_t = real(*t))]
    Singular {
        /// Time.
        t: f64,
        /// Coordinate in words.
        subject: String,
    },
    /// The constraints of a loop lose their rank: they do not determine the motion.
    #[error(
        "t = {shown_t} s: singular configuration at {subject}: the constraints no longer determine the motion there", shown_t = real(*t))]
    SingularConfiguration {
        /// Time.
        t: f64,
        /// Closure and direction in words.
        subject: String,
    },
    /// A constraint that was redundant at the start no longer is.
    #[error(
        "t = {} s: {subject} was redundant at the start and no longer is: the machine started in a singular configuration, from which its loops can \
         close in more than one way; give their joints a `start` beside it",
        real(*t)
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
         this coordinate under `coordinates` where the joint has several) to hold it where it starts, or start = \"undeformed\" to [analysis]"
    )]
    NothingHolds {
        /// Coordinate in words.
        subject: String,
    },
    /// An equilibrium from which the smallest push leads away.
    #[error(
        "t = {shown_t} s: the equilibrium that was found is unstable: under these loads the stiffness is negative in some direction (buckling, or an \
         inverted pendulum); reduce the loads, start the joints elsewhere, or give start = \"undeformed\" to [analysis] to see how it leaves", shown_t = real(*t))]
    UnstableEquilibrium {
        /// Time.
        t: f64,
    },
    /// A grip has left its rail.
    #[error(
        "t = {shown_t} s: joint `{joint}` leaves its rail: the displacement is {shown_displacement} m, the rail holds from {shown_least} m to {shown_most} m", shown_t = real(*t), shown_displacement = real(*displacement), shown_least = real(*least), shown_most = real(*most))]
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
        "t = {shown_t} s: {subject} has left the rows of its table: it is at {shown_at}, the rows go from {shown_first} to {shown_last}; give more rows, or \
         outside = \"hold\"", shown_t = real(*t), shown_at = real(*at), shown_first = real(*first), shown_last = real(*last))]
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
        "the loops cannot be closed: {shown_misfit} m remain after {iterations} iterations, worst at {subject}", shown_misfit = real(*misfit))]
    NotAssembled {
        /// Misfit left (m; angles times the length of the machine).
        misfit: f64,
        /// Iterations made.
        iterations: usize,
        /// Closure and direction in words.
        subject: String,
    },
    /// A force, motion or command that is given over time is no number.
    #[error("{subject}: {what} is not finite at t = {} s", pliant_diag::real(*t))]
    Undefined {
        /// Joint, load, force or constraint.
        subject: String,
        /// What is not finite.
        what: String,
        /// Time (s).
        t: f64,
    },
    /// The equilibrium iteration did not converge even with the smallest step.
    #[error(
        "t = {} s: no equilibrium with a step of {} s after {iterations} iterations; {}, worst at {subject}",
        real(*t),
        real(*step),
        of_the_forces(*residual)
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
        "t = {shown_t} s: the error needs a step of {shown_step} s, below the smallest of {shown_min_step} s; worst at {subject}", shown_t = real(*t), shown_step = real(*step), shown_min_step = real(*min_step))]
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
    #[error("t = {shown_t} s: {subject} is no longer finite (step {shown_step} s)", shown_t = real(*t), shown_step = real(*step))]
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
        "t = {} s: no static equilibrium after {iterations} iterations; {}, worst at {subject}; start the \
         joints nearer to it (`start = {{ value = … }}`), or apply the loads in smaller steps (`kind = \"static\"`)",
        real(*t),
        of_the_forces(*residual)
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
        "t = {shown_t} s: interface `{interface}` of link `{link}` is displaced by {shown_displacement} m, more than the size of the link ({shown_size} m): the run has diverged{}{}",
        if *first_order { "; the link is of first order, without the stiffening by forces along it (`second_order = false`)" } else { "; a link that bends this far needs `segments`" },
        if *in_loop { "; in a closed loop stiff links that are struck need a smaller step or numerical damping (`integrator = \"generalized-alpha\"`)" } else { "" }, shown_t = real(*t), shown_displacement = real(*displacement), shown_size = real(*size))]
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
    #[error("`{setting}`: {message}")]
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
    #[error("t = {shown_t} s: {error}", shown_t = real(*t))]
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

/// A residual relative to the forces, in words: forces that overflow have none.
fn of_the_forces(residual: f64) -> String {
    if residual.is_finite() {
        format!("residual {} of the forces", real(residual))
    } else {
        "forces that are no longer finite".to_owned()
    }
}
