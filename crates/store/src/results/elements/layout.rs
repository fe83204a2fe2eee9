//! The rows of elements as they lie in memory, and turned to other coordinates.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use pliant_reduce::recovery::{ElementModes, RecoveredElement};
use pliant_simd::Kernel;
use rayon::prelude::*;

use super::form::{Form, counted};

/// The rows of an element, tile by tile. A tile has as many rows as fill the registers: four points of a
/// line, both faces of a shell, one point of a solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementRows {
    pub(super) form: Form,
    /// Its first number in `B`.
    pub(super) first: usize,
    pub(super) tiles: usize,
}

/// Which numbers of elements count, and where their rows are.
pub(super) struct Layout {
    coordinates: usize,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) elements: Vec<ElementRows>,
}

impl Layout {
    pub(super) fn new(modes: &ElementModes) -> Self {
        let coordinates = modes.S.ncols();
        let ranges: Vec<_> = modes.elements.par_iter().map(|element| counted(modes, element)).collect();
        let mut first = 0;
        let element = |(element, range): (&RecoveredElement, &Range<usize>)| {
            let form = Form::of(element.kind, modes.quantity);
            let tiles = range.len() / form.numbers();
            let rows = ElementRows { form, first, tiles };
            first += coordinates * tiles * form.rows();
            rows
        };
        let elements = modes.elements.iter().zip(&ranges).map(element).collect();
        Self { coordinates, ranges, elements }
    }

    /// The rows of an element, a number for each coordinate, times a scale for each.
    pub(super) fn rows(&self, modes: &ElementModes, at: usize, scales: &[f64]) -> Vec<f64> {
        let ElementRows { form, tiles, .. } = self.elements[at];
        let n = self.coordinates;
        let mut rows = vec![0.0; n * tiles * form.rows()];
        for (k, (s, scale)) in modes.S.column_iter().zip(scales).enumerate() {
            let mut i = k;
            for s in s.as_slice()[self.ranges[at].clone()].chunks_exact(form.numbers()) {
                form.combine(s, |x| {
                    rows[i] = x * scale;
                    i += n;
                });
            }
        }
        rows
    }

    /// The rows of an element tile by tile, of each tile its columns one after the other.
    pub(super) fn tiled(&self, at: usize, rows: &[f64]) -> Vec<f64> {
        let (n, height) = (self.coordinates, self.elements[at].form.rows());
        let tile =
            |tile: &[f64]| (0..n * height).map(|i| tile[n * (i % height) + i / height]).collect::<Vec<_>>();
        rows.chunks_exact((n * height).max(1)).flat_map(tile).collect()
    }
}

/// `sum` += x xᵀ.
pub(super) fn add_square(sum: &mut DMatrix<f64>, x: &[f64]) {
    for (mut column, b) in sum.column_iter_mut().zip(x) {
        column.iter_mut().zip(x).for_each(|(sum, a)| *sum += a * b);
    }
}

/// Eigenvectors, those of the largest eigenvalues first, and the roots of these.
pub(super) fn axes(matrix: DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let n = matrix.nrows();
    if n == 0 {
        return (matrix, DVector::zeros(0));
    }
    let found = matrix.symmetric_eigen();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| found.eigenvalues[*b].total_cmp(&found.eigenvalues[*a]));
    let roots = order.iter().map(|k| found.eigenvalues[*k].max(0.0).sqrt());
    (found.eigenvectors.select_columns(&order), DVector::from_iterator(n, roots))
}

/// Rows times M, whose rows follow each other. Products and sums are rounded in the order of the columns.
pub(super) struct Turned<'a> {
    pub(super) rows: &'a [f64],
    pub(super) M: &'a [f64],
    pub(super) n: usize,
    pub(super) turned: &'a mut [f64],
}

impl Kernel for Turned<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { rows, M, n, turned } = self;
        for (row, turned) in rows.chunks_exact(n).zip(turned.chunks_exact_mut(n)) {
            for (x, m) in row.iter().zip(M.chunks_exact(n)) {
                for (sum, m) in turned.iter_mut().zip(m) {
                    *sum += x * m;
                }
            }
        }
    }
}
