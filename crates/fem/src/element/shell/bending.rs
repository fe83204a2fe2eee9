//! Bending and transverse shear of flat elements. Rows are w θx θy of each corner; βx = θy and βy = −θx are
//! the rotations of the normal.
//!
//! Both work with the gap of each side i → j, g = w_j − w_i + L/2(β_si + β_sj): length × mean shear strain
//! along it when w and β are linear. It vanishes in every state of constant curvature, so nothing below can
//! fail the patch test.
//!
//! Both have linear rotations, and the curvature that those leave out as a flexibility of the gaps in series
//! with that of transverse shear (R. H. MacNeal, "A simple quadrilateral shell element", Computers &
//! Structures 8 (1978) 175–183: residual bending flexibility). A constant moment then gives the corners the
//! same forces in both, and meshes of both pass the patch test.
//!
//! The triangle takes its residual flexibility from the quadratic rotations of the sides of I. Katili's DKMT
//! ("A new discrete Kirchhoff–Mindlin element based on Mindlin–Reissner plate theory and assumed shear strain
//! fields, part I", International Journal for Numerical Methods in Engineering 36 (1993) 1859–1883). A gap
//! splits into the rotation Δ at the middle of its side and a shear strain γ̄ constant along it, g = Lγ̄ −
//! ⅔LΔ, each with the energy of its own field in the triangle:
//!
//! ```text
//! ½ΔᵀK_Δ Δ,  K_Δ = ∫B_Δᵀ D B_Δ;   ½(Lγ̄)ᵀK_γ(Lγ̄),  K_γ = ∫B_γᵀ S B_γ;   K_g = (K_γ⁻¹ + ⅔L K_Δ⁻¹ ⅔L)⁻¹
//! ```
//!
//! A strip in cylindrical bending has K_g = 12D/L³(1 + φ), φ = 12D/(L²S): a beam, exact at its nodes.
//!
//! The quadrilateral is MacNeal's QUAD4: the twist is taken at the centre, the gaps are those of
//! [`super::quadrilateral_shear`].

use nalgebra::{DMatrix, Matrix2x3, Matrix3, Matrix3xX, RowDVector, Vector2, Vector3};

use super::quadrilateral_shear;
use super::section::Section;
use super::shape::{ShapePoint, centre, flat, stiffness_points};

/// A plate to bend.
pub(super) struct Plate<'a> {
    /// Corners, counter-clockwise.
    pub(super) corners: &'a [Vector2<f64>],
    /// The section at a point with the given values of the corner functions, in element axes.
    pub(super) section: &'a dyn Fn(&[f64]) -> Section,
}

/// Matrices of a plate over w θx θy of each corner.
pub(super) struct Bending {
    /// Stiffness.
    pub(super) K: DMatrix<f64>,
    /// L = ∫Bᵀ dA, with Lᵀu = area × mean curvature.
    pub(super) L: DMatrix<f64>,
    /// B, the rows of the curvatures, at each of the stiffness points.
    pub(super) curvatures: Vec<Matrix3xX<f64>>,
    /// B at the centre.
    pub(super) centre: Matrix3xX<f64>,
}

/// Bends a plate.
pub(super) fn plate_bending(plate: &Plate<'_>) -> Bending {
    let p = plate.corners;
    let count = p.len();
    let size = 3 * count;
    let mut bending = Bending {
        K: DMatrix::zeros(size, size),
        L: DMatrix::zeros(size, 3),
        curvatures: Vec::with_capacity(4),
        centre: Matrix3xX::zeros(size),
    };
    let gaps: Vec<RowDVector<f64>> = (0..count).map(|side| gap(p, side)).collect();
    let middle = flat(p, centre(count).0, centre(count).1);
    bending.centre = curvature(&middle, &middle);
    for (xi, eta, weight) in stiffness_points(count) {
        let point = flat(p, xi, eta);
        let area = weight * point.determinant;
        let B = curvature(&point, &middle);
        bending.K += B.transpose() * (plate.section)(&point.N).D * &B * area;
        bending.L += B.transpose() * area;
        bending.curvatures.push(B);
    }
    bending.K += if count == 4 {
        quadrilateral_shear::stiffness(plate, &gaps)
    } else {
        let g = DMatrix::from_rows(&gaps);
        g.transpose() * triangle_gaps(plate) * g
    };
    bending
}

/// Row of the gap of side `i` over the corners.
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

/// Curvatures [βx,x βy,y βx,y + βy,x] of the linear rotations at a point, with the twist of the centre.
fn curvature(point: &ShapePoint, centre: &ShapePoint) -> Matrix3xX<f64> {
    let mut B = Matrix3xX::zeros(3 * point.N.len());
    for (i, (g, centre)) in point.gradients.iter().zip(&centre.gradients).enumerate() {
        B[(0, 3 * i + 2)] = g.x;
        B[(1, 3 * i + 1)] = -g.y;
        B[(2, 3 * i + 2)] = centre.y;
        B[(2, 3 * i + 1)] = -centre.x;
    }
    B
}

/// K_g of a triangle, over the gaps of its three sides.
fn triangle_gaps(plate: &Plate<'_>) -> Matrix3<f64> {
    let p = plate.corners;
    let sides = [0, 1, 2].map(|i| p[(i + 1) % 3] - p[i]);
    let (mut K_delta, mut K_gamma) = (Matrix3::zeros(), Matrix3::zeros());
    for (xi, eta, weight) in stiffness_points(3) {
        let point = flat(p, xi, eta);
        let section = (plate.section)(&point.N);
        let area = weight * point.determinant;
        let B = Matrix3::from_columns(&[0, 1, 2].map(|i| {
            let (s, g) = (sides[i].normalize(), point.side_gradients[i]);
            Vector3::new(g.x * s.x, g.y * s.y, g.y * s.x + g.x * s.y)
        }));
        K_delta += B.transpose() * section.D * B * area;
        if let Some(S) = section.S {
            let B = triangle_shear(&point, &sides);
            K_gamma += B.transpose() * S * B * area;
        }
    }
    let reach = Matrix3::from_diagonal(&Vector3::from(sides.map(|s| 2.0 / 3.0 * s.norm())));
    let bending = reach * K_delta.try_inverse().unwrap_or_default() * reach;
    // Rigid in transverse shear: no inverse, no flexibility.
    let flexibility = bending + K_gamma.try_inverse().unwrap_or_default();
    flexibility.try_inverse().unwrap_or_default()
}

/// B_γ: transverse shear [γx γy] at a point from the Lγ̄ of the sides: the vector at each corner from its two
/// sides, linear in between.
fn triangle_shear(point: &ShapePoint, sides: &[Vector2<f64>; 3]) -> Matrix2x3<f64> {
    let mut B = Matrix2x3::zeros();
    for corner in 0..3 {
        let before = (corner + 2) % 3;
        let (s, r) = (sides[corner], sides[before]);
        let factor = point.N[corner] / s.perp(&r);
        B[(0, corner)] += r.y * factor;
        B[(0, before)] -= s.y * factor;
        B[(1, corner)] -= r.x * factor;
        B[(1, before)] += s.x * factor;
    }
    B
}
