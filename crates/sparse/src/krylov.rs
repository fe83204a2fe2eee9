//! A block Krylov space of the shift-inverted operator, orthonormal in the mass inner product.
//!
//! ```text
//! OP = (K − σM)⁻¹M ,   OP·Q = QH + Q₊T eᵀ ,   QᵀMQ = I
//! ```
//!
//! OP is self-adjoint in the (semi-)inner product xᵀMy, so H is symmetric and its eigenvalues
//! θ = 1/(λ − σ) approximate those of Kφ = λMφ nearest the shift first. By the same symmetry OP·Q_j of a
//! block has parts along the block itself and along those whose image had parts along it alone, and the
//! latter are known. They are taken out, and what is left is measured against the entire basis and made
//! orthogonal to it where it is not to half of all digits, which is enough for H to have them all (Simon,
//! Math. Comp. 42, 1984). Only Q is kept: a product with M costs less than the memory of MQ. When the basis
//! is full it is compressed to its best Ritz vectors (thick restart: Wu & Simon, SIAM J. Matrix Anal. Appl.
//! 22, 2000).

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

use crate::dense::{
    DenseEigen, DenseError, add_product, multiply_in_place, product, symmetric_eigen, symmetrised_mean,
};
use crate::factor::Factor;
use crate::product::Operator;
use crate::solve::rough;

/// A block whose length falls to this fraction of the operator's norm is rounding error.
const NEGLIGIBLE: f64 = 1e-13;

/// A block of unit vectors with parts no larger than this along the basis is orthogonal to it: below half of
/// all digits, so that the next block starts from less than that.
const ORTHOGONAL: f64 = 1e-10;

/// Ritz values and what the recurrence says about their residuals.
pub(crate) struct Ritz {
    /// θ and eigenvectors of H.
    pub(crate) H: DenseEigen,
    /// ‖OPx − θx‖_M / |θ| by the recurrence.
    pub(crate) residual: Vec<f64>,
}

pub(crate) struct Krylov<'a> {
    factor: &'a Factor,
    M: &'a dyn Operator,
    /// Basis, column by column. It has room for `width` of them, and memory is touched for those that are
    /// there.
    Q: Vec<f64>,
    width: usize,
    /// M times the block to expand next.
    M_block: Mat<f64>,
    H: Mat<f64>,
    /// Columns to which OP has been applied.
    applied: usize,
    /// Columns in use; `applied..filled` is the block to expand next.
    filled: usize,
    /// Coupling of the next block to the last columns that were applied: to as many as this has.
    tail: Mat<f64>,
    block: usize,
    seed: usize,
    /// Largest |θ| seen, a measure of ‖OP‖.
    norm: f64,
    pub(crate) solves: usize,
}

