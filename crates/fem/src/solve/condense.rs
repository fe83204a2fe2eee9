//! Static condensation to the a-set, with fixed-boundary modes where a deck asks for them.

use std::sync::Arc;

use faer::{Mat, MatRef};
use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};
use pliant_sparse::{
    EigenError, EigenParams, Factor, FactorParams, Ordering, OrderingMethod, Symbolic, Symmetric, lowest,
};

use crate::assembly::transformed;

/// Why there is no basis; rows are those of the omitted set.
pub(super) struct CondenseFailure {
    pub(super) error: EigenError,
    pub(super) K_oo: CscMatrix<f64>,
    pub(super) omitted: Vec<usize>,
}

/// V = [Ψ Φ] over the free components: Ψ = [I; −K_oo⁻¹K_oa] for the kept columns a, Φ the lowest
/// `generalised` modes of the omitted ones o with a fixed (Guyan, AIAA J. 3, 1965; Craig & Bampton, AIAA J.
/// 6, 1968).
pub(super) fn condensed_basis(
    K: &CscMatrix<f64>,
    M: &CscMatrix<f64>,
    kept: &[usize],
    generalised: usize,
) -> Result<Mat<f64>, Box<CondenseFailure>> {
    let n = K.ncols();
    let omitted: Vec<usize> = (0..n).filter(|i| kept.binary_search(i).is_err()).collect();
    let mut V = Mat::zeros(n, kept.len());
    for (j, row) in kept.iter().enumerate() {
        V[(*row, j)] = 1.0;
    }
    if omitted.is_empty() {
        return Ok(V);
    }
    let mut KV = Mat::zeros(n, kept.len());
    Symmetric::new(K).multiply(V.as_ref(), KV.as_mut());
    let mut B = Mat::from_fn(omitted.len(), kept.len(), |i, j| -KV[(omitted[i], j)]);
    let selection = selection(n, &omitted);
    let K_oo = transformed(K, &selection);
    let ordering = Ordering::new(&K_oo, None, OrderingMethod::Auto);
    let symbolic = Arc::new(Symbolic::new(&K_oo, &ordering));
    let factor = match Factor::new(&K_oo, symbolic, &FactorParams::default()) {
        Ok(factor) => factor,
        Err(error) => return Err(Box::new(CondenseFailure { error: error.into(), K_oo, omitted })),
    };
    factor.solve_in_place(B.as_mut());
    for (i, row) in omitted.iter().enumerate() {
        for j in 0..kept.len() {
            V[(*row, j)] = B[(i, j)];
        }
    }
    if generalised == 0 {
        return Ok(V);
    }
    let M_oo = transformed(M, &selection);
    let modes = match lowest(&K_oo, &M_oo, None, &EigenParams::count(generalised)) {
        Ok(modes) => modes,
        Err(error) => return Err(Box::new(CondenseFailure { error, K_oo, omitted })),
    };
    let a = kept.len();
    let mut all = Mat::zeros(n, a + modes.lambda.len());
    all.as_mut().subcols_mut(0, a).copy_from(&V);
    for (i, row) in omitted.iter().enumerate() {
        for j in 0..modes.lambda.len() {
            all[(*row, a + j)] = modes.Phi[(i, j)];
        }
    }
    Ok(all)
}

/// VᵀAV for a symmetric A given by its lower triangle.
pub(super) fn projected(A: &CscMatrix<f64>, V: MatRef<'_, f64>) -> Mat<f64> {
    let mut AV = Mat::zeros(V.nrows(), V.ncols());
    Symmetric::new(A).multiply(V, AV.as_mut());
    let full = V.transpose() * &AV;
    Mat::from_fn(full.nrows(), full.ncols(), |i, j| 0.5 * (full[(i, j)] + full[(j, i)]))
}

/// The n × m matrix whose column j picks row `rows[j]`.
fn selection(n: usize, rows: &[usize]) -> CsrMatrix<f64> {
    let mut T = CooMatrix::new(n, rows.len());
    for (j, row) in rows.iter().enumerate() {
        T.push(*row, j, 1.0);
    }
    CsrMatrix::from(&T)
}
