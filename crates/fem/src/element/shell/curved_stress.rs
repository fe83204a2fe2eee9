//! Resultants of a curved shell at its centre and corners, and the geometric stiffness of its membrane
//! forces.
//!
//! Strains are those of the points of the membrane, where they are best: their mean at the centre, the linear
//! or bilinear function through them at the corners.
//!
//! As in [`super::flat_stress`], with the element's own quadratic functions: K_g = ∫ Σ_ab N_ab
//! ∂u/∂x_a·∂u/∂x_b dA.

use std::borrow::Cow;

use nalgebra::{DMatrix, Matrix3xX, Vector3};

use super::curved::CurvedShell;
use super::curved_membrane::MembranePoint;
use super::flat_stress::SHARP;
use super::shape::{GAUSS_2, NATURAL_CORNERS, centre, corner_weights};
use crate::element::{GeometricSquares, ShellForces};

/// Displacements of all node slots.
fn everywhere<'a>(shell: &CurvedShell, u: &'a DMatrix<f64>) -> Cow<'a, DMatrix<f64>> {
    if shell.has_followers() { Cow::Owned(shell.followers() * u) } else { Cow::Borrowed(u) }
}

/// Resultants at the centre and at each corner for each column of `u`.
pub(super) fn stress(shell: &CurvedShell, u: &DMatrix<f64>) -> Vec<Vec<ShellForces>> {
    let v = everywhere(shell, u);
    let mut points = shell.membrane_points();
    if let Some(inner) = shell.bending().inner {
        // The inner rotations bend about the surface of least coupling.
        for (at, natural) in points.iter_mut().zip(GAUSS_2) {
            let kappa = shell.inner_rows(&at.point, natural).fixed_rows::<3>(0) * &inner;
            at.strain -= at.point.section.uncoupled().0 * &kappa;
            at.curvature += kappa;
        }
    }
    let count = shell.corners.len();
    let mean_thickness = shell.thickness.iter().sum::<f64>() / count as f64;
    let natural =
        if count == 4 { NATURAL_CORNERS.to_vec() } else { vec![(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)] };
    let middle = (centre(count), vec![1.0 / points.len() as f64; points.len()]);
    let evaluated = std::iter::once(middle).chain(natural.into_iter().zip(corner_weights(count)));
    let mut all = vec![Vec::with_capacity(1 + count); u.ncols()];
    for ((xi, eta), weights) in evaluated {
        let point = shell.point(xi, eta);
        // As in `flat_stress`: a sharp corner has no thickness to divide forces by.
        let thickness = point.thickness.max(SHARP * mean_thickness);
        let section = shell.section(thickness, point.angle);
        let rows = |of: &dyn Fn(&MembranePoint) -> &Matrix3xX<f64>| {
            let none = Matrix3xX::zeros(v.nrows());
            points.iter().zip(&weights).fold(none, |sum, (at, weight)| sum + of(at) * *weight) * &*v
        };
        let (strain, curvature) = (rows(&|at| &at.strain), rows(&|at| &at.curvature));
        for (k, found) in all.iter_mut().enumerate() {
            let strain: Vector3<f64> = strain.column(k).into_owned();
            let curvature: Vector3<f64> = curvature.column(k).into_owned();
            found.push(ShellForces {
                position: point.N.iter().zip(&shell.positions).map(|(N, x)| x * *N).sum(),
                axes: point.frame,
                material_angle: point.angle,
                membrane: section.A * strain + section.B * curvature,
                moment: section.B * strain + section.D * curvature,
                strain,
                curvature,
                height: 0.0,
                offset: shell.offset,
                thickness,
            });
        }
    }
    all
}

/// The parts of K_g; states `u` by row.
pub(super) fn geometric_squares(shell: &CurvedShell, u: &DMatrix<f64>) -> GeometricSquares {
    let points = shell.membrane_points();
    let size = 6 * shell.positions.len();
    let mut slopes = DMatrix::zeros(6 * points.len(), size);
    let mut forces = DMatrix::zeros(3 * points.len(), size);
    for (k, MembranePoint { point, area, strain, curvature }) in points.iter().enumerate() {
        for (i, g) in point.gradients.iter().enumerate() {
            for a in 0..2 {
                slopes.view_mut((6 * k + 3 * a, 6 * i), (3, 3)).fill_diagonal(g[a]);
            }
        }
        let rows = (point.section.A * strain + point.section.B * curvature) * *area;
        forces.fixed_rows_mut::<3>(3 * k).copy_from(&rows);
    }
    if shell.has_followers() {
        let T = shell.followers();
        (slopes, forces) = (slopes * &T, forces * T);
    }
    GeometricSquares::of_surface(&slopes, u * forces.transpose())
}
