//! Bending and transverse shear of flat elements. Rows are w θx θy of each corner; βx = θy and βy = −θx are the rotations of the normal.
//!
//! Both work with the gap of each side i → j, g = w_j − w_i + L/2(β_si + β_sj): length × mean shear strain along it when w
//! and β are linear. It vanishes in every state of constant curvature, so nothing below can fail the patch test.
//!
//! The triangle is the discrete Kirchhoff–Mindlin one, DKMT (I. Katili, "A new discrete Kirchhoff–Mindlin element based on
//! Mindlin–Reissner plate theory and assumed shear strain fields, part I", International Journal for Numerical Methods in Engineering 36 (1993)
//! 1859–1883): the rotation along a side is quadratic with Δ at its middle, the shear strain along it constant, and equilibrium of a
//! strip along it makes the gap split into both: Δ = −3g/(2L(1 + φ)), Lγ̄ = gφ/(1 + φ), φ = 12D_s/(L²S_s). On a free edge of the mesh part of
//! the gap is that of the layer in which the twisting moment dies out; see [`super::free_edge`]. In constant curvature Δ is 0, but the twisting moment of a side works on it, which makes forces on
//! the ends that the neighbour must have too. The quadrilateral's sides have no Δ, so beside one the triangle's has none either, and the gap shears it with the quadrilateral's residual
//! flexibility, Lγ̄ = g√(φ/(1 + φ)), at the same energy.
//!
//! The quadrilateral is MacNeal's QUAD4: linear rotations, the twist taken at the centre, and the shear of [`super::quadrilateral_shear`].

use nalgebra::{DMatrix, Matrix2, Matrix3xX, RowDVector, Vector2};

use super::free_edge;
use super::quadrilateral_shear;
use super::section::Section;
use super::shape::{ShapePoint, flat, quad, stiffness_points};

/// S of a plate that is rigid in transverse shear, times L²/(12D): large against 1, the residual bending flexibility.
const RIGID: f64 = 1e6;

/// A plate to bend.
pub(super) struct Plate<'a> {
    /// Corners, counter-clockwise.
    pub(super) corners: &'a [Vector2<f64>],
    /// The section at a point with the given values of the corner functions, in element axes.
    pub(super) section: &'a dyn Fn(&[f64]) -> Section,
    /// Sides i → i+1 of a triangle that are free edges.
    pub(super) free_sides: [bool; 3],
    /// Sides of a triangle that it shares with quadrilaterals.
    pub(super) straight_sides: [bool; 3],
}

impl Plate<'_> {
    /// S of a triangle: what [`RIGID`] says where a plate that is rigid in shear has straight sides, which take all of their gap as shear.
    fn triangle_shear_stiffness(&self, section: &Section) -> Option<Matrix2<f64>> {
        section.S.or_else(|| {
            let p = self.corners;
            let shortest =
                (0..3).map(|i| (p[(i + 1) % 3] - p[i]).norm_squared()).fold(f64::INFINITY, f64::min);
            let S = RIGID * 12.0 * section.D.amax() / shortest;
            self.straight_sides.contains(&true).then(|| Matrix2::identity() * S)
        })
    }
}

/// Matrices of a plate over w θx θy of each corner.
pub(super) struct Bending {
    /// Stiffness.
    pub(super) K: DMatrix<f64>,
    /// L = ∫Bᵀ dA, with Lᵀu = area × mean curvature.
    pub(super) L: DMatrix<f64>,
    /// B, the rows of the curvatures, at each of the stiffness points.
    pub(super) curvatures: Vec<Matrix3xX<f64>>,
}

