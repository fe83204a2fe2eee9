//! Products of a symmetric sparse matrix, stored as its lower triangle, with a block of vectors.

use faer::{MatMut, MatRef};
use nalgebra_sparse::CscMatrix;
use pliant_simd::{Kernel, with_wide_registers};

/// Columns multiplied in one sweep over the matrix.
const WIDE: usize = 8;
/// The same for a block that has no more.
const NARROW: usize = 4;

/// Rows of a sweep that the nearest cache holds.
const NEAR: usize = 128;

/// A symmetric matrix as its products with blocks of vectors.
pub trait Operator {
    /// Y = AX.
    ///
    /// # Panics
    /// When the shapes disagree.
    fn multiply(&self, X: MatRef<'_, f64>, Y: MatMut<'_, f64>);

    /// The diagonal of A.
    fn diagonal(&self) -> Vec<f64>;
}

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
        assert!(X.nrows() == n && Y.nrows() == n, "shapes of AX = Y");
        in_sweeps(X, Y, n, &Rows { lower: self.lower, slot: Some, combined: &[] });
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

impl Operator for Symmetric<'_> {
    fn multiply(&self, X: MatRef<'_, f64>, Y: MatMut<'_, f64>) {
        Symmetric::multiply(self, X, Y);
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.lower.ncols()];
        for (i, _, &value) in self.lower.triplet_iter().filter(|(i, j, _)| i == j) {
            diagonal[i] = value;
        }
        diagonal
    }
}

/// A row of T with several entries: (column, value).
pub(crate) type Combined = Vec<(u32, f64)>;

/// TᵀAT by the rows of A. A row that is one of the columns of T has its slot, rows that combine several have
/// slots behind those of the columns, and rows that T leaves out have none.
pub(crate) struct Rows<'a, Slot: Fn(usize) -> Option<usize>> {
    pub(crate) lower: &'a CscMatrix<f64>,
    pub(crate) slot: Slot,
    pub(crate) combined: &'a [Combined],
}

/// Y = TᵀATX, where T has `columns` columns, a few columns of X at a time.
pub(crate) fn in_sweeps(
    X: MatRef<'_, f64>,
    Y: MatMut<'_, f64>,
    columns: usize,
    rows: &Rows<'_, impl Fn(usize) -> Option<usize>>,
) {
    assert_eq!(X.ncols(), Y.ncols(), "shapes of AX = Y");
    // The bits of a column do not depend on its neighbours.
    with_wide_registers(Sweeps { rows, X, Y, columns });
}

/// A column of a matrix that is stored by columns.
#[inline(always)]
fn column(A: MatRef<'_, f64>, k: usize, rows: usize) -> &[f64] {
    &A.col(k).try_as_col_major().expect("invariant: stored by columns").as_slice()[..rows]
}

struct Sweeps<'a, Slot: Fn(usize) -> Option<usize>> {
    rows: &'a Rows<'a, Slot>,
    X: MatRef<'a, f64>,
    Y: MatMut<'a, f64>,
    columns: usize,
}

impl<Slot: Fn(usize) -> Option<usize>> Kernel for Sweeps<'_, Slot> {
    #[inline(always)]
    fn run(self) {
        if self.X.ncols() <= NARROW {
            self.rows.multiply::<NARROW>(self.X, self.Y, self.columns);
        } else {
            self.rows.multiply::<WIDE>(self.X, self.Y, self.columns);
        }
    }
}

impl<Slot: Fn(usize) -> Option<usize>> Rows<'_, Slot> {
    #[inline(always)]
    fn multiply<const SWEEP: usize>(&self, X: MatRef<'_, f64>, mut Y: MatMut<'_, f64>, columns: usize) {
        let mut x = vec![[0.0; SWEEP]; columns + self.combined.len()];
        let mut y = vec![[0.0; SWEEP]; x.len()];
        for first in (0..X.ncols()).step_by(SWEEP) {
            let count = SWEEP.min(X.ncols() - first);
            // Where there are fewer columns, the last one fills the lanes of the others.
            let from: [&[f64]; SWEEP] = std::array::from_fn(|k| column(X, first + k.min(count - 1), columns));
            for (i, slot) in x[..columns].iter_mut().enumerate() {
                for k in 0..SWEEP {
                    slot[k] = from[k][i];
                }
            }
            for (d, terms) in self.combined.iter().enumerate() {
                let mut sum = [0.0; SWEEP];
                for &(c, t) in terms {
                    (0..SWEEP).for_each(|k| sum[k] += t * x[c as usize][k]);
                }
                x[columns + d] = sum;
            }
            if first > 0 {
                y.fill([0.0; SWEEP]);
            }
            self.sweep(&x, &mut y);
            let (own, others) = y.split_at_mut(columns);
            for (terms, sum) in self.combined.iter().zip(others) {
                for &(c, t) in terms {
                    (0..SWEEP).for_each(|k| own[c as usize][k] += t * sum[k]);
                }
            }
            for (block, own) in own.chunks(NEAR).enumerate() {
                for k in 0..count {
                    let rows = Y.as_mut().col_mut(first + k).subrows_mut(block * NEAR, own.len());
                    for (row, own) in rows.iter_mut().zip(own) {
                        *row = own[k];
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn sweep<const SWEEP: usize>(&self, x: &[[f64; SWEEP]], y: &mut [[f64; SWEEP]]) {
        let (offsets, rows, values) = self.lower.csc_data();
        for j in 0..self.lower.ncols() {
            let Some(column) = (self.slot)(j) else { continue };
            let xj = x[column];
            let mut yj = [0.0; SWEEP];
            for (&i, &a) in rows[offsets[j]..offsets[j + 1]].iter().zip(&values[offsets[j]..offsets[j + 1]]) {
                if i == j {
                    (0..SWEEP).for_each(|k| yj[k] += a * xj[k]);
                } else if let Some(row) = (self.slot)(i) {
                    let (xi, yi) = (&x[row], &mut y[row]);
                    for k in 0..SWEEP {
                        yi[k] += a * xj[k];
                        yj[k] += a * xi[k];
                    }
                }
            }
            (0..SWEEP).for_each(|k| y[column][k] += yj[k]);
        }
    }
}
