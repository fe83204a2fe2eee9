//! CELAS1–4, CMASS1–4, CDAMP1–4 and CVISC.

use pliant_diag::Origin;

use crate::{Component, ElementId, NodeIndex, PropertyIndex};

/// One end of a scalar element: a component of a node in its displacement frame, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarConnection {
    /// Fixed.
    Ground,
    /// A component of a grid, or a scalar point with component 1.
    Dof(NodeIndex, Component),
}

/// The value of a scalar element: from its property, or on the card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarValue {
    /// CELAS1/3, CMASS1/3, CDAMP1/3.
    Property(PropertyIndex),
    /// CELAS2/4, CMASS2/4, CDAMP2/4.
    Own(f64),
}

/// CELAS1–4: force = k (u₁ − u₂).
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarSpring {
    /// The user's number.
    pub id: ElementId,
    /// Stiffness.
    pub stiffness: ScalarValue,
    /// Structural damping GE of a CELAS2.
    pub structural_damping: f64,
    /// Stress coefficient S of a CELAS2.
    pub stress_coefficient: f64,
    /// Its ends.
    pub ends: [ScalarConnection; 2],
    /// Where it was given.
    pub source: Origin,
}

/// CMASS1–4: m [1 −1; −1 1] between its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarMass {
    /// The user's number.
    pub id: ElementId,
    /// Mass.
    pub mass: ScalarValue,
    /// Its ends.
    pub ends: [ScalarConnection; 2],
    /// Where it was given.
    pub source: Origin,
}

/// CDAMP1–4.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarDamper {
    /// The user's number.
    pub id: ElementId,
    /// Viscous coefficient.
    pub damping: ScalarValue,
    /// Its ends.
    pub ends: [ScalarConnection; 2],
    /// Where it was given.
    pub source: Origin,
}

/// CVISC: a viscous rod in extension and torsion.
#[derive(Clone, Debug, PartialEq)]
pub struct ViscousRod {
    /// The user's number.
    pub id: ElementId,
    /// A property of kind Viscous.
    pub property: PropertyIndex,
    /// Its ends.
    pub nodes: [NodeIndex; 2],
    /// Where it was given.
    pub source: Origin,
}
