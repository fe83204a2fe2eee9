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
use pliant_sparse::{Kernel, with_wide_registers};

use super::gradients::{determinant, jacobian};
use super::table::{MAX_NODES, Purpose, TablePoint, table};
use super::{ABSENT, SolidElement};
use crate::element::MassKind;

/// M over the nodes that are present.
pub(super) fn mass(element: &SolidElement, kind: MassKind) -> DMatrix<f64> {
    let x = element.positions();
    let table = table(element.family, element.mids, Purpose::Mass);
    let density = element.material.density;
    let volume = |point: &TablePoint| point.weight * determinant(&jacobian(&point.gradient, x));
    let weights: Vec<f64> = table.points.iter().map(|point| density * volume(point)).collect();
    let mut m = [[0.0; MAX_NODES]; MAX_NODES];
    let (points, weights, rows) = (&table.points[..], &weights[..], &mut m[..x.len()]);
    // Whole registers; there are zeros beyond the nodes.
    match x.len().next_multiple_of(4) {
        4 => with_wide_registers(Products::<4> { points, weights, rows }),
        8 => with_wide_registers(Products::<8> { points, weights, rows }),
        12 => with_wide_registers(Products::<12> { points, weights, rows }),
        16 => with_wide_registers(Products::<16> { points, weights, rows }),
        _ => with_wide_registers(Products::<MAX_NODES> { points, weights, rows }),
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

/// Σ weight × N_i N_j over the points, by row; T is room for all nodes.
struct Products<'a, const T: usize> {
    points: &'a [TablePoint],
    weights: &'a [f64],
    rows: &'a mut [[f64; MAX_NODES]],
}

impl<const T: usize> Kernel for Products<'_, T> {
    #[inline(always)]
    fn run(self) {
        for (i, all) in self.rows.iter_mut().enumerate() {
            let mut row = [0.0; T];
            for (point, weight) in self.points.iter().zip(self.weights) {
                let scaled = weight * point.value[i];
                for j in 0..T {
                    row[j] += scaled * point.value[j];
                }
            }
            all[..T].copy_from_slice(&row);
        }
    }
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
