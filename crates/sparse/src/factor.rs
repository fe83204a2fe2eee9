//! Sparse LDLᵀ of a symmetric matrix: memory limit, pivot check, inertia, blocked solves.

use std::borrow::Borrow;
use std::sync::Arc;

use faer::{Mat, MatMut};
use nalgebra_sparse::CscMatrix;

use crate::frontal;
use crate::memory::{available_memory, release_memory};
use crate::pattern::PermutedLower;
use crate::solve;
use crate::symbolic::Symbolic;
use crate::trapezoid::BLOCK;

/// A pivot this small beside its diagonal entry is rounding error.
const VANISHED: f64 = 1e-13;

/// Backward error below which the signs of pivots mean something: ten digits are far more than they need.
/// Whether a shift lies too close to an eigenvalue for its inertia to mean anything is for the caller to
/// avoid.
const STABLE: f64 = 1e-10;

/// What the matrix is known to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Positive definite (K with enough supports, K − σM with σ < 0): a pivot that is not
    /// clearly positive is an error.
    #[default]
    Definite,
    /// Indefinite (K − σM inside the spectrum): negative pivots are counted, and the
    /// factor must reproduce a known solution, as there is no pivoting.
    Indefinite,
}

/// How to factorise.
#[derive(Clone, Debug)]
pub struct FactorParams {
    /// What the matrix is known to be.
    pub kind: Kind,
    /// Let subtrees run in parallel in the current rayon pool; the bits are the same either way.
    pub parallel: bool,
    /// Bytes it may use; by default what the system says is available.
    pub memory_limit: Option<usize>,
    /// A pivot below this fraction of the diagonal entry it started from is examined.
    pub suspicious_ratio: f64,
    /// Below this ratio of elastic energy to the sum of its absolute terms a matrix with
    /// suspicious pivots is singular: the energy is rounding error.
    pub energy_ratio: f64,
}

impl Default for FactorParams {
    fn default() -> Self {
        Self {
            kind: Kind::Definite,
            parallel: true,
            memory_limit: None,
            suspicious_ratio: 1e-8,
            energy_ratio: 3e-14,
        }
    }
}

/// What the factorisation found.
#[derive(Clone, Copy, Debug)]
pub struct FactorInfo {
    /// Smallest |pivot| / |diagonal entry|.
    pub smallest_pivot_ratio: f64,
    /// Original row of that pivot.
    pub smallest_pivot_row: usize,
    /// Negative pivots: eigenvalues below zero (Sylvester's law of inertia).
    pub negative_pivots: usize,
    /// Bytes of L.
    pub bytes: usize,
}

/// A row whose pivot all but vanished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    /// Original row.
    pub row: usize,
    /// Pivot / diagonal entry.
    pub pivot_ratio: f64,
}

/// Why there is no factor.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FactorError {
    /// L and its workspace do not fit the memory.
    #[error("the factor needs {needed} bytes and {limit} are available")]
    TooLarge {
        /// Bytes needed.
        needed: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The matrix is singular to working precision.
    #[error("singular matrix: the pivot of row {row} is {pivot_ratio:.1e} of its diagonal entry")]
    Singular {
        /// Original row of the worst pivot.
        row: usize,
        /// Its pivot / diagonal entry.
        pivot_ratio: f64,
        /// All rows with a suspicious pivot, worst first.
        suspects: Vec<Suspect>,
        /// Rows that move most in the motion that costs no energy, largest first (at most 12).
        moving_rows: Vec<usize>,
    },
    /// A clearly negative pivot in a matrix that should be definite.
    #[error(
        "the matrix is not positive definite: the pivot of row {row} is {pivot_ratio:.1e} of its diagonal entry"
    )]
    NotDefinite {
        /// Original row of the most negative pivot ratio.
        row: usize,
        /// Its pivot / diagonal entry.
        pivot_ratio: f64,
    },
    /// An entry of the matrix is NaN or infinite.
    #[error("row {row}, column {column} of the matrix is not a finite number")]
    NotFinite {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// Without pivoting, an indefinite matrix gave a factor that does not solve its own equations.
    #[error("unstable factorisation: backward error {backward_error:.1e}")]
    Unstable {
        /// ‖Ax − b‖∞ / (‖A‖∞‖x‖∞ + ‖b‖∞).
        backward_error: f64,
    },
}

/// The signs of the pivots of an indefinite matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Negative pivots: eigenvalues below zero (Sylvester's law of inertia).
    pub negative: usize,
    /// Smallest |pivot| / |diagonal entry|.
    pub smallest_pivot_ratio: f64,
}

