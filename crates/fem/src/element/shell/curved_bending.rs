//! Bending, transverse shear and the drilling penalty of quadratic shells.
//!
//! The shear is tied ([`super::tying`]), so that thin flat plates bend on coarse meshes. In a quadrilateral
//! whose corners do not lie in a plane the tied shear, together with the membrane at 2×2 points, leaves the
//! corners too free: one with a corner a fifth of its side out of the plane moves three times as far as a
//! fine mesh of them. There the shear is that of the displacement field at 2×2 points, K = (1 − s)K_tied +
//! sK_plain with s = h⁴/(h⁴ + (10⁻⁴ area)²), h the distance of the corners from their mean plane: thick or
//! thin, alone or in MacNeal and Harder's twisted beam, it is as good there or better. Curved shells with
//! corners in a plane keep the tied one.

use nalgebra::{DMatrix, Matrix2, Vector3};

use super::curved::{CurvedShell, SurfacePoint};
use super::shape::{GAUSS_2, mass_points};
use super::tying::{interpolation, ties};
use crate::element::Element;

/// S of a shell that is rigid in transverse shear, times area/(12D): large against 1.
const RIGID: f64 = 1e4;

/// h²/area at which half of the shear is plain: h of 1 % of the size.
const WARPED: f64 = 1e-4;

impl CurvedShell {
    /// Bending with D − BA⁻¹B, transverse shear and the drilling penalty over all places.
    pub(super) fn bending(&self) -> DMatrix<f64> {
        let size = 6 * self.positions.len();
        let quadrilateral = self.is_quadrilateral();
        let points = mass_points(self.thickness.len());
        let tied = self.tied_shear();
        let plain = self.plain_share();
        let mut K = DMatrix::zeros(size, size);
        for ((xi, eta, weight), X) in points.iter().zip(interpolation(quadrilateral, &points)) {
            let point = self.point(*xi, *eta);
            let B = self.strains(&point);
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
                let B = self.strains(&point);
                let gamma = B.rows(6, 2);
                K += gamma.transpose() * self.shear_stiffness(&point) * gamma * (point.area * plain);
            }
        }
        K
    }

    /// The values at the ties over 6 components of every place.
    fn tied_shear(&self) -> DMatrix<f64> {
        let ties = ties(self.is_quadrilateral());
        let mut tied = DMatrix::zeros(ties.len(), 6 * self.positions.len());
        for (row, tie) in ties.iter().enumerate() {
            for (xi, eta) in &tie.at {
                let point = self.point(*xi, *eta);
                let natural = point.jacobian * self.strains(&point).rows(6, 2) / tie.at.len() as f64;
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
