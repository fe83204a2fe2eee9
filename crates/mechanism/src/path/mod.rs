//! Paths of the tip in space, and the joint motions that follow them.
//!
//! A [`TipPath`] is a sequence of moves from rest to rest: a [`Curve`] of lines, arcs and rounded corners run
//! through by a profile, with a turn of the tip beside it. [`follow`] finds the joint motions by inverse
//! kinematics of the rigid arm: at any time the joint coordinates solve the pose equations, and rates and
//! accelerations follow from them by differentiation, not by differences.

mod chain;
mod curve;
mod error;
mod follow;
mod inverse;
mod solve;
mod tip_path;

pub use curve::Curve;
pub use error::{CurveError, PathError};
pub use follow::{Follower, PathSpec, follow};
pub use tip_path::{Move, Orientation, Target, TipPath};

#[cfg(test)]
mod tests;
