//! Bending, transverse shear and the drilling penalty of quadratic shells.
//!
//! The shear is tied ([`super::tying`]), so that thin flat plates bend on coarse meshes.
//!
//! The director of the quadrilateral turns by a ninth function too, (1 − ξ²)(1 − η²) times a vector in the
//! tangent plane of the centre, whose two components are condensed: eight functions for the displacement and
//! nine for the rotations, as in the heterosis element of T. J. R. Hughes and M. Cohen (1978), here with tied
//! shear. Without it clamped plates of slender elements alternate between the rows of nodes (MacNeal and
//! Harder's of aspect 5: 1.09 under pressure, 0.90 under a point load; with it 1.00 and 1.00). The function
//! vanishes on the sides, so that ∫∇ dA = 0: constant moments do no work on it, and the patch test is
//! untouched. It turns about the surface of least coupling and so has no membrane strain.
//!
//! In a quadrilateral whose corners do not lie in a plane the tied shear, together with the membrane at 2×2
//! points, leaves the corners too free: one with a corner a fifth of its side out of the plane moves three
//! times as far as a fine mesh of them. There the shear is that of the displacement field at 2×2 points, K =
//! (1 − s)K_tied + sK_plain with s = h⁴/(h⁴ + (10⁻⁴ area)²), h the distance of the corners from their mean
//! plane, and 1 − s of what the inner rotations take away is taken: thick or thin, alone or in MacNeal and
//! Harder's twisted beam, it is as good there or better. Curved shells with corners in a plane keep the tied
//! one.

use nalgebra::{DMatrix, Matrix2, Matrix2xX, SMatrix, Vector2, Vector3, Vector5};

use super::curved::{CurvedShell, SurfacePoint};
use super::shape::{GAUSS_2, mass_points};
use super::tying::{interpolation, ties};
use crate::element::Element;

/// S of a shell that is rigid in transverse shear, times area/(12D): large against 1.
const RIGID: f64 = 1e4;

/// h²/area at which half of the shear is plain: h of 1 % of the size.
const WARPED: f64 = 1e-4;

/// Bending of a curved shell over 6 components of every node slot.
pub(super) struct CurvedBending {
    /// Stiffness, the inner rotations condensed.
    pub(super) K: DMatrix<f64>,
    /// The two inner rotations of a quadrilateral; `None` without any.
    pub(super) inner: Option<Matrix2xX<f64>>,
}

impl CurvedShell {
    /// Bending with D − BA⁻¹B, transverse shear and the drilling penalty.
    pub(super) fn bending(&self) -> CurvedBending {
        let size = 6 * self.positions.len();
        let mut K = self.all_bending();
        if K.nrows() == size {
            return CurvedBending { K, inner: None };
        }
        let K_ii: Matrix2<f64> = K.fixed_view::<2, 2>(size, size).into_owned();
        let K_iu = Matrix2xX::from_iterator(size, K.view((size, 0), (2, size)).iter().copied());
        K.resize_mut(size, size, 0.0);
        // A membrane does not bend.
        let share = 1.0 - self.plain_share();
        let inner = K_ii.try_inverse().map(|flexibility| flexibility * &K_iu * -share);
        if let Some(inner) = &inner {
            K += K_iu.transpose() * inner;
        }
        CurvedBending { K, inner }
    }

    /// Rows [κ; γ] over the two inner rotations of a quadrilateral.
    pub(super) fn inner_rows(&self, point: &SurfacePoint, (xi, eta): (f64, f64)) -> SMatrix<f64, 5, 2> {
        let (u, v) = (1.0 - xi * xi, 1.0 - eta * eta);
        let inverse = point.jacobian.try_inverse().expect("invariant: tangents are not parallel");
        let (N, g) = (u * v, inverse * Vector2::new(-2.0 * xi * v, -2.0 * eta * u));
        let axes = point.frame.transpose() * self.point(0.0, 0.0).frame;
        let of = |k: usize| {
            let (a, b) = (axes[(0, k)], axes[(1, k)]);
            Vector5::new(a * g.x, b * g.y, a * g.y + b * g.x, a * N, b * N)
        };
        SMatrix::from_columns(&[of(0), of(1)])
    }

