//! Forces and torques on interfaces.

use std::sync::Arc;

use nalgebra::Vector6;
use pliant_spatial::Wrench;

use crate::{InterfaceRef, TimeFunction};

/// Axes in which a load is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadFrame {
    /// World axes: keeps its direction.
    #[default]
    World,
    /// Axes of the deformed triad: follows the link.
    Triad,
}

/// A wrench at the origin of an outboard interface.
#[derive(Clone, Debug)]
pub struct Load {
    /// Name, for messages and results.
    pub name: String,
    /// Interface it acts on.
    pub on: InterfaceRef,
    /// Axes of the components.
    pub frame: LoadFrame,
    /// Force (N) and moment (N·m) components; `None` is zero.
    pub components: [Option<Arc<dyn TimeFunction>>; 6],
}

impl Load {
    /// The wrench at time `t`, in the axes of [`frame`](Self::frame).
    pub fn at(&self, t: f64) -> Wrench {
        Vector6::from_fn(|i, _| self.components[i].as_ref().map_or(0.0, |f| f.value(t)))
    }
}
