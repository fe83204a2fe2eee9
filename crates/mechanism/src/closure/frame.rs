//! Frames that closures and force elements hold on to.

use pliant_spatial::{Transform, Twist};

use crate::{BodyIndex, InterfaceRef};

/// A frame of the machine to which closures and force elements attach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRef {
    /// The world.
    Ground,
    /// The link frame of a body.
    Link(BodyIndex),
    /// The deformed triad of an outboard interface.
    Interface(InterfaceRef),
}

/// Where a frame is and how it moves: twist and the derivative of its components, at and in the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameMotion {
    /// Pose in the world.
    pub X: Transform,
    /// Twist.
    pub V: Twist,
    /// Derivative of the components of the twist.
    pub A: Twist,
}

impl FrameMotion {
    /// The motion of a frame fixed to this one at `X`.
    #[must_use]
    pub fn carried(&self, X: &Transform) -> Self {
        Self { X: self.X * *X, V: X.carry_twist(&self.V), A: X.carry_twist(&self.A) }
    }
}
