//! The dense system of the linear analysis, coordinates and multipliers together.

use crate::closures::pivoted::{PivotedLu, Rank, RankError};

/// Sweeps that make the largest entry of each row and column about one; each takes the root of what is
/// missing.
const SWEEPS: usize = 6;

/// A square matrix, scaled and factored with complete pivoting.
#[derive(Clone, Debug)]
pub(crate) struct Saddle {
    lu: PivotedLu,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    largest: Vec<f64>,
    null: Vec<f64>,
}

impl Saddle {
    pub(crate) fn new(n: usize) -> Self {
        let ones = || vec![1.0; n];
        Self {
            lu: PivotedLu::new(n),
            row_scale: ones(),
            column_scale: ones(),
            largest: ones(),
            null: Vec::new(),
        }
    }

    /// Column `j` of the unscaled matrix.
    pub(crate) fn column(&mut self, j: usize) -> &mut [f64] {
        let n = self.lu.size();
        &mut self.lu.matrix()[j * n..(j + 1) * n]
    }

    /// Scales rows and columns (Ruiz 2001) and factors; `left_over` equations repeat the others.
    pub(crate) fn factor(&mut self, left_over: usize) -> Result<(), RankError> {
        let n = self.lu.size();
        self.row_scale.fill(1.0);
        self.column_scale.fill(1.0);
        let A = self.lu.matrix();
        for _ in 0..SWEEPS {
            self.largest.fill(0.0);
            for column in A.chunks_exact(n) {
                for (largest, x) in self.largest.iter_mut().zip(column) {
                    *largest = largest.max(x.abs());
                }
            }
            let root = |largest: f64| if largest > 0.0 { 1.0 / largest.sqrt() } else { 1.0 };
            for (scale, largest) in self.row_scale.iter_mut().zip(&mut self.largest) {
                *largest = root(*largest);
                *scale *= *largest;
            }
            for (scale, column) in self.column_scale.iter_mut().zip(A.chunks_exact_mut(n)) {
                let factor = root(column.iter().fold(0.0, |a, x| a.max(x.abs())));
                *scale *= factor;
                for (x, row) in column.iter_mut().zip(&self.largest) {
                    *x *= factor * row;
                }
            }
        }
        self.lu.factor(Rank::Leave(left_over))
    }

    /// Solves: `x` holds the right-hand side and becomes the solution. Returns the size of the solution in
    /// scaled units.
    pub(crate) fn solve(&mut self, x: &mut [f64]) -> f64 {
        for (x, scale) in x.iter_mut().zip(&self.row_scale) {
            *x *= scale;
        }
        self.lu.solve(x);
        let size = x.iter().fold(0.0f64, |a, x| a.max(x.abs()));
        for (x, scale) in x.iter_mut().zip(&self.column_scale) {
            *x *= scale;
        }
        size
    }

    /// The size, in the same units, of a vector of the first coordinates.
    pub(crate) fn size(&self, x: impl Iterator<Item = f64>) -> f64 {
        x.zip(&self.column_scale).fold(0.0, |a, (x, scale)| a.max((x / scale).abs()))
    }

    /// Takes from the last unknowns, given as `x` in `units`, what the equations leave undetermined: the
    /// smallest remain.
    pub(crate) fn take_least_norm(&mut self, units: &[f64], x: &mut [f64]) {
        let n = self.lu.size();
        let first = n - x.len();
        self.null.resize(self.lu.left_over().len() * n, 0.0);
        let scale = &self.column_scale[first..];
        self.lu.take_least_norm(&mut self.null, first, |i| scale[i] / units[i], units, x);
    }
}
