//! Why a path cannot be followed, with the point on it.

use pliant_diag::real;
use thiserror::Error;

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Move, counted from 1.
    pub number: usize,
    /// Time (s).
    pub t: f64,
    /// Distance from where the move begins (m).
    pub distance: f64,
    /// Point (m).
    pub point: [f64; 3],
}

impl std::fmt::Display for PathPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.point;
        let (number, t, distance) = (self.number, self.t, self.distance);
        write!(f, "move {number}, {distance:.4} m along it, ({x:.4}, {y:.4}, {z:.4}) m at t = {t:.4} s")
    }
}

/// A hint where fewer joints follow a path than it determines.
fn few(unknowns: usize, equations: usize) -> String {
    if unknowns >= equations {
        return String::new();
    }
    let free =
        if equations > 3 { "; orientation = \"free\" leaves the orientation to the joints" } else { "" };
    format!("; {unknowns} joint coordinates follow a path of {equations} components{free}")
}

/// Why a path cannot be followed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PathError {
    /// Inverse kinematics does not converge.
    #[error(
        "the tip cannot reach its path: {point}: the closest pose found is {} m and {} rad away{}",
        real(*miss),
        real(*turn),
        few(*unknowns, *equations)
    )]
    Unreachable {
        /// Where.
        point: PathPoint,
        /// Distance left (m).
        miss: f64,
        /// Angle left (rad).
        turn: f64,
        /// Coordinates that follow.
        unknowns: usize,
        /// Equations of the path.
        equations: usize,
    },
    /// The joints cannot give the tip its velocity.
    #[error(
        "the tip cannot follow its path: {point}: the joints cannot give it the velocity there, {} m/s are missing{}",
        real(*miss),
        few(*unknowns, *equations)
    )]
    WrongVelocity {
        /// Where.
        point: PathPoint,
        /// Velocity left (m/s; angular velocities times the reach).
        miss: f64,
        /// Coordinates that follow.
        unknowns: usize,
        /// Equations of the path.
        equations: usize,
    },
    /// The arm is singular.
    #[error(
        "the arm is singular on its path: {point}: the tip cannot move in some direction there (ratio of \
         singular values {ratio:.1e}); joint rates would grow without bound"
    )]
    Singular {
        /// Where.
        point: PathPoint,
        /// Smallest over largest singular value of the Jacobian, lengths in units of the arm's reach.
        ratio: f64,
    },
    /// A joint leaves its range.
    #[error(
        "joint `{joint}` leaves its range on the path: {point}: it is at {value:.5}, allowed {least:.5} to {most:.5} (rad, m)"
    )]
    OutOfRange {
        /// Joint.
        joint: String,
        /// Where.
        point: PathPoint,
        /// Value (rad, m).
        value: f64,
        /// Least allowed.
        least: f64,
        /// Most allowed.
        most: f64,
    },
    /// The arm jumps to another configuration.
    #[error(
        "the arm changes to another configuration on its path: {point}: joint `{joint}` would jump by {step:.3} (rad, m)"
    )]
    Jump {
        /// Joint.
        joint: String,
        /// Where.
        point: PathPoint,
        /// Size of the jump.
        step: f64,
    },
    /// No joint follows the path.
    #[error("no joint follows the path: none has a motion with `profile = \"path\"`")]
    NoFollower,
    /// More unknowns than equations.
    #[error(
        "{unknowns} joint coordinates follow the path, but it determines at most {equations}: give the others a \
         motion of their own"
    )]
    TooManyFollowers {
        /// Coordinates that follow.
        unknowns: usize,
        /// Equations of the path.
        equations: usize,
    },
    /// A joint on the way to the tip has no coordinates that a path could solve for.
    #[error("joint `{joint}` carries the tip and is {kind}: a path needs joints with scalar coordinates")]
    NoCoordinates {
        /// Joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A joint on the way to the tip is free.
    #[error("joint `{joint}` carries the tip but neither follows the path nor has a motion of its own")]
    NoMotion {
        /// Joint.
        joint: String,
    },
    /// A joint that follows is not on the way to the tip.
    #[error("joint `{joint}` follows the path but does not carry the tip")]
    NotInChain {
        /// Joint.
        joint: String,
    },
}

/// Why points cannot be joined by lines and arcs. Points count from 1, without the first.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CurveError {
    /// Two points are one.
    #[error("way-point {point} coincides with its neighbour")]
    Coincident {
        /// Point.
        point: usize,
    },
    /// A corner without an arc.
    #[error("the path has a corner at way-point {point}: round it with `blend`, or stop there")]
    Corner {
        /// Point.
        point: usize,
    },
    /// The direction is reversed.
    #[error("the path turns back at way-point {point}: stop there")]
    Reversal {
        /// Point.
        point: usize,
    },
    /// The arc does not fit between the corners.
    #[error("`blend` is {blend} m, but way-point {point} has room for {room:.4} m only")]
    BlendTooLarge {
        /// Point.
        point: usize,
        /// Distance asked for (m).
        blend: f64,
        /// Distance available (m).
        room: f64,
    },
}
