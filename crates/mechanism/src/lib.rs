//! The mechanism: reduced links joined in a tree or in loops, with their drives, loads and payloads, as one
//! immutable [`Model`] that every worker shares by reference.
//!
//! A [`ModelBuilder`] takes plain values, reports every problem it finds with the key it belongs to, and
//! sorts the tree so that parents come before children.
//!
//! | modules | what they hold |
//! |---|---|
//! | [`builder`](ModelBuilder) | from plain values to a model: checks, placement of joints, which joints carry |
//! | [`model`](Model) | the machine, the indices of its parts, copies that are rigid or without servos |
//! | [`joint`], [`hinge`](Hinge) | kinematics between parent and child, one joint a file; bearings, grips on rails |
//! | [`drive`](Drive), [`motion`], [`path`] | what drives a coordinate: torque, servo, oil, motion, path of the tip |
//! | [`closure`](Closures) | beyond the tree: joints that close loops, distances, guides, gears |
//! | [`force`](ForceElement) | springs, bushings, cylinders, loads, damping between the deformations of links |
//! | [`function`](TimeFunction) | tables, splines and expressions over time, and where they jump |
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod builder;
mod closure;
mod drive;
mod force;
mod function;
mod hinge;
pub mod joint;
mod model;
pub mod motion;
pub mod path;

pub use builder::{
    Attachment, CoordinateSpec, DhConvention, JointSpec, LoadSpec, ModelBuilder, ModelError, PayloadSpec,
    Placement, rotation_from_axes,
};
pub use closure::{
    Closures, Constraint, ConstraintSpec, Coupling, CouplingSpec, DIRECTIONS, Distance, End, ForceSpec,
    FrameMotion, FrameRef, Guide, LengthCommand, LoopJoint, Pair, Redundancy, Row,
};
pub use drive::{
    Compensator, ControlError, ControlLaw, Controller, Drive, Friction, Hydraulic, HydraulicState,
    HydraulicStep, JointCoordinate, LoopState, Measurement, Memory, Oil, Rotor, Sampling, Servo, Stiffness,
    Tachometer, Valve,
};
pub use force::{
    Actuator, Bushing, CoupledDamping, ForceElement, ForcePower, ForceResponse, LeftTable, Load, LoadFrame,
    SpringDamper, SpringLaw,
};
pub(crate) use function::Spline;
pub use function::{Constant, Event, Expression, Interpolation, Outside, SplineError, Table, TimeFunction};
pub use hinge::{Bearing, GRIP_ROWS, Grip, GripKind, GripState, Hinge, HingeMotion, MAX_HINGE_VELOCITIES};
pub use joint::Joint;
pub use model::{
    Body, BodyIndex, CoordinateRef, InterfaceIndex, InterfaceRef, JointRef, JointView, LoopIndex, Model,
    StateEntry,
};
pub use motion::{Motion, MotionSample};
