//! Membrane quadrilateral with drilling rotations: assumed stress inside, assumed displacement on the sides.
//!
//! Inside, a stress in equilibrium σ = Pβ (constant, all linear and two quadratic fields); on each side
//! i → j the displacement is linear, plus a quadratic one normal to the side from the difference of the drilling
//! rotations, (L/8)(θ_j − θ_i) at its middle (D. J. Allman, "A compatible triangular element including vertex rotations for plane
//! elasticity analysis", Computers & Structures 19 (1984) 1–8). Then
//!
//! ```text
//! H = ∫Pᵀ A⁻¹ P dA,   G = ∮ Pᵀ n ũ ds,   K = Gᵀ H⁻¹ G
//! ```
//!
//! (T. H. H. Pian, "Derivation of element stiffness matrices by assumed stress distributions", AIAA Journal 2 (1964) 1333–1336; with
//! rotations: R. D. Cook, "A plane hybrid element with rotational d.o.f. and adjustable stiffness", International Journal for
//! Numerical Methods in Engineering 24 (1987) 1499–1508). The stress is that of bending in physical coordinates, so tapered shapes do not lock.
//! Equal rotations at all corners do no work on the sides; a penalty ties their mean to the rotation of the membrane field at the centre.
//!
//! Nor, in a rectangle, do rotations that alternate from corner to corner while its sides stretch. That motion is soft, and forces on the corners without the moments that
//! a constant stress has there, ∓nᵀσn/12 at the ends of a side with normal × length n, drive it: the element would stretch more than FL/EA. So the part of the
//! rotations that is neither constant nor linear, γᵀθ (γ of D. P. Flanagan and T. Belytschko, International Journal for Numerical Methods in Engineering 17 (1981) 679–706), which is 0 in constant strain and
//! bending, has a stiffness of its own. With c the mean strain of alternating rotations θ, corner forces of a stress σ strain the element by A⁻¹σ + c(cᵀσ)·area/k, and
//! k = 20 cᵀA c·area leaves 1/20 of what the stress itself does, or less.
//!
//! A curved shell cannot have so much: where the normals of those before and behind differ from its own by φ ([`super::fold`]), bending κ of the surface shows as alternating rotations of about κφL/4 in its elements of
//! size L. Kept below a small share of the bending stiffness, k/(A₃₃ area) may be 0.04 (t²/area)/φ² there; the two are combined as springs in series. Beside them there is always
//! 10 t²/area, which keeps rectangles from being mechanisms: MacNeal and Harder's hemisphere of 8 × 8 elements is 2 % stiffer by it, that of 16 × 16 hardly.

use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, Vector2, Vector3};

use super::membrane::Membrane;
use super::shape::{GAUSS_2, gauss_3, quad};

/// Stiffness of the mean drilling rotation against the membrane's own, as a fraction of A₃₃ × area.
const PENALTY: f64 = 0.1;

/// Stiffness of alternating rotations in a flat mesh, as a multiple of that of the constant strain they make.
pub(super) const FLAT: f64 = 20.0;

/// The same where shells meet at angles φ, as a fraction of A₃₃ t²/φ².
const FOLDED: f64 = 0.04;

/// The same at any angle, as a multiple of A₃₃ t².
const ALWAYS: f64 = 10.0;

/// The least t²/area, for membranes without bending and very thin plates.
const SLENDERNESS_LEAST: f64 = 1e-6;

/// What bears on the stiffness of alternating rotations.
pub(super) struct Surroundings {
    /// t²/area.
    pub(super) slenderness: f64,
    /// sin² of the angle by which the surface turns across it.
    pub(super) fold: f64,
}

/// Stress fields at a point, one column each: [σx σy τ]. The last two come from the stress functions xy³ and x³y.
fn stress(x: f64, y: f64) -> SMatrix<f64, 3, 9> {
    SMatrix::from_columns(&[
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(0.0, 1.0, 0.0),
        Vector3::new(0.0, 0.0, 1.0),
        Vector3::new(y, 0.0, 0.0),
        Vector3::new(0.0, x, 0.0),
        Vector3::new(x, 0.0, -y),
        Vector3::new(0.0, y, -x),
        Vector3::new(2.0 * x * y, 0.0, -y * y),
        Vector3::new(0.0, 2.0 * x * y, -x * x),
    ])
}

