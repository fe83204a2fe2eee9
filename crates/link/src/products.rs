//! Products of small dense matrices with vectors: quick, and the same bits on every machine.
//!
//! Every row is summed in the order of the columns, a product and then a sum, whatever the width of the machine's
//! registers: wider ones only take more rows at a time.

use nalgebra::DMatrix;

/// `out = M x` and, when `TWO`, `out_rate = M v` for a column-major matrix.
pub fn products<const TWO: bool>(
    M: &DMatrix<f64>,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    let (data, rows) = (M.as_slice(), M.nrows());
    if rows == 0 || x.is_empty() {
        out.fill(0.0);
        out_rate.fill(0.0);
        return;
    }
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the feature.
            return unsafe { products_avx512::<TWO>(data, rows, x, v, out, out_rate) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature.
            return unsafe { products_avx2::<TWO>(data, rows, x, v, out, out_rate) };
        }
    }
    by_blocks::<TWO, 16>(data, rows, x, v, out, out_rate);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn products_avx512<const TWO: bool>(
    data: &[f64],
    rows: usize,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    by_blocks::<TWO, 32>(data, rows, x, v, out, out_rate);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn products_avx2<const TWO: bool>(
    data: &[f64],
    rows: usize,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    by_blocks::<TWO, 16>(data, rows, x, v, out, out_rate);
}

/// Blocks of `WIDE` rows, whose sums stay in registers, then smaller ones for what is left. The last eight rows are a block
/// too: those of them that are done already come out the same.
#[inline(always)]
fn by_blocks<const TWO: bool, const WIDE: usize>(
    data: &[f64],
    rows: usize,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    let first = blocks::<TWO, WIDE>(data, rows, 0, x, v, out, out_rate);
    let first = blocks::<TWO, 16>(data, rows, first, x, v, out, out_rate);
    let first = blocks::<TWO, 8>(data, rows, first, x, v, out, out_rate);
    if first < rows && rows >= 8 {
        blocks::<TWO, 8>(data, rows, rows - 8, x, v, out, out_rate);
    } else {
        blocks::<TWO, 1>(data, rows, first, x, v, out, out_rate);
    }
}

/// As many blocks of `BLOCK` rows as there are from row `first`; returns the first row that is left.
#[inline(always)]
fn blocks<const TWO: bool, const BLOCK: usize>(
    data: &[f64],
    rows: usize,
    mut first: usize,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) -> usize {
    while first + BLOCK <= rows {
        let (mut sum, mut sum_rate) = ([0.0; BLOCK], [0.0; BLOCK]);
        for ((column, &x_j), &v_j) in data.chunks_exact(rows).zip(x).zip(v) {
            let column = &column[first..first + BLOCK];
            for i in 0..BLOCK {
                sum[i] += column[i] * x_j;
            }
            if TWO {
                for i in 0..BLOCK {
                    sum_rate[i] += column[i] * v_j;
                }
            }
        }
        out[first..first + BLOCK].copy_from_slice(&sum);
        if TWO {
            out_rate[first..first + BLOCK].copy_from_slice(&sum_rate);
        }
        first += BLOCK;
    }
    first
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
                products::<true>(&M, &x, &v, &mut out, &mut rate);
                let row = |i: usize, x: &[f64]| (0..columns).fold(0.0, |sum, j| sum + M[(i, j)] * x[j]);
                assert!(
                    (0..rows).all(|i| out[i] == row(i, &x) && rate[i] == row(i, &v)),
                    "{rows} × {columns}"
                );
                let mut alone = vec![f64::NAN; rows];
                products::<false>(&M, &x, &v, &mut alone, &mut []);
                assert_eq!(alone, out);
            }
        }
    }
}
