//! Products of small dense matrices with vectors, quick and repeatable.

use nalgebra::DMatrix;

/// Rows handled together: their sums stay in registers.
const BLOCK: usize = 8;

/// `out = M x` and, when `TWO`, `out_rate = M v` for a column-major matrix, block of rows by block of rows. Every row is summed
/// in the order of the columns, whatever the width of the machine's registers: the result is repeatable.
pub fn products<const TWO: bool>(
    M: &DMatrix<f64>,
    x: &[f64],
    v: &[f64],
    out: &mut [f64],
    out_rate: &mut [f64],
) {
    let (data, rows) = (M.as_slice(), M.nrows());
    let mut first = 0;
    while first + BLOCK <= rows {
        let (mut sum, mut sum_rate) = ([0.0; BLOCK], [0.0; BLOCK]);
        for (j, (&x_j, &v_j)) in x.iter().zip(v).enumerate() {
            let column = &data[j * rows + first..j * rows + first + BLOCK];
            for i in 0..BLOCK {
                sum[i] += column[i] * x_j;
                if TWO {
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
    for i in first..rows {
        let (mut sum, mut sum_rate) = (0.0, 0.0);
        for (j, (&x_j, &v_j)) in x.iter().zip(v).enumerate() {
            sum += data[j * rows + i] * x_j;
            sum_rate += data[j * rows + i] * v_j;
        }
        out[i] = sum;
        if TWO {
            out_rate[i] = sum_rate;
        }
    }
}

/// Dot product with four partial sums, so that it vectorises; the order is fixed, hence repeatable.
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
