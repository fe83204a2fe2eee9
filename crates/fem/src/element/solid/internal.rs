//! Internal modes of the linear hexahedron, wedge and pyramid, condensed at element level.

#![expect(
    non_snake_case,
    clippy::needless_range_loop,
    reason = "matrices keep the letters and indices of the equations"
)]

use std::ops::Range;

use pliant_simd::{Kernel, with_wide_registers};

use super::SolidElement;
use super::elasticity::{Elasticity, VOIGT};
use super::gram::{Functions, Gram, gram};
use super::lanes::{Combination, LANES, Lanes};
use super::table::Table;

/// Most internal unknowns of an element: 9 + 3 of a hexahedron.
pub(super) const INTERNAL: usize = 12;
/// Most nodal unknowns of an element that has internal ones.
const NODAL: usize = 24;

/// The internal unknowns of an element, factorised: K_aa = L Lᵀ and Y = L⁻¹ K_au.
pub(super) struct InternalModes {
    L: [[f64; INTERNAL]; INTERNAL],
    inverse_pivots: [f64; INTERNAL],
    size: usize,
    /// One column for each nodal unknown.
    Y: [[f64; NODAL]; INTERNAL],
}

impl InternalModes {
    /// a = −K_aa⁻¹K_au u = −L⁻ᵀ(Y u): the internal unknowns of nodal displacements, by row with states beside
    /// each other.
    pub(super) fn amplitudes(&self, u: &[Lanes], width: usize) -> Vec<Lanes> {
        let mut a = vec![[0.0; LANES]; self.size * width];
        let factors = self.Y.as_flattened();
        Combination { factors, factor_row: NODAL, from: u, out: &mut a, width }.make();
        for k in (0..self.size).rev() {
            let (own, others) = a[k * width..].split_at_mut(width);
            for (m, other) in (k + 1..).zip(others.chunks_exact(width.max(1))) {
                let factor = self.L[m][k];
                for (own, other) in own.iter_mut().zip(other) {
                    for s in 0..LANES {
                        own[s] -= factor * other[s];
                    }
                }
            }
            let factor = self.inverse_pivots[k];
            own.as_flattened_mut().iter_mut().for_each(|value| *value *= factor);
        }
        a.as_flattened_mut().iter_mut().for_each(|value| *value = -*value);
        a
    }

    /// Takes K_ua K_aa⁻¹ f_a off the nodal loads f.
    pub(super) fn condense_load(&self, mut f_a: [f64; INTERNAL], f: &mut [f64]) {
        for k in 0..self.size {
            let value = f_a[k] - (0..k).map(|m| self.L[k][m] * f_a[m]).sum::<f64>();
            f_a[k] = value * self.inverse_pivots[k];
        }
        for (y, f_a) in self.Y.iter().zip(&f_a) {
            f.iter_mut().zip(y).for_each(|(load, y)| *load -= y * f_a);
        }
    }

    /// Takes K_ua K_aa⁻¹ K_au = YᵀY off K (column-major).
    pub(super) fn condense(&self, n: usize, entries: &mut [f64]) {
        with_wide_registers(Condensation { Y: &self.Y, columns: entries.chunks_exact_mut(n) });
    }
}

/// K − YᵀY.
struct Condensation<'a, C> {
    Y: &'a [[f64; NODAL]; INTERNAL],
    columns: C,
}

impl<'a, C: Iterator<Item = &'a mut [f64]>> Kernel for Condensation<'_, C> {
    #[inline(always)]
    fn run(self) {
        for (j, column) in self.columns.enumerate() {
            let mut taken = [0.0; NODAL];
            for row in self.Y {
                let factor = row[j];
                for i in 0..NODAL {
                    taken[i] += factor * row[i];
                }
            }
            column.iter_mut().zip(taken).for_each(|(entry, taken)| *entry -= taken);
        }
    }
}

/// Y ← L⁻¹ Y.
struct Forward<'a> {
    L: &'a [[f64; INTERNAL]; INTERNAL],
    inverse_pivots: &'a [f64; INTERNAL],
    size: usize,
    Y: &'a mut [[f64; NODAL]; INTERNAL],
}

impl Kernel for Forward<'_> {
    #[inline(always)]
    fn run(self) {
        for k in 0..self.size {
            let mut row = self.Y[k];
            for m in 0..k {
                let factor = self.L[k][m];
                for i in 0..NODAL {
                    row[i] -= factor * self.Y[m][i];
                }
            }
            let factor = self.inverse_pivots[k];
            for i in 0..NODAL {
                self.Y[k][i] = factor * row[i];
            }
        }
    }
}

/// The internal modes of a linear element.
pub(super) fn internal_modes(element: &SolidElement, table: &Table) -> InternalModes {
    let x = element.positions();
    match x.len() + table.internal_count {
        8 => factorised(&gram::<8>(table, x, Functions::Internal), &element.material.law, x.len(), table),
        11 => factorised(&gram::<12>(table, x, Functions::Internal), &element.material.law, x.len(), table),
        other => unreachable!("invariant: no linear solid has {other} functions"),
    }
}

/// Stress of a unit volumetric strain ε = φ 1, as a tensor.
fn volumetric_stress(law: &Elasticity) -> [[f64; 3]; 3] {
    std::array::from_fn(|a| {
        std::array::from_fn(|c| match law {
            Elasticity::Isotropic { lambda, mu } if a == c => 3.0 * lambda + 2.0 * mu,
            Elasticity::Isotropic { .. } => 0.0,
            Elasticity::General(D) => (0..3).map(|m| D[(VOIGT[a][c], m)]).sum(),
        })
    })
}

