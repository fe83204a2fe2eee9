//! Damping of the elastic coordinates.

use nalgebra::DMatrix;
use pliant_fem::assembly::symmetric_product;
use pliant_sparse::generalised_eigen_semidefinite;

use crate::ReduceError;
use crate::basis::Basis;
use crate::request::Damping;
use crate::substructure::Substructure;

/// VᵀDV of the deck's own dampers (CDAMP, CVISC, CBUSH), deck units.
pub(crate) fn deck_dampers(part: &Substructure, basis: &Basis) -> faer::Mat<f64> {
    let n = basis.columns.len();
    let mut D = faer::Mat::zeros(n, n);
    if part.D.values().iter().all(|d| *d == 0.0) {
        return D;
    }
    let fixed = vec![0.0; part.constraints.fixed.len()];
    let expand = |j: usize| {
        let free: Vec<f64> = basis.column(j).iter().copied().collect();
        part.constraints.expand(&free, &fixed)
    };
    let shapes: Vec<Vec<f64>> = (0..n).map(expand).collect();
    for (j, shape) in shapes.iter().enumerate() {
        let force = symmetric_product(&part.D, shape);
        for i in 0..=j {
            let value = shapes[i].iter().zip(&force).map(|(u, f)| u * f).sum();
            D[(i, j)] = value;
            D[(j, i)] = value;
        }
    }
    D
}

/// Damping that is asked for, from the link's reduced K and M (SI).
///
/// With KY = MYΩ² of the link clamped at its inboard interface, a ratio ζ(ω) for each of its modes is
/// `D = MY diag(2ζω) YᵀM`; Rayleigh damping is `αM + βK`.
///
/// # Errors
/// A failed dense eigenproblem.
pub(crate) fn asked_damping(
    damping: &Damping,
    K: &DMatrix<f64>,
    M: &DMatrix<f64>,
) -> Result<DMatrix<f64>, ReduceError> {
    let n = K.nrows();
    let mut D = DMatrix::zeros(n, n);
    if let Some(rayleigh) = &damping.rayleigh {
        D += M * rayleigh.alpha + K * rayleigh.beta;
    }
    if let Some(ratio) = &damping.ratio
        && n > 0
    {
        let dense = |A: &DMatrix<f64>| faer::Mat::from_fn(n, n, |i, j| A[(i, j)]);
        let modes = generalised_eigen_semidefinite(dense(K).as_ref(), dense(M).as_ref())?;
        let Y = DMatrix::from_fn(n, modes.lambda.len(), |i, j| modes.Phi[(i, j)]);
        let MY = M * Y;
        for (j, lambda) in modes.lambda.iter().enumerate() {
            let omega = lambda.max(0.0).sqrt();
            let zeta = ratio.at(j, omega / std::f64::consts::TAU);
            D += MY.column(j) * MY.column(j).transpose() * (2.0 * zeta * omega);
        }
    }
    Ok((&D + D.transpose()) * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{DampingRatio, Rayleigh};

    #[test]
    fn ratios_come_back_from_the_damped_eigenproblem() {
        let K = DMatrix::from_row_slice(3, 3, &[4., -1., 0., -1., 3., -1., 0., -1., 2.]);
        let M = DMatrix::from_row_slice(3, 3, &[2., 0.3, 0., 0.3, 1., 0.1, 0., 0.1, 0.5]);
        let damping = Damping {
            ratio: Some(DampingRatio::PerMode(vec![0.01, 0.02, 0.05])),
            rayleigh: Some(Rayleigh { alpha: 0.1, beta: 0.2 }),
        };
        let D = asked_damping(&damping, &K, &M).unwrap() - &M * 0.1 - &K * 0.2;
        // For a proportionally damped mode φᵀDφ = 2ζω with φᵀMφ = 1.
        let dense = |A: &DMatrix<f64>| faer::Mat::from_fn(3, 3, |i, j| A[(i, j)]);
        let modes = generalised_eigen_semidefinite(dense(&K).as_ref(), dense(&M).as_ref()).unwrap();
        for (j, zeta) in [0.01, 0.02, 0.05].into_iter().enumerate() {
            let phi = nalgebra::DVector::from_fn(3, |i, _| modes.Phi[(i, j)]);
            let found = (phi.transpose() * &D * &phi)[0] / (2.0 * modes.lambda[j].sqrt());
            assert!((found - zeta).abs() < 1e-13, "{found} {zeta}");
        }
    }
}
