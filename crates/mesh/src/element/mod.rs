//! Elements by family, one file each.

mod bar;
mod bush;
mod facts;
mod lumped;
mod rod;
mod scalar;
mod shell;
mod solid;

pub use bar::{Bar, BarKind, BarOrientation, ShearIntegration};
pub use bush::{Bush, BushLocation, BushOrientation};
pub use facts::ElementFacts;
pub use lumped::{PointMass, PointMassKind};
pub use rod::{Rod, RodSection};
pub use scalar::{ScalarConnection, ScalarDamper, ScalarMass, ScalarSpring, ScalarValue, ViscousRod};
pub use shell::{MaterialDirection, ShearPanel, Shell, ShellShape};
pub use solid::{Solid, SolidShape};

use pliant_diag::Origin;

use crate::{ElementId, NodeIndex};

/// One element of a [`LinkMesh`](crate::LinkMesh): family and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementRef {
    /// Row of `rods`.
    Rod(u32),
    /// Row of `bars`.
    Bar(u32),
    /// Row of `shells`.
    Shell(u32),
    /// Row of `shear_panels`.
    ShearPanel(u32),
    /// Row of `solids`.
    Solid(u32),
    /// Row of `springs`.
    Spring(u32),
    /// Row of `bushes`.
    Bush(u32),
    /// Row of `scalar_masses`.
    ScalarMass(u32),
    /// Row of `point_masses`.
    PointMass(u32),
    /// Row of `dampers`.
    Damper(u32),
    /// Row of `viscous_rods`.
    ViscousRod(u32),
}

/// PLOTEL: drawn, without stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotElement {
    /// The user's number.
    pub id: ElementId,
    /// Its ends.
    pub nodes: [NodeIndex; 2],
    /// Where it was given.
    pub source: Origin,
}
