//! TᵀAT of a symmetric sparse matrix A without making it: A is often there anyway, and the product as large.

use faer::{MatMut, MatRef};
use nalgebra_sparse::{CscMatrix, CsrMatrix};

use crate::product::{Combined, Operator, Rows, in_sweeps};

/// The slot of a row of which T has nothing.
const NOWHERE: u32 = u32::MAX;

/// TᵀAT for some columns of a sparse T most of whose rows hold a single 1 or nothing.
#[derive(Clone, Debug)]
pub struct Congruent<'a> {
    lower: &'a CscMatrix<f64>,
    columns: usize,
    /// Of each row of A: the column of T that it is, the number of columns plus the index in `combined`, or
    /// [`NOWHERE`].
    slots: Vec<u32>,
    combined: Vec<Combined>,
}

impl<'a> Congruent<'a> {
    /// Of a symmetric A given by its lower triangle, and the chosen columns of T in their order.
    ///
    /// # Panics
    /// When T has not as many rows as A, or there are 2³² slots or more.
    #[must_use]
    pub fn new(lower: &'a CscMatrix<f64>, T: &CsrMatrix<f64>, columns: &[usize]) -> Self {
        assert_eq!(lower.ncols(), T.nrows(), "T has the rows of A");
        assert!(
            u32::try_from(columns.len() + T.nrows()).is_ok_and(|most| most < NOWHERE),
            "slots in 32 bits"
        );
        let mut indices = vec![NOWHERE; T.ncols()];
        columns.iter().enumerate().for_each(|(new, old)| indices[*old] = new as u32);
        let mut combined: Vec<Combined> = Vec::new();
        let slot = |row: nalgebra_sparse::csr::CsrRow<'_, f64>| {
            let entries = row.col_indices().iter().zip(row.values());
            let mut chosen = entries.map(|(column, t)| (indices[*column], *t)).filter(|(c, _)| *c != NOWHERE);
            match (chosen.next(), chosen.next()) {
                (None, _) => NOWHERE,
                (Some((column, 1.0)), None) => column,
                (first, second) => {
                    combined.push(first.into_iter().chain(second).chain(chosen).collect());
                    (columns.len() + combined.len() - 1) as u32
                }
            }
        };
        let slots = T.row_iter().map(slot).collect();
        Self { lower, columns: columns.len(), slots, combined }
    }

    /// Entries of a row of T.
    fn terms(&self, row: usize) -> impl Iterator<Item = (u32, f64)> {
        let slot = self.slots[row];
        let plain = ((slot as usize) < self.columns).then_some((slot, 1.0));
        let combined = (slot as usize).checked_sub(self.columns).and_then(|index| self.combined.get(index));
        plain.into_iter().chain(combined.into_iter().flatten().copied())
    }
}

impl Operator for Congruent<'_> {
    fn multiply(&self, X: MatRef<'_, f64>, Y: MatMut<'_, f64>) {
        assert!(X.nrows() == self.columns && Y.nrows() == self.columns, "shapes of AX = Y");
        let slot =
            |row: usize| Some(self.slots[row]).filter(|slot| *slot != NOWHERE).map(|slot| slot as usize);
        in_sweeps(X, Y, self.columns, &Rows { lower: self.lower, slot, combined: &self.combined });
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.columns];
        for (i, j, &value) in self.lower.triplet_iter() {
            let value = if i == j { value } else { 2.0 * value };
            for (column, t) in self.terms(i) {
                let mirrored = self.terms(j).filter(|(other, _)| *other == column);
                mirrored.for_each(|(_, s)| diagonal[column as usize] += t * value * s);
            }
        }
        diagonal
    }
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use nalgebra_sparse::CooMatrix;

    use super::*;

    /// Against dense products: plain rows, two rows with the same column, combined and empty ones, columns
    /// left out.
    #[test]
    fn products_and_diagonal_are_those_of_the_dense_matrix() {
        let A = Mat::from_fn(6, 6, |i, j| ((3 * i.min(j) + 7 * i.max(j)) % 5) as f64 - 1.5);
        let T = [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, -2.0, 0.0, 3.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0; 4],
            [0.3, 0.4, -1.1, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ];
        let (mut lower, mut sparse_T) = (CooMatrix::new(6, 6), CooMatrix::new(6, 4));
        for i in 0..6 {
            (0..=i).for_each(|j| lower.push(i, j, A[(i, j)]));
            (0..4).filter(|c| T[i][*c] != 0.0).for_each(|c| sparse_T.push(i, c, T[i][c]));
        }
        let (lower, sparse_T) = (CscMatrix::from(&lower), CsrMatrix::from(&sparse_T));
        let chosen = [2, 0, 3];
        let T = Mat::from_fn(6, 3, |i, c| T[i][chosen[c]]);
        let expected = T.transpose() * &A * &T;
        let operator = Congruent::new(&lower, &sparse_T, &chosen);
        for width in [1, 4, 7, 11] {
            let X = Mat::from_fn(3, width, |i, k| ((5 * i + 3 * k) % 7) as f64 - 2.0);
            let mut Y = Mat::zeros(3, width);
            operator.multiply(X.as_ref(), Y.as_mut());
            let error = (Y - &expected * X).norm_max();
            assert!(error < 1e-12, "rounding of some products of order 10: {error}");
        }
        for (c, value) in operator.diagonal().into_iter().enumerate() {
            assert!((value - expected[(c, c)]).abs() < 1e-12, "rounding of some products of order 10");
        }
    }
}
