//! Resultants of a curved shell at the points of its membrane, and the geometric stiffness of its membrane forces.
//!
//! As in [`super::flat_stress`], with the element's own quadratic functions: K_g = ∫ Σ_ab N_ab ∂u/∂x_a·∂u/∂x_b dA.

use std::borrow::Cow;

use nalgebra::{DMatrix, Vector3};

use super::curved::CurvedShell;
use super::curved_membrane::MembranePoint;
use crate::element::ShellForces;

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

/// K_g for each column of `u`.
pub(super) fn geometric_stiffness(shell: &CurvedShell, u: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
    let v = everywhere(shell, u);
    let places = shell.positions.len();
    let mut all = vec![DMatrix::<f64>::zeros(places, places); u.ncols()];
    for MembranePoint { point, area, strain, curvature } in &shell.membrane_points() {
        let forces = (point.section.A * (strain * &*v) + point.section.B * (curvature * &*v)) * *area;
        let g = &point.gradients;
        for (K_g, N) in all.iter_mut().zip(forces.column_iter()) {
            for j in 0..places {
                let flow = [N[0] * g[j].x + N[2] * g[j].y, N[2] * g[j].x + N[1] * g[j].y];
                for i in 0..places {
                    K_g[(i, j)] += g[i].x * flow[0] + g[i].y * flow[1];
                }
            }
        }
    }
    let spread = |small: DMatrix<f64>| {
        let mut K_g = DMatrix::zeros(6 * places, 6 * places);
        for i in 0..places {
            for j in 0..places {
                for k in 0..3 {
                    K_g[(6 * i + k, 6 * j + k)] = 0.5 * (small[(i, j)] + small[(j, i)]);
                }
            }
        }
        shell.on_present(K_g)
    };
    all.into_iter().map(spread).collect()
}
