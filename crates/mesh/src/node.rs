//! Nodes: grids and scalar points.

use nalgebra::Vector3;
use pliant_diag::Origin;

use crate::{Components, CoordIndex, GridId};

/// A grid has six components, a scalar point one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// GRID.
    Grid,
    /// SPOINT (or a scalar point that an element or DMIG implies).
    Scalar,
}

/// A GRID or an SPOINT.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The user's number. Grids and scalar points share their numbers.
    pub id: GridId,
    /// Grid or scalar.
    pub kind: NodeKind,
    /// Position in the basic frame, deck length units; zero for a scalar point.
    pub position: Vector3<f64>,
    /// Frame of displacements, forces and constraints at this node (CD).
    pub displacement_frame: CoordIndex,
    /// Components fixed by the GRID card itself or by GRDSET (PS), in the displacement frame.
    pub permanent_spc: Components,
    /// Where it was defined.
    pub source: Origin,
}

impl Node {
    /// Number of components: 6 or 1.
    pub fn component_count(&self) -> usize {
        match self.kind {
            NodeKind::Grid => 6,
            NodeKind::Scalar => 1,
        }
    }
}
