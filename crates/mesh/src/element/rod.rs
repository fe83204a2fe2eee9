//! CROD, CTUBE and CONROD.

use pliant_diag::Origin;

use crate::property::RodProperty;
use crate::{ElementId, MaterialIndex, NodeIndex, PropertyIndex};

/// A rod: extension and torsion.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// The user's number.
    pub id: ElementId,
    /// G1 and G2.
    pub nodes: [NodeIndex; 2],
    /// Where its section is.
    pub section: RodSection,
    /// Where it was given.
    pub source: Origin,
}

/// Section of a [`Rod`].
#[derive(Clone, Debug, PartialEq)]
pub enum RodSection {
    /// CROD's PROD or CTUBE's PTUBE.
    Property(PropertyIndex),
    /// CONROD carries its own.
    Own(MaterialIndex, RodProperty),
}
