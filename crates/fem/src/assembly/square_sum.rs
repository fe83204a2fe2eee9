//! Sums of squares of motions: VᵀK_gV of what acts along all axes alike.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use pliant_simd::{Kernel, with_wide_registers};

/// Values of products of shapes in memory at one time: what a core's cache holds.
const PRODUCTS: usize = 1 << 16;
/// Entries of a row of products that are made together.
pub(super) const TOGETHER: usize = 4;

/// Σ S dᵀd of motions d (3 × n, one column for each shape), for each state.
///
/// The products dᵀd do not depend on the state: they are made once, and all states are one dense product with
/// them. They are symmetric; of row m the entries up to the diagonal are made, and those beyond it that come
/// together with them.
pub(super) struct SquareSum {
    /// n.
    shapes: usize,
    sum: Mat<f64>,
}

impl SquareSum {
    /// Nothing yet.
    pub(super) fn new(shapes: usize, states: usize) -> Self {
        Self { shapes, sum: Mat::zeros((0..shapes).map(row_length).sum(), states) }
    }

    /// True when there is nothing to sum up.
    pub(super) fn is_empty(&self) -> bool {
        self.sum.nrows() == 0 || self.sum.ncols() == 0
    }

    /// Adds squares: `S` of each motion, states beside each other, with memory for the products.
    pub(super) fn add(&mut self, motions: &impl Motions, S: &[f64], room: &mut Vec<[f64; TOGETHER]>) {
        let (size, states) = (self.sum.nrows(), self.sum.ncols());
        let count = S.len() / states.max(1);
        let most = (PRODUCTS / size.max(1)).clamp(32, 512);
        room.resize(most * size / TOGETHER, [0.0; TOGETHER]);
        for first in (0..count).step_by(most) {
            let last = count.min(first + most);
            let out = &mut room[..(last - first) * size / TOGETHER];
            with_wide_registers(Products { shapes: self.shapes, motions, which: first..last, out });
            let products = MatRef::from_column_major_slice(out.as_flattened(), size, last - first);
            let S = MatRef::from_row_major_slice(&S[first * states..last * states], last - first, states);
            matmul(self.sum.as_mut(), Accum::Add, products, S, 1.0, Par::Seq);
        }
    }

    /// Adds another sum.
    pub(super) fn add_sum(&mut self, other: &Self) {
        self.sum += &other.sum;
    }

    /// The sums: the lower triangle row by row, one column for each state.
    pub(super) fn finish(self) -> Mat<f64> {
        let mut lower = Mat::zeros(self.shapes * (self.shapes + 1) / 2, self.sum.ncols());
        for k in 0..self.sum.ncols() {
            let (mut from, mut to) = (0, 0);
            for m in 0..self.shapes {
                let row = self.sum.col(k).subrows(from, m + 1);
                lower.col_mut(k).subrows_mut(to, m + 1).copy_from(row);
                (from, to) = (from + row_length(m), to + m + 1);
            }
        }
        lower
    }
}

/// Entries of row m that are made.
fn row_length(m: usize) -> usize {
    (m + 1).next_multiple_of(TOGETHER)
}

/// Groups of shapes beside each other.
pub(super) fn group_count(shapes: usize) -> usize {
    shapes.div_ceil(TOGETHER)
}

/// Motions to be squared.
pub(super) trait Motions {
    /// Writes the motion k: its three components one after the other, shapes in groups beside each other. To
    /// be `#[inline(always)]`.
    fn write(&self, k: usize, d: &mut [[f64; TOGETHER]]);
}

/// The rows of dᵀd of each motion, one after the other.
struct Products<'a, M> {
    shapes: usize,
    motions: &'a M,
    which: std::ops::Range<usize>,
    out: &'a mut [[f64; TOGETHER]],
}

impl<M: Motions> Kernel for Products<'_, M> {
    #[inline(always)]
    fn run(self) {
        let Self { shapes, motions, which, mut out } = self;
        let groups = group_count(shapes);
        let mut d = vec![[0.0; TOGETHER]; 3 * groups];
        for k in which {
            motions.write(k, &mut d);
            let (x, rest) = d.split_at(groups);
            let (y, z) = rest.split_at(groups);
            for m in 0..shapes {
                let at = |row: &[[f64; TOGETHER]]| row.as_flattened()[m];
                let (p, q, r) = (at(x), at(y), at(z));
                let (row, rest) = out.split_at_mut(row_length(m) / TOGETHER);
                out = rest;
                for (out, ((x, y), z)) in row.iter_mut().zip(x.iter().zip(y).zip(z)) {
                    *out = std::array::from_fn(|k| p * x[k] + q * y[k] + r * z[k]);
                }
            }
        }
    }
}
