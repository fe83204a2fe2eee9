//! The pattern of the lower triangle, column by column, from the rows of each element.

use nalgebra_sparse::CscMatrix;
use rayon::prelude::*;

/// Columns whose pattern one task works out.
const CHUNK: usize = 4096;

/// Rows of every element, one after the other.
#[derive(Debug)]
pub(super) struct ElementRows {
    offsets: Vec<usize>,
    rows: Vec<u32>,
}

impl Default for ElementRows {
    fn default() -> Self {
        Self { offsets: vec![0], rows: Vec::new() }
    }
}

impl ElementRows {
    pub(super) fn push(&mut self, rows: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.offsets.push(self.rows.len());
    }

    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(super) fn of(&self, element: usize) -> &[u32] {
        &self.rows[self.offsets[element]..self.offsets[element + 1]]
    }
}

/// Column offsets and ascending row indices of a lower triangle.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) offsets: Vec<usize>,
    pub(super) rows: Vec<usize>,
}

impl Pattern {
    /// Where the diagonal of a column is: it comes first if the pattern has it.
    fn diagonal(&self, column: usize) -> Option<usize> {
        let k = self.offsets[column];
        (k < self.offsets[column + 1] && self.rows[k] == column).then_some(k)
    }

    /// The matrix of zeros: the diagonal that the pattern has.
    pub(super) fn zeros(&self) -> CscMatrix<f64> {
        let count = self.offsets.len() - 1;
        let mut offsets = Vec::with_capacity(count + 1);
        let mut rows = Vec::new();
        offsets.push(0);
        for column in 0..count {
            rows.extend(self.diagonal(column).map(|_| column));
            offsets.push(rows.len());
        }
        let values = vec![0.0; rows.len()];
        CscMatrix::try_from_csc_data(count, count, offsets, rows, values)
            .expect("invariant: a diagonal is in order")
    }

    /// The matrix without its exact zeros; a diagonal that the pattern has is kept.
    pub(super) fn compact(&self, values: Vec<f64>) -> CscMatrix<f64> {
        let count = self.offsets.len() - 1;
        let keep = |column: usize, k: usize| values[k] != 0.0 || self.rows[k] == column;
        let empty = (0..count).filter(|column| self.diagonal(*column).is_some_and(|k| values[k] == 0.0));
        let kept = values.iter().filter(|value| **value != 0.0).count() + empty.count();
        let mut offsets = Vec::with_capacity(count + 1);
        let mut rows = Vec::with_capacity(kept);
        let mut compact = Vec::with_capacity(kept);
        offsets.push(0);
        for column in 0..count {
            let here = (self.offsets[column]..self.offsets[column + 1]).filter(|k| keep(column, *k));
            for k in here {
                rows.push(self.rows[k]);
                compact.push(values[k]);
            }
            offsets.push(rows.len());
        }
        CscMatrix::try_from_csc_data(count, count, offsets, rows, compact)
            .expect("invariant: rows ascend in each column of the pattern")
    }
}

impl Pattern {
    /// As [`Pattern::compact`] in the memory of the pattern and the values.
    pub(super) fn compacted(mut self, mut values: Vec<f64>) -> CscMatrix<f64> {
        let count = self.offsets.len() - 1;
        let (mut begin, mut kept) = (0, 0);
        for column in 0..count {
            let end = self.offsets[column + 1];
            for k in begin..end {
                if values[k] != 0.0 || self.rows[k] == column {
                    self.rows[kept] = self.rows[k];
                    values[kept] = values[k];
                    kept += 1;
                }
            }
            self.offsets[column + 1] = kept;
            begin = end;
        }
        self.rows.truncate(kept);
        values.truncate(kept);
        self.rows.shrink_to_fit();
        values.shrink_to_fit();
        CscMatrix::try_from_csc_data(count, count, self.offsets, self.rows, values)
            .expect("invariant: rows ascend in each column of the pattern")
    }
}

/// Elements at each row, as offsets and element numbers in ascending order.
fn elements_at(count: usize, elements: &ElementRows) -> (Vec<usize>, Vec<u32>) {
    let mut offsets = vec![0_usize; count + 1];
    for row in &elements.rows {
        offsets[*row as usize + 1] += 1;
    }
    for i in 0..count {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut at = vec![0_u32; elements.rows.len()];
    for element in 0..elements.len() {
        for row in elements.of(element) {
            at[next[*row as usize]] = element as u32;
            next[*row as usize] += 1;
        }
    }
    (offsets, at)
}

/// The lower triangle that the elements fill.
pub(super) fn lower_pattern(count: usize, elements: &ElementRows) -> Pattern {
    let (at_offsets, at) = elements_at(count, elements);
    let chunks: Vec<(Vec<usize>, Vec<usize>)> = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut lengths = Vec::with_capacity(CHUNK);
            let mut rows = Vec::new();
            let mut union: Vec<u32> = Vec::new();
            let mut union_of: &[u32] = &[];
            for column in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
                let here = &at[at_offsets[column]..at_offsets[column + 1]];
                // The components of one node mostly have the same elements: one sort serves them all.
                if here != union_of {
                    union.clear();
                    union.extend(here.iter().flat_map(|e| elements.of(*e as usize)));
                    union.sort_unstable();
                    union.dedup();
                    union_of = here;
                }
                let from = if here.is_empty() {
                    union.len()
                } else {
                    union.partition_point(|row| (*row as usize) < column)
                };
                rows.extend(union[from..].iter().map(|row| *row as usize));
                lengths.push(union.len() - from);
            }
            (lengths, rows)
        })
        .collect();
    let mut offsets = Vec::with_capacity(count + 1);
    offsets.push(0);
    let mut rows = Vec::with_capacity(chunks.iter().map(|(_, rows)| rows.len()).sum());
    let mut total = 0;
    for (lengths, chunk) in chunks {
        for length in lengths {
            total += length;
            offsets.push(total);
        }
        rows.extend(chunk);
    }
    Pattern { offsets, rows }
}
