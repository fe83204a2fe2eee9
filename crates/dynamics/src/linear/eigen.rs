//! Dense eigenproblems of small vibration.

use nalgebra::{Cholesky, ColPivQR, DMatrix, SymmetricEigen};

/// A row that differs from the others by less than this part says nothing new.
const INDEPENDENT: f64 = 1e-7;

/// Squares of angular frequencies, ascending, and shapes with φᵀMφ = 1.
#[derive(Clone, Debug)]
pub(crate) struct SymmetricModes {
    pub(crate) squares: Vec<f64>,
    pub(crate) shapes: DMatrix<f64>,
}

fn half(A: &DMatrix<f64>) -> DMatrix<f64> {
    (A + A.transpose()) * 0.5
}

/// `K φ = ω² M φ` by the Cholesky factor of M; `None` when M is not positive definite.
pub(crate) fn symmetric_modes(M: &DMatrix<f64>, K: &DMatrix<f64>) -> Option<SymmetricModes> {
    if M.nrows() == 0 {
        return Some(SymmetricModes { squares: Vec::new(), shapes: DMatrix::zeros(0, 0) });
    }
    let L = Cholesky::new(half(M))?.l();
    let A = L.solve_lower_triangular(&half(K))?;
    let A = L.solve_lower_triangular(&A.transpose())?;
    let eigen = SymmetricEigen::new(half(&A));
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let sorted = DMatrix::from_fn(L.nrows(), order.len(), |i, j| eigen.eigenvectors[(i, order[j])]);
    let shapes = L.tr_solve_lower_triangular(&sorted)?;
    Some(SymmetricModes { squares: order.iter().map(|k| eigen.eigenvalues[*k]).collect(), shapes })
}

/// An orthonormal basis of the null space of G, whose rank is known: the last columns of Q where `Gᵀ P = Q
/// R`.
pub(crate) fn null_space(G: &DMatrix<f64>, rank: usize) -> DMatrix<f64> {
    let n = G.ncols();
    if rank == 0 || n == 0 {
        return DMatrix::identity(n, n);
    }
    let Q = pivoted(G).q();
    Q.columns(rank, n - rank).into_owned()
}

/// The same, with the rank that the rows of G have, each taken by its direction.
pub(crate) fn null_space_of(G: &DMatrix<f64>) -> DMatrix<f64> {
    if G.nrows() == 0 || G.ncols() == 0 {
        return DMatrix::identity(G.ncols(), G.ncols());
    }
    let mut rows = G.clone();
    rows.row_iter_mut().for_each(|mut row| {
        let size = row.norm();
        if size > 0.0 {
            row /= size;
        }
    });
    let R = pivoted(&rows).r();
    let rank = (0..R.nrows().min(R.ncols())).take_while(|k| R[(*k, *k)].abs() > INDEPENDENT).count();
    null_space(&rows, rank)
}

/// Columns of zeros make Q square.
fn pivoted(G: &DMatrix<f64>) -> ColPivQR<f64, nalgebra::Dyn, nalgebra::Dyn> {
    let n = G.ncols();
    let mut wide = DMatrix::zeros(n, n.max(G.nrows()));
    wide.columns_mut(0, G.nrows()).copy_from(&G.transpose());
    ColPivQR::new(wide)
}
