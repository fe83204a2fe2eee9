//! Substitution with one block column of a factor, for several right-hand sides side by side.
//!
//! A factor is read once for each substitution, and reading it is what takes the time: the numbers of a row
//! of the right-hand sides lie beside each other, so that an entry of the factor, once read, serves all of
//! them with one operation of a wide register. The rows below the triangle are taken a few at a time, which
//! stay in the nearest cache while the columns go by. The bits of a right-hand side do not depend on its
//! neighbours.

use std::ops::Range;

use pliant_simd::Kernel;

/// Columns of the factor that are taken together.
const TOGETHER: usize = 4;
/// Rows that are taken together.
const ROWS: usize = 256;
/// Numbers that memory gives at a time.
const LINE: usize = 8;

/// A row of right-hand sides.
pub(crate) type Row<const W: usize> = [f64; W];

/// A block column of a factor, by columns: the unit lower triangle with D on its diagonal, and the rows below
/// it.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    values: &'a [f64],
    height: usize,
    width: usize,
}

impl<'a> Columns<'a> {
    /// Of values column by column.
    pub(crate) fn new(values: &'a [f64], width: usize) -> Self {
        Self { values, height: values.len() / width, width }
    }

    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[j * self.height + i]
    }

    /// y ← y − L x for some rows y and the columns from `first` on.
    #[inline(always)]
    fn take<const W: usize>(&self, rows: Range<usize>, first: usize, x: &[Row<W>], y: &mut [Row<W>]) {
        let mut k = 0;
        while k < x.len() {
            let part = Part { L: self, rows: rows.clone(), first: first + k };
            match x.len() - k {
                TOGETHER.. => k += part.take::<TOGETHER, W>(&x[k..], y),
                2.. => k += part.take::<2, W>(&x[k..], y),
                _ => k += part.take::<1, W>(&x[k..], y),
            }
        }
    }

    /// x ← x − Lᵀ y for some rows y and the columns from `first` on.
    #[inline(always)]
    fn take_transposed<const W: usize>(
        &self,
        rows: Range<usize>,
        first: usize,
        y: &[Row<W>],
        x: &mut [Row<W>],
    ) {
        let mut k = 0;
        while k < x.len() {
            let part = Part { L: self, rows: rows.clone(), first: first + k };
            match x.len() - k {
                TOGETHER.. => k += part.take_transposed::<TOGETHER, W>(y, &mut x[k..]),
                2.. => k += part.take_transposed::<2, W>(y, &mut x[k..]),
                _ => k += part.take_transposed::<1, W>(y, &mut x[k..]),
            }
        }
    }
}

/// Some rows of a block column and the columns from one on.
struct Part<'a> {
    L: &'a Columns<'a>,
    rows: Range<usize>,
    first: usize,
}

impl<'a> Part<'a> {
    #[inline(always)]
    fn columns<const Q: usize>(&self) -> [&'a [f64]; Q] {
        std::array::from_fn(|q| &self.L.values[(self.first + q) * self.L.height..][self.rows.clone()])
    }

    /// y ← y − L x for Q columns; returns Q.
    #[inline(always)]
    fn take<const Q: usize, const W: usize>(&self, x: &[Row<W>], y: &mut [Row<W>]) -> usize {
        let columns = self.columns::<Q>().map(|column| &column[..y.len()]);
        let x: [Row<W>; Q] = std::array::from_fn(|q| x[q]);
        for (i, y) in y.iter_mut().enumerate() {
            self.fetch_next(&columns, i);
            let mut sum = *y;
            for q in 0..Q {
                subtract(&mut sum, columns[q][i], &x[q]);
            }
            *y = sum;
        }
        Q
    }

    /// x ← x − Lᵀ y for Q columns; returns Q.
    #[inline(always)]
    fn take_transposed<const Q: usize, const W: usize>(&self, y: &[Row<W>], x: &mut [Row<W>]) -> usize {
        let columns = self.columns::<Q>().map(|column| &column[..y.len()]);
        let mut sums: [Row<W>; Q] = std::array::from_fn(|q| x[q]);
        for (i, y) in y.iter().enumerate() {
            self.fetch_next(&columns, i);
            for q in 0..Q {
                subtract(&mut sums[q], columns[q][i], y);
            }
        }
        x[..Q].copy_from_slice(&sums);
        Q
    }

    /// Asks memory for the columns after these. Without it, a third of the time goes by waiting for them.
    #[inline(always)]
    fn fetch_next<const Q: usize>(&self, columns: &[&[f64]; Q], row: usize) {
        #[cfg(target_arch = "x86_64")]
        if row.is_multiple_of(LINE) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            for column in columns {
                let next = column.as_ptr().wrapping_add(row + Q * self.L.height);
                // SAFETY: a prefetch reads nothing and may be asked for any address.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(next.cast()) };
            }
        }
    }
}

/// The rows of a block column: those of its own columns, and those below, of which some come from elsewhere.
pub(crate) struct Rows<'a, const W: usize> {
    /// Rows of the triangle and the next ones below it.
    pub(crate) own_and_next: &'a mut [Row<W>],
    /// The last rows.
    pub(crate) last: &'a mut [Row<W>],
}

/// Forward substitution and division by D: x ← L⁻¹x of the triangle, y ← y − L x below it, x ← D⁻¹x.
pub(crate) struct Forward<'a, const W: usize>(pub(crate) Columns<'a>, pub(crate) Rows<'a, W>);

impl<const W: usize> Kernel for Forward<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self(L, Rows { own_and_next, last }) = self;
        let (own, next) = own_and_next.split_at_mut(L.width);
        for first in (0..L.width).step_by(TOGETHER) {
            let end = L.width.min(first + TOGETHER);
            for j in first..end {
                for i in j + 1..end {
                    let x = own[j];
                    subtract(&mut own[i], L.at(i, j), &x);
                }
            }
            let (here, below) = own.split_at_mut(end);
            L.take(end..L.width, first, &here[first..], below);
        }
        let mut row = L.width;
        for rows in next.chunks_mut(ROWS).chain(last.chunks_mut(ROWS)) {
            L.take(row..row + rows.len(), 0, own, rows);
            row += rows.len();
        }
        for (i, x) in own.iter_mut().enumerate() {
            let d = L.at(i, i);
            for x in x {
                *x /= d;
            }
        }
    }
}

/// Backward substitution: x ← L⁻ᵀ(x − Lᵀy) with the rows y below the triangle.
pub(crate) struct Backward<'a, const W: usize>(pub(crate) Columns<'a>, pub(crate) Rows<'a, W>);

impl<const W: usize> Kernel for Backward<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self(L, Rows { own_and_next, last }) = self;
        let (own, next) = own_and_next.split_at_mut(L.width);
        let mut row = L.width;
        for rows in next.chunks(ROWS).chain(last.chunks(ROWS)) {
            L.take_transposed(row..row + rows.len(), 0, rows, own);
            row += rows.len();
        }
        for first in (0..L.width).step_by(TOGETHER).rev() {
            let end = L.width.min(first + TOGETHER);
            let (here, below) = own.split_at_mut(end);
            L.take_transposed(end..L.width, first, below, &mut here[first..]);
            for j in (first..end).rev() {
                for i in j + 1..end {
                    let x = own[i];
                    subtract(&mut own[j], L.at(i, j), &x);
                }
            }
        }
    }
}

#[inline(always)]
fn subtract<const W: usize>(from: &mut Row<W>, factor: f64, x: &Row<W>) {
    for k in 0..W {
        from[k] = (-factor).mul_add(x[k], from[k]);
    }
}