impl<'a> Krylov<'a> {
    /// Starts with known eigenvectors (none, or those found with another shift), which the
    /// space is kept orthogonal to.
    pub(crate) fn new(
        factor: &'a Factor,
        M: &'a dyn Operator,
        known: (MatRef<'_, f64>, &[f64]),
        block: usize,
        capacity: usize,
    ) -> Self {
        let n = factor.rows();
        let (X, theta) = known;
        let width = (capacity + 2 * block).max(theta.len() + 2 * block);
        let mut Q = Vec::with_capacity(n * width);
        (0..theta.len()).for_each(|k| Q.extend(X.col(k).iter()));
        let mut this = Self {
            factor,
            M,
            Q,
            width,
            M_block: Mat::new(),
            H: Mat::zeros(width, width),
            applied: theta.len(),
            filled: theta.len(),
            tail: Mat::zeros(0, 0),
            block,
            seed: 0,
            norm: 0.0,
            solves: 0,
        };
        for (k, &value) in theta.iter().enumerate() {
            this.H[(k, k)] = value;
            this.norm = this.norm.max(value.abs());
        }
        this
    }

    /// Columns that hold the space.
    pub(crate) fn size(&self) -> usize {
        self.applied
    }

    /// Columns of a block.
    pub(crate) fn block(&self) -> usize {
        self.block
    }

    /// Whether another block still fits.
    pub(crate) fn is_full(&self) -> bool {
        self.filled + 2 * self.block > self.width
    }

    /// Applies OP to the current block. False when the space is exhausted: it holds every
    /// eigenvector with a finite eigenvalue.
    pub(crate) fn expand(&mut self) -> bool {
        if self.applied == self.filled && !self.start() {
            return false;
        }
        let (from, width) = (self.applied, self.filled - self.applied);
        let M_block = std::mem::replace(&mut self.M_block, Mat::new());
        let mut W = M_block.clone();
        self.factor.solve_in_place(W.as_mut());
        self.solves += width;
        // OP·Q_j along the columns whose images have parts along Q_j, and along Q_j.
        let first = from - self.tail.ncols();
        let mut C = Mat::zeros(self.filled, width);
        C.as_mut().subrows_mut(first, from - first).copy_from(self.tail.transpose());
        C.as_mut().subrows_mut(from, width).copy_from(product(M_block.transpose(), W.as_ref()));
        drop(M_block);
        let near = self.vectors(self.filled).subcols(first, self.filled - first);
        add_product(W.as_mut(), near, C.as_ref().subrows(first, self.filled - first), -1.0);
        let T = self.append(W, &mut C);
        for k in 0..width {
            for i in 0..self.applied + width {
                self.H[(i, from + k)] = C[(i, k)];
                self.H[(from + k, i)] = C[(i, k)];
            }
            self.norm = self.norm.max(C[(from + k, k)].abs());
        }
        self.applied += width;
        self.tail = T;
        true
    }

    /// A fresh block from rough vectors.
    fn start(&mut self) -> bool {
        // A rough block may lie in the space by chance; that two do is no chance.
        (0..2).any(|_| {
            self.append_rough();
            self.tail = Mat::zeros(self.filled - self.applied, 0);
            self.filled > self.applied
        })
    }

    /// Widens the block to expand next to twice as many vectors by rough ones: OP·Q has no part along them. A
    /// block finds an eigenvalue as many times as it has vectors, however often there is one. The space gets
    /// room for `capacity` columns.
    pub(crate) fn widen(&mut self, capacity: usize) {
        let (old, before) = (std::mem::replace(&mut self.M_block, Mat::new()), self.filled);
        self.append_rough();
        let new = std::mem::replace(&mut self.M_block, Mat::new());
        let pending = old.ncols();
        self.M_block = Mat::from_fn(new.nrows(), pending + new.ncols(), |i, k| {
            if k < pending { old[(i, k)] } else { new[(i, k - pending)] }
        });
        self.tail.resize_with(pending + self.filled - before, self.tail.ncols(), |_, _| 0.0);
        self.block *= 2;
        self.width = self.width.max(capacity + 2 * self.block).max(self.filled + 2 * self.block);
        self.H.resize_with(self.width, self.width, |_, _| 0.0);
    }

    /// Appends rough vectors that are put through OP once to take out what has no mass.
    fn append_rough(&mut self) {
        let n = self.factor.rows();
        let seed = self.seed;
        self.seed += n * self.block;
        let R = Mat::from_fn(n, self.block, |i, j| rough(seed + j * n + i));
        let mut Z = Mat::zeros(n, self.block);
        self.M.multiply(R.as_ref(), Z.as_mut());
        let mut W = Z.clone();
        self.factor.solve_in_place(W.as_mut());
        self.solves += self.block;
        let before = length(R.as_ref(), Z.as_ref());
        self.M.multiply(W.as_ref(), Z.as_mut());
        let after = length(W.as_ref(), Z.as_ref());
        if self.norm == 0.0 && before > 0.0 {
            // ‖OP r‖_M / ‖r‖_M bounds ‖OP‖ from below.
            self.norm = after / before;
        }
        if after > 0.0 {
            let factor = self.norm / after;
            for A in [&mut W, &mut Z] {
                *A *= faer::Scale(factor);
            }
        }
        let Q = self.vectors(self.filled);
        let mut C = product(Q.transpose(), Z.as_ref());
        add_product(W.as_mut(), Q, C.as_ref(), -1.0);
        drop((R, Z));
        self.append(W, &mut C);
    }

    /// Splits W = QC′ + Q₊T and appends Q₊, which has fewer columns than W when W has less rank. Adds C′,
    /// what an earlier split left along Q, to C.
    fn append(&mut self, mut W: Mat<f64>, C: &mut Mat<f64>) -> Mat<f64> {
        let mut Z = Mat::zeros(W.nrows(), W.ncols());
        self.M.multiply(W.as_ref(), Z.as_mut());
        let Q = self.vectors(self.filled);
        let mut T = orthonormalise(&mut W, &mut Z, NEGLIGIBLE * self.norm);
        let left = product(Q.transpose(), Z.as_ref());
        if left.norm_max() > ORTHOGONAL {
            add_product(W.as_mut(), Q, left.as_ref(), -1.0);
            matmul(C.as_mut(), Accum::Add, left.as_ref(), T.as_ref(), 1.0, Par::Seq);
            self.M.multiply(W.as_ref(), Z.as_mut());
            let T_2 = orthonormalise(&mut W, &mut Z, 1e-3);
            T = product(T_2.as_ref(), T.as_ref());
        }
        let rank = W.ncols();
        (0..rank).for_each(|k| self.Q.extend(W.col(k).iter()));
        self.M_block = Z;
        self.filled += rank;
        T
    }

    /// Eigenvalues of H with the residuals that the recurrence predicts.
    pub(crate) fn ritz(&self) -> Result<Ritz, DenseError> {
        let m = self.applied;
        let H = symmetric_eigen(symmetrised_mean(self.H.submatrix(0, 0, m, m)).as_ref())?;
        let last = self.tail.ncols();
        let mut residual = vec![0.0; m];
        if self.tail.nrows() > 0 {
            let S = product(self.tail.as_ref(), H.Phi.submatrix(m - last, 0, last, m));
            for (k, value) in residual.iter_mut().enumerate() {
                *value = S.col(k).norm_l2() / H.lambda[k].abs();
            }
        }
        Ok(Ritz { H, residual })
    }

    /// The first vectors of the space: after a restart, the Ritz vectors that were kept.
    pub(crate) fn vectors(&self, count: usize) -> MatRef<'_, f64> {
        let n = self.factor.rows();
        MatRef::from_column_major_slice(&self.Q[..n * count], n, count)
    }

