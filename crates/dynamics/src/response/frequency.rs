//! Frequency responses: Hessenberg form once, then O(n²) a frequency (A. J. Laub, "Efficient multivariable
//! frequency response computations", IEEE Transactions on Automatic Control 26, 1981).

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix, Hessenberg};
use rayon::prelude::*;

use crate::response::state_space::StateSpace;

/// `H(jω) = C (jω − A)⁻¹ B + D`, prepared for many frequencies. `A = Q H Qᵀ`.
#[derive(Clone, Debug)]
pub struct FrequencyResponse {
    /// H, row by row.
    H: Vec<f64>,
    /// QᵀB, column by column.
    B: DMatrix<f64>,
    /// C Q.
    C: DMatrix<f64>,
    D: DMatrix<f64>,
    columns: Vec<(usize, u32)>,
    inputs: usize,
}

impl FrequencyResponse {
    /// Prepares.
    pub fn new(system: &StateSpace) -> Self {
        let (columns, inputs) = (system.columns.clone(), system.inputs.len());
        Self::of([&system.A, &system.B, &system.C, &system.D], columns, inputs)
    }

    /// Of matrices; `columns` say which input, and which derivative of it, each column of B takes.
    fn of([A, B, C, D]: [&DMatrix<f64>; 4], columns: Vec<(usize, u32)>, inputs: usize) -> Self {
        let (Q, H) = match A.nrows() {
            0 => (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0)),
            _ => Hessenberg::new(A.clone()).unpack(),
        };
        let H = H.transpose().as_slice().to_vec();
        Self { H, B: Q.transpose() * B, C: C * Q, D: D.clone(), columns, inputs }
    }

    /// Responses at frequencies (Hz): a matrix of outputs by inputs for each. A pole on the frequency gives
    /// numbers that are not finite.
    pub fn sweep(&self, frequencies_hz: &[f64]) -> Vec<DMatrix<Complex<f64>>> {
        let n = self.B.nrows();
        let scratch = || Scratch { re: vec![0.0; n * n], im: vec![0.0; n * n] };
        let at = |hz: &f64| Complex::new(0.0, TAU * hz);
        frequencies_hz.par_iter().map_init(scratch, |scratch, hz| self.with(at(hz), scratch)).collect()
    }

    fn with(&self, s: Complex<f64>, scratch: &mut Scratch) -> DMatrix<Complex<f64>> {
        let n = self.B.nrows();
        // Below the subdiagonal nobody reads.
        for k in 0..n {
            let row = k * n + k.saturating_sub(1)..(k + 1) * n;
            scratch.re[row.clone()].iter_mut().zip(&self.H[row.clone()]).for_each(|(re, h)| *re = -h);
            scratch.im[row].fill(0.0);
            scratch.re[k * n + k] += s.re;
            scratch.im[k * n + k] = s.im;
        }
        let mut X = self.B.map(|x| Complex::new(x, 0.0));
        scratch.solve(n, &mut X);
        let mut columns = self.D.map(|x| Complex::new(x, 0.0));
        for (mut to, x) in columns.column_iter_mut().zip(X.column_iter()) {
            for (i, to) in to.iter_mut().enumerate() {
                *to += self.C.row(i).iter().zip(x.iter()).map(|(c, x)| x * *c).sum::<Complex<f64>>();
            }
        }
        let mut H = DMatrix::zeros(self.C.nrows(), self.inputs);
        for ((input, power), column) in self.columns.iter().zip(columns.column_iter()) {
            let factor = s.powu(*power);
            let mut to = H.column_mut(*input);
            to.iter_mut().zip(column.iter()).for_each(|(to, x)| *to += factor * x);
        }
        H
    }
}

/// `s − H`, row by row, real and imaginary parts apart so that rows are combined by vector instructions.
struct Scratch {
    re: Vec<f64>,
    im: Vec<f64>,
}

