//! Membrane strains of curved shells where they are integrated: plain at 2×2 points of the quadrilateral,
//! tied in the triangle.

use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector2};

use super::curved::{CurvedShell, SurfacePoint};
use super::shape::{GAUSS_2, TRIANGLE_3};
use super::tying::{MEMBRANE_TIES, linear_weights};

/// A point where the membrane is integrated.
pub(super) struct MembranePoint {
    pub(super) point: SurfacePoint,
    /// Weight times area.
    pub(super) area: f64,
    /// Rows ε over 6 components of every node slot.
    pub(super) strain: Matrix3xX<f64>,
    /// Rows κ.
    pub(super) curvature: Matrix3xX<f64>,
}

impl CurvedShell {
    /// Where the membrane is integrated.
    pub(super) fn membrane_points(&self) -> Vec<MembranePoint> {
        if self.is_quadrilateral() {
            return self.plain_points(&GAUSS_2.map(|(a, b)| (a, b, 1.0)));
        }
        self.tied_points()
    }

    /// Strains of the displacement field itself.
    pub(super) fn plain_points(&self, points: &[(f64, f64, f64)]) -> Vec<MembranePoint> {
        let made = points.iter().map(|(xi, eta, weight)| {
            let point = self.point(*xi, *eta);
            let B = self.strains(&point);
            MembranePoint {
                area: weight * point.area,
                point,
                strain: B.fixed_rows::<3>(0).into_owned(),
                curvature: B.fixed_rows::<3>(3).into_owned(),
            }
        });
        made.collect()
    }

    /// The triangle's, with tied strains.
    fn tied_points(&self) -> Vec<MembranePoint> {
        let size = 6 * self.positions.len();
        // Natural strain along a direction at each of its points: (x,d)·(u,d).
        let values = MEMBRANE_TIES.map(|(direction, points)| {
            let mut values = DMatrix::zeros(3, size);
            for (row, point) in points.iter().enumerate() {
                let (_, dN) = self.functions(point.0, point.1);
                let [a, b] = self.tangents(*point);
                let along = a * direction[0] + b * direction[1];
                for (i, d) in dN.iter().enumerate() {
                    let share = d[0] * direction[0] + d[1] * direction[1];
                    for k in 0..3 {
                        values[(row, 6 * i + k)] = along[k] * share;
                    }
                }
            }
            values
        });
        let made = TRIANGLE_3.iter().map(|(xi, eta, weight)| {
            let point = self.point(*xi, *eta);
            let mut natural = Matrix3xX::zeros(size);
            for (row, (_, points)) in MEMBRANE_TIES.iter().enumerate() {
                for (k, share) in linear_weights(points, *xi, *eta).into_iter().enumerate() {
                    let mut target = natural.row_mut(row);
                    target += values[row].row(k) * share;
                }
            }
            // Each natural strain is e = cᵀεc with c the direction in tangent axes.
            let c = MEMBRANE_TIES.map(|(d, _)| point.jacobian.transpose() * Vector2::from(d));
            let from_local = Matrix3::from_fn(|row, column| match column {
                0 => c[row].x * c[row].x,
                1 => c[row].y * c[row].y,
                _ => c[row].x * c[row].y,
            });
            MembranePoint {
                area: weight * point.area,
                strain: from_local.try_inverse().expect("invariant: three directions") * natural,
                curvature: self.strains(&point).fixed_rows::<3>(3).into_owned(),
                point,
            }
        });
        made.collect()
    }
}