/// Counts the negative eigenvalues of a symmetric matrix, given by its lower triangle, without keeping its
/// factor: the memory is that of the fronts alone.
///
/// There is no pivoting and no L to try a solution with. What is computed is the exact factor of A + E with
/// |E| ≤ c·ε·|L||D||Lᵀ| (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., §11.1),
/// whose entries are bounded by its diagonal: the growth of that diagonal beyond the one of A bounds the
/// backward error.
///
/// # Errors
/// See [`FactorError`]; rows are those of `A`.
///
/// # Panics
/// When an entry of `A` lies outside the pattern that `symbolic` was made for.
pub fn inertia(A: CscMatrix<f64>, symbolic: &Symbolic, parallel: bool) -> Result<Inertia, FactorError> {
    assert_eq!(A.ncols(), symbolic.order().len(), "the analysis is of another matrix");
    if let Some((row, column, _)) = A.triplet_iter().find(|(_, _, value)| !value.is_finite()) {
        return Err(FactorError::NotFinite { row, column });
    }
    let permuted = PermutedLower::new(&A, symbolic.position());
    drop(A);
    let tally = frontal::pivots(symbolic, &permuted, parallel);
    let mut found = Inertia { negative: 0, smallest_pivot_ratio: f64::INFINITY };
    let mut growth = 1.0_f64;
    for (((_, pivot), size), diagonal) in tally.pivots.iter().zip(&tally.sizes).zip(permuted.diagonal()) {
        found.negative += usize::from(*pivot < 0.0);
        let part = |value: f64| if diagonal == 0.0 { 0.0 } else { value / diagonal.abs() };
        let ratio = part(pivot.abs());
        if ratio.is_nan() || ratio < found.smallest_pivot_ratio {
            found.smallest_pivot_ratio = ratio;
        }
        let grown = part(*size);
        growth = if grown.is_nan() { f64::NAN } else { growth.max(grown) };
    }
    let backward_error = f64::EPSILON * growth;
    if backward_error < STABLE { Ok(found) } else { Err(FactorError::Unstable { backward_error }) }
}

/// A sparse factor PAPᵀ = LDLᵀ.
#[derive(Debug)]
pub struct Factor {
    symbolic: Arc<Symbolic>,
    values: Vec<f64>,
    parallel: bool,
    info: FactorInfo,
}

impl Factor {
    /// Factorises a symmetric matrix given by its lower triangle. One that is passed by value is
    /// freed before L is computed.
    ///
    /// # Errors
    /// See [`FactorError`]; rows are those of `A`.
    ///
    /// # Panics
    /// When an entry of `A` lies outside the pattern that `symbolic` was made for.
    pub fn new(
        A: impl Borrow<CscMatrix<f64>>,
        symbolic: Arc<Symbolic>,
        params: &FactorParams,
    ) -> Result<Self, FactorError> {
        Self::reusing(Vec::new(), A, symbolic, params)
    }

    /// As [`Factor::new`], in the memory of a factor that is no longer needed.
    ///
    /// # Errors
    /// See [`FactorError`].
    pub fn replace(self, A: impl Borrow<CscMatrix<f64>>, params: &FactorParams) -> Result<Self, FactorError> {
        Self::reusing(self.values, A, self.symbolic, params)
    }

    fn reusing(
        mut values: Vec<f64>,
        owner: impl Borrow<CscMatrix<f64>>,
        symbolic: Arc<Symbolic>,
        params: &FactorParams,
    ) -> Result<Self, FactorError> {
        let A: &CscMatrix<f64> = owner.borrow();
        assert_eq!(A.ncols(), symbolic.order().len(), "the analysis is of another matrix");
        if let Some((row, column, _)) = A.triplet_iter().find(|(_, _, value)| !value.is_finite()) {
            return Err(FactorError::NotFinite { row, column });
        }
        let threads = if params.parallel { rayon::current_num_threads() } else { 1 };
        let needed = symbolic.bytes(threads, A.nnz()).saturating_sub(8 * values.len());
        let limit = params.memory_limit.unwrap_or_else(available_memory);
        if needed > limit {
            return Err(FactorError::TooLarge { needed, limit });
        }
        let A = PermutedLower::new(A, symbolic.position());
        drop(owner);
        release_memory();
        if values.len() != symbolic.info().stored_values {
            values = vec![0.0; symbolic.info().stored_values];
        }
        frontal::factorise(&symbolic, &A, &mut values, params.parallel);
        release_memory();
        let info = FactorInfo {
            smallest_pivot_ratio: f64::INFINITY,
            smallest_pivot_row: 0,
            negative_pivots: 0,
            bytes: 8 * values.len(),
        };
        let mut factor = Self { symbolic, values, parallel: params.parallel, info };
        factor.examine(&A, params)?;
        Ok(factor)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.symbolic.order().len()
    }

    /// The symbolic analysis, to be shared with other matrices of the same pattern.
    #[must_use]
    pub fn symbolic(&self) -> &Arc<Symbolic> {
        &self.symbolic
    }

    /// What the factorisation found.
    #[must_use]
    pub fn info(&self) -> &FactorInfo {
        &self.info
    }

    /// The number of negative pivots. For A = K − σM with K and M positive semi-definite and
    /// σ > 0 this is the number of eigenvalues λ < σ of Kφ = λMφ.
    #[must_use]
    pub fn inertia(&self) -> usize {
        self.info.negative_pivots
    }

