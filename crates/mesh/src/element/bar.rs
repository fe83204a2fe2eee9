//! CBAR and CBEAM.

use nalgebra::Vector3;
use pliant_diag::Origin;

use crate::{Components, ElementId, NodeIndex, PropertyIndex};

/// Which card, and so which rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarKind {
    /// CBAR: one section.
    Bar,
    /// CBEAM: sections may vary, neutral axis and shear centre may differ.
    Beam,
    /// The linear Timoshenko beam of the literature, which Nastran does not have: only built-in links are
    /// made of it.
    Linear(ShearIntegration),
}

/// How a linear Timoshenko beam integrates its shear energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShearIntegration {
    /// Two points: exact, and locking as the beam becomes slender.
    Full,
    /// One point.
    Reduced,
}

impl BarKind {
    /// The card it is written as. Nastran has none for a linear beam; the nearest is a CBAR with the same
    /// section.
    pub fn card(self) -> &'static str {
        match self {
            Self::Bar | Self::Linear(_) => "CBAR",
            Self::Beam => "CBEAM",
        }
    }
}

/// A bar or beam.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The user's number.
    pub id: ElementId,
    /// CBAR, CBEAM or the literature's linear beam.
    pub kind: BarKind,
    /// A property of kind Bar or Beam. A CBEAM may also name a bar property (PBAR), as Nastran allows.
    pub property: PropertyIndex,
    /// GA and GB.
    pub nodes: [NodeIndex; 2],
    /// What fixes plane 1, which holds the element x and y axes.
    pub orientation: BarOrientation,
    /// Components released at ends A and B (PA, PB), in element axes.
    pub pins: [Components; 2],
    /// WA and WB: from each grid to the element's end (for CBEAM: to its shear centre), in the basic frame.
    pub offsets: [Vector3<f64>; 2],
    /// SA and SB: scalar points of the warping freedom of a CBEAM, kept for the report that warping is not
    /// modelled.
    pub warping_points: [Option<NodeIndex>; 2],
    /// Where it was given.
    pub source: Origin,
}

/// What fixes plane 1 of a [`Bar`].
#[derive(Clone, Debug, PartialEq)]
pub enum BarOrientation {
    /// v, in the basic frame.
    Vector(Vector3<f64>),
    /// G0: v runs from grid GA to G0.
    Node(NodeIndex),
}
