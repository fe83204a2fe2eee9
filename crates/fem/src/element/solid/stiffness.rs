//! Stiffness of a solid with its internal modes condensed.

#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use nalgebra::DMatrix;

use super::gram::{Functions, gram};
use super::internal::factorised;
use super::table::Table;
use super::{ABSENT, SolidElement};

/// K = ∫ BᵀDB dV over the nodes that are present, less what the internal modes take: K_uu − K_ua K_aa⁻¹ K_au.
pub(super) fn stiffness(element: &SolidElement, table: &Table, internal: bool) -> DMatrix<f64> {
    let count = element.positions().len();
    let modes = if internal { table.internal_count } else { 0 };
    // Full registers.
    match (count + modes).next_multiple_of(4) {
        4 => condensed::<4>(element, table, internal),
        8 => condensed::<8>(element, table, internal),
        12 => condensed::<12>(element, table, internal),
        16 => condensed::<16>(element, table, internal),
        20 => condensed::<20>(element, table, internal),
        other => unreachable!("invariant: no solid has {other} functions"),
    }
}

fn condensed<const T: usize>(element: &SolidElement, table: &Table, internal: bool) -> DMatrix<f64> {
    let x = element.positions();
    let law = &element.material.law;
    let gram = gram::<T>(table, x, if internal { Functions::All } else { Functions::Nodes });
    let rows = element.rows();
    let n = element.dofs.len();
    let mut K = DMatrix::zeros(n, n);
    let entries = K.as_mut_slice();
    for (j, column) in rows.iter().enumerate().filter(|(_, r)| **r != ABSENT) {
        for (i, row) in rows.iter().enumerate().take(j + 1).filter(|(_, r)| **r != ABSENT) {
            let block = gram.block(law, i, j);
            for a in 0..3 {
                for b in 0..3 {
                    entries[(column + b) * n + row + a] = block[a][b];
                    entries[(row + a) * n + column + b] = block[a][b];
                }
            }
        }
    }
    if internal && table.internal_count > 0 {
        factorised(&gram, law, x.len(), table).condense(n, entries);
    }
    K
}
