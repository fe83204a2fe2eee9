//! CTETRA, CPYRAM, CPENTA and CHEXA.

use pliant_diag::Origin;

use crate::{ElementId, PropertyIndex};

/// Shape with its number of node slots. The quadratic shapes may leave out some mid-side nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SolidShape {
    /// CTETRA, 4 nodes.
    Tetra4,
    /// CTETRA, 10 nodes.
    Tetra10,
    /// CPYRAM, 5 nodes.
    Pyramid5,
    /// CPYRAM, 13 nodes.
    Pyramid13,
    /// CPENTA, 6 nodes.
    Penta6,
    /// CPENTA, 15 nodes.
    Penta15,
    /// CHEXA, 8 nodes.
    Hexa8,
    /// CHEXA, 20 nodes.
    Hexa20,
}

impl SolidShape {
    /// All node slots.
    pub fn node_count(self) -> usize {
        match self {
            Self::Tetra4 => 4,
            Self::Tetra10 => 10,
            Self::Pyramid5 => 5,
            Self::Pyramid13 => 13,
            Self::Penta6 => 6,
            Self::Penta15 => 15,
            Self::Hexa8 => 8,
            Self::Hexa20 => 20,
        }
    }

    /// Corner nodes.
    pub fn corner_count(self) -> usize {
        match self {
            Self::Tetra4 | Self::Tetra10 => 4,
            Self::Pyramid5 | Self::Pyramid13 => 5,
            Self::Penta6 | Self::Penta15 => 6,
            Self::Hexa8 | Self::Hexa20 => 8,
        }
    }

    /// Each corner with the three that it is joined to by an edge: in a good element the edges make a
    /// right-handed triad there. Of a pyramid the base corners only: at the apex, where four edges meet, the
    /// Jacobian vanishes by construction.
    pub fn corner_edges(self) -> &'static [[usize; 4]] {
        match self {
            Self::Tetra4 | Self::Tetra10 => &[[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 2, 1]],
            Self::Pyramid5 | Self::Pyramid13 => &[[0, 1, 3, 4], [1, 2, 0, 4], [2, 3, 1, 4], [3, 0, 2, 4]],
            Self::Penta6 | Self::Penta15 => {
                &[[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5], [3, 5, 4, 0], [4, 3, 5, 1], [5, 4, 3, 2]]
            }
            Self::Hexa8 | Self::Hexa20 => &[
                [0, 1, 3, 4],
                [1, 2, 0, 5],
                [2, 3, 1, 6],
                [3, 0, 2, 7],
                [4, 7, 5, 0],
                [5, 4, 6, 1],
                [6, 5, 7, 2],
                [7, 6, 4, 3],
            ],
        }
    }

    /// The edges as pairs of corners, in the order of their mid-side nodes.
    pub fn edges(self) -> &'static [[usize; 2]] {
        match self {
            Self::Tetra4 | Self::Tetra10 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
            Self::Pyramid5 | Self::Pyramid13 => {
                &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]]
            }
            Self::Penta6 | Self::Penta15 => {
                &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 4], [2, 5], [3, 4], [4, 5], [5, 3]]
            }
            Self::Hexa8 | Self::Hexa20 => &[
                [0, 1],
                [1, 2],
                [2, 3],
                [3, 0],
                [0, 4],
                [1, 5],
                [2, 6],
                [3, 7],
                [4, 5],
                [5, 6],
                [6, 7],
                [7, 4],
            ],
        }
    }

    /// The faces, each with its corners in turn around it.
    pub fn faces(self) -> &'static [&'static [usize]] {
        match self {
            Self::Tetra4 | Self::Tetra10 => &[&[0, 1, 2], &[0, 1, 3], &[1, 2, 3], &[0, 2, 3]],
            Self::Pyramid5 | Self::Pyramid13 => {
                &[&[0, 1, 2, 3], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]]
            }
            Self::Penta6 | Self::Penta15 => {
                &[&[0, 1, 2], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]]
            }
            Self::Hexa8 | Self::Hexa20 => {
                &[&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
            }
        }
    }

    /// The card's name.
    pub fn card(self) -> &'static str {
        match self {
            Self::Tetra4 | Self::Tetra10 => "CTETRA",
            Self::Pyramid5 | Self::Pyramid13 => "CPYRAM",
            Self::Penta6 | Self::Penta15 => "CPENTA",
            Self::Hexa8 | Self::Hexa20 => "CHEXA",
        }
    }
}

/// A solid element.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// The user's number.
    pub id: ElementId,
    /// Shape.
    pub shape: SolidShape,
    /// A property of kind Solid.
    pub property: PropertyIndex,
    /// First index in [`LinkMesh::solid_nodes`](crate::LinkMesh::solid_nodes); read through
    /// [`LinkMesh::nodes_of_solid`](crate::LinkMesh::nodes_of_solid).
    pub first_node: u32,
    /// Where it was given.
    pub source: Origin,
}
