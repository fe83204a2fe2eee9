//! The mechanism: reduced links joined in a tree or in loops, with their drives, loads and payloads, as one
//! immutable [`Model`] that every worker shares by reference.
//!
//! A [`ModelBuilder`] takes plain values, reports every problem it finds with the key it belongs to, and
//! sorts the tree so that parents come before children.
//!
//! | modules | what they hold |
//! |---|---|
//! | `model`, `index` | the machine, and the indices of its parts |
//! | `builder*`, `spanning_tree`, `placement` | from plain values to a model; which joints carry |
//! | `joint`, `hinge*`, `bearing`, `grip` | kinematics between parent and child, one joint a file |
//! | `closure`, `force`, `load` | beyond the tree: loops, distances, gears, springs, cylinders, loads |
//! | `drive`, `servo`, `hydraulic`, `motion`, `path` | what drives a coordinate: torque, servo, oil, motion, path of the tip |
//! | `time_function`, `expression*`, `table`, `spline`, `event` | functions of time and where they jump |
//! | `damping` | damping between the deformations of links |
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod bearing;
mod builder;
mod builder_closures;
mod builder_grips;
mod closure;
mod damping;
mod drive;
mod event;
mod expression;
mod expression_events;
mod force;
mod grip;
mod hinge;
mod hinge_motion;
mod hydraulic;
mod index;
pub mod joint;
mod load;
mod model;
pub mod motion;
mod open_loop;
pub mod path;
mod placement;
mod servo;
mod spanning_tree;
mod spline;
mod table;
mod time_function;

pub use bearing::Bearing;
pub use builder::{Attachment, CoordinateSpec, JointSpec, LoadSpec, ModelBuilder, ModelError, PayloadSpec};
pub use closure::{
    Closures, Constraint, ConstraintSpec, Coupling, CouplingSpec, DIRECTIONS, Distance, End, ForceSpec,
    FrameMotion, FrameRef, Guide, LengthCommand, LoopJoint, Pair, Redundancy, Row,
};
pub use damping::CoupledDamping;
pub use drive::{Drive, Friction, JointCoordinate, Memory, Rotor, Stiffness};
pub use event::Event;
pub use expression::Expression;
pub use force::{
    Actuator, Bushing, ForceElement, ForcePower, ForceResponse, LeftTable, SpringDamper, SpringLaw,
};
pub use grip::{GRIP_ROWS, Grip, GripKind, GripState};
pub use hinge::{Hinge, MAX_HINGE_VELOCITIES};
pub use hinge_motion::HingeMotion;
pub use hydraulic::{
    Compensator, Hydraulic, HydraulicState, HydraulicStep, LoopState, Oil, Tachometer, Valve,
};
pub use index::{BodyIndex, CoordinateRef, InterfaceIndex, InterfaceRef, JointRef, LoopIndex, StateEntry};
pub use joint::Joint;
pub use load::{Load, LoadFrame};
pub use model::{Body, JointView, Model};
pub use motion::{Motion, MotionSample};
pub use placement::{DhConvention, Placement, rotation_from_axes};
pub use servo::{Sampling, Servo};
pub(crate) use spline::Spline;
pub use spline::SplineError;
pub use table::{Interpolation, Outside, Table};
pub use time_function::{Constant, TimeFunction};
