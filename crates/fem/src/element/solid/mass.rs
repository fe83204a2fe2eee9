//! Mass of a solid.
//!
//! Consistent and coupled: ρ∫NᵀN dV with the nodal shape functions (internal modes carry no mass).
//!
//! Lumped: the row sums ρ∫N_i dV for linear shapes. With all mid-side nodes, these alone carry the mass, as
//! the diagonal of their consistent mass shares it out: m_i = m M_ii / Σ M_kk over the mid-side nodes, and
//! nothing at the corners. MSC Nastran 2024.2 does so: the loads that it prints for gravity on cubes are m/12
//! at each mid-side grid of a CHEXA, m/6 of a CTETRA with straight edges, and zero at corners. Its shares of
//! a CPENTA (15) differ by up to 2.4 % of m (docs/theory/elements.md). With some mid-side nodes left out, for
//! which nothing printed is known, the diagonal of all nodes is scaled to the element's mass (Hinton, Rock
//! and Zienkiewicz, 1976).

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use nalgebra::DMatrix;
use pliant_simd::{Kernel, with_wide_registers};

use super::family::{Family, MidNodes};
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
    // Full registers; there are zeros beyond the nodes.
    match x.len().next_multiple_of(4) {
        4 => with_wide_registers(Products::<4> { points, weights, rows }),
        8 => with_wide_registers(Products::<8> { points, weights, rows }),
        12 => with_wide_registers(Products::<12> { points, weights, rows }),
        16 => with_wide_registers(Products::<16> { points, weights, rows }),
        _ => with_wide_registers(Products::<MAX_NODES> { points, weights, rows }),
    }
    if kind == MassKind::Lumped {
        lump(&mut m, x.len(), loaded_slots(element));
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

/// The node slots that carry the lumped mass, each with the share of its diagonal entry; `None`: all, by row
/// sums.
fn loaded_slots(element: &SolidElement) -> Option<std::ops::Range<usize>> {
    let Family { corners, edges, .. } = element.family;
    if element.mids.is_empty() {
        return None;
    }
    let complete = element.mids == MidNodes::all(edges.len());
    Some(if complete { corners.len()..corners.len() + edges.len() } else { 0..element.slot_count })
}

fn lump(m: &mut [[f64; MAX_NODES]; MAX_NODES], count: usize, loaded: Option<std::ops::Range<usize>>) {
    let sums: [f64; MAX_NODES] = std::array::from_fn(|i| m[i].iter().sum());
    let total: f64 = sums.iter().sum();
    let shares: f64 = loaded.iter().flat_map(Clone::clone).map(|i| m[i][i]).sum();
    for i in 0..count {
        let own = match &loaded {
            None => sums[i],
            Some(slots) if slots.contains(&i) => m[i][i] * total / shares,
            Some(_) => 0.0,
        };
        m[i] = [0.0; MAX_NODES];
        m[i][i] = own;
    }
}
