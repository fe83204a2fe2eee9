//! Matrices with spectra known in closed form.
#![allow(
    clippy::allow_attributes,
    dead_code,
    reason = "each test file compiles this module and uses part of it, so an expectation cannot hold for all"
)]

use std::f64::consts::PI;

use faer::{Mat, MatRef};
use nalgebra_sparse::{CooMatrix, CscMatrix};

/// Lower triangle from triplets.
pub(crate) fn lower(n: usize, entries: &[(usize, usize, f64)]) -> CscMatrix<f64> {
    let mut coo = CooMatrix::new(n, n);
    for &(i, j, value) in entries.iter().filter(|(i, j, _)| i >= j) {
        coo.push(i, j, value);
    }
    CscMatrix::from(&coo)
}

pub(crate) fn diagonal(values: &[f64]) -> CscMatrix<f64> {
    let entries: Vec<_> = values.iter().enumerate().map(|(i, &v)| (i, i, v)).collect();
    lower(values.len(), &entries)
}

/// A chain of n unit masses and unit springs, both ends fixed (`ends` = 2), one (1) or none (0).
pub(crate) fn chain(n: usize, ends: usize) -> CscMatrix<f64> {
    let mut entries = Vec::new();
    for i in 0..n {
        let springs =
            2.0 - f64::from(u8::from(i == 0 && ends < 2)) - f64::from(u8::from(i == n - 1 && ends < 1));
        entries.push((i, i, springs));
        if i + 1 < n {
            entries.push((i + 1, i, -1.0));
        }
    }
    lower(n, &entries)
}

/// λ_j of [`chain`] with both ends fixed, j from 1: 4 sin²(jπ / 2(n + 1)).
pub(crate) fn fixed_chain(n: usize, j: usize) -> f64 {
    4.0 * (j as f64 * PI / (2.0 * (n + 1) as f64)).sin().powi(2)
}

/// λ_j of [`chain`] with free ends, j from 0: 4 sin²(jπ / 2n).
pub(crate) fn free_chain(n: usize, j: usize) -> f64 {
    4.0 * (j as f64 * PI / (2.0 * n as f64)).sin().powi(2)
}

/// The 7-point Laplacian on an a × b × c box with fixed faces.
pub(crate) fn laplacian(a: usize, b: usize, c: usize) -> CscMatrix<f64> {
    let index = |i: usize, j: usize, k: usize| (k * b + j) * a + i;
    let mut entries = Vec::new();
    for k in 0..c {
        for j in 0..b {
            for i in 0..a {
                let row = index(i, j, k);
                entries.push((row, row, 6.0));
                if i > 0 {
                    entries.push((row, index(i - 1, j, k), -1.0));
                }
                if j > 0 {
                    entries.push((row, index(i, j - 1, k), -1.0));
                }
                if k > 0 {
                    entries.push((row, index(i, j, k - 1), -1.0));
                }
            }
        }
    }
    lower(a * b * c, &entries)
}

/// All eigenvalues of [`laplacian`], ascending: sums of those of three chains.
pub(crate) fn laplacian_spectrum(a: usize, b: usize, c: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 1..=a {
        for j in 1..=b {
            for k in 1..=c {
                all.push(fixed_chain(a, i) + fixed_chain(b, j) + fixed_chain(c, k));
            }
        }
    }
    all.sort_by(f64::total_cmp);
    all
}

/// Two matrices beside each other, unconnected.
pub(crate) fn beside(A: &CscMatrix<f64>, B: &CscMatrix<f64>) -> CscMatrix<f64> {
    let mut entries: Vec<_> = A.triplet_iter().map(|(i, j, &v)| (i, j, v)).collect();
    let n = A.ncols();
    entries.extend(B.triplet_iter().map(|(i, j, &v)| (n + i, n + j, v)));
    lower(n + B.ncols(), &entries)
}

/// Largest difference between two lists relative to the largest entry.
pub(crate) fn worst(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "number of eigenvalues");
    let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    found.iter().zip(expected).fold(0.0_f64, |m, (f, e)| m.max((f - e).abs())) / scale
}

/// max |ΦᵀMΦ − I|.
pub(crate) fn orthonormality(M: &CscMatrix<f64>, Phi: MatRef<'_, f64>) -> f64 {
    let mut MPhi = Mat::zeros(Phi.nrows(), Phi.ncols());
    pliant_sparse::Symmetric::new(M).multiply(Phi, MPhi.as_mut());
    let G = Phi.transpose() * &MPhi;
    (0..G.nrows())
        .flat_map(|i| (0..G.ncols()).map(move |j| (i, j)))
        .fold(0.0, |m: f64, (i, j)| m.max((G[(i, j)] - f64::from(u8::from(i == j))).abs()))
}
