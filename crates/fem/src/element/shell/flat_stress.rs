//! Resultants of a flat shell at its centre and corners, and the geometric stiffness of its membrane forces.
//!
//! At the centre strains are taken directly. At the corners of a quadrilateral they are the bilinear function
//! through those of the 2×2 points, incompatible modes included, as in MSC Nastran; the centre is not the
//! mean of the corners. A triangle has one strain, that of its centre.
//!
//! K_g = ∫ Σ_ab N_ab ∂u/∂a·∂u/∂b dA with all three components of u, in and out of the plane, and the
//! displacement of the mass matrix (the sides of a bent element are curved). Moments do not enter: their work
//! through second-order curvatures is of the order of the thickness over the size of the shell beside that of
//! membrane forces.

use nalgebra::{DMatrix, Matrix3xX, Vector3};

use super::bending::Bending;
use super::flat::{FlatShell, bending_row, membrane_row};
use super::geometry::{columns_to_basic, offset};
use super::membrane::Membrane;
use super::section::Section;
use super::shape::{corner_weights, flat, stiffness_points};
use crate::element::{GeometricSquares, ShellForces};

/// Thickness of a sharp corner, as a fraction of the mean: its forces are divided by it again.
pub(super) const SHARP: f64 = 1e-6;

/// Linear maps from six components per corner in the element frame, at the neutral surface, to three values
/// at each point.
type Rows = Vec<Matrix3xX<f64>>;

/// A membrane's or a plate's rows at `count` points on six components per corner; zeros where there are none.
fn spread(shell: &FlatShell, count: usize, parts: Option<Rows>, row: fn(usize) -> usize) -> Rows {
    let size = shell.dofs.len();
    let Some(parts) = parts else { return vec![Matrix3xX::zeros(size); count] };
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
    spread(shell, stiffness_points(shell.corners.len()).len(), parts, bending_row)
}

/// Nx, Ny, Nxy.
fn membrane_forces(shell: &FlatShell, mean: &Section, height: f64) -> Rows {
    let has_membrane = mean.A.amax() > 0.0;
    let forces = || shell.membrane().points.iter().map(|at| at.A * &at.strain).collect();
    let count = stiffness_points(shell.corners.len()).len();
    let mut membrane = spread(shell, count, has_membrane.then(forces), membrane_row);
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

/// Rows at the centre and, in a quadrilateral, at each corner, from those of the centre and of the stiffness
/// points.
fn centre_and_corners<'a>(
    centre: &Matrix3xX<f64>,
    points: impl ExactSizeIterator<Item = &'a Matrix3xX<f64>> + Clone,
) -> Rows {
    let mut all = vec![centre.clone()];
    if points.len() == 4 {
        all.extend(corner_weights(4).iter().map(|weights| {
            let none = Matrix3xX::zeros(centre.ncols());
            points.clone().zip(weights).fold(none, |sum, (rows, weight)| sum + rows * *weight)
        }));
    }
    all
}

/// Resultants at the centre and, in a quadrilateral, at each corner, for each column of `u`.
pub(super) fn stress(shell: &FlatShell, u: &DMatrix<f64>) -> Vec<Vec<ShellForces>> {
    let count = shell.corners.len();
    let (mean, height) = (shell.mean_section(), shell.neutral_height());
    let points = if count == 4 { 5 } else { 1 };
    let strains = (mean.A.amax() > 0.0).then(|| {
        let Membrane { centre, points, .. } = shell.membrane();
        centre_and_corners(&centre, points.iter().map(|at| &at.strain))
    });
    let curvatures = (mean.D.amax() > 0.0).then(|| {
        let Bending { centre, curvatures, .. } = shell.bending(height);
        centre_and_corners(&centre, curvatures.iter())
    });
    let strains = spread(shell, points, strains, membrane_row);
    let curvatures = spread(shell, points, curvatures, bending_row);
    let v = local(shell, height, u);
    let mean_thickness = shell.thickness.iter().sum::<f64>() / count as f64;
    let mut all = vec![Vec::with_capacity(points); u.ncols()];
    for (point, (strains, curvatures)) in strains.iter().zip(&curvatures).enumerate() {
        // The centre is the origin of the corners.
        let (position, thickness) = match point.checked_sub(1) {
            None => (Vector3::zeros(), mean_thickness),
            // A sharp corner has strain and stress, as a limit, but no thickness to divide forces by.
            Some(corner) => (shell.corners[corner], shell.thickness[corner].max(SHARP * mean_thickness)),
        };
        let section = shell.law.at(thickness).turned(shell.angle).raised(-height);
        for (found, v) in all.iter_mut().zip(v.column_iter()) {
            let strain: Vector3<f64> = strains * v;
            let curvature: Vector3<f64> = curvatures * v;
            found.push(ShellForces {
                position: shell.origin + shell.frame * position,
                axes: shell.frame,
                material_angle: shell.angle,
                membrane: section.A * strain + section.B * curvature,
                moment: section.B * strain + section.D * curvature,
                strain,
                curvature,
                height: shell.offset + height,
                offset: shell.offset,
                thickness,
            });
        }
    }
    all
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