impl Scratch {
    /// Elimination of the subdiagonal with the larger of two rows as pivot, then substitution.
    fn solve(&mut self, n: usize, X: &mut DMatrix<Complex<f64>>) {
        for k in 0..n.saturating_sub(1) {
            let (above, below) = (k * n, (k + 1) * n);
            let entry = |at: usize, s: &Self| Complex::new(s.re[at], s.im[at]);
            if entry(below + k, self).norm_sqr() > entry(above + k, self).norm_sqr() {
                for parts in [&mut self.re, &mut self.im] {
                    let (first, second) = parts.split_at_mut(below);
                    first[above + k..above + n].swap_with_slice(&mut second[k..n]);
                }
                X.swap_rows(k, k + 1);
            }
            let pivot = entry(above + k, self);
            let lower = entry(below + k, self);
            if lower == Complex::new(0.0, 0.0) {
                continue;
            }
            let f = lower / pivot;
            let (re_above, re_below) = self.re.split_at_mut(below);
            let (im_above, im_below) = self.im.split_at_mut(below);
            let above = above + k + 1..above + n;
            let rows = re_above[above.clone()].iter().zip(&im_above[above]);
            let under = re_below[k + 1..n].iter_mut().zip(&mut im_below[k + 1..n]);
            for ((re, im), (to_re, to_im)) in rows.zip(under) {
                *to_re -= f.re * re - f.im * im;
                *to_im -= f.re * im + f.im * re;
            }
            for mut x in X.column_iter_mut() {
                let first = x[k];
                x[k + 1] -= f * first;
            }
        }
        let (mut x_re, mut x_im) = (vec![0.0; n], vec![0.0; n]);
        for mut x in X.column_iter_mut() {
            for k in (0..n).rev() {
                let row = k * n + k + 1..(k + 1) * n;
                let known = (&x_re[k + 1..], &x_im[k + 1..]);
                let [re, im] = product((&self.re[row.clone()], &self.im[row]), known);
                let left = x[k] - Complex::new(re, im);
                x[k] = left / Complex::new(self.re[k * n + k], self.im[k * n + k]);
                (x_re[k], x_im[k]) = (x[k].re, x[k].im);
            }
        }
    }
}

/// Lanes of a sum: as many as the registers of any processor that matters have, and always the same, so that
/// the sum has the same bits everywhere.
const LANES: usize = 8;

/// Σ a x of complex numbers, real and imaginary parts apart.
fn product(a: (&[f64], &[f64]), x: (&[f64], &[f64])) -> [f64; 2] {
    let (mut re, mut im) = ([0.0; LANES], [0.0; LANES]);
    let whole = a.0.len() / LANES * LANES;
    let chunks = a.0.chunks_exact(LANES).zip(a.1.chunks_exact(LANES));
    let others = x.0.chunks_exact(LANES).zip(x.1.chunks_exact(LANES));
    for ((a_re, a_im), (x_re, x_im)) in chunks.zip(others) {
        for k in 0..LANES {
            re[k] += a_re[k] * x_re[k] - a_im[k] * x_im[k];
            im[k] += a_re[k] * x_im[k] + a_im[k] * x_re[k];
        }
    }
    let rest = a.0[whole..].iter().zip(&a.1[whole..]).zip(x.0[whole..].iter().zip(&x.1[whole..]));
    for (k, ((a_re, a_im), (x_re, x_im))) in rest.enumerate() {
        re[k] += a_re * x_re - a_im * x_im;
        im[k] += a_re * x_im + a_im * x_re;
    }
    [re.iter().sum(), im.iter().sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_a_dense_solution() {
        let n = 17;
        let number = |i: usize, j: usize| ((i * 31 + j * 17 + i * j) % 23) as f64 / 11.0 - 1.0;
        let A = DMatrix::from_fn(n, n, number);
        let B = DMatrix::from_fn(n, 3, |i, j| number(j, i + 3));
        let C = DMatrix::from_fn(2, n, |i, j| number(i + 5, j));
        let D = DMatrix::from_fn(2, 3, |i, j| number(i + 1, j + 7));
        // The second and third column are position and rate of one input.
        let response = FrequencyResponse::of([&A, &B, &C, &D], vec![(0, 0), (1, 0), (1, 1)], 2);
        let complex = |A: &DMatrix<f64>| A.map(|x| Complex::new(x, 0.0));
        for (hz, found) in [0.01, 0.3, 2.0].iter().zip(response.sweep(&[0.01, 0.3, 2.0])) {
            let s = Complex::new(0.0, TAU * hz);
            let shifted = DMatrix::from_diagonal_element(n, n, s) - complex(&A);
            let X = shifted.lu().solve(&complex(&B)).unwrap();
            let H = complex(&C) * X + complex(&D);
            let one = H.column(1) + H.column(2) * s;
            for i in 0..2 {
                // Rounding of a solution with a condition of some hundred.
                assert!((found[(i, 0)] - H[(i, 0)]).norm() < 1e-11 * H.norm());
                assert!((found[(i, 1)] - one[i]).norm() < 1e-11 * H.norm());
            }
        }
    }
}
