//! Bending and transverse shear of flat elements. Rows are w θx θy of each corner; βx = θy and βy = −θx are the rotations of the normal.
//!
//! Both work with the gap of each side i → j, g = w_j − w_i + L/2(β_si + β_sj): length × mean shear strain along it when w
//! and β are linear. It vanishes in every state of constant curvature, so nothing below can fail the patch test.
//!
//! The triangle is the discrete Kirchhoff–Mindlin one, DKMT (I. Katili, "A new discrete Kirchhoff–Mindlin element based on
//! Mindlin–Reissner plate theory and assumed shear strain fields, part I", International Journal for Numerical Methods in Engineering 36 (1993)
//! 1859–1883): the rotation along a side is quadratic with Δ at its middle, the shear strain along it constant, and equilibrium of a
//! strip along it makes the gap split into both: Δ = −3g/(2L(1 + φ)), Lγ̄ = gφ/(1 + φ), φ = 12D_s/(L²S_s).
//!
//! The quadrilateral has linear rotations and transverse shear tied to its sides (E. N. Dvorkin and K.-J. Bathe, "A continuum mechanics
//! based four-node shell element", Engineering Computations 1 (1984) 77–88), with MacNeal's residual bending flexibility: the curvature that linear rotations leave
//! out makes shear more flexible, 1/S' = 1/S + cL²/(12D) with c = 1 for a straight beam to be exact at its nodes; see [`RESIDUAL`]
//! (R. H. MacNeal, "A simple quadrilateral shell element", Computers & Structures 8 (1978) 175–183). The part of the gaps that opposite sides
//! have in opposite senses, which twist needs, takes the width of the element in φ where that is less than L, and acts along those
//! sides only, so that a skewed element twists as a rectangular one.

use nalgebra::{DMatrix, Matrix2, Matrix3xX, RowDVector, Vector2};

use super::section::Section;
use super::shape::{ShapePoint, flat, quad, stiffness_points};

/// S of a plate that is rigid in transverse shear, times L²/(12D): large against 1, the residual bending flexibility.
const RIGID: f64 = 1e4;

/// Share of MacNeal's residual bending flexibility. All of it makes a straight beam exact at its nodes, but softens torsion of thick strips two elements
/// wide (4.5 % in frequency on FEDEM's cantilever); with half both are within 2.5 %, and clamped plates on coarse meshes within 4 % instead of 8 %.
const RESIDUAL: f64 = 0.5;

/// Factor on the φ of the twisting part: with 5 the torsion constant of a strip twice as wide as thick is 1 % off, and thin
/// clamped plates of elongated elements are within 8 % on a 4×4 mesh; 1 is too soft, ∞ (no residual flexibility) too stiff.
const TWIST: f64 = 5.0;

/// K, and ∫B dA = area × mean curvature.
pub(super) struct Bending {
    /// Stiffness, rows w θx θy of each corner.
    pub(super) K: DMatrix<f64>,
    /// Lᵀu = area × mean curvature.
    pub(super) L: DMatrix<f64>,
}

/// Stiffness of the flat element with corners `p` (counter-clockwise). `section` gives the section at a point
/// with the given values of the corner functions, in element axes.
pub(super) fn plate_bending(p: &[Vector2<f64>], section: &dyn Fn(&[f64]) -> Section) -> Bending {
    let count = p.len();
    let size = 3 * count;
    let mut bending = Bending { K: DMatrix::zeros(size, size), L: DMatrix::zeros(size, 3) };
    let gaps: Vec<RowDVector<f64>> = (0..count).map(|side| gap(p, side)).collect();
    let deltas = if count == 3 { kirchhoff_mindlin_sides(p, &gaps, section) } else { Vec::new() };
    for (xi, eta, weight) in stiffness_points(count) {
        let point = flat(p, xi, eta);
        let section = section(&point.N);
        let area = weight * point.determinant;
        let B = curvature(&point, p, &deltas);
        bending.K += B.transpose() * section.D * &B * area;
        bending.L += B.transpose() * area;
        let (B, S) = if count == 3 {
            match section.S {
                None => continue,
                Some(S) => (triangle_shear(&point, p, &deltas), S),
            }
        } else {
            quadrilateral_shear(&section, p, &gaps, xi, eta)
        };
        bending.K += B.transpose() * S * &B * area;
    }
    bending
}

/// Rows of the curvatures at each of the stiffness points; see [`plate_bending`].
pub(super) fn curvatures(p: &[Vector2<f64>], section: &dyn Fn(&[f64]) -> Section) -> Vec<Matrix3xX<f64>> {
    let count = p.len();
    let gaps: Vec<RowDVector<f64>> = (0..count).map(|side| gap(p, side)).collect();
    let deltas = if count == 3 { kirchhoff_mindlin_sides(p, &gaps, section) } else { Vec::new() };
    let at = |(xi, eta, _): &(f64, f64, f64)| curvature(&flat(p, *xi, *eta), p, &deltas);
    stiffness_points(count).iter().map(at).collect()
}

/// Row of the gap of side `i`.
fn gap(p: &[Vector2<f64>], i: usize) -> RowDVector<f64> {
    let j = (i + 1) % p.len();
    let half = (p[j] - p[i]) * 0.5;
    let mut g = RowDVector::zeros(3 * p.len());
    for (node, sign) in [(i, -1.0), (j, 1.0)] {
        g[3 * node] = sign;
        g[3 * node + 1] = -half.y;
        g[3 * node + 2] = half.x;
    }
    g
}

