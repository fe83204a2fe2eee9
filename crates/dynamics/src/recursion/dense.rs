//! Small dense Cholesky factor in place, without allocation: the blocks of a link.

use nalgebra::Vector6;
use pliant_link::dot;

/// Lower factor of a symmetric positive definite matrix, column by column.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    n: usize,
    L: Vec<f64>,
    /// Reciprocals of the diagonal.
    inverse: Vec<f64>,
}

impl Cholesky {
    /// Room for matrices up to n×n.
    pub(crate) fn new(n: usize) -> Self {
        Self { n, L: vec![0.0; n * n], inverse: vec![0.0; n] }
    }

    /// Changes the size to at most the one it was made for.
    pub(crate) fn resize(&mut self, n: usize) {
        debug_assert!(n * n <= self.L.len());
        self.n = n;
    }

    /// The storage to fill (lower triangle, column by column) before [`factor`](Self::factor).
    pub(crate) fn matrix(&mut self) -> &mut [f64] {
        let size = self.n * self.n;
        &mut self.L[..size]
    }

    /// `A = L Lᵀ`; `Err(i)` names the first pivot that is not positive relative to its diagonal entry.
    pub(crate) fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        for j in 0..n {
            let (done, rest) = self.L[..n * n].split_at_mut(j * n);
            let column = &mut rest[j..n];
            let original = column[0];
            // Left-looking: contiguous columns, four at a time, fixed order of summation.
            let below = |k: usize| &done[k * n + j..(k + 1) * n];
            let fours = j - j % 4;
            for k in (0..fours).step_by(4) {
                let [a, b, c, d] = [below(k), below(k + 1), below(k + 2), below(k + 3)];
                let [f, g, h, i] = [a[0], b[0], c[0], d[0]];
                for ((((x, a), b), c), d) in column.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    *x -= (a * f + b * g) + (c * h + d * i);
                }
            }
            for k in fours..j {
                let factor = below(k)[0];
                for (x, l) in column.iter_mut().zip(below(k)) {
                    *x -= l * factor;
                }
            }
            let pivot = column[0];
            // 1e-14 of the diagonal entry is what rounding leaves of a singular matrix.
            if pivot <= 1e-14 * original || !pivot.is_finite() {
                return Err(j);
            }
            let inverse = 1.0 / pivot.sqrt();
            self.inverse[j] = inverse;
            for x in column {
                *x *= inverse;
            }
        }
        Ok(())
    }

    /// `x ← L⁻¹ x`.
    pub(crate) fn forward(&self, x: &mut [f64]) {
        let n = self.n;
        for j in 0..n {
            x[j] *= self.inverse[j];
            let x_j = x[j];
            for (x, l) in x[j + 1..n].iter_mut().zip(&self.L[j * n + j + 1..(j + 1) * n]) {
                *x -= l * x_j;
            }
        }
    }

    /// `X ← L⁻¹ X` for six right-hand sides, one row per unknown.
    pub(crate) fn forward_six(&self, X: &mut [Vector6<f64>]) {
        let n = self.n;
        for j in 0..n {
            let (done, rest) = X.split_at_mut(j);
            let (mut even, mut odd) = (rest[0], Vector6::zeros());
            let pairs = done.chunks_exact(2);
            if let [last] = pairs.remainder() {
                even -= last * self.L[(j - 1) * n + j];
            }
            for (k, pair) in pairs.enumerate() {
                even -= pair[0] * self.L[2 * k * n + j];
                odd -= pair[1] * self.L[(2 * k + 1) * n + j];
            }
            rest[0] = (even + odd) * self.inverse[j];
        }
    }

    /// `x ← L⁻ᵀ x`.
    pub(crate) fn backward(&self, x: &mut [f64]) {
        let n = self.n;
        for j in (0..n).rev() {
            let sum = dot(&x[j + 1..n], &self.L[j * n + j + 1..(j + 1) * n]);
            x[j] = (x[j] - sum) * self.inverse[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_names_the_singular_pivot() {
        for n in [1, 2, 5, 14] {
            let A = nalgebra::DMatrix::from_fn(n, n, |i, j| {
                if i == j { 3.0 + i as f64 } else { 1.0 / (1.0 + i as f64 + j as f64) }
            });
            let x = nalgebra::DVector::from_fn(n, |i, _| 1.0 - 0.3 * i as f64);
            let b = &A * &x;
            let mut factor = Cholesky::new(n);
            factor.matrix().copy_from_slice(A.as_slice());
            factor.factor().unwrap();
            let mut solution = b.as_slice().to_vec();
            factor.forward(&mut solution);
            factor.backward(&mut solution);
            let error = solution.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-14 * n as f64, "n = {n}: {error}");
        }
        let mut factor = Cholesky::new(2);
        factor.matrix().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(factor.factor(), Err(1));
        factor.matrix().copy_from_slice(&[f64::NAN, 0.0, 0.0, 1.0]);
        assert_eq!(factor.factor(), Err(0));
    }
}
