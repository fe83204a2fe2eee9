//! Transverse shear of quadratic shells, tied to a few points so that thin ones do not lock.
//!
//! The covariant components γ_ξ, γ_η are polynomials that take the values of the displacement field at points
//! chosen on the sides (two Gauss points each, along the side) and at the centre: the MITC8 and MITC6 idea
//! (K.-J. Bathe and E. N. Dvorkin, "A formulation of general shell elements: the use of mixed interpolation
//! of tensorial components", International Journal for Numerical Methods in Engineering 22 (1986) 697–722;
//! P.-S. Lee and K.-J. Bathe, "Development of MITC isotropic triangular shell finite elements", Computers &
//! Structures 82 (2004) 945–962). Neighbours see the same shear along their common side.

use nalgebra::{DMatrix, Matrix3, Vector3};

/// 1/√3.
const G: f64 = 0.577_350_269_189_625_8;

/// Gauss points of a side that runs from 0 to 1.
const NEAR: f64 = 0.5 * (1.0 - G);
const FAR: f64 = 0.5 * (1.0 + G);

/// Area coordinate of the three points inside the triangle over which its inner shear is averaged. At the
/// centroid (1/3) thick beams of a few elements are 5 % too soft in frequency, at the integration points
/// (1/6) clamped plates on coarse meshes too stiff.
const INNER: f64 = 0.18;

/// Natural coordinates of three points.
pub(super) type Points = [(f64, f64); 3];

/// Where the triangle's membrane strain is taken, three points for each of the directions ξ, η and from
/// corner 2 to corner 3 (Lee and Bathe, as above): in a curved triangle the strain of the displacement field
/// is not linear, and what it has beyond locks.
pub(super) const MEMBRANE_TIES: [([f64; 2], Points); 3] = [
    ([1.0, 0.0], [(NEAR, 0.0), (FAR, 0.0), (NEAR, G)]),
    ([0.0, 1.0], [(0.0, NEAR), (0.0, FAR), (G, NEAR)]),
    ([-1.0, 1.0], [(FAR, NEAR), (NEAR, FAR), (NEAR, NEAR)]),
];

/// Weights of the three values of a direction for the linear strain at a point.
pub(super) fn linear_weights(points: &Points, xi: f64, eta: f64) -> [f64; 3] {
    let V = Matrix3::from_fn(|row, column| match column {
        0 => 1.0,
        1 => points[row].0,
        _ => points[row].1,
    });
    let inverse = V.try_inverse().expect("invariant: three points not on a line");
    (Vector3::new(1.0, xi, eta).transpose() * inverse).into()
}

/// A value to take: the mean, over one or two points (ξ, η), of the shear along a natural direction.
pub(super) struct Tie {
    /// Natural coordinates.
    pub(super) at: Vec<(f64, f64)>,
    /// Coefficients of γ_ξ and γ_η.
    pub(super) direction: [f64; 2],
}

/// The ties of a quadrilateral (10) or triangle (8). Inside, means are taken: in the middle of the
/// quadrilateral that of the two Gauss points, because between them the shear of quadratic rotations differs
/// from that of the displacement even in pure bending.
pub(super) fn ties(quadrilateral: bool) -> Vec<Tie> {
    let tie = |at, direction| Tie { at: vec![at], direction };
    if quadrilateral {
        let mut ties = vec![
            Tie { at: vec![(-G, 0.0), (G, 0.0)], direction: [1.0, 0.0] },
            Tie { at: vec![(0.0, -G), (0.0, G)], direction: [0.0, 1.0] },
        ];
        for a in [-G, G] {
            for b in [-1.0, 1.0] {
                ties.push(tie((a, b), [1.0, 0.0]));
                ties.push(tie((b, a), [0.0, 1.0]));
            }
        }
        return ties;
    }
    let inner = vec![(INNER, INNER), (1.0 - 2.0 * INNER, INNER), (INNER, 1.0 - 2.0 * INNER)];
    let mut ties =
        vec![Tie { at: inner.clone(), direction: [1.0, 0.0] }, Tie { at: inner, direction: [0.0, 1.0] }];
    for a in [NEAR, FAR] {
        ties.push(tie((a, 0.0), [1.0, 0.0]));
        ties.push(tie((0.0, a), [0.0, 1.0]));
        ties.push(tie((1.0 - a, a), [-1.0, 1.0]));
    }
    ties
}

/// The polynomials at a point: two rows, one column per coefficient.
fn fields(quadrilateral: bool, xi: f64, eta: f64) -> DMatrix<f64> {
    let rows: [Vec<f64>; 2] = if quadrilateral {
        let none = [0.0; 5];
        let first = [1.0, xi, eta, xi * eta, eta * eta];
        let second = [1.0, xi, eta, xi * eta, xi * xi];
        [[first, none].concat(), [none, second].concat()]
    } else {
        [
            vec![1.0, xi, eta, 0.0, 0.0, 0.0, xi * eta, eta * eta],
            vec![0.0, 0.0, 0.0, 1.0, xi, eta, -xi * xi, -xi * eta],
        ]
    };
    DMatrix::from_fn(2, rows[0].len(), |i, j| rows[i][j])
}

/// [γ_ξ γ_η] at points from the values at the ties: X with γ(point) = X(point) · values.
pub(super) fn interpolation(quadrilateral: bool, points: &[(f64, f64, f64)]) -> Vec<DMatrix<f64>> {
    let ties = ties(quadrilateral);
    let count = ties.len();
    let mut V = DMatrix::zeros(count, count);
    for (row, tie) in ties.iter().enumerate() {
        for (xi, eta) in &tie.at {
            let F = fields(quadrilateral, *xi, *eta) / tie.at.len() as f64;
            let mut target = V.row_mut(row);
            target += F.row(0) * tie.direction[0] + F.row(1) * tie.direction[1];
        }
    }
    let inverse = V.try_inverse().expect("invariant: the ties determine the polynomials");
    points.iter().map(|(xi, eta, _)| fields(quadrilateral, *xi, *eta) * &inverse).collect()
}