/// Bends a plate.
pub(super) fn plate_bending(plate: &Plate<'_>) -> Bending {
    let p = plate.corners;
    let count = p.len();
    let layers = free_edge::layers(plate);
    let size = 3 * count + layers.len();
    let mut bending = Bending {
        K: DMatrix::zeros(size, size),
        L: DMatrix::zeros(size, 3),
        curvatures: Vec::with_capacity(4),
    };
    let mut gaps: Vec<RowDVector<f64>> = (0..count).map(|side| gap(p, side, size)).collect();
    for (k, layer) in layers.iter().enumerate() {
        gaps[layer.side][3 * count + k] = -1.0;
        bending.K[(3 * count + k, 3 * count + k)] = layer.stiffness;
    }
    let sides = if count == 3 { triangle_sides(plate, &gaps) } else { Vec::new() };
    for (xi, eta, weight) in stiffness_points(count) {
        let point = flat(p, xi, eta);
        let section = (plate.section)(&point.N);
        let area = weight * point.determinant;
        let B = curvature(&point, p, &sides, size);
        bending.K += B.transpose() * section.D * &B * area;
        bending.L += B.transpose() * area;
        bending.curvatures.push(B);
        if let (3, Some(S)) = (count, plate.triangle_shear_stiffness(&section)) {
            let B = triangle_shear(&point, p, &sides, size);
            bending.K += B.transpose() * S * &B * area;
        }
    }
    if count == 4 {
        bending.K += quadrilateral_shear::stiffness(plate, &gaps);
    }
    if layers.is_empty() { bending } else { free_edge::condensed(&bending, 3 * count) }
}

/// Row of the gap of side `i` over the corners, and zeros up to `size`.
fn gap(p: &[Vector2<f64>], i: usize, size: usize) -> RowDVector<f64> {
    let j = (i + 1) % p.len();
    let half = (p[j] - p[i]) * 0.5;
    let mut g = RowDVector::zeros(size);
    for (node, sign) in [(i, -1.0), (j, 1.0)] {
        g[3 * node] = sign;
        g[3 * node + 1] = -half.y;
        g[3 * node + 2] = half.x;
    }
    g
}

/// φ = 12D_s/(L²S_s) of a strip along the unit vector s.
pub(super) fn shear_ratio(
    section: &Section,
    flexibility: &Matrix2<f64>,
    s: Vector2<f64>,
    length: f64,
) -> f64 {
    12.0 * section.bending_along(s) * s.dot(&(flexibility * s)) / (length * length)
}

/// Rows of a side of the triangle.
struct Side {
    /// Δ.
    delta: RowDVector<f64>,
    /// Length × constant shear strain.
    shear: RowDVector<f64>,
}

fn triangle_sides(plate: &Plate<'_>, gaps: &[RowDVector<f64>]) -> Vec<Side> {
    let p = plate.corners;
    gaps.iter()
        .enumerate()
        .map(|(i, g)| {
            let j = (i + 1) % 3;
            let length = (p[j] - p[i]).norm();
            let mut N = [0.0; 3];
            (N[i], N[j]) = (0.5, 0.5);
            let section = (plate.section)(&N);
            let flexibility =
                plate.triangle_shear_stiffness(&section).and_then(|S| S.try_inverse()).unwrap_or_default();
            let phi = shear_ratio(&section, &flexibility, (p[j] - p[i]) / length, length);
            if plate.straight_sides[i] {
                Side { delta: g * 0.0, shear: g * (phi / (1.0 + phi)).sqrt() }
            } else {
                Side { delta: g * (-1.5 / (length * (1.0 + phi))), shear: g * (phi / (1.0 + phi)) }
            }
        })
        .collect()
}

/// Curvatures [βx,x βy,y βx,y + βy,x] at a point: of a quadrilateral with the twist of its centre, of a triangle with the quadratic rotations of its sides.
fn curvature(point: &ShapePoint, p: &[Vector2<f64>], sides: &[Side], size: usize) -> Matrix3xX<f64> {
    let mut B = Matrix3xX::zeros(size);
    let centre = if p.len() == 4 { quad(p, 0.0, 0.0).gradients } else { point.gradients.clone() };
    for (i, (g, centre)) in point.gradients.iter().zip(&centre).enumerate() {
        B[(0, 3 * i + 2)] = g.x;
        B[(1, 3 * i + 1)] = -g.y;
        B[(2, 3 * i + 2)] = centre.y;
        B[(2, 3 * i + 1)] = -centre.x;
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
fn triangle_shear(point: &ShapePoint, p: &[Vector2<f64>], sides: &[Side], size: usize) -> DMatrix<f64> {
    let mut B = DMatrix::zeros(2, size);
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
