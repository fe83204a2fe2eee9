//! Thermal loads of shells: temperatures of the grids, uniform through the thickness.

use nalgebra::DVector;
use pliant_mesh::NodeIndex;

use super::curved::CurvedShell;
use super::flat::{FlatShell, bending_row, membrane_row};
use super::shape::mass_points;

/// A flat shell takes the mean temperature of its corners: f = L N + L_b M with the forces and moments that
/// would hold the expansion back, so that it is free of stress when it expands freely.
pub(super) fn flat(shell: &FlatShell, temperature: &dyn Fn(NodeIndex) -> f64) -> DVector<f64> {
    let count = shell.corners.len();
    let mean = shell.mean_section();
    let rise = shell.nodes.iter().map(|node| temperature(*node)).sum::<f64>() / count as f64
        - mean.thermal.reference;
    let (has_membrane, has_bending) = (mean.A.amax() > 0.0, mean.D.amax() > 0.0);
    let height = shell.neutral_height();
    let thermal = mean.raised(-height).thermal;
    let mut f = DVector::zeros(6 * count);
    if has_membrane {
        let held = shell.membrane().L * thermal.N * rise;
        for (i, value) in held.iter().enumerate() {
            f[membrane_row(i)] += value;
        }
    }
    if has_bending {
        for (i, value) in (shell.bending(height).L * thermal.M * rise).iter().enumerate() {
            f[bending_row(i)] += value;
        }
    }
    if let Some(T) = shell.to_plane(height) {
        f = T.transpose() * f;
    }
    for first in (0..6 * count).step_by(3) {
        let turned = shell.frame * f.fixed_rows::<3>(first);
        f.fixed_rows_mut::<3>(first).copy_from(&turned);
    }
    f
}

/// A curved shell interpolates the temperatures of its grids: f = ∫(ε + A⁻¹Bκ)ᵀN + κᵀ(M − BA⁻¹N), integrated
/// where its stiffness is. A mid-side grid that is left out has the mean temperature of its corners.
pub(super) fn curved(shell: &CurvedShell, temperature: &dyn Fn(NodeIndex) -> f64) -> DVector<f64> {
    let corners = shell.corners.len();
    let mut rises: Vec<f64> = Vec::with_capacity(shell.present.len());
    for (slot, present) in shell.present.iter().enumerate() {
        rises.push(match present {
            Some(order) => temperature(shell.dofs[6 * order].node),
            None => 0.5 * (rises[slot - corners] + rises[(slot - corners + 1) % corners]),
        });
    }
    let rise = |N: &[f64], reference: f64| -> f64 {
        N.iter().zip(&rises).map(|(n, t)| n * t).sum::<f64>() - reference
    };
    let mut f = DVector::zeros(6 * shell.positions.len());
    for point in shell.membrane_points() {
        let section = &point.point.section;
        let epsilon = &point.strain + section.uncoupled().0 * &point.curvature;
        let rise = rise(&point.point.N, section.thermal.reference);
        f += epsilon.transpose() * section.thermal.N * (rise * point.area);
    }
    for (xi, eta, weight) in mass_points(corners) {
        let point = shell.point(xi, eta);
        let section = &point.section;
        let moment = section.thermal.M - section.uncoupled().0.transpose() * section.thermal.N;
        if section.D.amax() > 0.0 && moment.amax() > 0.0 {
            let rise = rise(&point.N, section.thermal.reference);
            let B = shell.strains(&point);
            f += B.fixed_rows::<3>(3).transpose() * moment * (rise * weight * point.area);
        }
    }
    if shell.has_followers() { shell.followers().transpose() * f } else { f }
}
