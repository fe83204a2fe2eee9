//! Resultants of a flat shell at its stiffness points, and the geometric stiffness of its membrane forces.
//!
//! K_g = ∫ Σ_ab N_ab ∂u/∂a·∂u/∂b dA with all three components of u, in and out of the plane, and the displacement of the mass matrix (the sides
//! of a bent element are curved). Moments do not enter: their work through second-order curvatures is of the order of the
//! thickness over the size of the shell beside that of membrane forces.

use nalgebra::{DMatrix, DVector, Matrix3xX, Vector3};

use super::flat::{FlatShell, bending_row, membrane_row};
use super::geometry::{offset, projector, to_basic};
use super::shape::{flat, stiffness_points};
use crate::element::ShellForces;

/// Linear maps from six components per corner in the element frame, at the mid-surface, to N, and to κ, at each stiffness point.
struct Recovery {
    /// Nx, Ny, Nxy.
    membrane: Vec<Matrix3xX<f64>>,
    /// κ.
    curvature: Vec<Matrix3xX<f64>>,
    /// Of the neutral surface above the property's own.
    height: f64,
}

fn recovery(shell: &FlatShell) -> Recovery {
    let p = shell.flat_corners();
    let size = 6 * p.len();
    let mean = shell.mean_section();
    let height = shell.neutral_height();
    let points = stiffness_points(p.len()).len();
    let spread = |part: &Matrix3xX<f64>, row: &dyn Fn(usize) -> usize| {
        let mut all = Matrix3xX::zeros(size);
        for (j, column) in part.column_iter().enumerate() {
            all.column_mut(row(j)).copy_from(&column);
        }
        all
    };
    let curvature: Vec<Matrix3xX<f64>> = if mean.D.amax() > 0.0 {
        shell.bending(height).curvatures.iter().map(|part| spread(part, &bending_row)).collect()
    } else {
        vec![Matrix3xX::zeros(size); points]
    };
    let mut membrane: Vec<Matrix3xX<f64>> = if mean.A.amax() > 0.0 {
        shell.membrane(height).forces.iter().map(|part| spread(part, &membrane_row)).collect()
    } else {
        vec![Matrix3xX::zeros(size); points]
    };
    let B = mean.raised(-height).B;
    if B.amax() > 0.0 && mean.A.amax() > 0.0 {
        // The coupling acts on the mean curvature, as in K.
        let (mut sum, mut area) = (Matrix3xX::zeros(size), 0.0);
        for ((xi, eta, weight), rows) in stiffness_points(p.len()).into_iter().zip(&curvature) {
            let share = weight * flat(&p, xi, eta).determinant;
            sum += rows * share;
            area += share;
        }
        let coupled = B * sum / area;
        membrane.iter_mut().for_each(|rows| *rows += &coupled);
    }
    Recovery { membrane, curvature, height }
}

/// Displacements of the mid-surface in the element frame from those of the grids in the basic one.
fn local(shell: &FlatShell, height: f64, u: &DMatrix<f64>) -> DMatrix<f64> {
    let mut v = u.clone();
    for i in 0..u.nrows() / 3 {
        let turned = shell.frame.transpose() * u.fixed_rows::<3>(3 * i);
        v.fixed_rows_mut::<3>(3 * i).copy_from(&turned);
    }
    if shell.offset + height != 0.0 {
        v = offset(shell.corners.len(), shell.offset + height) * v;
    }
    if shell.corners.iter().any(|c| c.z != 0.0) {
        v = projector(&shell.corners) * v;
    }
    v
}

/// Resultants for each column of `u`.
pub(super) fn stress(shell: &FlatShell, u: &DMatrix<f64>) -> Vec<Vec<ShellForces>> {
    let p = shell.flat_corners();
    let recovery = recovery(shell);
    let v = local(shell, recovery.height, u);
    let points = stiffness_points(p.len());
    let origin = shell.origin;
    let at = |v: &DVector<f64>, k: usize| {
        let (xi, eta, _) = points[k];
        let shape = flat(&p, xi, eta);
        let section = shell.section(&shape.N).raised(-recovery.height);
        let membrane: Vector3<f64> = &recovery.membrane[k] * v;
        let curvature: Vector3<f64> = &recovery.curvature[k] * v;
        let strain = section
            .A
            .try_inverse()
            .map_or_else(Vector3::zeros, |inverse| inverse * (membrane - section.B * curvature));
        let place: Vector3<f64> = shape.N.iter().zip(&shell.corners).map(|(N, x)| x * *N).sum();
        ShellForces {
            position: origin + shell.frame * place,
            axes: shell.frame,
            material_angle: shell.angle,
            membrane,
            moment: section.B * strain + section.D * curvature,
            strain,
            curvature,
            height: shell.offset + recovery.height,
            offset: shell.offset,
            thickness: shape.N.iter().zip(&shell.thickness).map(|(N, t)| N * t).sum(),
        }
    };
    v.column_iter().map(|v| (0..points.len()).map(|k| at(&v.into_owned(), k)).collect()).collect()
}

/// K_g for each column of `u`.
pub(super) fn geometric_stiffness(shell: &FlatShell, u: &DMatrix<f64>) -> Vec<DMatrix<f64>> {
    let p = shell.flat_corners();
    let size = 6 * p.len();
    let recovery = recovery(shell);
    let v = local(shell, recovery.height, u);
    let mut all = vec![DMatrix::zeros(size, size); u.ncols()];
    for ((xi, eta, weight), rows) in stiffness_points(p.len()).into_iter().zip(&recovery.membrane) {
        let shape = flat(&p, xi, eta);
        let area = weight * shape.determinant;
        let slopes: [DMatrix<f64>; 2] = [0, 1].map(|a| {
            let N: Vec<f64> = shape.gradients.iter().map(|g| g[a]).collect();
            let P: Vec<f64> = shape.side_gradients.iter().map(|g| g[a]).collect();
            shell.displacement(&N, &P)
        });
        // ∂u/∂a·∂u/∂b of xx, yy and xy + yx.
        let mixed = slopes[0].transpose() * &slopes[1];
        let products = [
            slopes[0].transpose() * &slopes[0],
            slopes[1].transpose() * &slopes[1],
            &mixed + mixed.transpose(),
        ];
        let forces = rows * &v * area;
        for (K_g, N) in all.iter_mut().zip(forces.column_iter()) {
            for (product, N) in products.iter().zip(N.iter()) {
                *K_g += product * *N;
            }
        }
    }
    let height = shell.offset + recovery.height;
    let arm = (height != 0.0).then(|| offset(p.len(), height));
    let finish = |K_g: DMatrix<f64>| {
        let K_g = match &arm {
            Some(T) => T.transpose() * K_g * T,
            None => K_g,
        };
        to_basic(&K_g, &shell.frame)
    };
    all.into_iter().map(finish).collect()
}
