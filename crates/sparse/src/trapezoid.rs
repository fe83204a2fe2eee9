//! Storage of a lower trapezoid (the panel of a supernode, or an update matrix) by block columns.
//!
//! Block column b holds the columns from b·[`BLOCK`] on and the rows from the same number down, by columns.
//! Above the diagonal only half a block per block column is wasted, where a plain rectangle would waste half
//! of a square.

use faer::MatMut;

/// Columns per block: wide enough for matrix products to run at speed, narrow enough to waste little.
pub(crate) const BLOCK: usize = 128;

/// Shape of a lower trapezoid: `height` ≥ `width`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trapezoid {
    pub(crate) height: usize,
    pub(crate) width: usize,
}

impl Trapezoid {
    /// A lower triangle.
    pub(crate) fn square(size: usize) -> Self {
        Self { height: size, width: size }
    }

    /// Number of block columns.
    pub(crate) fn blocks(&self) -> usize {
        self.width.div_ceil(BLOCK)
    }

    /// First row and column of a block column.
    pub(crate) fn first(&self, block: usize) -> usize {
        block * BLOCK
    }

    /// Number of columns in a block column.
    pub(crate) fn columns(&self, block: usize) -> usize {
        BLOCK.min(self.width - block * BLOCK)
    }

    /// Where a block column starts; all columns before it are full.
    pub(crate) fn offset(&self, block: usize) -> usize {
        BLOCK * (block * self.height) - BLOCK * BLOCK * (block * block.saturating_sub(1) / 2)
    }

    /// Number of values stored.
    pub(crate) fn len(&self) -> usize {
        match self.blocks() {
            0 => 0,
            blocks => {
                let last = blocks - 1;
                self.offset(last) + (self.height - self.first(last)) * self.columns(last)
            }
        }
    }

    /// Where column `column` starts, which is at row `first(column / BLOCK)`.
    pub(crate) fn column_offset(&self, column: usize) -> usize {
        let block = column / BLOCK;
        self.offset(block) + (column - block * BLOCK) * (self.height - block * BLOCK)
    }

    /// The values of a block column.
    pub(crate) fn block<'a>(&self, values: &'a [f64], block: usize) -> &'a [f64] {
        &values[self.offset(block)..][..(self.height - self.first(block)) * self.columns(block)]
    }

    /// A block column, and the values of all that follow it.
    pub(crate) fn block_and_rest<'a>(
        &self,
        values: &'a mut [f64],
        block: usize,
    ) -> (MatMut<'a, f64>, &'a mut [f64]) {
        let (rows, columns) = (self.height - self.first(block), self.columns(block));
        let (here, rest) = values[self.offset(block)..].split_at_mut(rows * columns);
        (MatMut::from_column_major_slice_mut(here, rows, columns), rest)
    }
}
