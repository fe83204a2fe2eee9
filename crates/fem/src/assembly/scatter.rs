//! Adding element matrices into a pattern, each thread its own columns.

use rayon::prelude::*;

use super::Matrices;
use super::pattern::{ElementRows, Pattern};

/// Matrices of consecutive elements.
pub(super) struct Batch<'a> {
    pub(super) rows: &'a ElementRows,
    /// Number of the first element.
    pub(super) first: usize,
    pub(super) matrices: &'a [Matrices],
}

/// Adds the lower triangles of a batch to the values of K, M and D. The columns are split between the threads; each entry receives its
/// terms in the order of the elements, so the split does not change a bit.
pub(super) fn scatter(pattern: &Pattern, batch: &Batch<'_>, values: [&mut [f64]; 3]) {
    let count = pattern.offsets.len() - 1;
    let parts = rayon::current_num_threads().clamp(1, 16);
    let mut slices = Vec::with_capacity(parts);
    let mut rest = values;
    for part in 0..parts {
        let (begin, end) = (count * part / parts, count * (part + 1) / parts);
        let length = pattern.offsets[end] - pattern.offsets[begin];
        let [(K, K_rest), (M, M_rest), (D, D_rest)] = rest.map(|v| v.split_at_mut(length));
        slices.push((begin..end, [K, M, D]));
        rest = [K_rest, M_rest, D_rest];
    }
    slices.into_par_iter().for_each(|(columns, mut slices)| {
        let base = pattern.offsets[columns.start];
        // Places of one column's rows, by their place in the element.
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (number, matrices) in batch.matrices.iter().enumerate() {
            let rows = batch.rows.of(batch.first + number);
            for (j, column) in rows.iter().map(|row| *row as usize).enumerate() {
                if !columns.contains(&column) {
                    continue;
                }
                let (from, to) = (pattern.offsets[column], pattern.offsets[column + 1]);
                find(&pattern.rows[from..to], rows, column, &mut places);
                for (A, slice) in matrices.iter().zip(&mut slices) {
                    let Some(A) = A else { continue };
                    let (terms, slice) = (A.column(j), &mut slice[from - base..to - base]);
                    for (i, k) in &places {
                        slice[*k] += terms[*i];
                    }
                }
            }
        }
    });
}

/// The rows of an element from the diagonal down with their places in a column.
fn find(here: &[usize], rows: &[u32], column: usize, places: &mut Vec<(usize, usize)>) {
    places.clear();
    let mut next = usize::MAX;
    for (i, row) in rows.iter().map(|row| *row as usize).enumerate() {
        if row < column {
            continue;
        }
        // The components of a node follow each other in the element and in the column.
        let k = match here.get(next) {
            Some(found) if *found == row => next,
            _ => here.binary_search(&row).expect("invariant: the pattern holds every element"),
        };
        places.push((i, k));
        next = k + 1;
    }
}
