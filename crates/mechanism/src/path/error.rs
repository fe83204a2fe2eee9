//! Why a path cannot be followed, with the place on it.

use thiserror::Error;

/// A place on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPlace {
    /// Move, counted from 1.
    pub number: usize,
    /// Time (s).
    pub t: f64,
    /// Distance from where the move begins (m).
    pub distance: f64,
    /// Point (m).
    pub point: [f64; 3],
}

impl std::fmt::Display for PathPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.point;
        let (number, t, distance) = (self.number, self.t, self.distance);
        write!(f, "move {number}, {distance:.4} m along it, ({x:.4}, {y:.4}, {z:.4}) m at t = {t:.4} s")
    }
}

/// Why a path cannot be followed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PathError {
    /// Inverse kinematics does not converge.
    #[error(
        "the tip cannot reach its path: {place}: the closest pose found is {miss:.3e} m and {turn:.3e} rad away"
    )]
    Unreachable {
        /// Where.
        place: PathPlace,
        /// Distance left (m).
        miss: f64,
        /// Angle left (rad).
        turn: f64,
    },
    /// The arm is singular.
    #[error(
        "the arm is singular on its path: {place}: the tip cannot move in some direction there (ratio of \
         singular values {ratio:.1e}); joint rates would grow without bound"
    )]
    Singular {
        /// Where.
        place: PathPlace,
        /// Smallest over largest singular value of the Jacobian, lengths in units of the arm's reach.
        ratio: f64,
    },
    /// A joint leaves its range.
    #[error(
        "joint `{joint}` leaves its range on the path: {place}: it is at {value:.5}, allowed {least:.5} to {most:.5}"
    )]
    OutOfRange {
        /// Joint.
        joint: String,
        /// Where.
        place: PathPlace,
        /// Value (rad, m).
        value: f64,
        /// Least allowed.
        least: f64,
        /// Most allowed.
        most: f64,
    },
    /// The arm jumps to another configuration.
    #[error("the arm turns over on its path: {place}: joint `{joint}` would jump by {step:.3} (rad, m)")]
    Jump {
        /// Joint.
        joint: String,
        /// Where.
        place: PathPlace,
        /// Size of the jump.
        step: f64,
    },
    /// Too many or too few joints.
    #[error("{0}")]
    Joints(String),
    /// A move makes no sense.
    #[error("move {number}: {message}")]
    Move {
        /// Move, counted from 1.
        number: usize,
        /// What is wrong.
        message: String,
    },
}
