//! The response of one input, as margins ask for it at thousands of frequencies.
//!
//! An orthogonal transformation makes B a multiple β of the first unit vector and A upper Hessenberg, once.
//! Then `(s − H) x = β e₁` needs no elimination: with x_n = 1 its last row says x_{n−1}, the row above
//! x_{n−2}, and the first row by what factor all of it was wrong (M. A. Hyman 1957; J. H. Wilkinson, *The
//! Algebraic Eigenvalue Problem*, 1965). Each row is satisfied to rounding of its own terms. It takes n² real
//! multiplications.

use nalgebra::{Complex, DMatrix, DVector};

use pliant_simd::{Kernel, with_wide_registers};

use crate::response::evd::hessenberg;

/// `C (s − A)⁻¹ b`, prepared for many s.
#[derive(Clone, Debug)]
pub(crate) struct SingleInput {
    /// Rows of H from the diagonal on, one after the other.
    rows: Vec<f64>,
    /// Left of the diagonal; nothing in the first row.
    left: Vec<f64>,
    beta: f64,
    /// Rows of C.
    C: Vec<Vec<f64>>,
}

/// Numbers above this are scaled down before they overflow.
const LARGE: f64 = 1e100;

impl SingleInput {
    /// Prepares.
    pub(crate) fn new(A: &DMatrix<f64>, b: &DVector<f64>, C: &DMatrix<f64>) -> Self {
        let n = A.nrows();
        let (mut A, mut C, mut beta) = (A.clone(), C.clone(), 0.0);
        // The reflection I − 2 v vᵀ takes b to β e₁.
        let mut v = b.clone();
        if n > 0 && b.norm() > 0.0 {
            beta = if b[0] > 0.0 { -b.norm() } else { b.norm() };
            v[0] -= beta;
            v.normalize_mut();
            let row = v.transpose() * &A;
            A -= (&v * 2.0) * row;
            let column = &A * &v;
            A -= (column * 2.0) * v.transpose();
            let column = &C * &v;
            C -= (column * 2.0) * v.transpose();
        }
        let (H, C) = hessenberg(&A, &C);
        let rows = (0..n).flat_map(|k| (k..n).map(|j| H[(k, j)]).collect::<Vec<_>>()).collect();
        let left = (0..n).map(|k| if k > 0 { H[(k, k - 1)] } else { 0.0 }).collect();
        let C = C.row_iter().map(|row| row.iter().copied().collect()).collect();
        Self { rows, left, beta, C }
    }

    /// Of each row of C; not finite on a pole.
    pub(crate) fn at(&self, s: Complex<f64>) -> Vec<Complex<f64>> {
        let n = self.left.len();
        let mut found = vec![Complex::new(0.0, 0.0); self.C.len()];
        if n == 0 || self.beta == 0.0 {
            return found;
        }
        let (mut re, mut im) = (vec![0.0; n], vec![0.0; n]);
        with_wide_registers(Recursion { of: self, s, re: &mut re, im: &mut im, found: &mut found });
        found
    }
}

/// The recursion at one s.
struct Recursion<'a> {
    of: &'a SingleInput,
    s: Complex<f64>,
    re: &'a mut [f64],
    im: &'a mut [f64],
    found: &'a mut [Complex<f64>],
}

