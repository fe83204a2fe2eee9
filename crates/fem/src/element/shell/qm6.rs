//! Membrane quadrilateral QM6: CQUAD4 of MSC and Simcenter Nastran.
//!
//! The bilinear displacement has two incompatible modes for each component, 1 − ξ² and 1 − η², which let a
//! rectangle bend:
//!
//! ```text
//! u = Σ N_i u_i + (1 − ξ²) a₁ + (1 − η²) a₂,   ε = B u + G a,   K = K_uu − K_ua K_aa⁻¹ K_au
//! ```
//!
//! with the gradients of the modes taken as J₀⁻¹(−2ξ, −2η)·j₀/j, J₀ and j₀ at the centre, so that ∫G dA = 0
//! and any shape passes the patch test (R. L. Taylor, P. J. Beresford and E. L. Wilson, "A non-conforming
//! element for stress analysis", International Journal for Numerical Methods in Engineering 10 (1976)
//! 1211–1219). 2×2 Gauss points. It depends on no frame.
//!
//! A trapezoid bends in its plane far too little: a four-node membrane without rotations that passes the
//! patch test cannot do otherwise (R. H. MacNeal, "A theorem regarding the locking of tapered four-noded
//! membrane elements", same journal 24 (1987) 1793–1799).

use nalgebra::{DMatrix, Matrix3, Matrix3xX, Matrix4, SMatrix, Vector2};

use super::membrane::{Membrane, MembraneStrain, strain_rows};
use super::shape::{GAUSS_2, ShapePoint, quad};

/// G: strain rows of the modes (1 − ξ²) and (1 − η²) of u, then of v.
fn incompatible(centre: &ShapePoint, point: &ShapePoint, xi: f64, eta: f64) -> SMatrix<f64, 3, 4> {
    let inverse = centre.jacobian.try_inverse().unwrap_or_default();
    let scale = centre.determinant / point.determinant;
    let first = inverse * Vector2::new(-2.0 * xi, 0.0) * scale;
    let second = inverse * Vector2::new(0.0, -2.0 * eta) * scale;
    SMatrix::<f64, 3, 4>::new(
        first.x, second.x, 0.0, 0.0, //
        0.0, 0.0, first.y, second.y, //
        first.y, second.y, first.x, second.x,
    )
}

/// The membrane with corners `p` (counter-clockwise) and membrane stiffness A(N) where the corner functions
/// are N.
pub(super) fn incompatible_quadrilateral(
    p: &[Vector2<f64>],
    stiffness: &dyn Fn(&[f64]) -> Matrix3<f64>,
) -> Membrane {
    let centre = quad(p, 0.0, 0.0);
    let at_points = GAUSS_2.map(|(xi, eta)| {
        let point = quad(p, xi, eta);
        let (A, area) = (stiffness(&point.N), point.determinant);
        (strain_rows(&point.gradients), incompatible(&centre, &point, xi, eta), A, area)
    });
    let mut K = DMatrix::zeros(12, 12);
    let mut L = DMatrix::zeros(12, 3);
    let mut K_au = SMatrix::<f64, 4, 12>::zeros();
    let mut K_aa = Matrix4::zeros();
    for (B, G, A, area) in &at_points {
        let AB = A * B * *area;
        K.gemm_tr(1.0, B, &AB, 1.0);
        L += B.transpose() * *area;
        K_au += G.transpose() * AB;
        K_aa += G.transpose() * A * G * *area;
    }
    // a = X u. Without shear stiffness a mode may cost nothing: the inverse leaves it at rest.
    let flexibility = K_aa.try_inverse().filter(|inverse| inverse.amax() * K_aa.amax() < 1e12);
    let flexibility =
        flexibility.or_else(|| K_aa.pseudo_inverse(1e-12 * K_aa.amax()).ok()).unwrap_or_default();
    let X = -flexibility * K_au;
    K += DMatrix::from_iterator(12, 12, (K_au.transpose() * X).iter().copied());
    let strain = |B: &Matrix3xX<f64>, G: &SMatrix<f64, 3, 4>| {
        Matrix3xX::from_iterator(12, (B + G * X).iter().copied())
    };
    let points =
        at_points.iter().map(|(B, G, A, _)| MembraneStrain { strain: strain(B, G), A: *A }).collect();
    // The modes do not strain the centre.
    Membrane { K, L, points, centre: strain_rows(&centre.gradients) }
}
