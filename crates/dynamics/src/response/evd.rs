//! Eigenvalues and eigenvectors of a general real matrix, on one thread so that the bits do not depend on the
//! pool.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, evd_real, evd_scratch};
use faer::{Mat, Par};
use nalgebra::{Complex, DMatrix};

/// Eigenvalues with their vectors, one per column; `None` when the iteration fails, which only entries that
/// are not finite cause.
pub(crate) struct Eigen {
    pub(crate) values: Vec<Complex<f64>>,
    pub(crate) vectors: DMatrix<Complex<f64>>,
}

pub(crate) fn eigen(A: &DMatrix<f64>) -> Option<Eigen> {
    let n = A.nrows();
    if n == 0 {
        return Some(Eigen { values: Vec::new(), vectors: DMatrix::zeros(0, 0) });
    }
    if A.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let matrix = Mat::from_fn(n, n, |i, j| A[(i, j)]);
    let (mut re, mut im) = (faer::diag::Diag::zeros(n), faer::diag::Diag::zeros(n));
    let mut U = Mat::zeros(n, n);
    let (left, right) = (ComputeEigenvectors::No, ComputeEigenvectors::Yes);
    let mut memory = MemBuffer::new(evd_scratch::<f64>(n, left, right, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    evd_real(
        matrix.as_ref(),
        re.as_mut(),
        im.as_mut(),
        None,
        Some(U.as_mut()),
        Par::Seq,
        stack,
        Default::default(),
    )
    .ok()?;
    let re: Vec<f64> = re.column_vector().iter().copied().collect();
    let im: Vec<f64> = im.column_vector().iter().copied().collect();
    let mut vectors = DMatrix::zeros(n, n);
    let mut j = 0;
    while j < n {
        // A pair stands side by side: real and imaginary part of the vector of the first.
        if im[j] != 0.0 && j + 1 < n {
            for i in 0..n {
                vectors[(i, j)] = Complex::new(U[(i, j)], U[(i, j + 1)]);
                vectors[(i, j + 1)] = vectors[(i, j)].conj();
            }
            j += 2;
        } else {
            (0..n).for_each(|i| vectors[(i, j)] = Complex::new(U[(i, j)], 0.0));
            j += 1;
        }
    }
    Some(Eigen { values: re.into_iter().zip(im).map(|(re, im)| Complex::new(re, im)).collect(), vectors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_belong_to_their_values() {
        let n = 24;
        let A = DMatrix::from_fn(n, n, |i, j| ((i * 37 + j * 11) % 17) as f64 - 8.0 + f64::from(i == j));
        let found = eigen(&A).unwrap();
        let complex = A.map(|x| Complex::new(x, 0.0));
        for (k, value) in found.values.iter().enumerate() {
            let v = found.vectors.column(k);
            let left = &complex * v - v * *value;
            // Backward stable: a few hundred roundings of the size of A.
            assert!(left.norm() < 1e-11 * A.norm() * v.norm(), "{k}: {}", left.norm());
        }
        assert!(found.values.iter().any(|value| value.im != 0.0), "no pair was tried");
    }
}
