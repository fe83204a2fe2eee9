//! What a flat membrane gives to its shell.

use nalgebra::{DMatrix, Matrix3, Matrix3xX};

use super::shape::stiffness_points;

/// A flat membrane over u v θz of each corner.
pub(super) struct Membrane {
    /// Stiffness.
    pub(super) K: DMatrix<f64>,
    /// L, with Lᵀu = area × mean strain.
    pub(super) L: DMatrix<f64>,
    /// Rows Nx, Ny, Nxy at each of the [`stiffness_points`].
    pub(super) forces: Vec<Matrix3xX<f64>>,
}

impl Membrane {
    /// A triangle whose stress is that of its mean strain, A Lᵀu/area.
    pub(super) fn constant(K: DMatrix<f64>, L: DMatrix<f64>, A: &Matrix3<f64>, area: f64) -> Self {
        let forces = A * L.transpose() / area;
        let points = stiffness_points(3).len();
        Self { K, forces: vec![forces; points], L }
    }
}
