//! Products of a symmetric sparse matrix, stored as its lower triangle, with a block of vectors.

use faer::{MatMut, MatRef};
use nalgebra_sparse::CscMatrix;

/// Columns multiplied in one sweep over the matrix.
const WIDE: usize = 8;
/// The same for a block that has no more.
const NARROW: usize = 4;

/// A symmetric matrix seen through its lower triangle.
#[derive(Clone, Copy, Debug)]
pub struct Symmetric<'a> {
    lower: &'a CscMatrix<f64>,
}

impl<'a> Symmetric<'a> {
    /// Wraps a lower triangle.
    #[must_use]
    pub fn new(lower: &'a CscMatrix<f64>) -> Self {
        Self { lower }
    }

    /// Y = AX.
    ///
    /// # Panics
    /// When the shapes disagree.
    pub fn multiply(&self, X: MatRef<'_, f64>, Y: MatMut<'_, f64>) {
        let n = self.lower.ncols();
        assert!(X.nrows() == n && Y.nrows() == n && X.ncols() == Y.ncols(), "shapes of AX = Y");
        // The bits of a column do not depend on its neighbours.
        if X.ncols() <= NARROW {
            self.multiply_by::<NARROW>(X, Y);
        } else {
            self.multiply_by::<WIDE>(X, Y);
        }
    }

    fn multiply_by<const SWEEP: usize>(&self, X: MatRef<'_, f64>, mut Y: MatMut<'_, f64>) {
        let n = X.nrows();
        let mut x = vec![[0.0; SWEEP]; n];
        let mut y = vec![[0.0; SWEEP]; n];
        for first in (0..X.ncols()).step_by(SWEEP) {
            let count = SWEEP.min(X.ncols() - first);
            for k in 0..count {
                let column = X.col(first + k);
                x.iter_mut().enumerate().for_each(|(i, slot)| slot[k] = column[i]);
            }
            y.fill([0.0; SWEEP]);
            self.sweep(&x, &mut y);
            for k in 0..count {
                let mut column = Y.as_mut().col_mut(first + k);
                y.iter().enumerate().for_each(|(i, slot)| column[i] = slot[k]);
            }
        }
    }

    fn sweep<const SWEEP: usize>(&self, x: &[[f64; SWEEP]], y: &mut [[f64; SWEEP]]) {
        let (offsets, rows, values) = self.lower.csc_data();
        for j in 0..x.len() {
            let xj = x[j];
            let mut yj = [0.0; SWEEP];
            for (&i, &a) in rows[offsets[j]..offsets[j + 1]].iter().zip(&values[offsets[j]..offsets[j + 1]]) {
                if i == j {
                    (0..SWEEP).for_each(|k| yj[k] += a * xj[k]);
                } else {
                    let (xi, yi) = (&x[i], &mut y[i]);
                    for k in 0..SWEEP {
                        yi[k] += a * xj[k];
                        yj[k] += a * xi[k];
                    }
                }
            }
            (0..SWEEP).for_each(|k| y[j][k] += yj[k]);
        }
    }

    /// ‖A‖∞, the largest sum of absolute values in a row.
    #[must_use]
    pub fn norm(&self) -> f64 {
        let mut sums = vec![0.0; self.lower.ncols()];
        for (i, j, &value) in self.lower.triplet_iter() {
            sums[i] += value.abs();
            if i != j {
                sums[j] += value.abs();
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }
}
