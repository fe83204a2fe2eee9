//! CONM1 and CONM2.

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_diag::Origin;

use crate::{ElementId, NodeIndex};

/// Mass at a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct PointMass {
    /// The user's number.
    pub id: ElementId,
    /// The grid.
    pub node: NodeIndex,
    /// What it is.
    pub kind: PointMassKind,
    /// Where it was given.
    pub source: Origin,
}

/// What a [`PointMass`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum PointMassKind {
    /// CONM2.
    Body {
        /// Mass.
        mass: f64,
        /// From the grid to the centre of mass, basic frame.
        offset: Vector3<f64>,
        /// Inertia about the centre of mass, basic frame: the tensor, so that its off-diagonal terms are
        /// minus the card's I21, I31, I32.
        inertia: Matrix3<f64>,
    },
    /// CONM1: any symmetric 6×6, basic frame.
    Matrix(Box<Matrix6<f64>>),
}
