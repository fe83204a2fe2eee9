//! Fewer states: modal and balanced truncation with a bound of the error at every frequency.

use nalgebra::{Complex, DMatrix, SymmetricEigen};
use thiserror::Error;

use crate::response::evd::eigen;
use crate::response::state_space::StateSpace;

/// How many states are kept, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// Those of the eigenvalues with the smallest |s|; pairs stay together.
    Modal(usize),
    /// Those with the largest Hankel singular values.
    Balanced(usize),
}

/// A state space with fewer states.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncated {
    /// A.
    pub A: DMatrix<f64>,
    /// B.
    pub B: DMatrix<f64>,
    /// C.
    pub C: DMatrix<f64>,
    /// D, unchanged.
    pub D: DMatrix<f64>,
    /// Bound of the largest singular value of the error of `C (jω − A)⁻¹ B + D` over all ω; infinite where a
    /// mode without damping is left out.
    pub bound: f64,
    /// Hankel singular values of all states, falling; none of a modal truncation.
    pub hankel: Vec<f64>,
}

/// A machine that has no such truncation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TruncationError {
    /// Infinite Gramians.
    #[error(
        "a balanced truncation needs a machine that is stable: it has motions that are free, have no damping or grow"
    )]
    NotStable,
    /// Eigenvectors that are not independent.
    #[error("the eigenvectors of the machine are not independent: it cannot be truncated")]
    Defective,
}

/// Real parts below this part of the largest eigenvalue are no damping.
const UNDAMPED: f64 = 1e-13;

impl StateSpace {
    /// The same with fewer states.
    ///
    /// With `A V = V Λ`, `b = V⁻¹B`, `c = C V` a modal truncation leaves out terms `c_i b_i/(s − λ_i)`, of
    /// which none is larger than `‖c_i‖‖b_i‖/|Re λ_i|`. A balanced one needs the Gramians P and Q of
    /// `AP + PAᵀ + BBᵀ = 0` and `AᵀQ + QA + CᵀC = 0`, here `P = V X Vᴴ`, `X_ij = −b_i b_jᴴ/(λ_i + λ̄_j)` and
    /// likewise Q. With `P = LLᵀ`, `Q = RRᵀ`, `RᵀL = UΣWᵀ` the states are `T = LWΣ^(−½)`, and what is left
    /// out is at most twice the sum of its Hankel singular values Σ (K. Glover, "All optimal Hankel-norm
    /// approximations of linear multivariable systems and their L∞-error bounds", International Journal of
    /// Control 39, 1984; square roots as M. G. Safonov, R. Y. Chiang, IEEE Transactions on Automatic Control
    /// 34, 1989).
    /// Gramians are squares: values below 1e-8 of the largest are rounding.
    ///
    /// # Errors
    /// A machine that has no such truncation.
    pub fn truncated(&self, how: Truncation) -> Result<Truncated, TruncationError> {
        let found = eigen(&self.A).ok_or(TruncationError::Defective)?;
        let V = &found.vectors;
        let complex = |A: &DMatrix<f64>| A.map(|x| Complex::new(x, 0.0));
        let b = V.clone().lu().solve(&complex(&self.B)).ok_or(TruncationError::Defective)?;
        let c = complex(&self.C) * V;
        match how {
            Truncation::Modal(count) => Ok(self.modal_part(&found.values, V, (&b, &c), count)),
            Truncation::Balanced(count) => self.balanced(&found.values, V, (&b, &c), count),
        }
    }