    /// [`CurvedShell::strains`], in a quadrilateral with the inner rotations behind the node slots.
    fn all_strains(&self, point: &SurfacePoint, at: (f64, f64)) -> DMatrix<f64> {
        let B = self.strains(point);
        if !self.is_quadrilateral() {
            return B;
        }
        let size = B.ncols();
        let mut B = B.resize_horizontally(size + 2, 0.0);
        B.fixed_view_mut::<5, 2>(3, size).copy_from(&self.inner_rows(point, at));
        B
    }

    /// The matrix over the node slots and the inner rotations.
    fn all_bending(&self) -> DMatrix<f64> {
        let quadrilateral = self.is_quadrilateral();
        let size = 6 * self.positions.len() + if quadrilateral { 2 } else { 0 };
        let points = mass_points(self.thickness.len());
        let tied = self.tied_shear(size);
        let plain = self.plain_share();
        let mut K = DMatrix::zeros(size, size);
        for ((xi, eta, weight), X) in points.iter().zip(interpolation(quadrilateral, &points)) {
            let point = self.point(*xi, *eta);
            let B = self.all_strains(&point, (*xi, *eta));
            let section = &point.section;
            let area = weight * point.area;
            let spin = B.rows(8, 1);
            K += spin.transpose() * spin * (self.penalty * section.shear_membrane() * area);
            if section.D.amax() == 0.0 {
                continue;
            }
            let kappa = B.rows(3, 3);
            K += kappa.transpose() * section.uncoupled().1 * kappa * area;
            let inverse = point.jacobian.try_inverse().expect("invariant: tangents are not parallel");
            let gamma = inverse * X * &tied;
            K += gamma.transpose() * self.shear_stiffness(&point) * &gamma * (area * (1.0 - plain));
        }
        for (xi, eta) in GAUSS_2.into_iter().filter(|_| plain > 0.0) {
            let point = self.point(xi, eta);
            if point.section.D.amax() > 0.0 {
                let B = self.all_strains(&point, (xi, eta));
                let gamma = B.rows(6, 2);
                K += gamma.transpose() * self.shear_stiffness(&point) * gamma * (point.area * plain);
            }
        }
        K
    }

    /// The values at the ties over `size` freedoms.
    fn tied_shear(&self, size: usize) -> DMatrix<f64> {
        let ties = ties(self.is_quadrilateral());
        let mut tied = DMatrix::zeros(ties.len(), size);
        for (row, tie) in ties.iter().enumerate() {
            for (xi, eta) in &tie.at {
                let point = self.point(*xi, *eta);
                let B = self.all_strains(&point, (*xi, *eta));
                let natural = point.jacobian * B.rows(6, 2) / tie.at.len() as f64;
                let mut target = tied.row_mut(row);
                target += natural.row(0) * tie.direction[0] + natural.row(1) * tie.direction[1];
            }
        }
        tied
    }

    /// S. A shell that is rigid in transverse shear gets one stiff enough to follow the normal, not so stiff
    /// as to swamp bending in rounding.
    fn shear_stiffness(&self, point: &SurfacePoint) -> Matrix2<f64> {
        let D = point.section.uncoupled().1;
        point.section.S.unwrap_or_else(|| Matrix2::identity() * (RIGID * 12.0 * D.amax() / self.measure()))
    }

    /// s of the head of the file.
    fn plain_share(&self) -> f64 {
        if !self.is_quadrilateral() {
            return 0.0;
        }
        let x = &self.positions;
        // Corners lie at h and −h from their mean plane in turn.
        let normal: Vector3<f64> = (x[2] - x[0]).cross(&(x[3] - x[1]));
        let h = (x[0] - x[1] + x[2] - x[3]).dot(&normal.normalize()) / 4.0;
        let warp = (h * h / (0.5 * normal.norm() * WARPED)).powi(2);
        // A flat element, but for rounding, need not ask for the 2×2 points.
        if warp > 1e-12 { warp / (1.0 + warp) } else { 0.0 }
    }
}
