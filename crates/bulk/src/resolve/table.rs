//! From the user's numbers to our rows.

/// Rows by number. Numbers that lie close together, as in nearly every deck, are a plain array; others are
/// searched.
#[derive(Debug, Default)]
pub(crate) struct IdTable {
    dense: Vec<u32>,
    sorted: Vec<u32>,
    /// Rows of the sorted numbers where they do not just count up.
    rows: Vec<u32>,
}

/// No row.
const NONE: u32 = u32::MAX;

impl IdTable {
    /// From ids in ascending order, each once; rows count from 0.
    pub(crate) fn new(ids: impl ExactSizeIterator<Item = u32> + Clone) -> Self {
        let count = ids.len();
        let largest = ids.clone().last().unwrap_or(0) as usize;
        if largest <= 8 * count + 1024 {
            let mut dense = vec![NONE; largest + 1];
            for (row, id) in ids.enumerate() {
                dense[id as usize] = row as u32;
            }
            Self { dense, sorted: Vec::new(), rows: Vec::new() }
        } else {
            Self { dense: Vec::new(), sorted: ids.collect(), rows: Vec::new() }
        }
    }

    /// From numbers in ascending order, each once, with their rows, of which several may be the same.
    pub(crate) fn with_rows(pairs: &[(u32, u32)]) -> Self {
        let mut table = Self::new(pairs.iter().map(|(id, _)| *id));
        if table.sorted.is_empty() {
            pairs.iter().for_each(|(id, row)| table.dense[*id as usize] = *row);
        } else {
            table.rows = pairs.iter().map(|(_, row)| *row).collect();
        }
        table
    }

    /// The row of a number.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<u32> {
        if self.sorted.is_empty() {
            self.dense.get(id as usize).copied().filter(|row| *row != NONE)
        } else {
            let index = self.sorted.binary_search(&id).ok()?;
            Some(self.rows.get(index).copied().unwrap_or(index as u32))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_numbers_are_found() {
        for ids in [vec![1, 2, 3, 7], vec![5, 1_000_000, 99_999_999], vec![]] {
            let table = IdTable::new(ids.iter().copied());
            for (row, id) in ids.iter().enumerate() {
                assert_eq!(table.get(*id), Some(row as u32));
            }
            let pairs: Vec<(u32, u32)> = ids.iter().map(|id| (*id, id % 3)).collect();
            let shared = IdTable::with_rows(&pairs);
            assert!(pairs.iter().all(|(id, row)| shared.get(*id) == Some(*row)));
            for missing in [0, 4, 100_000_000, u32::MAX] {
                assert_eq!(table.get(missing), None);
            }
        }
    }
}