/// φ = 12D_s/(L²S_s) of a strip along the unit vector s.
fn shear_ratio(section: &Section, flexibility: &Matrix2<f64>, s: Vector2<f64>, length: f64) -> f64 {
    12.0 * section.bending_along(s) * s.dot(&(flexibility * s)) / (length * length)
}

/// Rows of a side of the triangle.
struct Side {
    /// Δ.
    delta: RowDVector<f64>,
    /// Length × constant shear strain.
    shear: RowDVector<f64>,
}

fn kirchhoff_mindlin_sides(
    p: &[Vector2<f64>],
    gaps: &[RowDVector<f64>],
    section: &dyn Fn(&[f64]) -> Section,
) -> Vec<Side> {
    gaps.iter()
        .enumerate()
        .map(|(i, g)| {
            let j = (i + 1) % 3;
            let length = (p[j] - p[i]).norm();
            let mut N = [0.0; 3];
            (N[i], N[j]) = (0.5, 0.5);
            let section = section(&N);
            let flexibility = section.S.and_then(|S| S.try_inverse()).unwrap_or_default();
            let phi = shear_ratio(&section, &flexibility, (p[j] - p[i]) / length, length);
            Side { delta: g * (-1.5 / (length * (1.0 + phi))), shear: g * (phi / (1.0 + phi)) }
        })
        .collect()
}

/// Curvatures [βx,x βy,y βx,y + βy,x] at a point, with the quadratic rotations of the triangle's sides.
fn curvature(point: &ShapePoint, p: &[Vector2<f64>], sides: &[Side]) -> Matrix3xX<f64> {
    let mut B = Matrix3xX::zeros(3 * p.len());
    for (i, g) in point.gradients.iter().enumerate() {
        B[(0, 3 * i + 2)] = g.x;
        B[(1, 3 * i + 1)] = -g.y;
        B[(2, 3 * i + 2)] = g.y;
        B[(2, 3 * i + 1)] = -g.x;
    }
    for (i, side) in sides.iter().enumerate() {
        let s = (p[(i + 1) % 3] - p[i]).normalize();
        let g = point.side_gradients[i];
        for (row, value) in [g.x * s.x, g.y * s.y, g.y * s.x + g.x * s.y].into_iter().enumerate() {
            let mut target = B.row_mut(row);
            target += &side.delta * value;
        }
    }
    B
}

/// Transverse shear [γx γy] in the triangle: the vector at each corner from its two sides, linear in between.
fn triangle_shear(point: &ShapePoint, p: &[Vector2<f64>], sides: &[Side]) -> DMatrix<f64> {
    let mut B = DMatrix::zeros(2, 9);
    for corner in 0..3 {
        let before = (corner + 2) % 3;
        let (s, r) = (p[(corner + 1) % 3] - p[corner], p[corner] - p[before]);
        let factor = point.N[corner] / s.perp(&r);
        let (first, second) = (&sides[corner].shear, &sides[before].shear);
        let mut target = B.row_mut(0);
        target += (first * r.y - second * s.y) * factor;
        let mut target = B.row_mut(1);
        target += (second * s.x - first * r.x) * factor;
    }
    B
}

/// Transverse shear in the quadrilateral, scaled by √(φ/(1 + φ)) so that BᵀSB has the flexibility of linear rotations taken out, and S.
fn quadrilateral_shear(
    section: &Section,
    p: &[Vector2<f64>],
    gaps: &[RowDVector<f64>],
    xi: f64,
    eta: f64,
) -> (DMatrix<f64>, Matrix2<f64>) {
    let centre = quad(p, 0.0, 0.0);
    let point = quad(p, xi, eta);
    let inverse = point.jacobian.try_inverse().unwrap_or_default();
    let middle = [0, 1].map(|k| centre.jacobian.row(k).transpose() * 2.0);
    let S = section.S.unwrap_or_else(|| {
        let shortest = middle[0].norm().min(middle[1].norm());
        Matrix2::identity() * (RIGID * 12.0 * section.D.amax() / (shortest * shortest))
    });
    let flexibility = S.try_inverse().unwrap_or_default();
    let area = 4.0 * centre.determinant;
    let mut B = DMatrix::zeros(2, 12);
    // Sides 0 and 2 run along ξ at η = −1 and against it at η = 1; sides 1 and 3 along η at ξ = 1 and against it at ξ = −1.
    for (k, (ahead, behind, across)) in [(0, 2, -eta), (1, 3, xi)].into_iter().enumerate() {
        let length = middle[k].norm();
        let s = middle[k] / length;
        let ratio = |length: f64| {
            let phi = shear_ratio(section, &flexibility, s, length);
            (phi / (1.0 + phi)).sqrt()
        };
        // Covariant components: half of length × strain along the side.
        let straight = (&gaps[ahead] - &gaps[behind]) * (0.25 * ratio(length * RESIDUAL.sqrt()));
        let turning = (&gaps[ahead] + &gaps[behind])
            * (0.25 * across * ratio(length.min(area / length) / TWIST.sqrt()));
        let along = point.jacobian.row(k).transpose();
        for row in 0..2 {
            let mut target = B.row_mut(row);
            target += &straight * inverse[(row, k)] + &turning * (along[row] / along.norm_squared());
        }
    }
    (B, S)
}
