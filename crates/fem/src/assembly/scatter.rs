//! Adding element matrices into a pattern, each thread its own columns.

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::pattern::{ElementRows, Pattern};

/// Matrices of consecutive elements.
pub(super) struct Batch<'a> {
    pub(super) rows: &'a ElementRows,
    /// Number of the first element.
    pub(super) first: usize,
    pub(super) matrices: Vec<Option<&'a DMatrix<f64>>>,
}

/// Adds the lower triangles of a batch to `values`. The columns are split between the threads; each entry receives its
/// terms in the order of the elements, so the split does not change a bit.
pub(super) fn scatter(pattern: &Pattern, batch: &Batch<'_>, values: &mut [f64]) {
    if batch.matrices.iter().all(Option::is_none) {
        return;
    }
    let count = pattern.offsets.len() - 1;
    let parts = rayon::current_num_threads().clamp(1, 16);
    let mut slices = Vec::with_capacity(parts);
    let mut rest = values;
    for part in 0..parts {
        let (begin, end) = (count * part / parts, count * (part + 1) / parts);
        let (slice, tail) = rest.split_at_mut(pattern.offsets[end] - pattern.offsets[begin]);
        slices.push((begin..end, slice));
        rest = tail;
    }
    slices.into_par_iter().for_each(|(columns, slice)| {
        let base = pattern.offsets[columns.start];
        for (place, A) in batch.matrices.iter().enumerate() {
            let Some(A) = A else { continue };
            let rows = batch.rows.of(batch.first + place);
            for (j, column) in rows.iter().map(|row| *row as usize).enumerate() {
                if !columns.contains(&column) {
                    continue;
                }
                let (from, to) = (pattern.offsets[column], pattern.offsets[column + 1]);
                let here = &pattern.rows[from..to];
                for (i, row) in rows.iter().map(|row| *row as usize).enumerate() {
                    let value = A[(i, j)];
                    if row < column || value == 0.0 {
                        continue;
                    }
                    let k = here.binary_search(&row).expect("invariant: the pattern holds every element");
                    slice[from - base + k] += value;
                }
            }
        }
    });
}
