//! Products of small dense matrices with vectors: quick, and the same bits on every machine.
//!
//! Every row is summed in the order of the columns, whatever the width of the machine's registers: wider ones
//! only take more rows at a time.

use nalgebra::DMatrix;

use pliant_simd::{Eights, Lanes, widest};

/// Eight entries of a column, on a cache line of their own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([f64; 8]);

/// A dense matrix for products with vectors: columns in eights, the last ones filled up with zeros, no eight
/// on two cache lines.
#[derive(Clone, Debug)]
pub struct Panel {
    rows: usize,
    /// Lines of a column.
    eights: usize,
    entries: Vec<Line>,
}

impl Panel {
    /// The same matrix.
    pub fn new(M: &DMatrix<f64>) -> Self {
        let eights = M.nrows().div_ceil(8);
        let line = |column: usize, first: usize| {
            Line(std::array::from_fn(|i| *M.get((8 * first + i, column)).unwrap_or(&0.0)))
        };
        let blocks = (0..M.ncols()).flat_map(|column| (0..eights).map(move |first| (column, first)));
        Self { rows: M.nrows(), eights, entries: blocks.map(|(column, first)| line(column, first)).collect() }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// `out = M x`.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        products::<false>(self, x, x, out, &mut []);
    }

    /// A vector of as many entries as there are rows, filled up to complete eights.
    pub(crate) fn eights(&self) -> Vec<[f64; 8]> {
        vec![[0.0; 8]; self.eights]
    }

    /// `out = M x` and `out_rate = M v`.
    pub(crate) fn times_both(&self, x: &[f64], v: &[f64], out: &mut [f64], out_rate: &mut [f64]) {
        products::<true>(self, x, v, out, out_rate);
    }
}

widest! {
    fn products[TWO: bool](
        panel: &Panel,
        x: &[f64],
        v: &[f64],
        out: &mut [f64],
        out_rate: &mut [f64],
    ) = by_blocks
}

widest! {
    /// `out −= Mᵀx + Nᵀy`, with x and y in as many eights as the columns have.
    pub(crate) fn subtract_transposed[](
        M: &Panel,
        x: &[[f64; 8]],
        N: &Panel,
        y: &[[f64; 8]],
        out: &mut [f64],
    ) = by_columns
}

#[inline(always)]
fn by_columns<L: Lanes>(M: &Panel, x: &[[f64; 8]], N: &Panel, y: &[[f64; 8]], out: &mut [f64]) {
    let columns = M.entries.chunks_exact(M.eights).zip(N.entries.chunks_exact(N.eights));
    for ((of_M, of_N), out) in columns.zip(out) {
        let pairs = of_M.iter().zip(x).chain(of_N.iter().zip(y));
        let sum =
            pairs.fold(L::splat(0.0), |sum, (Line(entries), x)| L::load(entries).fused(L::load(x), sum));
        *out -= sum.total();
    }
}

/// Blocks of rows whose sums stay in registers, then smaller ones for what is left.
#[inline(always)]
fn by_blocks<const TWO: bool, L: Lanes>(
    panel: &Panel,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    let mut first = 0;
    if L::SUMS >= 4 {
        first = blocks::<TWO, 4, L>(panel, first, x, v, out, out_rate);
    }
    if L::SUMS >= 2 {
        first = blocks::<TWO, 2, L>(panel, first, x, v, out, out_rate);
    }
    blocks::<TWO, 1, L>(panel, first, x, v, out, out_rate);
}

/// As many blocks of `EIGHTS` lines as there are from line `first`; returns the first line that is left.
#[inline(always)]
fn blocks<const TWO: bool, const EIGHTS: usize, L: Lanes>(
    panel: &Panel,
    mut first: usize,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) -> usize {
    while first + EIGHTS <= panel.eights {
        let (mut sums, mut rates) = ([L::splat(0.0); EIGHTS], [L::splat(0.0); EIGHTS]);
        for ((column, &x_j), &v_j) in panel.entries.chunks_exact(panel.eights).zip(x).zip(v) {
            for (i, Line(entries)) in column[first..first + EIGHTS].iter().enumerate() {
                let entries = L::load(entries);
                sums[i] = entries.fused(L::splat(x_j), sums[i]);
                if TWO {
                    rates[i] = entries.fused(L::splat(v_j), rates[i]);
                }
            }
        }
        store_rows(&sums, &mut out[8 * first..]);
        if TWO {
            store_rows(&rates, &mut out_rate[8 * first..]);
        }
        first += EIGHTS;
    }
    first
}

/// Stores as many sums as there is room for.
#[inline(always)]
fn store_rows<const EIGHTS: usize, L: Lanes>(sums: &[L; EIGHTS], out: &mut [f64]) {
    for (i, sum) in sums.iter().enumerate() {
        let out = &mut out[8 * i..];
        if let Some(out) = out.first_chunk_mut::<8>() {
            sum.store(out);
        } else {
            let mut rows = [0.0; 8];
            sum.store(&mut rows);
            let count = out.len();
            out.copy_from_slice(&rows[..count]);
        }
    }
}

