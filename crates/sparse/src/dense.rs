//! Dense symmetric eigenproblems, on one thread so that the bits do not depend on the pool.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// Eigenvalues, ascending, and eigenvectors by column.
#[derive(Clone, Debug)]
pub struct DenseEigen {
    /// Eigenvalues, ascending.
    pub lambda: Vec<f64>,
    /// Eigenvectors, one per column, in the order of the eigenvalues.
    pub Phi: Mat<f64>,
}

/// Why a dense eigenproblem has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DenseError {
    /// M is not positive definite (or not semi-definite where that is enough).
    #[error("the mass matrix is not positive: row {row}")]
    NotPositive {
        /// Row where it showed.
        row: usize,
    },
    /// A motion has neither stiffness nor mass.
    #[error("a motion without mass has no stiffness either")]
    MasslessMechanism,
    /// The iteration inside the dense solver failed, which only NaN or infinity can cause.
    #[error("the dense eigenvalue iteration did not converge: entries that are not finite")]
    NotFinite,
}

/// Rows of a tall matrix multiplied at a time: a dense product packs a copy of what it is given, which for a
/// entire basis would be as large as the basis.
const ROWS: usize = 2048;

/// AB for dense matrices, on one thread whatever the pool: the bits do not depend on it.
#[must_use]
pub fn product(A: MatRef<'_, f64>, B: MatRef<'_, f64>) -> Mat<f64> {
    let mut C = Mat::zeros(A.nrows(), B.ncols());
    add_product(C.as_mut(), A, B, 1.0);
    C
}

/// C ← C + factor·AB, as [`product`].
pub fn add_product(mut C: MatMut<'_, f64>, A: MatRef<'_, f64>, B: MatRef<'_, f64>, factor: f64) {
    for first in (0..A.nrows()).step_by(ROWS) {
        let rows = ROWS.min(A.nrows() - first);
        let target = C.as_mut().subrows_mut(first, rows);
        matmul(target, Accum::Add, A.subrows(first, rows), B, factor, Par::Seq);
    }
}

/// The first columns of A become AB; B has no more columns than rows.
pub(crate) fn multiply_in_place(mut A: MatMut<'_, f64>, B: MatRef<'_, f64>) {
    for first in (0..A.nrows()).step_by(ROWS) {
        let rows = ROWS.min(A.nrows() - first);
        let changed = product(A.as_ref().subrows(first, rows), B);
        A.as_mut().submatrix_mut(first, 0, rows, B.ncols()).copy_from(&changed);
    }
}

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix (its lower triangle is read).
///
/// The matrix is brought to entries of order 1 by a power of two, which changes no bit of the answer:
/// thresholds in faer's divide-and-conquer method (0.24) are absolute, and of flexibilities around 1e-9 it
/// finds repeated eigenvalues to four digits only.
///
/// # Errors
/// [`DenseError::NotFinite`].
pub fn symmetric_eigen(A: MatRef<'_, f64>) -> Result<DenseEigen, DenseError> {
    let n = A.nrows();
    let lower = (0..n).flat_map(|j| A.col(j).subrows(j, n - j).iter());
    let largest = lower.fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let unit =
        if largest > 0.0 { 2.0_f64.powi(largest.log2().floor().clamp(-1000.0, 1000.0) as i32) } else { 1.0 };
    let A = A * faer::Scale(1.0 / unit);
    let mut values = faer::diag::Diag::zeros(n);
    let mut Phi = Mat::zeros(n, n);
    let request = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(request);
    let stack = MemStack::new(&mut memory);
    self_adjoint_evd(A.as_ref(), values.as_mut(), Some(Phi.as_mut()), Par::Seq, stack, Default::default())
        .map_err(|_| DenseError::NotFinite)?;
    let lambda: Vec<f64> = values.column_vector().iter().map(|value| value * unit).collect();
    if lambda.iter().any(|value| !value.is_finite()) {
        return Err(DenseError::NotFinite);
    }
    Ok(DenseEigen { lambda, Phi })
}

