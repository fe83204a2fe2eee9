//! VᵀK_gV of pairs of nodes whose geometric stiffness is the same along all axes.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::{DMatrix, Vector3};
use pliant_mesh::{LinkMesh, NodeIndex};
use pliant_sparse::{Kernel, with_wide_registers};
use rayon::prelude::*;

use super::node_pairs::{NodePair, NodePairs};
use crate::dof::{DofMap, displacement_triad};

/// Values of products of shapes in memory at one time: what a core's cache holds.
const PRODUCTS: usize = 1 << 16;
/// Entries of a row of products that are made together.
const TOGETHER: usize = 4;
/// Pairs that one task sums up.
const BATCH: usize = 1024;

/// Σ S_ij v_iᵀv_j over all nodes of K_g = S ⊗ 1₃, where v_i is the motion of node i (3 × n, one column for each shape). As nothing acts on a
/// translation, Σ_j S_ij = 0, it is −Σ S_ij dᵀd over the pairs i < j with d = v_i − v_j.
///
/// The products dᵀd do not depend on the state: they are made once, and all states are one dense product with them. They are symmetric; of
/// row m the entries up to the diagonal are made, and those beyond it that come together with them.
pub(super) struct PairSum {
    /// n.
    shapes: usize,
    sum: Mat<f64>,
}

impl PairSum {
    /// Nothing yet.
    pub(super) fn new(shapes: usize, states: usize) -> Self {
        Self { shapes, sum: Mat::zeros((0..shapes).map(row_length).sum(), states) }
    }

    /// Adds pairs of nodes with the shapes `V` (shape by row, a column for each component in the displacement frames); `wave` tasks of them
    /// are in memory at one time.
    pub(super) fn add(
        &mut self,
        pairs: &NodePairs,
        mesh: &LinkMesh,
        dofs: &DofMap,
        V: &DMatrix<f64>,
        wave: usize,
    ) {
        let (size, states) = (self.sum.nrows(), self.sum.ncols());
        if size == 0 || states == 0 {
            return;
        }
        let motions = Motions::of(&pairs.nodes, mesh, dofs, V);
        let all: Vec<_> = pairs.pairs.chunks(BATCH).zip(pairs.S.chunks(BATCH * states)).collect();
        for wave in all.chunks(wave) {
            let tasks = wave.par_iter();
            let sums = tasks.map_init(Vec::new, |room, (pairs, S)| motions.sum(size, pairs, S, room));
            let parts: Vec<_> = sums.collect();
            parts.iter().for_each(|part| self.sum += part);
        }
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

/// Motions of nodes in the basic frame: for each its three components, the shapes in groups beside each other.
struct Motions {
    shapes: usize,
    values: Vec<[f64; TOGETHER]>,
}

impl Motions {
    fn of(nodes: &[NodeIndex], mesh: &LinkMesh, dofs: &DofMap, V: &DMatrix<f64>) -> Self {
        let shapes = V.nrows();
        let groups = shapes.div_ceil(TOGETHER);
        let mut values = vec![[0.0; TOGETHER]; nodes.len() * 3 * groups];
        values.par_chunks_exact_mut(3 * groups).zip(nodes).for_each(|(motion, node)| {
            let first = dofs.rows_of(*node).start;
            for (c, row) in motion.chunks_exact_mut(groups).enumerate() {
                let from = V.column(first + c);
                row.as_flattened_mut()[..shapes].copy_from_slice(from.as_slice());
            }
            if let Some(triad) = displacement_triad(mesh, *node) {
                let rows = motion.as_flattened_mut();
                let place = |c: usize, m: usize| c * groups * TOGETHER + m;
                for m in 0..shapes {
                    let turned = triad * Vector3::from_fn(|c, _| rows[place(c, m)]);
                    (0..3).for_each(|c| rows[place(c, m)] = turned[c]);
                }
            }
        });
        Self { shapes, values }
    }

    /// −Σ S dᵀd of some pairs, with memory for the products.
    fn sum(
        &self,
        size: usize,
        pairs: &[NodePair],
        S: &[f64],
        products: &mut Vec<[f64; TOGETHER]>,
    ) -> Mat<f64> {
        let states = S.len() / pairs.len();
        let room = (PRODUCTS / size).clamp(32, 512);
        products.resize(room * size / TOGETHER, [0.0; TOGETHER]);
        let mut sum = Mat::zeros(size, states);
        for (pairs, S) in pairs.chunks(room).zip(S.chunks(room * states)) {
            let products = &mut products[..pairs.len() * size / TOGETHER];
            with_wide_registers(Products { motions: self, pairs, out: products });
            let products = MatRef::from_column_major_slice(products.as_flattened(), size, pairs.len());
            let S = MatRef::from_row_major_slice(S, pairs.len(), states);
            matmul(sum.as_mut(), Accum::Add, products, S, -1.0, Par::Seq);
        }
        sum
    }
}

/// The rows of dᵀd of each pair, one after the other.
struct Products<'a> {
    motions: &'a Motions,
    pairs: &'a [NodePair],
    out: &'a mut [[f64; TOGETHER]],
}

impl Kernel for Products<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { motions: Motions { shapes, values }, pairs, mut out } = self;
        let groups = shapes.div_ceil(TOGETHER);
        let mut d = vec![[0.0; TOGETHER]; 3 * groups];
        for pair in pairs {
            let [a, b] = pair.ends.map(|place| &values[3 * groups * place as usize..][..3 * groups]);
            for ((d, a), b) in d.iter_mut().zip(a).zip(b) {
                *d = std::array::from_fn(|k| a[k] - b[k]);
            }
            let (x, rest) = d.split_at(groups);
            let (y, z) = rest.split_at(groups);
            for m in 0..*shapes {
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
