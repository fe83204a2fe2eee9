//! Geometric stiffness of a beam: the work of its section forces through the second-order part of its
//! strains.
//!
//! A section turns by the finite rotation R = exp([θ]×) and its strains are those of the geometrically exact
//! beam, Γ = Rᵀ(e₁ + u′) − e₁ and K = J_r(θ)θ′ (J. C. Simo and L. Vu-Quoc, Computer Methods in Applied
//! Mechanics and Engineering 58 (1986) 79–116). To second order
//!
//! ```text
//! Γ₂ = −θ×u′ + ½ θ×(θ×e₁)      K₂ = −½ θ×θ′
//! ½ dᵀK_g d = ∫ [ n·Γ₂ + m·K₂ + ½ N (I1 + I2)/A θx′² ] dx
//! ```
//!
//! with n = (N, V1, V2) and m = (T, −M2, M1) about the reference axis. Rotations at the ends are rotation
//! vectors, so a moment in K_g is one that works on the rotation vector (semitangential), as the interface
//! moments of a link are. The last term is Wagner's: fibres of a twisted bar are helices.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::{Matrix3, SMatrix, Vector3};

use super::frame::Matrix12;

/// Rows over the twelve end displacements.
pub(super) type Rows3 = SMatrix<f64, 3, 12>;

/// Motion of a section and the forces in it.
pub(super) struct SectionState {
    /// θ.
    pub(super) Theta: Rows3,
    /// u′.
    pub(super) slope: Rows3,
    /// θ′.
    pub(super) curvature: Rows3,
    /// n.
    pub(super) force: Vector3<f64>,
    /// m.
    pub(super) moment: Vector3<f64>,
    /// N(I1 + I2)/A.
    pub(super) wagner: f64,
}

impl SectionState {
    /// Integrand of K_g.
    pub(super) fn geometric(&self) -> Matrix12 {
        let (n, m) = (&self.force, &self.moment);
        let along = Matrix3::from_columns(&[*n, Vector3::zeros(), Vector3::zeros()]);
        let turned = (along + along.transpose()) * 0.5 - Matrix3::identity() * n.x;
        let mixed = self.Theta.transpose()
            * (n.cross_matrix() * self.slope * 2.0 + m.cross_matrix() * self.curvature);
        let twist = self.curvature.row(0);
        self.Theta.transpose() * turned * self.Theta
            + (mixed + mixed.transpose()) * 0.5
            + twist.transpose() * twist * self.wagner
    }
}

/// Second order of a rigid arm w from grid to end that carries the force F: F·½θ×(θ×w) = ½θᵀ(sym(Fwᵀ) −
/// F·w)θ.
pub(crate) fn rigid_arm(F: &Vector3<f64>, w: &Vector3<f64>) -> Matrix3<f64> {
    (F * w.transpose() + w * F.transpose()) * 0.5 - Matrix3::identity() * F.dot(w)
}