/// Dot product with four partial sums, so that it vectorises; the order is fixed, hence repeatable.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (chunks_a, chunks_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in chunks_a.zip(chunks_b) {
        for i in 0..4 {
            sums[i] += x[i] * y[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

widest! {
    /// Adds `factor · left_j·right_k` to entry (k, j), k ≥ j, of a matrix with `rows` rows, stored column by
    /// column. What is above the diagonal is spoilt.
    pub fn add_products_below[K: usize](
        left: &[[[f64; 8]; K]],
        right: &[[[f64; 8]; K]],
        factor: f64,
        rows: usize,
        lower: &mut [f64],
    ) = add_eight_rows_at_a_time
}

#[inline(always)]
fn add_eight_rows_at_a_time<const K: usize, L: Lanes>(
    left: &[Eights<K>],
    right: &[Eights<K>],
    factor: f64,
    rows: usize,
    lower: &mut [f64],
) {
    for (block, right) in right.chunks(8).enumerate() {
        let first = 8 * block;
        let mut across = [[[0.0; 8]; 8]; K];
        for (i, right) in right.iter().enumerate() {
            for (across, right) in across.as_flattened_mut().iter_mut().zip(right.as_flattened()) {
                across[i] = *right;
            }
        }
        for (j, left) in left.iter().enumerate().take(first + 8) {
            let mut sum = L::splat(0.0);
            for (across, left) in across.as_flattened().iter().zip(left.as_flattened()) {
                sum = L::load(across).fused(L::splat(*left), sum);
            }
            let column = &mut lower[j * rows + first..];
            // Rows that are not there have the sum zero, wherever they fall.
            if let Some(column) = column.first_chunk_mut::<8>() {
                sum.fused(L::splat(factor), L::load(column)).store(column);
            } else {
                let mut sums = [0.0; 8];
                sum.store(&mut sums);
                for (entry, sum) in column.iter_mut().zip(&sums[..right.len()]) {
                    *entry = sum.mul_add(factor, *entry);
                }
            }
        }
    }
}

widest! {
    /// `M x` into each row of `out` for the first six components of each row x; M by its columns.
    pub fn multiply_rows[](columns: &[[f64; 8]; 6], x: &[[[f64; 8]; 1]], out: &mut [[[f64; 8]; 1]]) = multiply_each_row
}

#[inline(always)]
fn multiply_each_row<L: Lanes>(columns: &[[f64; 8]; 6], x: &[Eights<1>], out: &mut [Eights<1>]) {
    let columns: [L; 6] = std::array::from_fn(|c| L::load(&columns[c]));
    for ([x], [out]) in x.iter().zip(out) {
        let mut sum = L::splat(0.0);
        for c in 0..6 {
            sum = columns[c].fused(L::splat(x[c]), sum);
        }
        sum.store(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns around every block size.
    #[test]
    fn every_width_of_registers_gives_the_same_bits() {
        for rows in (0..=50).chain([84, 270]) {
            for columns in [0, 1, 3, 14] {
                let M = DMatrix::from_fn(rows, columns, |i, j| ((i * 31 + j * 17) as f64).sin());
                let x: Vec<f64> = (0..columns).map(|j| (j as f64 + 0.3).cos()).collect();
                let v: Vec<f64> = (0..columns).map(|j| (j as f64 * 1.7).sin()).collect();
                let (mut out, mut rate) = (vec![f64::NAN; rows], vec![f64::NAN; rows]);
                let panel = Panel::new(&M);
                panel.times_both(&x, &v, &mut out, &mut rate);
                let row = |i: usize, x: &[f64]| (0..columns).fold(0.0, |sum, j| M[(i, j)].mul_add(x[j], sum));
                assert!(
                    (0..rows).all(|i| out[i] == row(i, &x) && rate[i] == row(i, &v)),
                    "{rows} × {columns}"
                );
                let mut alone = vec![f64::NAN; rows];
                panel.times(&x, &mut alone);
                assert_eq!(alone, out);
            }
        }
    }

    #[test]
    fn products_below_the_diagonal_are_added() {
        for n in [1, 7, 8, 9, 14, 16, 23] {
            let row =
                |j: usize, shift: f64| [std::array::from_fn(|c| (1.3 * j as f64 + c as f64 + shift).sin())];
            let left: Vec<Eights<1>> = (0..n).map(|j| row(j, 0.1)).collect();
            let right: Vec<Eights<1>> = (0..n).map(|j| row(j, 0.7)).collect();
            let mut lower = DMatrix::from_element(n, n, 2.0);
            add_products_below(&left, &right, 0.5, n, lower.as_mut_slice());
            for j in 0..n {
                for k in j..n {
                    let exact = 2.0 + 0.5 * (0..8).map(|c| left[j][0][c] * right[k][0][c]).sum::<f64>();
                    // Sums of eight products of size one.
                    assert!((lower[(k, j)] - exact).abs() < 1e-15 * 8.0, "({k}, {j}) of {n}");
                }
            }
        }
    }
}
