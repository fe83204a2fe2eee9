//! Membrane triangle with drilling rotations: the optimal (OPT) member of the assumed-natural-deviatoric-strain family.
//!
//! Source: C. A. Felippa, "A study of optimal membrane triangles with drilling freedoms", Computer Methods in
//! Applied Mechanics and Engineering 192 (2003) 2125–2168. K = K_b + K_h. The basic part K_b = L A Lᵀ/area lumps a constant
//! stress onto translations and rotations (α_b = 3/2) and passes the patch test by construction; the higher-order part
//! works on the rotations relative to the mean rotation and is scaled by β₀ = ½(1 − 4ν²), which makes in-plane bending
//! of a rectangle of two triangles exact for any aspect ratio. Triangles that lean have less of it ([`upright`]).
//!
//! α_b belongs to a side: a constant stress σ gives the ends of each side s, with n its outward normal × length, the forces σn/2 and the moments ∓b·σn, b = α_b n/12, and the patch test asks
//! only that both elements beside a side take the same b. Four-node shells have Allman's α_b = 1 ([`super::hybrid`]), so triangles have it on the sides they share; in strips one cell wide b leans, so that they bend
//! as strips do ([`super::strip`]). At the corners of the outline forces of a deck
//! come without those moments, which inside cancel between neighbours: there α_b = 3/2 · r⁴/(12 + r⁴), r the side over its height in the triangle, which is next to none on the short
//! sides of cells, so that strips and sheets stretch by FL/EA, and leaves the long sides of a single cell what they need to bend.

use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, Vector2, Vector3};

use super::hybrid::FLAT;
use super::membrane::Membrane;
use super::outline::{Kind, Side};
use super::shape::{stiffness_points, triangle};
use super::strip::{self, Bend};

/// α_b of the optimal element.
const LUMPING: f64 = 1.5;

/// b of a side along `d` of a triangle of this area: what the mean displacement of the side is beyond that of its ends, for rotations that differ by one.
fn bump(side: Side<Vector2<f64>>, d: Vector2<f64>, area: f64) -> Vector2<f64> {
    let lumping = match (side.kind, side.axis) {
        (Kind::BesideQuadrilateral, _) => 1.0,
        (Kind::AtCorner, Some(axis)) if !strip::along(d, axis) => 0.0,
        (Kind::AtCorner, None) => {
            let slenderness = (d.norm_squared() / (2.0 * area)).powi(4);
            LUMPING * slenderness / (12.0 + slenderness)
        }
        (_, Some(axis)) => return strip::bump(d, axis),
        (Kind::Free | Kind::Inner, None) => LUMPING,
    };
    Vector2::new(d.y, -d.x) * (lumping / 12.0)
}

/// β₁ to β₉ of the optimal element.
const BETA: [f64; 9] = [1.0, 2.0, 1.0, 0.0, 1.0, -1.0, -1.0, -1.0, -2.0];

/// Below this β₀ the element would lose its rank (ν near ½); the value is Felippa's.
const BETA_0_LEAST: f64 = 0.01;

/// The least share of K_h, which keeps the rank: in slivers, and in strips, whose bending is not left to it.
const UPRIGHT_LEAST: f64 = 0.05;

/// The share of K_h that a triangle gets: 1/(1 + 60λ⁴), λ = |cot| of the angle that is nearest to the right one.
///
/// β₀ makes rectangles cut into two exact. In slanted cells one element wide the basic stiffness alone is already close to, or above, what bending asks, and less of K_h
/// does better: with leans of 1:3, 1:2 and 1:1 the shares that bend such strips best are about 0.8, 0.3 and 0.05, in strips of equilateral triangles 0.1 or less.
fn upright(p: [Vector2<f64>; 3]) -> f64 {
    let cotangent = |i: usize| {
        let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
        (a.dot(&b) / a.perp(&b)).abs()
    };
    let least = (0..3).map(cotangent).fold(f64::INFINITY, f64::min);
    (1.0 / (1.0 + 60.0 * least.powi(4))).max(UPRIGHT_LEAST)
}

/// L of the triangle with corners `p` and bumps b of its sides: area × mean strain = Lᵀu.
fn mean_strain(p: [Vector2<f64>; 3], bumps: [Vector2<f64>; 3]) -> SMatrix<f64, 9, 3> {
    let mut L = SMatrix::<f64, 9, 3>::zeros();
    for (i, b) in bumps.into_iter().enumerate() {
        let j = (i + 1) % 3;
        let n = Vector2::new(p[j].y - p[i].y, p[i].x - p[j].x);
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

/// The triangle with corners `p` (counter-clockwise about their mean, in its plane), sides from each corner to the next, the axis of the strip that it is in, and membrane stiffness `A` (force per length).
pub(super) fn membrane_triangle(
    p: [Vector2<f64>; 3],
    sides: [Side<Vector2<f64>>; 3],
    axis: Option<Vector2<f64>>,
    A: &Matrix3<f64>,
) -> Membrane {
    let area = 0.5 * (p[1] - p[0]).perp(&(p[2] - p[0]));
    let bumps = [0, 1, 2].map(|i| bump(sides[i], p[(i + 1) % 3] - p[i], area));
    let L = mean_strain(p, bumps);
    let mean = A * L.transpose() / area;
    let T = relative_rotations(p, area);
    let K_theta = optimal(p, area, A);
    let mut K = L * mean;
    let bend = axis.and_then(|axis| Bend::of(p, axis, bumps, A, &K));
    match &bend {
        None => K += T.transpose() * K_theta * T * upright(p),
        Some(bend) => {
            let rest = T * bend.rest;
            K += bend.amount * bend.amount.transpose() * bend.energy;
            K += rest.transpose() * K_theta * rest * UPRIGHT_LEAST;
            if (0..3)
                .any(|i| sides[i].kind == Kind::AtCorner && strip::along(p[(i + 1) % 3] - p[i], bend.axis))
            {
                // A pair on its own.
                let turned = Matrix3::from_fn(|corner, row| L[(3 * corner + 2, row)]);
                K += rest.transpose() * turned * A * turned.transpose() * rest * (FLAT / area);
            }
        }
    }
    let forces = |(xi, eta, _): (f64, f64, f64)| {
        let at: Vector2<f64> = triangle(&p, xi, eta).N.iter().zip(&p).map(|(n, c)| c * *n).sum();
        let forces = bend.as_ref().map_or(mean, |bend| mean + bend.forces(at));
        Matrix3xX::from_iterator(9, forces.iter().copied())
    };
    Membrane {
        K: DMatrix::from_iterator(9, 9, K.iter().copied()),
        L: DMatrix::from_iterator(9, 3, L.iter().copied()),
        forces: stiffness_points(3).into_iter().map(forces).collect(),
    }
}
