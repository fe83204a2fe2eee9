//! Partitions of a symmetric matrix on the free components: A_ii, A_ib, A_bb.

use faer::Mat;
use nalgebra_sparse::{CscMatrix, CsrMatrix};
use pliant_fem::SparseRows;
use pliant_fem::assembly::transformed;
use pliant_sparse::Symmetric;

/// Boundary columns multiplied at a time.
const COLUMNS: usize = 8;

/// The parts of TᵀAT for two sets of columns of T that together are all columns.
#[derive(Debug)]
pub(crate) struct Partition {
    /// Interior by interior, lower triangle.
    pub(crate) ii: CscMatrix<f64>,
    /// Interior by boundary: the neighbours of the interfaces.
    pub(crate) ib: CscMatrix<f64>,
    /// Boundary by boundary, both triangles.
    pub(crate) bb: Mat<f64>,
}

/// Splits TᵀAT of a symmetric A given by its lower triangle. `interior` ascends; `boundary` keeps its order.
pub(crate) fn partition(
    A: &CscMatrix<f64>,
    T: &CsrMatrix<f64>,
    interior: &[usize],
    boundary: &[usize],
) -> Partition {
    let (T_i, T_b) = (chosen_columns(T, interior), chosen_columns(T, boundary));
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut bb = Mat::zeros(boundary.len(), boundary.len());
    for first in (0..boundary.len()).step_by(COLUMNS) {
        let width = COLUMNS.min(boundary.len() - first);
        let mut X = Mat::zeros(T.nrows(), width);
        for (row, column, value) in T_b.triplet_iter().filter(|(_, b, _)| (first..first + width).contains(b))
        {
            X[(row, column - first)] = *value;
        }
        let mut AX = Mat::zeros(T.nrows(), width);
        Symmetric::new(A).multiply(X.as_ref(), AX.as_mut());
        let mut ib: Mat<f64> = Mat::zeros(interior.len(), width);
        for (row, column, value) in T_i.triplet_iter() {
            (0..width).for_each(|k| ib[(column, k)] += value * AX[(row, k)]);
        }
        for (row, column, value) in T_b.triplet_iter() {
            (0..width).for_each(|k| bb[(column, first + k)] += value * AX[(row, k)]);
        }
        for k in 0..width {
            let column = ib.col(k);
            for (row, value) in column.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                rows.push(row);
                values.push(*value);
            }
            offsets.push(rows.len());
        }
    }
    let ib = CscMatrix::try_from_csc_data(interior.len(), boundary.len(), offsets, rows, values)
        .expect("invariant: rows ascend in each column");
    Partition { ii: transformed(A, &T_i), ib, bb }
}

/// The part of TᵀAT that belongs to some ascending columns of T, lower triangle.
pub(crate) fn principal_part(A: &CscMatrix<f64>, T: &CsrMatrix<f64>, columns: &[usize]) -> CscMatrix<f64> {
    transformed(A, &chosen_columns(T, columns))
}

/// Some columns of T in the given order.
fn chosen_columns(T: &CsrMatrix<f64>, columns: &[usize]) -> CsrMatrix<f64> {
    let mut new_indices = vec![None; T.ncols()];
    columns.iter().enumerate().for_each(|(new, old)| new_indices[*old] = Some(new));
    let mut chosen = SparseRows::default();
    for row in T.row_iter() {
        for (column, value) in row.col_indices().iter().zip(row.values()) {
            if let Some(column) = new_indices[*column] {
                chosen.push(column, *value);
            }
        }
        chosen.end_row();
    }
    chosen.finish(columns.len())
}

#[cfg(test)]
mod tests {
    use nalgebra_sparse::CooMatrix;

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
        let parts = partition(&CscMatrix::from(&lower), &CsrMatrix::identity(5), &interior, &boundary);
        for (a, &i) in interior.iter().enumerate() {
            for (b, &j) in interior.iter().enumerate().filter(|(b, _)| *b <= a) {
                assert_eq!(parts.ii.get_entry(a, b).unwrap().into_value(), dense(i, j));
            }
            for (b, &j) in boundary.iter().enumerate() {
                assert_eq!(parts.ib.get_entry(a, b).map_or(0.0, |entry| entry.into_value()), dense(i, j));
            }
        }
        assert_eq!((parts.bb[(0, 1)], parts.bb[(1, 1)]), (dense(4, 1), dense(1, 1)));
    }
}
