//! Resultants of a curved shell at the points of its membrane, and the geometric stiffness of its membrane
//! forces.
//!
//! As in [`super::flat_stress`], with the element's own quadratic functions: K_g = ∫ Σ_ab N_ab
//! ∂u/∂x_a·∂u/∂x_b dA.

use std::borrow::Cow;

use nalgebra::{DMatrix, Vector3};

use super::curved::CurvedShell;
use super::curved_membrane::MembranePoint;
use crate::element::{GeometricSquares, ShellForces};

/// Displacements of all places.
fn everywhere<'a>(shell: &CurvedShell, u: &'a DMatrix<f64>) -> Cow<'a, DMatrix<f64>> {
    if shell.has_followers() { Cow::Owned(shell.followers() * u) } else { Cow::Borrowed(u) }
}

/// Resultants for each column of `u`.
pub(super) fn stress(shell: &CurvedShell, u: &DMatrix<f64>) -> Vec<Vec<ShellForces>> {
    let v = everywhere(shell, u);
    let points = shell.membrane_points();
    let mut all = vec![Vec::with_capacity(points.len()); u.ncols()];
    for MembranePoint { point, strain, curvature, .. } in &points {
        let (strain, curvature) = (strain * &*v, curvature * &*v);
        for (k, found) in all.iter_mut().enumerate() {
            let strain: Vector3<f64> = strain.fixed_view::<3, 1>(0, k).into_owned();
            let curvature: Vector3<f64> = curvature.fixed_view::<3, 1>(0, k).into_owned();
            let section = &point.section;
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
                thickness: point.thickness,
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
