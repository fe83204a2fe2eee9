//! What a flat membrane gives to its shell, and the constant-strain triangle.

use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector2};

use super::shape::{flat, stiffness_points};

/// A flat membrane over u v θz of each corner.
pub(super) struct Membrane {
    /// Stiffness.
    pub(super) K: DMatrix<f64>,
    /// L, with Lᵀu = area × mean strain.
    pub(super) L: DMatrix<f64>,
    /// At each of the [`stiffness_points`].
    pub(super) points: Vec<MembraneStrain>,
    /// Rows εx, εy, γxy at the centre.
    pub(super) centre: Matrix3xX<f64>,
}

/// Strain of a membrane at a point.
#[derive(Clone)]
pub(super) struct MembraneStrain {
    /// Rows εx, εy, γxy.
    pub(super) strain: Matrix3xX<f64>,
    /// Membrane stiffness there: the forces Nx, Ny, Nxy are A ε.
    pub(super) A: Matrix3<f64>,
}

impl Membrane {
    /// A triangle whose stress is that of its mean strain, A Lᵀu/area.
    pub(super) fn constant(K: DMatrix<f64>, L: DMatrix<f64>, A: &Matrix3<f64>, area: f64) -> Self {
        let centre = Matrix3xX::from_iterator(9, (L.transpose() / area).iter().copied());
        let point = MembraneStrain { strain: centre.clone(), A: *A };
        Self { K, points: vec![point; stiffness_points(3).len()], L, centre }
    }
}

/// Rows [εx εy γxy] of the displacement Σ N_i u_i over u v θz of each corner, from ∂N/∂(x, y).
pub(super) fn strain_rows(gradients: &[Vector2<f64>]) -> Matrix3xX<f64> {
    let mut B = Matrix3xX::zeros(3 * gradients.len());
    for (i, g) in gradients.iter().enumerate() {
        B[(0, 3 * i)] = g.x;
        B[(1, 3 * i + 1)] = g.y;
        B[(2, 3 * i)] = g.y;
        B[(2, 3 * i + 1)] = g.x;
    }
    B
}

/// Constant-strain triangle with corners `p` and membrane stiffness `A` (force per length): CTRIA3 of MSC and
/// Simcenter Nastran (M. J. Turner, R. W. Clough, H. C. Martin and L. J. Topp, "Stiffness and deflection
/// analysis of complex structures", Journal of the Aeronautical Sciences 23 (1956) 805–823).
pub(super) fn constant_strain(p: &[Vector2<f64>], A: &Matrix3<f64>) -> Membrane {
    let point = flat(p, 1.0 / 3.0, 1.0 / 3.0);
    let area = 0.5 * point.determinant;
    let B = strain_rows(&point.gradients);
    let K = B.transpose() * A * &B * area;
    let L = B.transpose() * area;
    Membrane::constant(
        DMatrix::from_iterator(9, 9, K.iter().copied()),
        DMatrix::from_iterator(9, 3, L.iter().copied()),
        A,
        area,
    )
}
