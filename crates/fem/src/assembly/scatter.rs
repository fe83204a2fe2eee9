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

/// Adds the lower triangles of a batch to the values of K, M and D. The columns are split between the
/// threads; each entry receives its terms in the order of the elements, so the split does not change a bit.
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
        // Rows of one column from the diagonal down, by their number in the element, and where they stand in
        // the column.
        let mut entries: Vec<(usize, usize)> = Vec::new();
        let mut hints: Vec<usize> = Vec::new();
        for (number, matrices) in batch.matrices.iter().enumerate() {
            let rows = batch.rows.of(batch.first + number);
            hints.clear();
            hints.resize(rows.len(), usize::MAX);
            for (j, column) in rows.iter().map(|row| *row as usize).enumerate() {
                if !columns.contains(&column) {
                    continue;
                }
                let (from, to) = (pattern.offsets[column], pattern.offsets[column + 1]);
                find(&pattern.rows[from..to], rows, column, &mut hints, &mut entries);
                for (A, slice) in matrices.iter().zip(&mut slices) {
                    let Some(A) = A else { continue };
                    let terms = &A.as_slice()[j * rows.len()..(j + 1) * rows.len()];
                    let slice = &mut slice[from - base..to - base];
                    for (i, k) in &entries {
                        slice[*k] += terms[*i];
                    }
                }
            }
        }
    });
}

/// The rows of an element from the diagonal down with their entries in a column. The hints are where they
/// stood in the column before: the components of a node follow each other, and mostly a column is the one
/// before without its diagonal.
fn find(here: &[usize], rows: &[u32], column: usize, hints: &mut [usize], entries: &mut Vec<(usize, usize)>) {
    entries.clear();
    let mut next = usize::MAX;
    for (i, (row, hint)) in rows.iter().map(|row| *row as usize).zip(hints).enumerate() {
        if row < column {
            continue;
        }
        let is_at = |k: usize| here.get(k) == Some(&row);
        let before = hint.wrapping_sub(1);
        let k = if is_at(next) {
            next
        } else if is_at(before) {
            before
        } else {
            here.binary_search(&row).expect("invariant: the pattern holds every element")
        };
        entries.push((i, k));
        *hint = k;
        next = k + 1;
    }
}
