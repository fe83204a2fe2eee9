//! Transverse shear of the quadrilateral with MacNeal's residual bending flexibility.
//!
//! The shear strain is tied to the sides (E. N. Dvorkin and K.-J. Bathe, "A continuum mechanics based
//! four-node shell element", Engineering Computations 1 (1984) 77–88): with g the gap of a side, its
//! covariant components are
//!
//! ```text
//! γ_ξ = ¼(g₀ − g₂) − ¼η(g₀ + g₂),   γ_η = ¼(g₁ − g₃) + ¼ξ(g₁ + g₃)
//! ```
//!
//! so that it vanishes in constant curvature whatever the shape. γx is taken at (0, ±1/√3) and γy at (±1/√3,
//! 0), in axes midway between the diagonals, and the four values e have the stiffness K = eᵀ(Z_s + Z_b)⁻¹e
//! (R. H. MacNeal, "A simple quadrilateral shell element", Computers & Structures 8 (1978) 175–183). Z_s is
//! that of the section; Z_b stands for the curvature that linear rotations leave out. For the two values of
//! γx it is
//!
//! ```text
//! Δx²/(12 D A) ⎡1 + a  1 − a⎤   a = ε/(ε + (1 − ε)Δx²/Δy²),   1/D = mean of 1/Dx over the integration points
//!              ⎣1 − a  1 + a⎦
//! ```
//!
//! and for γy with x and y exchanged: all of L²/12D, which makes a straight beam exact at its nodes, where
//! both have the same sign, and the share a of it where they differ, which is what twist needs. ε, the
//! harmonic mean and the size of that difference in skewed elements ([`strains`]) are not in the paper. They
//! were found from MSC Nastran's example ha145e, 28 parallelograms, 14 of them with a sharp edge: its 20
//! printed frequencies come out to their seven digits.

use nalgebra::{DMatrix, Matrix2, Matrix4, RowDVector, Vector2};

use super::bending::Plate;
use super::shape::{G, quad, stiffness_points};

/// ε.
const EPSILON: f64 = 0.025;

/// The least bending stiffness along an axis, as a fraction of the largest, that counts: a membrane across
/// has no residual flexibility to speak of.
const LEAST_BENDING: f64 = 1e-9;

/// Where the shear is taken, γx twice and γy twice.
const POINTS: [(f64, f64); 4] = [(0.0, -G), (0.0, G), (-G, 0.0), (G, 0.0)];

/// Lengths of a quadrilateral in its axes.
struct Spans {
    /// Δx and Δy, components along x and y of the lines that join the middles of opposite sides.
    along: [f64; 2],
    /// Area.
    area: f64,
}

/// Stiffness of the transverse shear over w θx θy of each corner; `gaps` are those of the sides.
pub(super) fn stiffness(plate: &Plate<'_>, gaps: &[RowDVector<f64>]) -> DMatrix<f64> {
    let middle = quad(plate.corners, 0.0, 0.0).jacobian * 2.0;
    let spans = Spans { along: [middle[(0, 0)], middle[(1, 1)]], area: middle.determinant() };
    let e = strains(plate.corners, gaps, &spans);
    let Z = section_flexibility(plate, &spans) + residual_flexibility(plate, &spans);
    let inverse = Z.try_inverse().expect("invariant: the residual flexibility is positive definite");
    e.transpose() * inverse * e
}

/// Rows of the four strains. Their difference in a pair is that of the gaps over Δx (Δy): the tied field has
/// Δx·Δy/A times as much, which is 1 in a rectangle.
fn strains(p: &[Vector2<f64>], gaps: &[RowDVector<f64>], spans: &Spans) -> DMatrix<f64> {
    let mut e = DMatrix::zeros(4, 12);
    for (m, (xi, eta)) in POINTS.into_iter().enumerate() {
        let inverse = quad(p, xi, eta).jacobian.try_inverse().unwrap_or_default();
        let along_xi = (&gaps[0] - &gaps[2] - (&gaps[0] + &gaps[2]) * eta) * 0.25;
        let along_eta = (&gaps[1] - &gaps[3] + (&gaps[1] + &gaps[3]) * xi) * 0.25;
        e.row_mut(m).copy_from(&(along_xi * inverse[(m / 2, 0)] + along_eta * inverse[(m / 2, 1)]));
    }
    let narrower = spans.area / (spans.along[0] * spans.along[1]);
    for first in [0, 2] {
        let mean = (e.row(first) + e.row(first + 1)) * 0.5;
        let half = (e.row(first + 1) - e.row(first)) * (0.5 * narrower);
        e.row_mut(first).copy_from(&(&mean - &half));
        e.row_mut(first + 1).copy_from(&(&mean + &half));
    }
    e
}

/// Z_s. Nothing when the plate is rigid in shear. The term that couples γx and γy in an anisotropic section
/// is that of the centre, where the flexibility of a tapered one is least, so that Z_s stays positive.
fn section_flexibility(plate: &Plate<'_>, spans: &Spans) -> Matrix4<f64> {
    let mut Z = Matrix4::zeros();
    let flexibility = |N: &[f64]| (plate.section)(N).S.and_then(|S| S.try_inverse()).unwrap_or_default();
    for (m, (xi, eta)) in POINTS.into_iter().enumerate() {
        let point = quad(plate.corners, xi, eta);
        Z[(m, m)] = flexibility(&point.N)[(m / 2, m / 2)] / (2.0 * point.determinant);
    }
    let coupling = flexibility(&[0.25; 4])[(0, 1)] / spans.area;
    Z.fixed_view_mut::<2, 2>(0, 2).fill(coupling);
    Z.fixed_view_mut::<2, 2>(2, 0).fill(coupling);
    Z
}

/// Z_b.
fn residual_flexibility(plate: &Plate<'_>, spans: &Spans) -> Matrix4<f64> {
    let mut Z = Matrix4::zeros();
    for axis in [0, 1] {
        let (along, across) = (spans.along[axis], spans.along[1 - axis]);
        let mean: f64 = stiffness_points(4)
            .into_iter()
            .map(|(xi, eta, weight)| {
                let point = quad(plate.corners, xi, eta);
                let D = (plate.section)(&point.N).D;
                weight * point.determinant / D[(axis, axis)].max(LEAST_BENDING * D.amax())
            })
            .sum();
        // Δx²/(12 D A); the mean is that sum over the area.
        let scale = along * along * mean / (12.0 * spans.area * spans.area);
        let share = EPSILON / (EPSILON + (1.0 - EPSILON) * (along / across).powi(2));
        let block = Matrix2::new(1.0 + share, 1.0 - share, 1.0 - share, 1.0 + share) * scale;
        Z.fixed_view_mut::<2, 2>(2 * axis, 2 * axis).copy_from(&block);
    }
    Z
}