/// The Cholesky factor C of a symmetric positive definite matrix, A = CCᵀ.
fn cholesky(A: MatRef<'_, f64>) -> Result<Mat<f64>, usize> {
    let n = A.nrows();
    let mut C = A.to_owned();
    let mut memory = MemBuffer::new(llt::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    llt::cholesky_in_place(C.as_mut(), Default::default(), Par::Seq, stack, Default::default())
        .map_err(|llt::LltError::NonPositivePivot { index }| index)?;
    // A pivot that lost 14 digits against its diagonal entry is rounding error.
    match (0..n).find(|&k| C[(k, k)].powi(2) <= 1e-14 * A[(k, k)]) {
        Some(row) => Err(row),
        None => Ok(C),
    }
}

/// Kφ = λMφ for symmetric K and symmetric positive definite M: λ ascending, ΦᵀMΦ = I, the largest
/// component of each vector positive.
///
/// M = CCᵀ, then the eigenvalues of C⁻¹KC⁻ᵀ (Golub & Van Loan, *Matrix Computations*, 4th ed., §8.7).
///
/// # Errors
/// [`DenseError::NotPositive`] when M is not positive definite.
pub fn generalised_eigen(K: MatRef<'_, f64>, M: MatRef<'_, f64>) -> Result<DenseEigen, DenseError> {
    let C = cholesky(M).map_err(|row| DenseError::NotPositive { row })?;
    let mut A = symmetrised(K);
    solve_lower_triangular_in_place(C.as_ref(), A.as_mut(), Par::Seq);
    let mut A = A.transpose().to_owned();
    solve_lower_triangular_in_place(C.as_ref(), A.as_mut(), Par::Seq);
    let DenseEigen { lambda, mut Phi } = symmetric_eigen(symmetrised_mean(A.as_ref()).as_ref())?;
    solve_upper_triangular_in_place(C.transpose(), Phi.as_mut(), Par::Seq);
    fix_signs(&mut Phi);
    Ok(DenseEigen { lambda, Phi })
}

/// As [`generalised_eigen`] for positive semi-definite M: only the finite eigenvalues, as many as
/// the rank of M. Motions without mass follow statically.
///
/// With V = [V_r V_n] the eigenvectors of the scaled M and K partitioned by them,
/// x_n = −K_nn⁻¹K_nr x_r and (K_rr − K_rn K_nn⁻¹ K_nr) x_r = λ M_r x_r.
///
/// # Errors
/// [`DenseError::NotPositive`] when M has a negative eigenvalue, [`DenseError::MasslessMechanism`]
/// when K_nn is singular.
pub fn generalised_eigen_semidefinite(
    K: MatRef<'_, f64>,
    M: MatRef<'_, f64>,
) -> Result<DenseEigen, DenseError> {
    let n = K.nrows();
    if let Ok(full) = generalised_eigen(K, M) {
        return Ok(full);
    }
    // Rows in different units (length, angle) are brought to one scale before a rank is judged.
    let scale: Vec<f64> = (0..n)
        .map(|i| match (M[(i, i)], K[(i, i)]) {
            (m, _) if m > 0.0 => 1.0 / m.sqrt(),
            (_, k) if k > 0.0 => 1.0 / k.sqrt(),
            _ => 1.0,
        })
        .collect();
    let scaled = |A: MatRef<'_, f64>| {
        Mat::from_fn(n, n, |i, j| scale[i] * scale[j] * if i >= j { A[(i, j)] } else { A[(j, i)] })
    };
    let mass = symmetric_eigen(scaled(M).as_ref())?;
    let largest = mass.lambda.last().copied().unwrap_or(0.0).max(0.0);
    let negligible = 1e-12 * largest;
    if mass.lambda.first().is_some_and(|&least| least < -negligible) {
        let row = (0..n).max_by(|&a, &b| mass.Phi[(a, 0)].abs().total_cmp(&mass.Phi[(b, 0)].abs()));
        return Err(DenseError::NotPositive { row: row.unwrap_or(0) });
    }
    let empty = mass.lambda.iter().filter(|&&m| m <= negligible).count();
    let V = mass.Phi;
    let K_v = product(V.transpose(), product(scaled(K).as_ref(), V.as_ref()).as_ref());
    let (K_nn, K_nr) = (K_v.submatrix(0, 0, empty, empty), K_v.submatrix(0, empty, empty, n - empty));
    let mut C = K_nr.to_owned();
    if empty > 0 {
        let factor = cholesky(K_nn).map_err(|_| DenseError::MasslessMechanism)?;
        solve_lower_triangular_in_place(factor.as_ref(), C.as_mut(), Par::Seq);
        solve_upper_triangular_in_place(factor.transpose(), C.as_mut(), Par::Seq);
    }
    let mut A = K_v.submatrix(empty, empty, n - empty, n - empty).to_owned();
    matmul(A.as_mut(), Accum::Add, K_nr.transpose(), C.as_ref(), -1.0, Par::Seq);
    let root: Vec<f64> = mass.lambda[empty..].iter().map(|m| 1.0 / m.sqrt()).collect();
    let A = Mat::from_fn(n - empty, n - empty, |i, j| root[i] * root[j] * 0.5 * (A[(i, j)] + A[(j, i)]));
    let DenseEigen { lambda, Phi: x } = symmetric_eigen(A.as_ref())?;
    let x_r = Mat::from_fn(n - empty, x.ncols(), |i, j| root[i] * x[(i, j)]);
    let x_n = product(C.as_ref(), x_r.as_ref());
    let x_v = Mat::from_fn(n, x.ncols(), |i, j| if i < empty { -x_n[(i, j)] } else { x_r[(i - empty, j)] });
    let mut Phi = product(V.as_ref(), x_v.as_ref());
    for j in 0..Phi.ncols() {
        Phi.col_mut(j).iter_mut().zip(&scale).for_each(|(value, s)| *value *= s);
    }
    fix_signs(&mut Phi);
    Ok(DenseEigen { lambda, Phi })
}

/// Both triangles from the lower one.
fn symmetrised(A: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(A.nrows(), A.ncols(), |i, j| if i >= j { A[(i, j)] } else { A[(j, i)] })
}

/// (A + Aᵀ) / 2.
pub(crate) fn symmetrised_mean(A: MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(A.nrows(), A.ncols(), |i, j| 0.5 * (A[(i, j)] + A[(j, i)]))
}

/// Turns each column so that its largest component is positive. Components within a millionth of
/// the largest count as equal and the first of them decides, so that rounding does not.
pub(crate) fn fix_signs(Phi: &mut Mat<f64>) {
    for j in 0..Phi.ncols() {
        let largest = Phi.col(j).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let leading = Phi.col(j).iter().copied().find(|x| x.abs() >= largest * (1.0 - 1e-6));
        if leading.is_some_and(|x| x < 0.0) {
            Phi.col_mut(j).iter_mut().for_each(|x| *x = -*x);
        }
    }
}
