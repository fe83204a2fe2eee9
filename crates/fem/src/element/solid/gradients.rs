//! Gradients of shape functions and internal modes in basic coordinates.

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use super::table::{MAX_NODES, Table, TablePoint};

/// Jacobian of the map from reference to basic coordinates: J[k][c] = ∂x_c/∂ξ_k. Its determinant is positive
/// for a sound element.
pub(super) fn jacobian(gradient: &[[f64; MAX_NODES]; 3], x: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let mut J = [[0.0; 3]; 3];
    for k in 0..3 {
        for (position, derivative) in x.iter().zip(&gradient[k]) {
            for c in 0..3 {
                J[k][c] += derivative * position[c];
            }
        }
    }
    J
}

/// Determinant of a 3×3 matrix.
pub(super) fn determinant(J: &[[f64; 3]; 3]) -> f64 {
    J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0])
        + J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0])
}

/// det(J)·J⁻¹.
fn adjugate(J: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let (r, s) = ((j + 1) % 3, (j + 2) % 3);
        let (p, q) = ((i + 1) % 3, (i + 2) % 3);
        J[r][p] * J[s][q] - J[r][q] * J[s][p]
    };
    std::array::from_fn(|i| std::array::from_fn(|j| cofactor(i, j)))
}

/// Gradients in basic coordinates of the nodal functions and then of the internal modes at a point of the
/// table, and the volume the point stands for.
///
/// Internal modes: (j₀/j) J₀⁻ᵀ ∇P, whose integral over the element is j₀ J₀⁻ᵀ ∫∇P = 0 whatever the
/// distortion, which is the patch test (Taylor, Beresford and Wilson, 1976; Simo and Rifai, 1990).
pub(super) struct PointGradients<const T: usize> {
    /// ∂N/∂x_c of each function.
    pub(super) g: [[f64; T]; 3],
    /// Weight times det J.
    pub(super) volume: f64,
    /// det J₀/det J.
    pub(super) scale: f64,
}

/// The centre's Jacobian that internal modes are mapped with.
pub(super) struct Centre {
    adjugate: [[f64; 3]; 3],
    determinant: f64,
}

impl Centre {
    /// Unit normal of the ζ surface through the centre.
    pub(super) fn axis(&self) -> [f64; 3] {
        let normal = [0, 1, 2].map(|c| self.adjugate[c][2]);
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        normal.map(|n| n / length)
    }

    /// Of an element.
    pub(super) fn new(table: &Table, x: &[[f64; 3]]) -> Self {
        let J = jacobian(&table.centre_gradient, x);
        Self { adjugate: adjugate(&J), determinant: determinant(&J) }
    }
}

/// See [`PointGradients`].
pub(super) fn point_gradients<const T: usize>(
    point: &TablePoint,
    x: &[[f64; 3]],
    internal_count: usize,
    centre: &Centre,
) -> PointGradients<T> {
    let nodes = x.len();
    let J = jacobian(&point.gradient, x);
    let det = determinant(&J);
    let inverse = adjugate(&J).map(|row| row.map(|entry| entry / det));
    let of_centre = centre.adjugate.map(|row| row.map(|entry| entry / det));
    let mut g = [[0.0; T]; 3];
    for c in 0..3 {
        for i in 0..nodes {
            g[c][i] = inverse[c][0] * point.gradient[0][i]
                + inverse[c][1] * point.gradient[1][i]
                + inverse[c][2] * point.gradient[2][i];
        }
        for p in 0..internal_count {
            g[c][nodes + p] = of_centre[c][0] * point.internal[0][p]
                + of_centre[c][1] * point.internal[1][p]
                + of_centre[c][2] * point.internal[2][p];
        }
    }
    PointGradients { g, volume: point.weight * det, scale: centre.determinant / det }
}