    /// Gives back the memory for columns that are not there.
    pub(crate) fn give_back(&mut self) {
        self.Q.shrink_to_fit();
    }

    /// Compresses the space to the given Ritz vectors and the block to expand next.
    pub(crate) fn restart(&mut self, ritz: &Ritz, keep: &[usize]) {
        let (m, kept, next) = (self.applied, keep.len(), self.filled - self.applied);
        let Y = Mat::from_fn(m, kept, |i, k| ritz.H.Phi[(i, keep[k])]);
        let n = self.factor.rows();
        let space = MatMut::from_column_major_slice_mut(&mut self.Q[..n * m], n, m);
        multiply_in_place(space, Y.as_ref());
        self.Q.copy_within(n * m..n * (m + next), n * kept);
        self.H.fill(0.0);
        for (k, &index) in keep.iter().enumerate() {
            self.H[(k, k)] = ritz.H.lambda[index];
        }
        self.applied = kept;
        self.filled = kept + next;
        self.Q.truncate(n * self.filled);
        let last = self.tail.ncols();
        self.tail = product(self.tail.as_ref(), Y.as_ref().subrows(m - last, last));
    }
}

/// ‖X‖_M of all columns together, where Z = MX.
fn length(X: MatRef<'_, f64>, Z: MatRef<'_, f64>) -> f64 {
    let sum: f64 = (0..X.ncols()).map(|j| dot(X, j, Z, j)).sum();
    sum.max(0.0).sqrt()
}

fn dot(A: MatRef<'_, f64>, i: usize, B: MatRef<'_, f64>, j: usize) -> f64 {
    let mut result = [[0.0]];
    let out = MatMut::from_row_major_array_mut(&mut result);
    matmul(out, Accum::Replace, A.subcols(i, 1).transpose(), B.subcols(j, 1), 1.0, Par::Seq);
    result[0][0]
}

/// Makes the columns of W orthonormal in the inner product of M, where Z = MW follows along: W_old = W_new·T.
/// Columns shorter than `negligible` are dropped. Modified Gram–Schmidt, longest column first.
fn orthonormalise(W: &mut Mat<f64>, Z: &mut Mat<f64>, negligible: f64) -> Mat<f64> {
    let width = W.ncols();
    let mut T = Mat::<f64>::zeros(width, width);
    let mut left: Vec<usize> = (0..width).collect();
    let mut done: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let lengths: Vec<f64> =
            left.iter().map(|&j| dot(W.as_ref(), j, Z.as_ref(), j).max(0.0).sqrt()).collect();
        let best = (1..left.len()).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best });
        if lengths[best].is_nan() || lengths[best] <= negligible {
            break;
        }
        let pivot = left.remove(best);
        let row = done.len();
        T[(row, pivot)] = lengths[best];
        for A in [&mut *W, &mut *Z] {
            A.col_mut(pivot).iter_mut().for_each(|x| *x /= lengths[best]);
        }
        for &j in &left {
            let coefficient = dot(Z.as_ref(), pivot, W.as_ref(), j);
            T[(row, j)] = coefficient;
            for A in [&mut *W, &mut *Z] {
                let source = A.col(pivot).to_owned();
                A.col_mut(j).iter_mut().zip(source.iter()).for_each(|(x, s)| *x -= coefficient * s);
            }
        }
        done.push(pivot);
    }
    for A in [W, Z] {
        *A = Mat::from_fn(A.nrows(), done.len(), |i, k| A[(i, done[k])]);
    }
    T.submatrix(0, 0, done.len(), width).to_owned()
}
