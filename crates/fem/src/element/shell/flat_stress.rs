//! Resultants of a flat shell at its centre, and the geometric stiffness of its membrane forces.
//!
//! K_g = ∫ Σ_ab N_ab ∂u/∂a·∂u/∂b dA with all three components of u, in and out of the plane, and the
//! displacement of the mass matrix (the sides of a bent element are curved). Moments do not enter: their work
//! through second-order curvatures is of the order of the thickness over the size of the shell beside that of
//! membrane forces.

use nalgebra::{DMatrix, DVectorView, Matrix3xX, Vector3};

use super::flat::{FlatShell, bending_row, membrane_row};
use super::geometry::{columns_to_basic, offset};
use super::section::Section;
use super::shape::{flat, stiffness_points};
use crate::element::{GeometricSquares, ShellForces};

/// Linear maps from six components per corner in the element frame, at the neutral surface, to three values
/// at each stiffness point.
type Rows = Vec<Matrix3xX<f64>>;

/// A membrane's or a plate's rows on six components per corner; zeros where there are none.
fn spread(shell: &FlatShell, parts: Option<Rows>, row: fn(usize) -> usize) -> Rows {
    let (corners, size) = (shell.corners.len(), shell.dofs.len());
    let Some(parts) = parts else { return vec![Matrix3xX::zeros(size); stiffness_points(corners).len()] };
    let on_all = |part: &Matrix3xX<f64>| {
        let mut all = Matrix3xX::zeros(size);
        for (j, column) in part.column_iter().enumerate() {
            all.column_mut(row(j)).copy_from(&column);
        }
        all
    };
    parts.iter().map(on_all).collect()
}

/// κ.
fn curvatures(shell: &FlatShell, mean: &Section, height: f64) -> Rows {
    let parts = (mean.D.amax() > 0.0).then(|| shell.bending(height).curvatures);
    spread(shell, parts, bending_row)
}

/// Nx, Ny, Nxy.
fn membrane_forces(shell: &FlatShell, mean: &Section, height: f64) -> Rows {
    let has_membrane = mean.A.amax() > 0.0;
    let mut membrane = spread(shell, has_membrane.then(|| shell.membrane().forces), membrane_row);
    let B = mean.raised(-height).B;
    if B.amax() > 0.0 && has_membrane {
        // The coupling acts on the mean curvature, as in K.
        let p = shell.flat_corners();
        let (mut sum, mut area) = (Matrix3xX::zeros(shell.dofs.len()), 0.0);
        for ((xi, eta, weight), rows) in
            stiffness_points(p.len()).into_iter().zip(curvatures(shell, mean, height))
        {
            let share = weight * flat(&p, xi, eta).determinant;
            sum += rows * share;
            area += share;
        }
        let coupled = B * sum / area;
        membrane.iter_mut().for_each(|rows| *rows += &coupled);
    }
    membrane
}

/// Displacements of the mid-surface in the element frame from those of the grids in the basic one.
fn local(shell: &FlatShell, height: f64, u: &DMatrix<f64>) -> DMatrix<f64> {
    let mut v = u.clone();
    for i in 0..u.nrows() / 3 {
        let turned = shell.frame.transpose() * u.fixed_rows::<3>(3 * i);
        v.fixed_rows_mut::<3>(3 * i).copy_from(&turned);
    }
    shell.to_plane(height).map_or(v.clone(), |T| T * v)
}

/// Resultants at the centre for each column of `u`.
pub(super) fn stress(shell: &FlatShell, u: &DMatrix<f64>) -> Vec<ShellForces> {
    let count = shell.corners.len();
    let (section, height) = (shell.mean_section(), shell.neutral_height());
    let rows = |part: Option<Matrix3xX<f64>>, row: fn(usize) -> usize| {
        spread(shell, part.map(|rows| vec![rows]), row).swap_remove(0)
    };
    let strains = rows((section.A.amax() > 0.0).then(|| shell.membrane().centre), membrane_row);
    let curvatures = rows((section.D.amax() > 0.0).then(|| shell.bending(height).centre), bending_row);
    let section = section.raised(-height);
    let centroid = shell.corners.iter().sum::<Vector3<f64>>() / count as f64;
    let at = |v: DVectorView<'_, f64>| {
        let strain: Vector3<f64> = &strains * v;
        let curvature: Vector3<f64> = &curvatures * v;
        ShellForces {
            position: shell.origin + shell.frame * centroid,
            axes: shell.frame,
            material_angle: shell.angle,
            membrane: section.A * strain + section.B * curvature,
            moment: section.B * strain + section.D * curvature,
            strain,
            curvature,
            height: shell.offset + height,
            offset: shell.offset,
            thickness: shell.thickness.iter().sum::<f64>() / count as f64,
        }
    };
    local(shell, height, u).column_iter().map(at).collect()
}

/// The parts of K_g; states `u` by row.
pub(super) fn geometric_squares(shell: &FlatShell, u: &DMatrix<f64>) -> GeometricSquares {
    let p = shell.flat_corners();
    let (size, points) = (6 * p.len(), stiffness_points(p.len()));
    let (mean, height) = (shell.mean_section(), shell.neutral_height());
    let mut slopes = DMatrix::zeros(6 * points.len(), size);
    let mut forces = DMatrix::zeros(3 * points.len(), size);
    for (k, rows) in membrane_forces(shell, &mean, height).iter().enumerate() {
        let (xi, eta, weight) = points[k];
        let shape = flat(&p, xi, eta);
        for a in 0..2 {
            let N: Vec<f64> = shape.gradients.iter().map(|g| g[a]).collect();
            let P: Vec<f64> = shape.side_gradients.iter().map(|g| g[a]).collect();
            shell.write_displacement(&N, &P, &mut slopes, 6 * k + 3 * a);
        }
        forces.fixed_rows_mut::<3>(3 * k).copy_from(&(rows * (weight * shape.determinant)));
    }
    if shell.offset + height != 0.0 {
        slopes *= offset(p.len(), shell.offset + height);
    }
    if let Some(T) = shell.to_plane(height) {
        forces *= T;
    }
    columns_to_basic(&mut slopes, &shell.frame);
    columns_to_basic(&mut forces, &shell.frame);
    GeometricSquares::of_surface(&slopes, u * forces.transpose())
}