    /// Solves AX = B in place, B with any number of columns.
    ///
    /// # Panics
    /// When B has another number of rows than A.
    pub fn solve_in_place(&self, B: MatMut<'_, f64>) {
        solve::solve_in_place(&self.symbolic, &self.values, B, self.parallel);
    }

    /// Pivots in elimination order.
    fn pivots(&self) -> Vec<f64> {
        let mut pivots = Vec::with_capacity(self.rows());
        let mut start = 0;
        for node in self.symbolic.supernodes() {
            let panel = node.panel();
            for k in 0..node.width {
                pivots.push(self.values[start + panel.column_offset(k) + k % BLOCK]);
            }
            start += panel.len();
        }
        pivots
    }

    /// Looks at the pivots and, when they are suspicious or no sign is promised, at a solution.
    fn examine(&mut self, A: &PermutedLower, params: &FactorParams) -> Result<(), FactorError> {
        let mut suspects: Vec<Suspect> = Vec::new();
        let pivots = self.pivots();
        for ((&row, pivot), diagonal) in self.symbolic.order().iter().zip(pivots).zip(A.diagonal()) {
            let pivot_ratio = if diagonal == 0.0 { 0.0 } else { pivot / diagonal.abs() };
            self.info.negative_pivots += usize::from(pivot < 0.0);
            if pivot_ratio.is_nan() || pivot_ratio.abs() < self.info.smallest_pivot_ratio {
                self.info.smallest_pivot_ratio = pivot_ratio.abs();
                self.info.smallest_pivot_row = row;
            }
            if pivot_ratio.is_nan() || pivot_ratio < params.suspicious_ratio {
                suspects.push(Suspect { row, pivot_ratio });
            }
        }
        match params.kind {
            Kind::Definite if suspects.is_empty() => Ok(()),
            Kind::Definite => self.examine_definite(A, suspects, params),
            Kind::Indefinite => self.examine_indefinite(A),
        }
    }

    /// The solution for a rough right-hand side, and that side, in elimination order.
    fn rough_solution(&self) -> (Vec<f64>, Vec<f64>) {
        let mut x = Mat::from_fn(self.rows(), 1, |i, _| solve::rough(i));
        self.solve_in_place(x.as_mut());
        let order = self.symbolic.order();
        order.iter().map(|&row| (x[(row, 0)], solve::rough(row))).unzip()
    }

    fn examine_definite(
        &self,
        A: &PermutedLower,
        mut suspects: Vec<Suspect>,
        params: &FactorParams,
    ) -> Result<(), FactorError> {
        let ratio = |a: &Suspect| a.pivot_ratio;
        // Suspects come in elimination order. What follows a pivot that vanished is divided by rounding error
        // and may have any sign: only a negative pivot before it says anything.
        let vanished = suspects.iter().position(|a| ratio(a).is_nan() || ratio(a).abs() <= VANISHED);
        let negative = suspects.iter().position(|a| ratio(a) < -params.suspicious_ratio);
        let is_indefinite = negative.is_some_and(|at| vanished.is_none_or(|first| at < first));
        suspects.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let lowest = suspects[0];
        if is_indefinite {
            return Err(FactorError::NotDefinite { row: lowest.row, pivot_ratio: lowest.pivot_ratio });
        }
        // One step of inverse iteration from a rough vector shows the softest motion. Its energy
        // tells a slender structure (small but clean) from a mechanism (rounding error).
        let (x, _) = self.rough_solution();
        let scale = largest(&x);
        let (mut energy, mut absolute) = (0.0, 0.0);
        for (i, j, value) in A.entries() {
            let term = value * (x[i] / scale) * (x[j] / scale) * if i == j { 1.0 } else { 2.0 };
            energy += term;
            absolute += term.abs();
        }
        if scale.is_finite() && energy > params.energy_ratio * absolute && lowest.pivot_ratio > 0.0 {
            return Ok(());
        }
        suspects.sort_by(|a, b| ratio(a).abs().total_cmp(&ratio(b).abs()));
        let Suspect { row, pivot_ratio } = suspects[0];
        let mut moving: Vec<usize> = (0..x.len()).collect();
        moving.sort_by(|&a, &b| x[b].abs().total_cmp(&x[a].abs()));
        let moving_rows = moving.into_iter().take(12).map(|k| self.symbolic.order()[k]).collect();
        Err(FactorError::Singular { row, pivot_ratio, suspects, moving_rows })
    }

    fn examine_indefinite(&self, A: &PermutedLower) -> Result<(), FactorError> {
        let (x, b) = self.rough_solution();
        let mut residual = b.clone();
        let mut sums = vec![0.0; b.len()];
        for (i, j, value) in A.entries() {
            residual[i] -= value * x[j];
            sums[i] += value.abs();
            if i != j {
                residual[j] -= value * x[i];
                sums[j] += value.abs();
            }
        }
        let backward_error = largest(&residual) / (largest(&sums) * largest(&x) + largest(&b));
        if backward_error < STABLE { Ok(()) } else { Err(FactorError::Unstable { backward_error }) }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) })
}