/// The membrane with corners `p` (counter-clockwise, about their mean) and membrane stiffness `A` (force per length).
pub(super) fn hybrid_quadrilateral_with_rotations(
    p: &[Vector2<f64>],
    A: &Matrix3<f64>,
    surroundings: &Surroundings,
) -> Membrane {
    let compliance = A.try_inverse().expect("invariant: a membrane material is positive definite");
    // Coordinates of order one keep H well conditioned.
    let size = p.iter().map(|c| c.norm()).fold(0.0, f64::max);
    let fields = |at: Vector2<f64>| stress(at.x / size, at.y / size);
    let mut H = SMatrix::<f64, 9, 9>::zeros();
    let mut area = 0.0;
    for (xi, eta, weight) in gauss_3() {
        let point = quad(p, xi, eta);
        let at: Vector2<f64> = point.N.iter().zip(p).map(|(n, c)| c * *n).sum();
        let P = fields(at);
        H += P.transpose() * compliance * P * (weight * point.determinant);
        area += weight * point.determinant;
    }
    let mut G = SMatrix::<f64, 9, 12>::zeros();
    for i in 0..4 {
        let j = (i + 1) % 4;
        let side = p[j] - p[i];
        // Outward normal × length.
        let n = Vector2::new(side.y, -side.x);
        for (t, weight) in [(-0.6_f64.sqrt(), 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.6_f64.sqrt(), 5.0 / 18.0)] {
            let s = 0.5 * (1.0 + t);
            let P = fields(p[i] + side * s);
            // Rows: traction × length of each field.
            let along_x = (P.row(0) * n.x + P.row(2) * n.y).transpose() * weight;
            let along_y = (P.row(2) * n.x + P.row(1) * n.y).transpose() * weight;
            let bump = 4.0 * s * (1.0 - s) / 8.0;
            for (node, share, sign) in [(i, 1.0 - s, -1.0), (j, s, 1.0)] {
                let mut column = G.column_mut(3 * node);
                column += along_x * share;
                let mut column = G.column_mut(3 * node + 1);
                column += along_y * share;
                let mut column = G.column_mut(3 * node + 2);
                column += (along_x * n.x + along_y * n.y) * (sign * bump);
            }
        }
    }
    let centre = quad(p, 0.0, 0.0);
    let mut spin = SMatrix::<f64, 1, 12>::zeros();
    for (i, gradient) in centre.gradients.iter().enumerate() {
        spin[3 * i] = -0.5 * gradient.y;
        spin[3 * i + 1] = 0.5 * gradient.x;
        spin[3 * i + 2] = -0.25;
    }
    let mut gamma = SMatrix::<f64, 1, 12>::zeros();
    let signs = [1.0, -1.0, 1.0, -1.0];
    let mean: Vector2<f64> = signs.iter().zip(p).map(|(sign, c)| c * *sign).sum();
    for (i, gradient) in centre.gradients.iter().enumerate() {
        gamma[3 * i + 2] = 0.25 * (signs[i] - gradient.dot(&mean));
    }
    let inverse = H.try_inverse().expect("invariant: the compliance is positive definite");
    let L = G.fixed_rows::<3>(0).transpose();
    let strain: Vector3<f64> = (0..4).map(|i| L.row(3 * i + 2).transpose() * (signs[i] / area)).sum();
    let slenderness = surroundings.slenderness.max(SLENDERNESS_LEAST);
    let flat = FLAT * strain.dot(&(A * strain)) / A[(2, 2)];
    let folded = FOLDED * slenderness;
    let alternating = (ALWAYS * slenderness).min(1.0) + flat * folded / (folded + flat * surroundings.fold);
    let beta = inverse * G;
    let K = G.transpose() * beta
        + (spin.transpose() * spin * PENALTY + gamma.transpose() * gamma * alternating) * (A[(2, 2)] * area);
    let forces = GAUSS_2.map(|(xi, eta)| {
        let at: Vector2<f64> = quad(p, xi, eta).N.iter().zip(p).map(|(n, c)| c * *n).sum();
        Matrix3xX::from_iterator(12, (fields(at) * beta).iter().copied())
    });
    Membrane {
        K: DMatrix::from_iterator(12, 12, K.iter().copied()),
        L: DMatrix::from_iterator(12, 3, L.iter().copied()),
        forces: forces.to_vec(),
    }
}