/// Where the internal displacement modes stand among the internal unknowns: three each, one for those along
/// the axis.
pub(super) struct ModeLayout {
    full: usize,
    axis: [f64; 3],
}

impl ModeLayout {
    /// Of the modes of a table in an element with this axis.
    pub(super) fn new(table: &Table, axis: [f64; 3]) -> Self {
        Self { full: table.internal_count - table.axial_count, axis }
    }

    /// The unknowns of mode p.
    pub(super) fn unknowns(&self, p: usize) -> Range<usize> {
        if p < self.full { 3 * p..3 * p + 3 } else { 2 * self.full + p..2 * self.full + p + 1 }
    }

    /// Displacement of mode p in the basic frame, by row with states beside each other.
    pub(super) fn motion(&self, p: usize, unknowns: &[Lanes], width: usize, motion: &mut [Lanes]) {
        let first = self.unknowns(p).start * width;
        if p < self.full {
            motion.copy_from_slice(&unknowns[first..first + 3 * width]);
            return;
        }
        for (row, axis) in motion.chunks_exact_mut(width.max(1)).zip(self.axis) {
            for (motion, unknown) in row.iter_mut().zip(&unknowns[first..first + width]) {
                *motion = unknown.map(|value| axis * value);
            }
        }
    }

    /// Components in the order of [`ModeLayout::unknowns`]; only as many of the result count.
    pub(super) fn components(&self, p: usize, v: [f64; 3]) -> [f64; 3] {
        if p < self.full {
            return v;
        }
        [v[0] * self.axis[0] + v[1] * self.axis[1] + v[2] * self.axis[2], 0.0, 0.0]
    }
}

/// Builds and factorises K_aa, with all nodes present. A mode whose pivot vanishes beside its own diagonal
/// carries no information and is left out.
pub(super) fn factorised<const T: usize>(
    gram: &Gram<T>,
    law: &Elasticity,
    nodes: usize,
    table: &Table,
) -> InternalModes {
    let displacement_modes = table.internal_count;
    let layout = ModeLayout::new(table, gram.axis);
    let mut A = [[0.0; INTERNAL]; INTERNAL];
    for p in 0..displacement_modes {
        for q in 0..displacement_modes {
            let block = gram.block(law, nodes + p, nodes + q).map(|row| layout.components(q, row));
            let columns = layout.unknowns(q);
            for (b, column) in columns.enumerate() {
                let across = layout.components(p, [block[0][b], block[1][b], block[2][b]]);
                for (a, row) in layout.unknowns(p).enumerate() {
                    A[row][column] = across[a];
                }
            }
        }
    }
    let mut Y = [[0.0; NODAL]; INTERNAL];
    for i in 0..nodes {
        for p in 0..displacement_modes {
            let block = gram.block(law, i, nodes + p);
            let columns = layout.unknowns(p);
            for a in 0..3 {
                let row = layout.components(p, block[a]);
                columns.clone().zip(row).for_each(|(unknown, value)| Y[unknown][3 * i + a] = value);
            }
        }
    }
    let first_volumetric = layout.unknowns(displacement_modes).start;
    let h = volumetric_stress(law);
    let coupling = |k: usize, function: usize| -> [f64; 3] {
        std::array::from_fn(|a| (0..3).map(|c| h[a][c] * gram.v[k][c][function]).sum())
    };
    for k in 0..table.volumetric_count {
        let row = first_volumetric + k;
        for i in 0..nodes {
            for (a, value) in coupling(k, i).into_iter().enumerate() {
                Y[row][3 * i + a] = value;
            }
        }
        for p in 0..displacement_modes {
            let values = layout.components(p, coupling(k, nodes + p));
            for (column, value) in layout.unknowns(p).zip(values) {
                A[row][column] = value;
                A[column][row] = value;
            }
        }
        for l in 0..table.volumetric_count {
            A[row][first_volumetric + l] = (h[0][0] + h[1][1] + h[2][2]) * gram.w[k][l];
        }
    }
    let size = first_volumetric + table.volumetric_count;
    let inverse_pivots = factorise(&mut A, size, table.last_mode_relief);
    with_wide_registers(Forward { L: &A, inverse_pivots: &inverse_pivots, size, Y: &mut Y });
    InternalModes { L: A, inverse_pivots, size, Y }
}

/// Cholesky factor in the lower half of A; returns 1/L_kk, 0 for a mode that is left out. The last unknown is
/// made stiffer than the others leave it, so that it takes only the part `last_relief` of the energy it
/// could.
fn factorise(A: &mut [[f64; INTERNAL]; INTERNAL], size: usize, last_relief: f64) -> [f64; INTERNAL] {
    let mut inverse_pivots = [0.0; INTERNAL];
    for k in 0..size {
        let mut pivot = A[k][k];
        for m in 0..k {
            pivot -= A[k][m] * A[k][m];
        }
        if k + 1 == size {
            pivot /= last_relief;
        }
        if pivot > 1e-14 * A[k][k] {
            inverse_pivots[k] = 1.0 / pivot.sqrt();
        }
        for i in k + 1..size {
            let mut value = A[i][k];
            for m in 0..k {
                value -= A[i][m] * A[k][m];
            }
            A[i][k] = value * inverse_pivots[k];
        }
    }
    inverse_pivots
}
