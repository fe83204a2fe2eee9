//! Values of several states beside each other, as many as a register holds.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use pliant_simd::{Kernel, with_wide_registers};

/// Groups × terms from which on the packing of a dense product pays.
const LARGE: usize = 1 << 15;
/// States of a group.
pub(super) const LANES: usize = 4;
/// A value of each state of a group.
pub(super) type Lanes = [f64; LANES];

/// Groups that hold a number of states; the last one is filled up with zeros.
pub(super) fn groups_of(states: usize) -> usize {
    states.div_ceil(LANES)
}

/// Row j of `out` is Σ_k factors(j, k) × row k of `from`.
pub(super) struct Combination<'a> {
    /// The factors, row by row, and the length of a row: at least the number of rows of `from`.
    pub(super) factors: &'a [f64],
    pub(super) factor_row: usize,
    pub(super) from: &'a [Lanes],
    pub(super) out: &'a mut [Lanes],
    /// Groups in a row of `from` and `out`.
    pub(super) width: usize,
}

impl Combination<'_> {
    /// Does it.
    pub(super) fn make(self) {
        let Self { factors, factor_row, from, out, width } = self;
        if width == 0 {
            return;
        }
        let (rows, terms) = (out.len() / width, from.len() / width);
        if out.len() * terms < LARGE {
            return with_wide_registers(Self { factors, factor_row, from, out, width });
        }
        let factors = MatRef::from_row_major_slice_with_stride(factors, rows, terms, factor_row);
        let from = MatRef::from_row_major_slice(from.as_flattened(), terms, LANES * width);
        let out = MatMut::from_row_major_slice_mut(out.as_flattened_mut(), rows, LANES * width);
        matmul(out, Accum::Replace, factors, from, 1.0, Par::Seq);
    }

    /// L groups of all rows of `out`, from group `first` on.
    #[inline(always)]
    fn columns<const L: usize>(&mut self, first: usize) -> usize {
        let rows = self.out.len() / self.width;
        let mut row = 0;
        while row + ROWS <= rows {
            self.block::<ROWS, L>(row, first);
            row += ROWS;
        }
        (row..rows).for_each(|row| self.block::<1, L>(row, first));
        first + L
    }

    #[inline(always)]
    fn block<const J: usize, const L: usize>(&mut self, row: usize, first: usize) {
        let terms = self.from.len() / self.width;
        let factors: [&[f64]; J] =
            std::array::from_fn(|j| &self.factors[(row + j) * self.factor_row..][..terms]);
        let mut sums = [[[0.0; LANES]; L]; J];
        for (k, from) in self.from.chunks_exact(self.width).enumerate() {
            let from = &from[first..first + L];
            for (sums, factors) in sums.iter_mut().zip(&factors) {
                let factor = factors[k];
                for (sum, from) in sums.iter_mut().zip(from) {
                    *sum = std::array::from_fn(|s| sum[s] + factor * from[s]);
                }
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            self.out[(row + j) * self.width + first..][..L].copy_from_slice(sums);
        }
    }
}

/// Rows that are summed up together: with three groups of each they fill sixteen registers, beside what they
/// are made from.
const ROWS: usize = 3;

impl Kernel for Combination<'_> {
    #[inline(always)]
    fn run(mut self) {
        let mut first = 0;
        while first < self.width {
            first = match self.width - first {
                1 => self.columns::<1>(first),
                2 | 4 => self.columns::<2>(first),
                _ => self.columns::<3>(first),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the plain sum, for widths and rows that straddle the blocks, for a dense product, and with
    /// factors that are not asked for.
    #[test]
    fn combinations_are_sums() {
        let value = |i: usize| ((i * 37 + 11) % 64) as f64 - 30.0;
        let sizes = [(1, 1, 1), (3, 2, 2), (4, 5, 3), (6, 3, 4), (9, 7, 5), (5, 0, 2), (40, 30, 30)];
        for (rows, terms, width) in sizes {
            let stride = terms + 2;
            let factors: Vec<f64> = (0..(rows + 1) * stride).map(value).collect();
            let from: Vec<Lanes> =
                (0..terms * width).map(|i| std::array::from_fn(|s| value(4 * i + s + 5))).collect();
            let mut out = vec![[f64::NAN; LANES]; rows * width];
            let (factors, from) = (&factors, &from);
            Combination { factors, factor_row: stride, from, out: &mut out, width }.make();
            for (i, found) in out.iter().enumerate() {
                let (row, group) = (i / width, i % width);
                for (s, found) in found.iter().enumerate() {
                    let terms = (0..terms).map(|k| factors[row * stride + k] * from[k * width + group][s]);
                    assert_eq!(*found, terms.sum::<f64>(), "integers: no rounding");
                }
            }
        }
    }
}
