//! The mechanism: reduced links joined in a tree, with their drives, loads and payloads, as one immutable
//! [`Model`] that every worker shares by reference.
//!
//! A [`ModelBuilder`] takes plain values, reports every problem it finds with the key it belongs to, and sorts
//! the tree so that parents come before children.
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod bearing;
mod builder;
mod drive;
mod expression;
mod hinge;
pub mod joint;
mod load;
mod model;
pub mod motion;
pub mod path;
mod placement;
mod servo;
mod spline;
mod time_function;

pub use bearing::Bearing;
pub use builder::{Attachment, CoordinateSpec, JointSpec, LoadSpec, ModelBuilder, ModelError, PayloadSpec};
pub use drive::{Drive, Friction, JointCoordinate, Rotor, Stiffness};
pub use expression::{Expression, ExpressionError};
pub use hinge::{Hinge, MAX_HINGE_VELOCITIES};
pub use joint::Joint;
pub use load::{Load, LoadFrame};
pub use model::{Body, Model};
pub use motion::{Motion, MotionSample};
pub use placement::{DhConvention, Placement, rotation_from_axes};
pub use servo::Servo;
pub use spline::{Spline, SplineError};
pub use time_function::{Constant, TableFunction, TimeFunction};
