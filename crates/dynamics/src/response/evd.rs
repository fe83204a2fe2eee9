//! Eigenvalues and eigenvectors of a general real matrix, on one thread so that the bits do not depend on the
//! pool.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::hessenberg::{hessenberg_in_place, hessenberg_in_place_scratch};
use faer::linalg::evd::{ComputeEigenvectors, evd_real, evd_scratch};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_right_in_place_scratch,
    apply_block_householder_sequence_on_the_right_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::recommended_block_size;
use faer::{Conj, Mat, Par};
use nalgebra::{Complex, DMatrix};

/// Eigenvalues with their vectors, one per column; `None` when the iteration fails, which only entries that
/// are not finite cause.
pub(crate) struct Eigen {
    pub(crate) values: Vec<Complex<f64>>,
    pub(crate) vectors: DMatrix<Complex<f64>>,
}

pub(crate) fn eigen(A: &DMatrix<f64>) -> Option<Eigen> {
    let n = A.nrows();
    let mut U = Mat::zeros(n, n);
    let values = decompose(A, Some(&mut U))?;
    let im = |j: usize| values[j].im;
    let mut vectors = DMatrix::zeros(n, n);
    let mut j = 0;
    while j < n {
        // A pair stands side by side: real and imaginary part of the vector of the first.
        if im(j) != 0.0 && j + 1 < n {
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
    Some(Eigen { values, vectors })
}

/// Eigenvalues alone: a third of the work.
pub(crate) fn eigenvalues(A: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    decompose(A, None)
}

fn decompose(A: &DMatrix<f64>, vectors: Option<&mut Mat<f64>>) -> Option<Vec<Complex<f64>>> {
    let n = A.nrows();
    if n == 0 {
        return Some(Vec::new());
    }
    if A.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let matrix = Mat::from_fn(n, n, |i, j| A[(i, j)]);
    let (mut re, mut im) = (faer::diag::Diag::zeros(n), faer::diag::Diag::zeros(n));
    let left = ComputeEigenvectors::No;
    let right = if vectors.is_some() { ComputeEigenvectors::Yes } else { left };
    let mut memory = MemBuffer::new(evd_scratch::<f64>(n, left, right, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    let vectors = vectors.map(|vectors| vectors.as_mut());
    let (to_re, to_im) = (re.as_mut(), im.as_mut());
    evd_real(matrix.as_ref(), to_re, to_im, None, vectors, Par::Seq, stack, Default::default()).ok()?;
    let parts = re.column_vector().iter().zip(im.column_vector().iter());
    Some(parts.map(|(re, im)| Complex::new(*re, *im)).collect())
}

/// `A = Q H Qᵀ` with H upper Hessenberg and the first column of Q the first unit vector: H and C Q.
pub(crate) fn hessenberg(A: &DMatrix<f64>, C: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = A.nrows();
    if n < 3 {
        return (A.clone(), C.clone());
    }
    let mut H = Mat::from_fn(n, n, |i, j| A[(i, j)]);
    let mut left = Mat::from_fn(C.nrows(), n, |i, j| C[(i, j)]);
    let block = recommended_block_size::<f64>(n - 1, n - 1);
    let mut reflections = Mat::zeros(block, n - 1);
    let scratch = hessenberg_in_place_scratch::<f64>(n, block, Par::Seq, Default::default())
        .or(apply_block_householder_sequence_on_the_right_in_place_scratch::<f64>(n - 1, block, C.nrows()));
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    hessenberg_in_place(H.as_mut(), reflections.as_mut(), Par::Seq, stack, Default::default());
    apply_block_householder_sequence_on_the_right_in_place_with_conj(
        H.as_ref().submatrix(1, 0, n - 1, n - 1),
        reflections.as_ref(),
        Conj::No,
        left.as_mut().subcols_mut(1, n - 1),
        Par::Seq,
        stack,
    );
    let upper = DMatrix::from_fn(n, n, |i, j| if i > j + 1 { 0.0 } else { H[(i, j)] });
    (upper, DMatrix::from_fn(C.nrows(), n, |i, j| left[(i, j)]))
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
        // Sums of powers do not depend on the order.
        let power = |values: &[Complex<f64>]| values.iter().map(|value| value * value).sum::<Complex<f64>>();
        let (both, alone) = (power(&found.values), power(&eigenvalues(&A).unwrap()));
        assert!((both - alone).norm() < 1e-10 * A.norm_squared(), "{both} and {alone}");
    }
}