    fn modal_part(
        &self,
        values: &[Complex<f64>],
        V: &DMatrix<Complex<f64>>,
        (b, c): (&DMatrix<Complex<f64>>, &DMatrix<Complex<f64>>),
        count: usize,
    ) -> Truncated {
        let mut order: Vec<usize> = (0..values.len()).filter(|k| values[*k].im >= 0.0).collect();
        order.sort_by(|x, y| values[*x].norm().total_cmp(&values[*y].norm()));
        let states = |k: usize| if values[k].im > 0.0 { 2 } else { 1 };
        let (mut kept, mut n) = (Vec::new(), 0);
        for k in order.iter().copied().take_while(|k| {
            n += states(*k);
            n <= count
        }) {
            kept.push(k);
        }
        let n: usize = kept.iter().map(|k| states(*k)).sum();
        let mut A = DMatrix::zeros(n, n);
        let mut B = DMatrix::zeros(n, self.B.ncols());
        let mut T = DMatrix::zeros(self.A.nrows(), n);
        let mut at = 0;
        for &k in &kept {
            let (s, v, row) = (values[k], V.column(k), b.row(k));
            T.column_mut(at).copy_from(&v.map(|v| v.re));
            A[(at, at)] = s.re;
            B.row_mut(at).copy_from(&row.map(|b| b.re));
            if states(k) == 2 {
                // x = z v + z̄ v̄ is 2 Re z times Re v less 2 Im z times Im v.
                T.column_mut(at + 1).copy_from(&v.map(|v| v.im));
                B.row_mut(at).copy_from(&row.map(|b| 2.0 * b.re));
                B.row_mut(at + 1).copy_from(&row.map(|b| -2.0 * b.im));
                A[(at + 1, at + 1)] = s.re;
                (A[(at, at + 1)], A[(at + 1, at)]) = (s.im, -s.im);
            }
            at += states(k);
        }
        let left = order[kept.len()..].iter().map(|k| {
            let size = b.row(*k).norm() * c.column(*k).norm();
            let damping = values[*k].re.abs();
            if size == 0.0 { 0.0 } else { states(*k) as f64 * size / damping }
        });
        let bound = left.sum();
        Truncated { A, B, C: &self.C * T, D: self.D.clone(), bound, hankel: Vec::new() }
    }

    fn balanced(
        &self,
        values: &[Complex<f64>],
        V: &DMatrix<Complex<f64>>,
        (b, c): (&DMatrix<Complex<f64>>, &DMatrix<Complex<f64>>),
        count: usize,
    ) -> Result<Truncated, TruncationError> {
        let n = values.len();
        let largest = values.iter().map(|s| s.norm()).fold(0.0, f64::max);
        if values.iter().any(|s| s.re > -UNDAMPED * largest) {
            return Err(TruncationError::NotStable);
        }
        let (bb, cc) = (b * b.adjoint(), c.adjoint() * c);
        let X = DMatrix::from_fn(n, n, |i, j| -bb[(i, j)] / (values[i] + values[j].conj()));
        let Y = DMatrix::from_fn(n, n, |i, j| -cc[(i, j)] / (values[i].conj() + values[j]));
        let inverse = V.clone().try_inverse().ok_or(TruncationError::Defective)?;
        let L = root(&(V * X * V.adjoint()));
        let R = root(&(inverse.adjoint() * Y * &inverse));
        let svd = (R.transpose() * &L).svd(true, true);
        let (Some(U), Some(W)) = (svd.u, svd.v_t) else { return Err(TruncationError::Defective) };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|x, y| svd.singular_values[*y].total_cmp(&svd.singular_values[*x]));
        let hankel: Vec<f64> = order.iter().map(|k| svd.singular_values[*k]).collect();
        let r = count.min(hankel.iter().take_while(|s| **s > 0.0).count());
        let scale = |k: usize| hankel[k].sqrt().recip();
        let mut T = &L * W.transpose().select_columns(&order[..r]);
        let mut left = U.select_columns(&order[..r]).transpose() * R.transpose();
        for k in 0..r {
            T.column_mut(k).scale_mut(scale(k));
            left.row_mut(k).scale_mut(scale(k));
        }
        let bound = 2.0 * hankel[r..].iter().sum::<f64>();
        let (A, B, C) = (&left * &self.A * &T, left * &self.B, &self.C * T);
        Ok(Truncated { A, B, C, D: self.D.clone(), bound, hankel })
    }
}

