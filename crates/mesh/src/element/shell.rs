//! CQUAD4, CQUADR, CTRIA3, CTRIAR, CQUAD8, CTRIA6 and CSHEAR.

use pliant_diag::Origin;

use crate::{CoordIndex, ElementId, NodeIndex, PropertyIndex};

/// Which card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ShellShape {
    /// CTRIA3.
    Tria3,
    /// CTRIAR: with drilling rotations.
    TriaR,
    /// CQUAD4.
    Quad4,
    /// CQUADR: with drilling rotations.
    QuadR,
    /// CTRIA6; mid-side nodes may be left out.
    Tria6,
    /// CQUAD8; mid-side nodes may be left out.
    Quad8,
}

impl ShellShape {
    /// Corner nodes: 3 or 4.
    pub fn corner_count(self) -> usize {
        match self {
            Self::Tria3 | Self::TriaR | Self::Tria6 => 3,
            Self::Quad4 | Self::QuadR | Self::Quad8 => 4,
        }
    }

    /// All nodes, mid-side slots included.
    pub fn node_count(self) -> usize {
        match self {
            Self::Tria6 => 6,
            Self::Quad8 => 8,
            _ => self.corner_count(),
        }
    }

    /// The card's name.
    pub fn card(self) -> &'static str {
        match self {
            Self::Tria3 => "CTRIA3",
            Self::TriaR => "CTRIAR",
            Self::Quad4 => "CQUAD4",
            Self::QuadR => "CQUADR",
            Self::Tria6 => "CTRIA6",
            Self::Quad8 => "CQUAD8",
        }
    }
}

/// The material x axis of a shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaterialDirection {
    /// THETA in degrees from side G1–G2.
    Angle(f64),
    /// MCID: the x axis of this system, projected onto the element.
    Frame(CoordIndex),
}

/// A shell.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// The user's number.
    pub id: ElementId,
    /// Which card.
    pub shape: ShellShape,
    /// A property of kind Shell or Laminate.
    pub property: PropertyIndex,
    /// First index in [`LinkMesh::shell_nodes`](crate::LinkMesh::shell_nodes); read through
    /// [`LinkMesh::nodes_of_shell`](crate::LinkMesh::nodes_of_shell).
    pub first_node: u32,
    /// Material axis.
    pub material_direction: MaterialDirection,
    /// ZOFFS: from the surface of the grids to the reference plane, along the positive normal. `None`: blank,
    /// the property's own.
    pub offset: Option<f64>,
    /// T1 to T4 at the corners where given, absolute (TFLAG = 1 is resolved by the reader).
    pub corner_thickness: [Option<f64>; 4],
    /// Where it was given.
    pub source: Origin,
}

/// CSHEAR.
#[derive(Clone, Debug, PartialEq)]
pub struct ShearPanel {
    /// The user's number.
    pub id: ElementId,
    /// A property of kind Shear.
    pub property: PropertyIndex,
    /// G1 to G4.
    pub nodes: [NodeIndex; 4],
    /// Where it was given.
    pub source: Origin,
}
