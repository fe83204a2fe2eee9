//! A sparse matrix made row by row.

use nalgebra_sparse::CsrMatrix;

/// Rows of a sparse matrix, one after the other.
#[derive(Clone, Debug)]
pub struct SparseRows {
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Default for SparseRows {
    fn default() -> Self {
        Self { offsets: vec![0], columns: Vec::new(), values: Vec::new() }
    }
}

impl SparseRows {
    /// Adds a term to the row that is being made. Terms of one column are summed.
    pub fn push(&mut self, column: usize, value: f64) {
        let start = self.offsets.last().copied().unwrap_or(0);
        let index = start + self.columns[start..].partition_point(|other| *other < column);
        if self.columns.get(index) == Some(&column) {
            self.values[index] += value;
        } else {
            self.columns.insert(index, column);
            self.values.insert(index, value);
        }
    }

    /// Goes on to the next row.
    pub fn end_row(&mut self) {
        self.offsets.push(self.columns.len());
    }

    /// The matrix, of as many rows as were ended.
    ///
    /// # Panics
    /// When a column is not among `column_count`.
    #[must_use]
    pub fn finish(self, column_count: usize) -> CsrMatrix<f64> {
        let rows = self.offsets.len() - 1;
        CsrMatrix::try_from_csr_data(rows, column_count, self.offsets, self.columns, self.values)
            .expect("invariant: columns ascend in each row")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_come_in_any_order_and_are_summed() {
        let mut rows = SparseRows::default();
        [(2, 1.0), (0, -0.5), (2, 0.25)].into_iter().for_each(|(column, value)| rows.push(column, value));
        rows.end_row();
        rows.end_row();
        rows.push(1, 3.0);
        rows.end_row();
        let dense = nalgebra::DMatrix::from(&rows.finish(4));
        let expected = [[-0.5, 0.0, 1.25, 0.0], [0.0; 4], [0.0, 3.0, 0.0, 0.0]];
        assert_eq!(dense, nalgebra::DMatrix::from_fn(3, 4, |i, j| expected[i][j]));
    }
}
