//! Mass of a solid.
//!
//! Consistent and coupled: ρ∫NᵀN dV with the nodal shape functions (internal modes carry no mass). Lumped: the row sums ρ∫N_i dV
//! for linear shapes; with mid-side nodes, where row sums of corners turn negative, the diagonal of the consistent mass
//! scaled to the element's mass (Hinton, Rock and Zienkiewicz, 1976).

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use nalgebra::DMatrix;

use super::gradients::{determinant, jacobian};
use super::table::{MAX_NODES, Purpose, table};
use super::{ABSENT, SolidElement};
use crate::element::MassKind;

/// M over the nodes that are present.
pub(super) fn mass(element: &SolidElement, kind: MassKind) -> DMatrix<f64> {
    let x = element.positions();
    let table = table(element.family, element.mids, Purpose::Mass);
    let mut m = [[0.0; MAX_NODES]; MAX_NODES];
    for point in &table.points {
        let weight = element.material.density * point.weight * determinant(&jacobian(&point.gradient, x));
        for i in 0..x.len() {
            for j in 0..x.len() {
                m[i][j] += weight * point.value[i] * point.value[j];
            }
        }
    }
    if kind == MassKind::Lumped {
        lump(&mut m, x.len(), element.mids.is_empty());
    }
    let rows = element.rows();
    let n = element.dofs.len();
    let mut M = DMatrix::zeros(n, n);
    for (i, row) in rows.iter().enumerate().filter(|(_, r)| **r != ABSENT) {
        for (j, column) in rows.iter().enumerate().filter(|(_, r)| **r != ABSENT) {
            for c in 0..3 {
                M[(row + c, column + c)] = m[i][j];
            }
        }
    }
    M
}

fn lump(m: &mut [[f64; MAX_NODES]; MAX_NODES], count: usize, linear: bool) {
    let sums: [f64; MAX_NODES] = std::array::from_fn(|i| m[i].iter().sum());
    let total: f64 = sums.iter().sum();
    let trace: f64 = (0..count).map(|i| m[i][i]).sum();
    for i in 0..count {
        let own = if linear { sums[i] } else { m[i][i] * total / trace };
        m[i] = [0.0; MAX_NODES];
        m[i][i] = own;
    }
}
