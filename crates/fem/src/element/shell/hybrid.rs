//! Membrane quadrilateral with drilling rotations, CQUADR: assumed stress inside, assumed displacement on the
//! sides.
//!
//! Inside, a stress in equilibrium σ = Pβ: all those of Airy functions up to the fourth degree, so that it
//! depends on no frame. On each side i → j the displacement is linear, plus a quadratic one normal to the
//! side from the difference of the drilling rotations, (L/8)(θ_j − θ_i) at its middle (D. J. Allman, "A
//! compatible triangular element including vertex rotations for plane elasticity analysis", Computers &
//! Structures 19 (1984) 1–8). Then
//!
//! ```text
//! H = ∫Pᵀ A⁻¹ P dA,   G = ∮ Pᵀ n ũ ds,   K = Gᵀ H⁻¹ G
//! ```
//!
//! (T. H. H. Pian, "Derivation of element stiffness matrices by assumed stress distributions", AIAA Journal 2
//! (1964) 1333–1336; with rotations: R. D. Cook, "A plane hybrid element with rotational d.o.f. and
//! adjustable stiffness", International Journal for Numerical Methods in Engineering 24 (1987) 1499–1508).
//! The stress is that of bending in physical coordinates, so tapered shapes bend well.
//!
//! Equal rotations at all corners do no work on the sides. ½γ·area·(θ̄ − Ω₀)² ties their mean to the rotation
//! of the bilinear displacement at the centre, with γ = A₃₃ (T. J. R. Hughes and F. Brezzi, "On drilling
//! degrees of freedom", Computer Methods in Applied Mechanics and Engineering 72 (1989) 105–121: γ is the
//! shear modulus).

use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, Vector2};

use super::membrane::{Membrane, MembraneStrain};
use super::shape::{GAUSS_2, quad};

/// Number of stress fields.
const FIELDS: usize = 12;

/// Stress fields [σx σy τ] at a point, one column each: constant, linear and quadratic.
fn stress(x: f64, y: f64) -> SMatrix<f64, 3, FIELDS> {
    let (xx, yy, xy) = (x * x, y * y, x * y);
    SMatrix::<f64, FIELDS, 3>::from_row_slice(&[
        1.0,
        0.0,
        0.0,
        0.0,
        1.0,
        0.0,
        0.0,
        0.0,
        1.0,
        // Airy functions of the third degree.
        y,
        0.0,
        0.0,
        0.0,
        x,
        0.0,
        x,
        0.0,
        -y,
        0.0,
        y,
        -x,
        // The fourth degree: y⁴, x⁴, xy³, x³y, x²y².
        yy,
        0.0,
        0.0,
        0.0,
        xx,
        0.0,
        2.0 * xy,
        0.0,
        -yy,
        0.0,
        2.0 * xy,
        -xx,
        xx,
        yy,
        -2.0 * xy,
    ])
    .transpose()
}

/// The membrane with corners `p` (counter-clockwise, about their mean) and membrane stiffness `A` (force per
/// length).
///
/// `None` when A is singular: the element works with its inverse.
pub(super) fn hybrid_quadrilateral(p: &[Vector2<f64>], A: &Matrix3<f64>) -> Option<Membrane> {
    let compliance = A.try_inverse()?;
    // Coordinates of order one keep H well conditioned.
    let size = p.iter().map(|c| c.norm()).fold(0.0, f64::max);
    let fields = |at: Vector2<f64>| stress(at.x / size, at.y / size);
    let mut H = SMatrix::<f64, FIELDS, FIELDS>::zeros();
    let mut area = 0.0;
    for (xi, eta, weight) in gauss_4() {
        let point = quad(p, xi, eta);
        let P = fields(point.at(p));
        H += P.transpose() * compliance * P * (weight * point.determinant);
        area += weight * point.determinant;
    }
    let mut G = SMatrix::<f64, FIELDS, 12>::zeros();
    for i in 0..4 {
        let j = (i + 1) % 4;
        let side = p[j] - p[i];
        // Outward normal × length.
        let n = Vector2::new(side.y, -side.x);
        // Quadratic stress times quadratic displacement: three Gauss points are exact.
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
    // θ̄ − Ω₀.
    let mut spin = SMatrix::<f64, 1, 12>::zeros();
    for (i, gradient) in quad(p, 0.0, 0.0).gradients.iter().enumerate() {
        spin[3 * i] = 0.5 * gradient.y;
        spin[3 * i + 1] = -0.5 * gradient.x;
        spin[3 * i + 2] = 0.25;
    }
    let beta = H.try_inverse()? * G;
    let K = G.transpose() * beta + spin.transpose() * spin * (A[(2, 2)] * area);
    let L = G.fixed_rows::<3>(0).transpose();
    let strain = |(xi, eta)| {
        let stress = fields(quad(p, xi, eta).at(p)) * beta;
        Matrix3xX::from_iterator(12, (compliance * stress).iter().copied())
    };
    Some(Membrane {
        K: DMatrix::from_iterator(12, 12, K.iter().copied()),
        L: DMatrix::from_iterator(12, 3, L.iter().copied()),
        points: GAUSS_2.map(|at| MembraneStrain { strain: strain(at), A: *A }).to_vec(),
        centre: strain((0.0, 0.0)),
    })
}

/// 4×4 Gauss points with their weights: products of two quadratic stresses on a bilinear map.
fn gauss_4() -> impl Iterator<Item = (f64, f64, f64)> {
    let line = [
        (-0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
        (-0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
        (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
        (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
    ];
    line.into_iter().flat_map(move |(eta, v)| line.into_iter().map(move |(xi, w)| (xi, eta, w * v)))
}
