//! Symmetric matrices kept as their lower triangle.

use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};

/// y = A x for a symmetric A given by its lower triangle.
///
/// # Panics
/// If the sizes differ.
pub fn symmetric_product(A: &CscMatrix<f64>, x: &[f64]) -> Vec<f64> {
    assert_eq!(A.ncols(), x.len(), "invariant: sizes agree");
    let mut y = vec![0.0; x.len()];
    for (column, entries) in A.col_iter().enumerate() {
        let mut sum = 0.0;
        for (row, value) in entries.row_indices().iter().zip(entries.values()) {
            if *row == column {
                sum += value * x[column];
            } else {
                y[*row] += value * x[column];
                sum += value * x[*row];
            }
        }
        y[column] += sum;
    }
    y
}

/// Lower triangle of TᵀAT for a symmetric A given by its lower triangle and a sparse T by rows. Most rows of T hold a
/// single 1 or nothing: entries between those are moved as they are, which needs no memory beside the result. The rest (rigid
/// elements, MPC) are multiplied out and added in a fixed order.
///
/// # Panics
/// If the sizes differ.
pub fn transformed(A: &CscMatrix<f64>, T: &CsrMatrix<f64>) -> CscMatrix<f64> {
    assert_eq!(A.ncols(), T.nrows(), "invariant: sizes agree");
    let plain = plain_columns(T);
    let moved = moved_entries(A, T, &plain);
    let mut rest = CooMatrix::new(T.ncols(), T.ncols());
    for (column, entries) in A.col_iter().enumerate() {
        let right = T.row(column);
        if right.nnz() == 0 {
            continue;
        }
        for (row, value) in entries.row_indices().iter().zip(entries.values()) {
            if plain[column].is_some() && plain[*row].is_some() {
                continue;
            }
            let left = T.row(*row);
            for (a, t_a) in left.col_indices().iter().zip(left.values()) {
                for (b, t_b) in right.col_indices().iter().zip(right.values()) {
                    let term = t_a * value * t_b;
                    // The mirrored entry A(column, row) gives the transposed term.
                    if *row == column {
                        if a >= b {
                            rest.push(*a, *b, term);
                        }
                    } else if a == b {
                        rest.push(*a, *b, 2.0 * term);
                    } else {
                        rest.push(*a.max(b), *a.min(b), term);
                    }
                }
            }
        }
    }
    if rest.nnz() == 0 {
        return moved;
    }
    // A + (−(−1))B on the union of both patterns.
    pliant_sparse::shifted(&moved, &CscMatrix::from(&rest), -1.0)
}

/// The column of each row of T that is a single 1, as long as they ascend.
fn plain_columns(T: &CsrMatrix<f64>) -> Vec<Option<usize>> {
    let mut last = None;
    T.row_iter()
        .map(|row| match (row.col_indices(), row.values()) {
            ([column], [1.0]) if last.is_none_or(|last| last < *column) => {
                last = Some(*column);
                Some(*column)
            }
            _ => None,
        })
        .collect()
}

/// Entries of A between plain rows, in their new places.
fn moved_entries(A: &CscMatrix<f64>, T: &CsrMatrix<f64>, plain: &[Option<usize>]) -> CscMatrix<f64> {
    let mut lengths = vec![0_usize; T.ncols()];
    for (column, entries) in A.col_iter().enumerate() {
        if let Some(new) = plain[column] {
            lengths[new] = entries.row_indices().iter().filter(|row| plain[**row].is_some()).count();
        }
    }
    let mut offsets = Vec::with_capacity(T.ncols() + 1);
    offsets.push(0);
    let mut total = 0;
    for length in lengths {
        total += length;
        offsets.push(total);
    }
    let mut rows = Vec::with_capacity(total);
    let mut values = Vec::with_capacity(total);
    // Plain columns ascend, so their entries follow each other in the result too.
    for (column, entries) in A.col_iter().enumerate() {
        if plain[column].is_none() {
            continue;
        }
        for (row, value) in entries.row_indices().iter().zip(entries.values()) {
            if let Some(row) = plain[*row] {
                rows.push(row);
                values.push(*value);
            }
        }
    }
    CscMatrix::try_from_csc_data(T.ncols(), T.ncols(), offsets, rows, values)
        .expect("invariant: plain rows ascend")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    fn lower(A: &DMatrix<f64>) -> CscMatrix<f64> {
        CscMatrix::from(&CooMatrix::from(&A.lower_triangle()))
    }

    /// Against the dense products of nalgebra.
    #[test]
    fn products_agree_with_dense_ones() {
        let half = DMatrix::from_fn(5, 5, |i, j| ((3 * i + 7 * j) % 5) as f64 - 1.5);
        let A = &half + half.transpose();
        let T = DMatrix::from_row_slice(
            5,
            3,
            &[1., 0., 0., 0.5, -2., 0., 0., 0., 1., 0., 0., 0., 0.3, 0.4, -1.1],
        );
        let T_sparse = CsrMatrix::from(&CooMatrix::from(&T));
        let found = DMatrix::from(&transformed(&lower(&A), &T_sparse));
        let expected = (T.transpose() * &A * &T).lower_triangle();
        assert!((found - expected).amax() < 1e-13, "rounding of a few products of order 1");
        let x = [1.0, -2.0, 0.5, 3.0, 0.25];
        let y = symmetric_product(&lower(&A), &x);
        let expected = &A * nalgebra::DVector::from_row_slice(&x);
        assert!((nalgebra::DVector::from_vec(y) - expected).amax() < 1e-13);
    }
}
