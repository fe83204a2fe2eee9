//! Membrane triangle with drilling rotations, CTRIAR: the optimal (OPT) member of the
//! assumed-natural-deviatoric-strain family.
//!
//! Source: C. A. Felippa, "A study of optimal membrane triangles with drilling freedoms", Computer Methods in
//! Applied Mechanics and Engineering 192 (2003) 2125–2168. K = K_b + K_h. The basic part K_b = L A Lᵀ/area
//! lumps a constant stress onto translations and rotations (α_b = 3/2) and passes the patch test by
//! construction; the higher-order part works on the rotations relative to the mean rotation and is scaled by
//! β₀ = ½(1 − 4ν²), which makes in-plane bending of a rectangle of two triangles exact for any aspect ratio.
//! Slanted triangles of large aspect bend too little (docs/theory/elements.md).

use nalgebra::{DMatrix, Matrix3, SMatrix, Vector2, Vector3};

use super::membrane::Membrane;

/// α_b of the optimal element.
pub(super) const LUMPING: f64 = 1.5;

/// β₁ to β₉ of the optimal element.
const BETA: [f64; 9] = [1.0, 2.0, 1.0, 0.0, 1.0, -1.0, -1.0, -1.0, -2.0];

/// Below this β₀ the element would lose its rank (ν near ½); the value is Felippa's.
const BETA_0_LEAST: f64 = 0.01;

/// L of the triangle with corners `p`: area × mean strain = Lᵀu. A constant stress σ gives the ends of each
/// side, with n its outward normal × length, the forces σn/2 and the moments ∓b·σn, b = α_b n/12.
pub(super) fn mean_strain(p: [Vector2<f64>; 3], lumping: f64) -> SMatrix<f64, 9, 3> {
    let mut L = SMatrix::<f64, 9, 3>::zeros();
    for i in 0..3 {
        let j = (i + 1) % 3;
        let n = Vector2::new(p[j].y - p[i].y, p[i].x - p[j].x);
        let b = n * (lumping / 12.0);
        let moment = Vector3::new(n.x * b.x, n.y * b.y, n.x * b.y + n.y * b.x);
        for (corner, sign) in [(i, -1.0), (j, 1.0)] {
            L[(3 * corner, 0)] += 0.5 * n.x;
            L[(3 * corner, 2)] += 0.5 * n.y;
            L[(3 * corner + 1, 1)] += 0.5 * n.y;
            L[(3 * corner + 1, 2)] += 0.5 * n.x;
            let mut row = L.row_mut(3 * corner + 2);
            row += moment.transpose() * sign;
        }
    }
    L
}

/// Rotations of the corners relative to the mean rotation of the linear field.
fn relative_rotations(p: [Vector2<f64>; 3], area: f64) -> SMatrix<f64, 3, 9> {
    SMatrix::from_fn(|corner, column| {
        let i = column / 3;
        let opposite = p[(i + 2) % 3] - p[(i + 1) % 3];
        match column % 3 {
            0 => opposite.x / (4.0 * area),
            1 => opposite.y / (4.0 * area),
            _ => f64::from(u8::from(i == corner)),
        }
    })
}

/// The higher-order stiffness of the optimal element over the relative rotations.
fn optimal(p: [Vector2<f64>; 3], area: f64, A: &Matrix3<f64>) -> Matrix3<f64> {
    let x = |i: usize, j: usize| p[i - 1].x - p[j - 1].x;
    let y = |i: usize, j: usize| p[i - 1].y - p[j - 1].y;
    let squared = |i: usize, j: usize| x(i, j).powi(2) + y(i, j).powi(2);
    let (l21, l32, l13) = (squared(2, 1), squared(3, 2), squared(1, 3));
    // Cartesian from natural strains along the sides 21, 32, 13.
    let to_cartesian = Matrix3::new(
        y(2, 3) * y(1, 3) * l21,
        y(3, 1) * y(2, 1) * l32,
        y(1, 2) * y(3, 2) * l13,
        x(2, 3) * x(1, 3) * l21,
        x(3, 1) * x(2, 1) * l32,
        x(1, 2) * x(3, 2) * l13,
        (y(2, 3) * x(3, 1) + x(3, 2) * y(1, 3)) * l21,
        (y(3, 1) * x(1, 2) + x(1, 3) * y(2, 1)) * l32,
        (y(1, 2) * x(2, 3) + x(2, 1) * y(3, 2)) * l13,
    ) / (4.0 * area * area);
    let A_natural = to_cartesian.transpose() * A * to_cartesian;

    // Natural strains at the corners from the relative rotations; row order 21, 32, 13.
    let q = |order: [[usize; 3]; 3]| {
        Matrix3::from_fn(|side, corner| {
            2.0 * area / 3.0 * BETA[order[side][corner] - 1] / [l21, l32, l13][side]
        })
    };
    let corners = [
        q([[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
        q([[9, 7, 8], [3, 1, 2], [6, 4, 5]]),
        q([[5, 6, 4], [8, 9, 7], [2, 3, 1]]),
    ];
    let mut K_theta = Matrix3::zeros();
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let Q = (corners[a] + corners[b]) * 0.5;
        K_theta += Q.transpose() * A_natural * Q * area;
    }
    // ν² of an anisotropic membrane: A₁₂²/(A₁₁A₂₂).
    let poisson_squared = A[(0, 1)].powi(2) / (A[(0, 0)] * A[(1, 1)]);
    let beta_0 = (0.5 * (1.0 - 4.0 * poisson_squared)).max(BETA_0_LEAST);
    K_theta * (0.75 * beta_0)
}

/// The higher-order stiffness over u v θz of each corner.
pub(super) fn higher_order(p: [Vector2<f64>; 3], area: f64, A: &Matrix3<f64>) -> SMatrix<f64, 9, 9> {
    let T = relative_rotations(p, area);
    T.transpose() * optimal(p, area, A) * T
}

/// The triangle with corners `p` (counter-clockwise, in its plane) and membrane stiffness `A` (force per
/// length).
pub(super) fn membrane_triangle(p: [Vector2<f64>; 3], A: &Matrix3<f64>) -> Membrane {
    let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
    let L = mean_strain(p, LUMPING);
    let K = L * A * L.transpose() / area + higher_order(p, area, A);
    let K = DMatrix::from_iterator(9, 9, K.iter().copied());
    Membrane::constant(K, DMatrix::from_iterator(9, 3, L.iter().copied()), A, area)
}