/// L with `LLᵀ = A` of a matrix that is real, symmetric and not negative, but for rounding.
fn root(A: &DMatrix<Complex<f64>>) -> DMatrix<f64> {
    let A = A.map(|x| x.re);
    let SymmetricEigen { mut eigenvectors, eigenvalues } = SymmetricEigen::new((&A + A.transpose()) * 0.5);
    for (mut column, value) in eigenvectors.column_iter_mut().zip(eigenvalues.iter()) {
        column.scale_mut(value.max(0.0).sqrt());
    }
    eigenvectors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system() -> StateSpace {
        // Three modes in series with dampers, and a filter: 7 states, 2 inputs, 2 outputs.
        let n = 7;
        let mut A = DMatrix::zeros(n, n);
        for (k, (omega, ratio)) in [(3.0, 0.05), (20.0, 0.02), (90.0, 0.1)].into_iter().enumerate() {
            let i = 2 * k;
            (A[(i, i + 1)], A[(i + 1, i)], A[(i + 1, i + 1)]) = (omega, -omega, -2.0 * ratio * omega);
        }
        A[(6, 6)] = -50.0;
        (A[(1, 6)], A[(3, 6)], A[(5, 6)], A[(5, 1)], A[(3, 5)]) = (2.0, -3.0, 5.0, 1.0, 2.0);
        let B = DMatrix::from_fn(n, 2, |i, j| if i == 6 { 1.0 } else { ((i + 2 * j) % 3) as f64 - 1.0 });
        let C = DMatrix::from_fn(2, n, |i, j| ((3 * i + j) % 4) as f64 - 1.5);
        StateSpace {
            A,
            B,
            C,
            D: DMatrix::zeros(2, 2),
            states: Vec::new(),
            state_units: Vec::new(),
            columns: vec![(0, 0), (1, 0)],
            column_names: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            shapes: DMatrix::zeros(0, n),
        }
    }

    fn at(s: [&DMatrix<f64>; 4], omega: f64) -> DMatrix<Complex<f64>> {
        let complex = |A: &DMatrix<f64>| A.map(|x| Complex::new(x, 0.0));
        // A pair does not fit into one state.
        if s[0].nrows() == 0 {
            return complex(s[3]);
        }
        let shift = DMatrix::from_diagonal_element(s[0].nrows(), s[0].nrows(), Complex::new(0.0, omega));
        complex(s[2]) * (shift - complex(s[0])).lu().solve(&complex(s[1])).unwrap() + complex(s[3])
    }

    fn worst(full: &StateSpace, less: &Truncated) -> f64 {
        (0..4000)
            .map(|k| 0.01 * 1e6f64.powf(f64::from(k) / 4000.0))
            .map(|omega| {
                let error = at([&full.A, &full.B, &full.C, &full.D], omega)
                    - at([&less.A, &less.B, &less.C, &less.D], omega);
                error.singular_values().max()
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn errors_stay_within_their_bounds() {
        let full = system();
        for count in 1..7 {
            let less = full.truncated(Truncation::Balanced(count)).unwrap();
            assert_eq!((less.A.nrows(), less.hankel.len()), (count, 7));
            let error = worst(&full, &less);
            // No system of this order is nearer than the next Hankel singular value.
            let bounds = less.hankel[count] * (1.0 - 1e-3)..=less.bound * (1.0 + 1e-6);
            assert!(bounds.contains(&error), "{count}: {error} beside {bounds:?}");
            let less = full.truncated(Truncation::Modal(count)).unwrap();
            assert!(less.A.nrows() <= count);
            let error = worst(&full, &less);
            assert!(error <= less.bound * (1.0 + 1e-9) && error > 1e-3 * less.bound, "{count}: {error}");
        }
        let all = full.truncated(Truncation::Modal(7)).unwrap();
        assert!(all.bound == 0.0 && worst(&full, &all) < 1e-10);
    }

    #[test]
    fn a_balanced_truncation_needs_damping() {
        let mut full = system();
        full.A[(1, 1)] = 0.0;
        full.A[(1, 6)] = 0.0;
        assert_eq!(full.truncated(Truncation::Balanced(3)), Err(TruncationError::NotStable));
    }
}
