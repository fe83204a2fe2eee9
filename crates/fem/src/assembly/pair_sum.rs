//! VᵀK_gV of pairs of nodes whose geometric stiffness is the same along all axes.
//!
//! K_g = S ⊗ 1₃ adds Σ S_ij v_iᵀv_j over all nodes, where v_i is the motion of node i (3 × n, one column for
//! each shape). As nothing acts on a translation, Σ_j S_ij = 0, it is −Σ S_ij dᵀd over the pairs i < j with d
//! = v_i − v_j.

use nalgebra::{DMatrix, Vector3};
use pliant_mesh::{LinkMesh, NodeIndex};
use rayon::prelude::*;

use super::node_pairs::{NodePair, NodePairs};
use super::square_sum::{Motions, SquareSum, TOGETHER, group_count};
use crate::dof::{DofMap, displacement_triad};

/// Pairs that one task sums up.
const BATCH: usize = 1024;

/// Adds pairs of nodes with the shapes `V` (shape by row, a column for each component in the displacement
/// frames); `wave` tasks of them are in memory at one time.
pub(super) fn add_pairs(
    sum: &mut SquareSum,
    pairs: &NodePairs,
    mesh: &LinkMesh,
    dofs: &DofMap,
    V: &DMatrix<f64>,
    wave: usize,
) {
    if sum.is_empty() {
        return;
    }
    let nodal = NodalMotions::of(&pairs.nodes, mesh, dofs, V);
    let (shapes, states) = (V.nrows(), pairs.states);
    let all: Vec<_> = pairs.pairs.chunks(BATCH).zip(pairs.S.chunks(BATCH * states)).collect();
    for wave in all.chunks(wave) {
        let sums = wave.par_iter().map_init(Vec::new, |room, (pairs, S)| {
            let mut part = SquareSum::new(shapes, states);
            part.add(&Differences { nodal: &nodal, pairs }, S, room);
            part
        });
        let parts: Vec<_> = sums.collect();
        parts.iter().for_each(|part| sum.add_sum(part));
    }
}

/// Motions of nodes in the basic frame: for each its three components, the shapes in groups beside each
/// other.
struct NodalMotions {
    groups: usize,
    values: Vec<[f64; TOGETHER]>,
}

impl NodalMotions {
    fn of(nodes: &[NodeIndex], mesh: &LinkMesh, dofs: &DofMap, V: &DMatrix<f64>) -> Self {
        let shapes = V.nrows();
        let groups = group_count(shapes);
        let mut values = vec![[0.0; TOGETHER]; nodes.len() * 3 * groups];
        values.par_chunks_exact_mut(3 * groups).zip(nodes).for_each(|(motion, node)| {
            let first = dofs.rows_of(*node).start;
            for (c, row) in motion.chunks_exact_mut(groups).enumerate() {
                let from = V.column(first + c);
                row.as_flattened_mut()[..shapes].copy_from_slice(from.as_slice());
            }
            if let Some(triad) = displacement_triad(mesh, *node) {
                let rows = motion.as_flattened_mut();
                let index = |c: usize, m: usize| c * groups * TOGETHER + m;
                for m in 0..shapes {
                    let turned = triad * Vector3::from_fn(|c, _| rows[index(c, m)]);
                    (0..3).for_each(|c| rows[index(c, m)] = turned[c]);
                }
            }
        });
        Self { groups, values }
    }
}

/// d = v_i − v_j of pairs.
struct Differences<'a> {
    nodal: &'a NodalMotions,
    pairs: &'a [NodePair],
}

impl Motions for Differences<'_> {
    #[inline(always)]
    fn write(&self, k: usize, d: &mut [[f64; TOGETHER]]) {
        let size = 3 * self.nodal.groups;
        let [a, b] = self.pairs[k].ends.map(|index| &self.nodal.values[size * index as usize..][..size]);
        for ((d, a), b) in d.iter_mut().zip(a).zip(b) {
            *d = std::array::from_fn(|k| a[k] - b[k]);
        }
    }
}
