//! Robot descriptions: URDF read with locations, and written as a pipeline file.
//!
//! URDF names rigid links and the joints between them (<http://wiki.ros.org/urdf/XML>). Links that fixed
//! joints hold together are one body here; each movable joint carries one. Frames without mass become
//! interfaces.

mod body;
mod read;
mod write;

use pliant_diag::Span;

pub use read::read;
pub use write::pipeline;

use nalgebra::{Isometry3, Matrix3, Vector3};

/// A robot as its file describes it.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    /// Its name.
    pub name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
}

/// A link; without inertia it is a frame.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) inertia: Option<Inertia>,
    pub(crate) at: Span,
}

/// Mass, centre and inertia about the centre, in the axes of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inertia {
    pub(crate) mass: f64,
    pub(crate) centre: Vector3<f64>,
    pub(crate) tensor: Matrix3<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointKind {
    Fixed,
    Revolute,
    Prismatic,
    Floating,
}

#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) kind: JointKind,
    /// Rows of the links.
    pub(crate) parent: usize,
    pub(crate) child: usize,
    /// From the joint frame, that of the child at rest, to that of the parent.
    pub(crate) frame: Isometry3<f64>,
    pub(crate) axis: Vector3<f64>,
    /// Lower and upper bound, effort and velocity, as far as they are given.
    pub(crate) limits: [Option<f64>; 4],
    pub(crate) damping: f64,
    pub(crate) friction: f64,
    /// The joint that it follows, with factor and offset.
    pub(crate) mimic: Option<(String, f64, f64)>,
    pub(crate) at: Span,
}

#[cfg(test)]
mod tests;
