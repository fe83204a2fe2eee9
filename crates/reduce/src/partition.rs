//! Partitions of a symmetric sparse matrix: K_ii, K_ib, K_bb.

use faer::Mat;
use nalgebra_sparse::{CooMatrix, CscMatrix};

/// The parts of a symmetric matrix for two sets of rows that together are all rows.
#[derive(Debug)]
pub struct Partition {
    /// Interior by interior, lower triangle.
    pub ii: CscMatrix<f64>,
    /// Interior by boundary.
    pub ib: CscMatrix<f64>,
    /// Boundary by boundary, both triangles.
    pub bb: Mat<f64>,
}

/// Splits a symmetric matrix given by its lower triangle. `interior` ascends; `boundary` keeps its order.
pub(crate) fn partition(A: &CscMatrix<f64>, interior: &[usize], boundary: &[usize]) -> Partition {
    #[derive(Clone, Copy)]
    enum Place {
        Interior(usize),
        Boundary(usize),
    }
    let mut places = vec![Place::Interior(usize::MAX); A.ncols()];
    for (new, old) in interior.iter().enumerate() {
        places[*old] = Place::Interior(new);
    }
    for (new, old) in boundary.iter().enumerate() {
        places[*old] = Place::Boundary(new);
    }
    let mut offsets = Vec::with_capacity(interior.len() + 1);
    let (mut rows, mut values) = (Vec::with_capacity(A.nnz()), Vec::with_capacity(A.nnz()));
    offsets.push(0);
    let mut ib = CooMatrix::new(interior.len(), boundary.len());
    let mut bb = Mat::zeros(boundary.len(), boundary.len());
    for (j, column) in A.col_iter().enumerate() {
        for (i, value) in column.row_indices().iter().zip(column.values()) {
            match (places[*i], places[j]) {
                // The interior ascends, so rows stay sorted and below the diagonal.
                (Place::Interior(i), Place::Interior(_)) => {
                    rows.push(i);
                    values.push(*value);
                }
                (Place::Interior(i), Place::Boundary(b)) | (Place::Boundary(b), Place::Interior(i)) => {
                    ib.push(i, b, *value);
                }
                (Place::Boundary(a), Place::Boundary(b)) => {
                    bb[(a, b)] = *value;
                    bb[(b, a)] = *value;
                }
            }
        }
        if matches!(places[j], Place::Interior(_)) {
            offsets.push(rows.len());
        }
    }
    let size = interior.len();
    let ii = CscMatrix::try_from_csc_data(size, size, offsets, rows, values)
        .expect("invariant: columns of a sorted matrix stay sorted");
    Partition { ii, ib: CscMatrix::from(&ib), bb }
}

/// Y = A X for a rectangular sparse A and a dense X.
pub(crate) fn product(A: &CscMatrix<f64>, X: faer::MatRef<'_, f64>) -> Mat<f64> {
    let mut Y = Mat::zeros(A.nrows(), X.ncols());
    for k in 0..X.ncols() {
        let x = X.col(k);
        let mut y = Y.col_mut(k);
        for (j, column) in A.col_iter().enumerate() {
            for (i, value) in column.row_indices().iter().zip(column.values()) {
                y[*i] += value * x[j];
            }
        }
    }
    Y
}

/// Y = Aᵀ X for a rectangular sparse A and a dense X.
pub(crate) fn transposed_product(A: &CscMatrix<f64>, X: faer::MatRef<'_, f64>) -> Mat<f64> {
    Mat::from_fn(A.ncols(), X.ncols(), |j, k| {
        let column = A.col(j);
        column.row_indices().iter().zip(column.values()).map(|(i, value)| value * X[(*i, k)]).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_the_dense_matrix() {
        let dense = |i: usize, j: usize| ((i.min(j) * 5 + i.max(j) * 3) % 7) as f64;
        let mut lower = CooMatrix::new(5, 5);
        for i in 0..5 {
            for j in 0..=i {
                lower.push(i, j, dense(i, j));
            }
        }
        let (interior, boundary) = ([0, 2, 3], [4, 1]);
        let parts = partition(&CscMatrix::from(&lower), &interior, &boundary);
        for (a, &i) in interior.iter().enumerate() {
            for (b, &j) in interior.iter().enumerate().filter(|(b, _)| *b <= a) {
                assert_eq!(parts.ii.get_entry(a, b).unwrap().into_value(), dense(i, j));
            }
            for (b, &j) in boundary.iter().enumerate() {
                assert_eq!(parts.ib.get_entry(a, b).unwrap().into_value(), dense(i, j));
            }
        }
        assert_eq!((parts.bb[(0, 1)], parts.bb[(1, 1)]), (dense(4, 1), dense(1, 1)));
    }
}
