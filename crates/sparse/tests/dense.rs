//! Dense generalised eigenproblems.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

use faer::Mat;
use pliant_sparse::{DenseError, generalised_eigen, generalised_eigen_semidefinite, symmetric_eigen};

/// A symmetric positive definite matrix without structure.
fn definite(n: usize, seed: usize) -> Mat<f64> {
    let R = Mat::from_fn(n, n, |i, j| (((i * 37 + j * 101 + seed) * 7919) % 1009) as f64 / 1009.0 - 0.5);
    &R * R.transpose() + Mat::<f64>::identity(n, n) * 0.1
}

#[test]
fn identities_hold_for_sizes_around_the_thresholds_of_the_kernels() {
    for n in [1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129] {
        let (K, M) = (definite(n, 3), definite(n, 11));
        let answer = generalised_eigen(K.as_ref(), M.as_ref()).unwrap();
        let Phi = &answer.Phi;
        let Lambda = Mat::from_fn(n, n, |i, j| if i == j { answer.lambda[i] } else { 0.0 });
        let eps = f64::EPSILON * n as f64;
        let I = Mat::<f64>::identity(n, n);
        // Cholesky reduction loses up to cond(M), here below 1e4.
        assert!((Phi.transpose() * &M * Phi - &I).norm_max() < 1e4 * eps, "{n}");
        assert!(
            (&K * Phi - &M * Phi * &Lambda).norm_max() < 1e4 * eps * K.norm_max() * Phi.norm_max().max(1.0)
        );
        assert!(answer.lambda.is_sorted());
        for j in 0..n {
            let largest = Phi.col(j).norm_max();
            let leading = Phi.col(j).iter().copied().find(|x| x.abs() >= (1.0 - 1e-6) * largest);
            assert!(leading.unwrap() > 0.0, "the first of the largest components is positive");
        }
        // A definite M is a semi-definite one.
        let again = generalised_eigen_semidefinite(K.as_ref(), M.as_ref()).unwrap();
        assert_eq!(again.lambda, answer.lambda);
    }
}

/// Flexibilities are of the order of 1e-9 and stiffnesses of 1e9: eigenvalues and vectors must not depend on
/// the units. Twenty bays of a structure that are alike have every eigenvalue twenty times, which is where a
/// divide-and-conquer method judges by a threshold.
#[test]
fn units_do_not_matter() {
    let (n, bays) = (400, 20);
    let spectrum = |i: usize| 1.0 / (1.0 + (i / bays) as f64).powi(2);
    // Householder's reflections leave no structure.
    let mut A = Mat::from_fn(n, n, |i, j| if i == j { spectrum(i) } else { 0.0 });
    for seed in 0..3 {
        let v = Mat::from_fn(n, 1, |i, _| (((i * 37 + seed * 101) * 7919) % 1009) as f64 / 1009.0 - 0.5);
        let v = &v * faer::Scale(1.0 / v.norm_l2());
        let H = Mat::<f64>::identity(n, n) - &v * v.transpose() * faer::Scale(2.0);
        A = &H * &A * &H;
    }
    let A = Mat::from_fn(n, n, |i, j| 0.5 * (A[(i, j)] + A[(j, i)]));
    let one = symmetric_eigen(A.as_ref()).unwrap();
    for (i, found) in one.lambda.iter().rev().enumerate() {
        assert!((found - spectrum(i)).abs() < 1e-13, "{i}: {found}");
    }
    for power in [-300, -60, -30, 30, 300] {
        let factor = 2.0_f64.powi(power);
        let scaled = symmetric_eigen((&A * faer::Scale(factor)).as_ref()).unwrap();
        let expected: Vec<f64> = one.lambda.iter().map(|value| value * factor).collect();
        assert_eq!(scaled.lambda, expected, "2^{power}");
        assert_eq!(scaled.Phi, one.Phi, "2^{power}");
    }
}

#[test]
fn massless_rows_are_condensed() {
    // Two masses 2 and 3 with springs 5 – 7 – 11 to ground, a massless point in the middle of the 7 (two
    // springs of 14).
    let K = Mat::from_fn(3, 3, |i, j| [[19.0, -14.0, 0.0], [-14.0, 28.0, -14.0], [0.0, -14.0, 25.0]][i][j]);
    let M = Mat::from_fn(3, 3, |i, j| if i == j { [2.0, 0.0, 3.0][i] } else { 0.0 });
    let answer = generalised_eigen_semidefinite(K.as_ref(), M.as_ref()).unwrap();
    // det [12 − 2λ, −7; −7, 18 − 3λ] = 6λ² − 72λ + 167.
    let root = (72.0_f64 * 72.0 - 4.0 * 6.0 * 167.0).sqrt();
    let expected = [(72.0 - root) / 12.0, (72.0 + root) / 12.0];
    assert_eq!(answer.lambda.len(), 2);
    for (found, exact) in answer.lambda.iter().zip(expected) {
        assert!((found - exact).abs() < 1e-13 * exact);
    }
    let G = answer.Phi.transpose() * &M * &answer.Phi;
    assert!((G - Mat::<f64>::identity(2, 2)).norm_max() < 1e-14);
}

#[test]
fn refusals() {
    let K = Mat::from_fn(2, 2, |i, j| if i == j { [1.0, 0.0][i] } else { 0.0 });
    let M = Mat::from_fn(2, 2, |i, j| if i == j { [1.0, 0.0][i] } else { 0.0 });
    assert_eq!(
        generalised_eigen_semidefinite(K.as_ref(), M.as_ref()).unwrap_err(),
        DenseError::MasslessMechanism
    );
    let negative = Mat::from_fn(2, 2, |i, j| if i == j { [1.0, -1.0][i] } else { 0.0 });
    let error = generalised_eigen_semidefinite(K.as_ref(), negative.as_ref()).unwrap_err();
    assert_eq!(error, DenseError::NotPositive { row: 1 });
    assert_eq!(generalised_eigen(K.as_ref(), M.as_ref()).unwrap_err(), DenseError::NotPositive { row: 1 });
}
