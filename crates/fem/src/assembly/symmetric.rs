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

/// Lower triangle of TᵀAT for a symmetric A given by its lower triangle and a sparse T by rows. Most rows of
/// T hold a single 1 or nothing: entries between those are moved as they are, which needs no memory beside
/// the result. The rest (rigid elements, MPC) are multiplied out and added in a fixed order.
///
/// # Panics
/// If the sizes differ.
pub fn transformed(A: &CscMatrix<f64>, T: &CsrMatrix<f64>) -> CscMatrix<f64> {
    assert_eq!(A.ncols(), T.nrows(), "invariant: sizes agree");
    let plain = plain_columns(T);
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
    merged(A, &plain, &CscMatrix::from(&rest))
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

/// Entries of A between plain rows, in their new order, plus `rest`.
fn merged(A: &CscMatrix<f64>, plain: &[Option<usize>], rest: &CscMatrix<f64>) -> CscMatrix<f64> {
    let size = rest.ncols();
    let mut old = vec![None; size];
    plain.iter().enumerate().for_each(|(column, new)| {
        if let Some(new) = new {
            old[*new] = Some(column);
        }
    });
    let moved = old
        .iter()
        .flatten()
        .map(|column| A.col(*column).row_indices().iter().filter(|row| plain[**row].is_some()).count());
    let most = moved.sum::<usize>() + rest.nnz();
    let (mut rows, mut values) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut offsets = vec![0];
    for (new, old) in old.iter().enumerate() {
        let added = rest.col(new);
        let mut added = added.row_indices().iter().copied().zip(added.values().iter().copied()).peekable();
        let entries = old.map(|column| A.col(column));
        let entries = entries.iter().flat_map(|column| column.row_indices().iter().zip(column.values()));
        // Plain rows ascend in their new order too.
        for (row, value) in entries.filter_map(|(row, value)| plain[*row].map(|row| (row, *value))) {
            while let Some((before, value)) = added.next_if(|(other, _)| *other < row) {
                rows.push(before);
                values.push(value);
            }
            let more = added.next_if(|(other, _)| *other == row).map_or(0.0, |(_, value)| value);
            rows.push(row);
            values.push(value + more);
        }
        for (row, value) in added {
            rows.push(row);
            values.push(value);
        }
        offsets.push(rows.len());
    }
    CscMatrix::try_from_csc_data(size, size, offsets, rows, values)
        .expect("invariant: merged columns are sorted")
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
