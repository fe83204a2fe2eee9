//! VᵀK_gV of elements whose geometric stiffness is the same along all axes.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::DMatrix;
use pliant_sparse::{Kernel, with_wide_registers};

/// Values of products of shapes in memory at one time: what a core's cache holds.
const PRODUCTS: usize = 1 << 17;
/// Entries of a row of products that are made together.
const TOGETHER: usize = 4;

/// Σ S_ij d_iᵀd_j over elements with K_g = S ⊗ 1₃, where d_i is the motion of node i beside the first node's (3 × n, one column for each shape).
///
/// The products d_iᵀd_j + d_jᵀd_i do not depend on the state: they are made once, and all states are one dense product with them. They are
/// symmetric; of row m the entries up to the diagonal are made, and those beyond it that come together with them.
pub(super) struct NodalSum {
    /// n.
    shapes: usize,
    /// Products that are made before they are used.
    room: usize,
    /// d of the nodes of an element but the first: for each its three components, the shapes in groups beside each other.
    d: Vec<[f64; TOGETHER]>,
    /// The products, one after the other.
    products: Vec<[f64; TOGETHER]>,
    /// S_ij of every product, state by state.
    S: Vec<Vec<f64>>,
    sum: Mat<f64>,
}

impl NodalSum {
    pub(super) fn new(shapes: usize, states: usize) -> Self {
        let size: usize = (0..shapes).map(row_length).sum();
        let room = (PRODUCTS / size.max(1)).clamp(32, 512);
        Self {
            shapes,
            room,
            d: Vec::new(),
            products: Vec::new(),
            S: vec![Vec::new(); states],
            sum: Mat::zeros(size, states),
        }
    }

    /// Adds an element: its S by state, and the shapes at its nodes (n × 3·nodes).
    pub(super) fn add(&mut self, S: &DMatrix<f64>, V: &DMatrix<f64>) {
        let (n, groups) = (self.shapes, self.shapes.div_ceil(TOGETHER));
        let (first, others) = V.as_slice().split_at(3 * n);
        self.d.clear();
        self.d.resize(others.len() / n.max(1) * groups, [0.0; TOGETHER]);
        let rows = others.chunks_exact(n.max(1)).zip(first.chunks_exact(n.max(1)).cycle());
        for (d, (row, first)) in self.d.chunks_exact_mut(groups.max(1)).zip(rows) {
            let entries = d.as_flattened_mut().iter_mut();
            entries.zip(row.iter().zip(first)).for_each(|(d, (own, first))| *d = own - first);
        }
        let size = self.sum.nrows() / TOGETHER;
        let mut pair = 0;
        for i in 0..others.len() / (3 * n).max(1) {
            for j in 0..=i {
                let node = |i: usize| &self.d[3 * groups * i..3 * groups * (i + 1)];
                let start = self.products.len();
                self.products.resize(start + size, [0.0; TOGETHER]);
                let out = &mut self.products[start..];
                let (a, b) = (node(i), (i != j).then(|| node(j)));
                with_wide_registers(Products { shapes: n, a, b, out });
                self.S.iter_mut().zip(S.column_iter()).for_each(|(all, S)| all.push(S[pair]));
                pair += 1;
                if self.S.first().is_some_and(|S| S.len() == self.room) {
                    self.flush();
                }
            }
        }
    }

    fn flush(&mut self) {
        let (size, states) = (self.sum.nrows(), self.S.len());
        let count = self.S.first().map_or(0, Vec::len);
        if count > 0 && size > 0 {
            let S = Mat::from_fn(count, states, |i, k| self.S[k][i]);
            let products = MatRef::from_column_major_slice(self.products.as_flattened(), size, count);
            matmul(self.sum.as_mut(), Accum::Add, products, S.as_ref(), 1.0, Par::Seq);
        }
        self.products.clear();
        self.S.iter_mut().for_each(Vec::clear);
    }

    /// The sums: the lower triangle row by row, one column for each state.
    pub(super) fn finish(mut self) -> Mat<f64> {
        self.flush();
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

/// The rows of aᵀb + bᵀa, or of aᵀa without a b; a and b are the motions of a node.
struct Products<'a> {
    shapes: usize,
    a: &'a [[f64; TOGETHER]],
    b: Option<&'a [[f64; TOGETHER]]>,
    out: &'a mut [[f64; TOGETHER]],
}

impl Kernel for Products<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { shapes, a, b, mut out } = self;
        let groups = shapes.div_ceil(TOGETHER);
        let components = |d| {
            let (x, rest) = <[[f64; TOGETHER]]>::split_at(d, groups);
            let (y, z) = rest.split_at(groups);
            [x, y, z]
        };
        let [x, y, z] = components(a);
        for m in 0..shapes {
            let at = |row: &[[f64; TOGETHER]]| row.as_flattened()[m];
            let (row, rest) = out.split_at_mut(row_length(m) / TOGETHER);
            out = rest;
            let (p, q, r) = (at(x), at(y), at(z));
            let own = x.iter().zip(y).zip(z);
            let Some([u, v, w]) = b.map(components) else {
                for (out, ((x, y), z)) in row.iter_mut().zip(own) {
                    *out = std::array::from_fn(|k| p * x[k] + q * y[k] + r * z[k]);
                }
                continue;
            };
            let (s, t, o) = (at(u), at(v), at(w));
            let other = u.iter().zip(v).zip(w);
            for ((out, ((x, y), z)), ((u, v), w)) in row.iter_mut().zip(own).zip(other) {
                *out =
                    std::array::from_fn(|k| p * u[k] + q * v[k] + r * w[k] + s * x[k] + t * y[k] + o * z[k]);
            }
        }
    }
}