impl Kernel for Recursion<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { of, s, re, im, found } = self;
        let n = of.left.len();
        re[n - 1] = 1.0;
        let mut start = of.rows.len();
        let mut factor = Complex::new(0.0, 0.0);
        for k in (0..n).rev() {
            start -= n - k;
            let [sum_re, sum_im] = sums(&of.rows[start..start + n - k], &re[k..], &im[k..]);
            let left = s * Complex::new(re[k], im[k]) - Complex::new(sum_re, sum_im);
            if k == 0 {
                factor = of.beta / left;
                break;
            }
            let next = left / of.left[k];
            if of.left[k] == 0.0 || !next.re.is_finite() || !next.im.is_finite() {
                // What stands below is not reached by the input.
                re[k..].fill(0.0);
                im[k..].fill(0.0);
                re[k - 1] = 1.0;
                continue;
            }
            (re[k - 1], im[k - 1]) = (next.re, next.im);
            if next.re.abs().max(next.im.abs()) > LARGE {
                re[k - 1..].iter_mut().for_each(|x| *x /= LARGE);
                im[k - 1..].iter_mut().for_each(|x| *x /= LARGE);
            }
        }
        for (found, row) in found.iter_mut().zip(&of.C) {
            let [re, im] = sums(row, re, im);
            *found = factor * Complex::new(re, im);
        }
    }
}

/// As many sums side by side as the widest registers take, so that the bits are the same on all processors.
const LANES: usize = 8;

/// Σ a x of real a and complex x.
#[inline(always)]
fn sums(a: &[f64], re: &[f64], im: &[f64]) -> [f64; 2] {
    let (mut sum_re, mut sum_im) = ([0.0; LANES], [0.0; LANES]);
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (re, re_rest) = re.as_chunks::<LANES>();
    let (im, im_rest) = im.as_chunks::<LANES>();
    for ((a, re), im) in a.iter().zip(re).zip(im) {
        for k in 0..LANES {
            sum_re[k] += a[k] * re[k];
            sum_im[k] += a[k] * im[k];
        }
    }
    for (k, ((a, re), im)) in a_rest.iter().zip(re_rest).zip(im_rest).enumerate() {
        sum_re[k] += a * re;
        sum_im[k] += a * im;
    }
    [sum_re.iter().sum(), sum_im.iter().sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a dense solution; the last two states do not feel the input.
    #[test]
    fn equals_a_dense_solution() {
        let n = 19;
        let number = |i: usize, j: usize| ((i * 31 + j * 17 + i * j) % 23) as f64 / 11.0 - 1.0;
        let mut A = DMatrix::from_fn(n, n, number);
        let mut b = DVector::from_fn(n, |i, _| number(2, i + 3));
        for k in n - 2..n {
            A.view_mut((k, 0), (1, n - 2)).fill(0.0);
            b[k] = 0.0;
        }
        let C = DMatrix::from_fn(2, n, |i, j| number(i + 5, j));
        let complex = |A: &DMatrix<f64>| A.map(|x| Complex::new(x, 0.0));
        let response = SingleInput::new(&A, &b, &C);
        for s in [
            Complex::new(0.0, 0.02),
            Complex::new(-0.5, 3.0),
            Complex::from_polar(1.0, 0.3),
            Complex::new(0.0, 1e9),
        ] {
            let shifted = DMatrix::from_diagonal_element(n, n, s) - complex(&A);
            let x = shifted.lu().solve(&b.map(|x| Complex::new(x, 0.0))).unwrap();
            let expected = complex(&C) * x;
            for (found, expected) in response.at(s).iter().zip(expected.iter()) {
                // Rounding of a solution with a condition of some hundred.
                assert!((found - expected).norm() < 1e-11 * expected.norm(), "{s}: {found} for {expected}");
            }
        }
    }

    /// A chain of 400 lags far above its poles: the numbers of the recursion grow as s⁴⁰⁰.
    #[test]
    fn does_not_overflow() {
        let n = 400;
        let A = DMatrix::from_fn(n, n, |i, j| if i == j { -1.0 } else { f64::from(i == j + 1) });
        let b = DVector::from_fn(n, |i, _| f64::from(u8::from(i == 0)));
        let C = DMatrix::from_fn(1, n, |_, j| f64::from(u8::from(j == 1)));
        let s = Complex::new(0.0, 1e4);
        let found = SingleInput::new(&A, &b, &C).at(s)[0];
        let expected = ((s + 1.0) * (s + 1.0)).inv();
        assert!((found - expected).norm() < 1e-13 * expected.norm(), "{found} for {expected}");
    }
}
