//! PARAM,K6ROT: the weak stiffness of CQUAD4 and CTRIA3 against rotation about their normal.
//!
//! ```text
//! U = ½ Σ_i k_i (θz_i − Ω_i)²,   k_i = 10⁻⁶·K6ROT·A₃₃·|J_i|
//! ```
//!
//! over the corners, Ω_i = ½(v,x − u,y) of the linear or bilinear displacement at corner i and |J_i| its
//! Jacobian with natural coordinates from 0 to 1 (twice the area of a triangle). MSC Nastran Quick Reference
//! Guide, PARAM K6ROT, gives the factor; the sum over corners reproduces rotations and moments printed by MSC
//! 2024.2 and element matrices of Simcenter 2412 (docs/theory/elements.md).

use nalgebra::{DMatrix, Vector2};

use super::shape::{NATURAL_CORNERS, flat};

/// Rows θz_i − Ω_i of each corner over u v θz of all.
pub(super) fn relative_rotations(p: &[Vector2<f64>]) -> DMatrix<f64> {
    let count = p.len();
    let mut rows = DMatrix::zeros(count, 3 * count);
    for (i, (xi, eta)) in natural_corners(count).into_iter().enumerate() {
        for (j, g) in flat(p, xi, eta).gradients.iter().enumerate() {
            rows[(i, 3 * j)] = 0.5 * g.y;
            rows[(i, 3 * j + 1)] = -0.5 * g.x;
        }
        rows[(i, 3 * i + 2)] = 1.0;
    }
    rows
}

/// Stiffness over u v θz of each corner; `factor` is 10⁻⁶·K6ROT·A₃₃.
pub(super) fn stiffness(p: &[Vector2<f64>], factor: f64) -> DMatrix<f64> {
    let rows = relative_rotations(p);
    // Natural coordinates of a quadrilateral run from −1 to 1 here: a quarter of the Jacobian.
    let share = if p.len() == 4 { 4.0 } else { 1.0 };
    let mut weighted = rows.clone();
    for (mut row, (xi, eta)) in weighted.row_iter_mut().zip(natural_corners(p.len())) {
        row *= factor * share * flat(p, xi, eta).determinant;
    }
    rows.transpose() * weighted
}

fn natural_corners(count: usize) -> Vec<(f64, f64)> {
    if count == 4 { NATURAL_CORNERS.to_vec() } else { vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)] }
}
