//! Closures and force elements to be built, with their frames by name.

use pliant_spatial::Transform;

use super::Constraint;
use crate::ForceElement;

/// One end of a constraint or force element.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// A frame of the world.
    Ground(Transform),
    /// A frame on the link frame of a link.
    Frame {
        /// Name of the link.
        link: String,
        /// The frame in the link frame.
        X: Transform,
    },
    /// A frame on an outboard interface.
    Interface {
        /// Name of the link.
        link: String,
        /// Name of the interface.
        interface: String,
        /// The frame in the triad.
        X: Transform,
    },
}

impl End {
    /// Its pose in the frame of the link, the interface or the world.
    pub fn offset(&self) -> &Transform {
        match self {
            Self::Ground(X) | Self::Frame { X, .. } | Self::Interface { X, .. } => X,
        }
    }
}

/// A constraint to be built.
#[derive(Debug)]
pub struct ConstraintSpec {
    /// Name.
    pub name: String,
    /// First end.
    pub parent: End,
    /// Second end.
    pub child: End,
    /// Which.
    pub kind: Box<dyn Constraint>,
}

/// A relation among joint coordinates to be built: joint, coordinate and factor of each term.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplingSpec {
    /// Name.
    pub name: String,
    /// Joint, coordinate of the joint, factor.
    pub terms: Vec<(String, usize, f64)>,
    /// What the sum is.
    pub value: f64,
}

/// A force element to be built.
#[derive(Debug)]
pub struct ForceSpec {
    /// Name.
    pub name: String,
    /// First end.
    pub parent: End,
    /// Second end.
    pub child: End,
    /// Which.
    pub kind: Box<dyn ForceElement>,
}
