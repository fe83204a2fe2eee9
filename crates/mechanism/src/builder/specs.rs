//! The parts of a machine as plain values, before they are checked.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use crate::{Bearing, GripKind, Joint, JointCoordinate, LoadFrame, Placement, TimeFunction};

/// Where a joint, payload or load sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// The world.
    Ground,
    /// An outboard interface of a link.
    Interface {
        /// Name of the link.
        link: String,
        /// Name of the interface.
        interface: String,
    },
}

impl Attachment {
    /// `link.interface`.
    pub fn interface(link: impl Into<String>, interface: impl Into<String>) -> Self {
        Self::Interface { link: link.into(), interface: interface.into() }
    }
}

/// What acts on a joint coordinate; the same as [`JointCoordinate`].
pub type CoordinateSpec = JointCoordinate;

/// A joint to be built.
#[derive(Debug)]
pub struct JointSpec {
    /// Name.
    pub name: String,
    /// Parent side.
    pub parent: Attachment,
    /// Name of the link on the child side, held at its inboard interface.
    pub child: String,
    /// Outboard interface of the child that is held instead; such a joint closes a loop.
    pub child_interface: Option<String>,
    /// True: closes a loop even where it could carry its child. False: the program chooses the tree.
    pub closes_loop: bool,
    /// Kind with its axes.
    pub joint: Box<dyn Joint>,
    /// Where the joint is on parent and child.
    pub placement: Placement,
    /// One per velocity coordinate; missing ones are free without friction.
    pub coordinates: Vec<CoordinateSpec>,
    /// Compliance of the bearing.
    pub bearing: Bearing,
    /// A sliding joint: how it grips the rail of its child. It is prismatic and has no bearing beside the
    /// grip.
    pub grip: Option<GripKind>,
}

/// A payload to be built.
#[derive(Clone, Debug)]
pub struct PayloadSpec {
    /// Name, for messages.
    pub name: String,
    /// Interface that carries it.
    pub at: Attachment,
    /// Mass (kg).
    pub mass: f64,
    /// Centre in the triad (m).
    pub centre: Vector3<f64>,
    /// Inertia about the centre, in triad axes (kg·m²).
    pub inertia: Matrix3<f64>,
}

/// A load to be built.
#[derive(Clone, Debug)]
pub struct LoadSpec {
    /// Name, for messages.
    pub name: String,
    /// Interface it acts on.
    pub at: Attachment,
    /// Axes.
    pub frame: LoadFrame,
    /// Force and moment components.
    pub components: [Option<Arc<dyn TimeFunction>>; 6],
}
