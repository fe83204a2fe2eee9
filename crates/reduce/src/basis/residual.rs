//! Residual vectors: the static response to chosen loads that the basis cannot make.
//!
//! ```text
//! X = K⁻¹F,   X ← X − V (VᵀKV)⁻¹ VᵀKX,   then K_X Y = M_X Y Λ within X,   V ← [V  XY]
//! ```

use faer::Mat;
use faer::linalg::solvers::Solve;
use nalgebra_sparse::CscMatrix;
use pliant_sparse::{Symmetric, generalised_eigen_semidefinite, symmetric_eigen};

use super::craig_bampton::symmetrise;
use super::{Basis, Column};
use crate::ReduceError;
use crate::substructure::Substructure;

/// What is left of a load's response may be this small a part of it before it counts as already in the basis:
/// rounding leaves up to 1e-7, in motions as stiff as the mesh has them, and 1e-10 of the load's work is
/// nothing to keep a coordinate for.
const CONTAINED: f64 = 1e-5;

/// Adds to `basis` what it misses of the static responses `X` (free components × loads), as Ritz vectors with
/// a Rayleigh quotient below `limit`. `K` is the stiffness of all components.
///
/// # Errors
/// A basis with a singular VᵀKV, or a failed dense eigenproblem.
pub fn add_residuals(
    part: &Substructure,
    K: &CscMatrix<f64>,
    basis: &mut Basis,
    mut X: Mat<f64>,
    limit: f64,
) -> Result<(), ReduceError> {
    let stiffness = part.free_stiffness(K);
    let stiffness_product = |X: &Mat<f64>| {
        let mut Y = Mat::zeros(X.nrows(), X.ncols());
        Symmetric::new(&stiffness).multiply(X.as_ref(), Y.as_mut());
        Y
    };
    let before = stiffness_product(&X);
    let energy =
        |X: &Mat<f64>, Y: &Mat<f64>, j: usize| (0..X.nrows()).map(|i| X[(i, j)] * Y[(i, j)]).sum::<f64>();
    let full: Vec<f64> = (0..X.ncols()).map(|j| energy(&X, &before, j)).collect();
    if !basis.columns.is_empty() {
        let coefficients = basis.transposed_times(before.as_ref());
        let factor = basis.K.llt(faer::Side::Lower).map_err(|_| ReduceError::LooseInterface)?;
        X -= basis.times(factor.solve(&coefficients).as_ref());
    }
    let KX = stiffness_product(&X);
    let missing: Vec<usize> =
        (0..X.ncols()).filter(|j| energy(&X, &KX, *j) > CONTAINED * CONTAINED * full[*j]).collect();
    if missing.is_empty() {
        return Ok(());
    }
    // Unit strain energy each, so that loads of any size weigh the same.
    let scale: Vec<f64> = missing.iter().map(|j| 1.0 / energy(&X, &KX, *j).sqrt()).collect();
    let pick = |A: &Mat<f64>| Mat::from_fn(A.nrows(), missing.len(), |i, k| A[(i, missing[k])] * scale[k]);
    let (X, KX) = (pick(&X), pick(&KX));
    let MX = part.mass_product(X.as_ref());
    let (mut K_X, mut M_X) = (X.transpose() * &KX, X.transpose() * &MX);
    symmetrise(&mut K_X);
    symmetrise(&mut M_X);
    // A small mesh has fewer motions left than there are loads: their responses depend on each other. With
    // K_X = UΛUᵀ the combinations XU whose energy Λ is rounding are left out, and the others get unit energy
    // again.
    let own = symmetric_eigen(K_X.as_ref())?;
    let dependent = own.lambda.partition_point(|energy| *energy <= CONTAINED * CONTAINED);
    let X = if dependent == 0 {
        X
    } else {
        let (n, width) = (own.lambda.len(), own.lambda.len() - dependent);
        let U = Mat::from_fn(n, width, |i, k| own.Phi[(i, dependent + k)] / own.lambda[dependent + k].sqrt());
        M_X = U.transpose() * &M_X * &U;
        symmetrise(&mut M_X);
        K_X = Mat::identity(width, width);
        X * &U
    };
    let ritz = generalised_eigen_semidefinite(K_X.as_ref(), M_X.as_ref())?;
    let kept = ritz.lambda.partition_point(|lambda| *lambda < limit);
    let (old, new, others) = (basis.columns.len(), kept, basis.others.ncols());
    let vectors = X * ritz.Phi.subcols(0, new);
    basis.others.resize_with(vectors.nrows(), others + new, |i, k| vectors[(i, k - others)]);
    let mut K = Mat::zeros(old + new, old + new);
    K.as_mut().submatrix_mut(0, 0, old, old).copy_from(&basis.K);
    for (k, lambda) in ritz.lambda[..new].iter().enumerate() {
        K[(old + k, old + k)] = *lambda;
        basis.columns.push(Column::Residual(*lambda));
    }
    basis.K = K;
    Ok(())
}
