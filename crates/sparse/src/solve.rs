//! Forward and backward substitution with a block of right-hand sides.
//!
//! The tree is split into the same units as for the factorisation. A unit works on its own rows and hands what it does to the rows below it
//! to its parent, so units run side by side, and every number is computed by the same operations in the same order whatever the
//! number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering as Atomic};

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_unit_lower_triangular_in_place, solve_unit_upper_triangular_in_place,
};
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, MatMut, MatRef, Par};

use crate::frontal::{lock, units};
use crate::symbolic::Symbolic;

/// Right-hand sides taken together. Fixed, so that a column's bits do not depend on threads.
const CHUNK: usize = 32;

/// A factor that took fewer operations than this is one unit.
const SMALL: f64 = 1e8;

/// A number in [−1, 1] that depends on `index` alone and has no pattern: the same start vectors
/// on every run and thread count (splitmix64, Steele, Lea & Flood, OOPSLA 2014).
pub(crate) fn rough(index: usize) -> f64 {
    let mut x = (index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^= x >> 31;
    (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Solves LDLᵀX = B in place, in original row order.
pub(crate) fn solve_in_place(symbolic: &Symbolic, values: &[f64], mut B: MatMut<'_, f64>, parallel: bool) {
    let n = symbolic.order().len();
    assert_eq!(B.nrows(), n, "rows of the right-hand side");
    let mut chunks = Vec::new();
    while B.ncols() > CHUNK {
        let (head, tail) = B.split_at_col_mut(CHUNK);
        chunks.push(head);
        B = tail;
    }
    chunks.push(B);
    let parallel = parallel && rayon::current_num_threads() > 1;
    let tree = Tree::new(symbolic, values);
    if parallel && chunks.len() > 1 {
        rayon::scope(|scope| {
            for chunk in chunks {
                let tree = &tree;
                scope.spawn(move |_| solve_chunk(tree, chunk, parallel));
            }
        });
    } else {
        chunks.into_iter().for_each(|chunk| solve_chunk(&tree, chunk, parallel));
    }
}

/// What a unit does to the rows below it.
type Sent = (usize, Mat<f64>);

/// The tree as its units see it.
struct Tree<'a> {
    symbolic: &'a Symbolic,
    values: &'a [f64],
    /// Supernodes of each unit: a whole subtree, or one node high in the tree.
    ranges: Vec<(usize, usize)>,
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// Where the panels of each unit start in `values`.
    start: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn new(symbolic: &'a Symbolic, values: &'a [f64]) -> Self {
        let nodes = symbolic.supernodes();
        let ranges = match symbolic.info().flops {
            _ if nodes.is_empty() => Vec::new(),
            flops if flops < SMALL => vec![(0, nodes.len())],
            _ => units(symbolic),
        };
        let mut unit_of = vec![0_usize; nodes.len()];
        let mut start = Vec::with_capacity(ranges.len());
        let mut end = 0;
        for (u, &(first, last)) in ranges.iter().enumerate() {
            unit_of[first..last].fill(u);
            start.push(end);
            end += nodes[first..last].iter().map(|node| node.panel().len()).sum::<usize>();
        }
        let parent_of = |&(_, last): &(usize, usize)| match nodes[last - 1].parent {
            usize::MAX => None,
            parent => Some(unit_of[parent]),
        };
        let parent: Vec<Option<usize>> = ranges.iter().map(parent_of).collect();
        let mut children = vec![Vec::new(); ranges.len()];
        for (u, parent) in parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(u);
            }
        }
        Self { symbolic, values, ranges, parent, children, start }
    }

    /// Columns of a unit.
    fn columns(&self, u: usize) -> std::ops::Range<usize> {
        let (nodes, (first, last)) = (self.symbolic.supernodes(), self.ranges[u]);
        nodes[first].first..nodes[last - 1].first + nodes[last - 1].width
    }

    /// Rows below a unit, ascending: those of its last supernode.
    fn outer_rows(&self, u: usize) -> &[u32] {
        self.symbolic.rows(self.ranges[u].1 - 1)
    }

    /// Forward substitution and division by D in one unit, after its children. Returns what the rows below it lose.
    fn forward(&self, u: usize, X: &mut Mat<f64>, received: &[Sent]) -> Mat<f64> {
        let (nodes, columns, outer_rows) = (self.symbolic.supernodes(), self.columns(u), self.outer_rows(u));
        let count = X.ncols();
        let mut outer = Mat::zeros(outer_rows.len(), count);
        for (child, update) in received {
            take_away(self.outer_rows(*child), update.as_ref(), &columns, outer_rows, X, &mut outer);
        }
        let (first, last) = self.ranges[u];
        let tallest = nodes[first..last].iter().map(|node| node.below).max().unwrap_or(0);
        let mut work = Mat::zeros(tallest, count);
        let mut end = self.start[u];
        for (s, node) in nodes.iter().enumerate().take(last).skip(first) {
            let panel = node.panel();
            let part = &self.values[end..end + panel.len()];
            end += panel.len();
            let mut update = work.rb_mut().subrows_mut(0, node.below);
            for b in 0..panel.blocks() {
                let (top, bottom) = panel.block(part, b).split_at_row(panel.columns(b));
                let inner = bottom.nrows() - node.below;
                let place = node.first - columns.start + panel.first(b);
                let rows = X.rb_mut().subrows_mut(place, top.ncols() + inner);
                let (mut own, later) = rows.split_at_row_mut(top.ncols());
                solve_unit_lower_triangular_in_place(top, own.rb_mut(), Par::Seq);
                let (inside, outside) = bottom.split_at_row(inner);
                matmul(later, Accum::Add, inside, own.rb(), -1.0, Par::Seq);
                let accumulate = if b == 0 { Accum::Replace } else { Accum::Add };
                matmul(update.rb_mut(), accumulate, outside, own.rb(), 1.0, Par::Seq);
                for k in 0..count {
                    own.rb_mut().col_mut(k).iter_mut().enumerate().for_each(|(i, x)| *x /= top[(i, i)]);
                }
            }
            take_away(self.symbolic.rows(s), update.rb(), &columns, outer_rows, X, &mut outer);
        }
        outer
    }

    /// Backward substitution in one unit, after its parent; `above` holds the solution in the rows below it.
    fn backward(&self, u: usize, X: &mut Mat<f64>, above: &Mat<f64>) {
        let (nodes, columns) = (self.symbolic.supernodes(), self.columns(u));
        let (first, last) = self.ranges[u];
        let count = X.ncols();
        let tallest = nodes[first..last].iter().map(|node| node.below).max().unwrap_or(0);
        let mut work = Mat::zeros(tallest, count);
        let mut end = self.start[u] + nodes[first..last].iter().map(|node| node.panel().len()).sum::<usize>();
        for (s, node) in nodes.iter().enumerate().take(last).skip(first).rev() {
            let panel = node.panel();
            let part = &self.values[end - panel.len()..end];
            end -= panel.len();
            let mut outside_values = work.rb_mut().subrows_mut(0, node.below);
            self.gather(u, X, above, self.symbolic.rows(s), outside_values.rb_mut());
            for b in (0..panel.blocks()).rev() {
                let (top, bottom) = panel.block(part, b).split_at_row(panel.columns(b));
                let inner = bottom.nrows() - node.below;
                let place = node.first - columns.start + panel.first(b);
                let rows = X.rb_mut().subrows_mut(place, top.ncols() + inner);
                let (mut own, later) = rows.split_at_row_mut(top.ncols());
                let (inside, outside) = bottom.split_at_row(inner);
                matmul(own.rb_mut(), Accum::Add, inside.transpose(), later.rb(), -1.0, Par::Seq);
                matmul(own.rb_mut(), Accum::Add, outside.transpose(), outside_values.rb(), -1.0, Par::Seq);
                solve_unit_upper_triangular_in_place(top.transpose(), own, Par::Seq);
            }
        }
    }

    /// The solution in some rows of a unit and below it.
    fn gather(&self, u: usize, X: &Mat<f64>, above: &Mat<f64>, rows: &[u32], mut into: MatMut<'_, f64>) {
        let (columns, outer_rows) = (self.columns(u), self.outer_rows(u));
        let inside = rows.partition_point(|&row| (row as usize) < columns.end);
        let places = places_in(&rows[inside..], outer_rows);
        for k in 0..X.ncols() {
            let (x, above) = (X.col_as_slice(k), above.col_as_slice(k));
            let (own, outer) = column_mut(into.rb_mut(), k).split_at_mut(inside);
            for (target, &row) in own.iter_mut().zip(rows) {
                *target = x[row as usize - columns.start];
            }
            for (target, &place) in outer.iter_mut().zip(&places) {
                *target = above[place];
            }
        }
    }
}

/// Subtracts an update from the rows of a unit that it reaches and adds it to what the rows below the unit lose.
fn take_away(
    rows: &[u32],
    update: MatRef<'_, f64>,
    columns: &std::ops::Range<usize>,
    outer_rows: &[u32],
    X: &mut Mat<f64>,
    outer: &mut Mat<f64>,
) {
    let inside = rows.partition_point(|&row| (row as usize) < columns.end);
    let places = places_in(&rows[inside..], outer_rows);
    for k in 0..X.ncols() {
        let (own, below) = column(update, k).split_at(inside);
        let (x, outer) = (X.col_as_slice_mut(k), outer.col_as_slice_mut(k));
        for (value, &row) in own.iter().zip(rows) {
            x[row as usize - columns.start] -= value;
        }
        for (value, &place) in below.iter().zip(&places) {
            outer[place] += value;
        }
    }
}

/// A column of a matrix that is stored by columns.
fn column(A: MatRef<'_, f64>, k: usize) -> &[f64] {
    A.col(k).try_as_col_major().expect("invariant: stored by columns").as_slice()
}

/// The same, to be changed.
fn column_mut(A: MatMut<'_, f64>, k: usize) -> &mut [f64] {
    A.col_mut(k).try_as_col_major_mut().expect("invariant: stored by columns").as_slice_mut()
}

/// Where ascending rows are in a longer ascending list that has them all.
fn places_in(rows: &[u32], list: &[u32]) -> Vec<usize> {
    if rows.len() == list.len() {
        return (0..rows.len()).collect();
    }
    let mut at = rows.first().map_or(0, |&first| list.partition_point(|&row| row < first));
    let place = |&row: &u32| {
        while list[at] != row {
            at += 1;
        }
        at
    };
    rows.iter().map(place).collect()
}

fn solve_chunk(tree: &Tree<'_>, mut B: MatMut<'_, f64>, parallel: bool) {
    let count = B.ncols();
    if count == 0 || tree.ranges.is_empty() {
        return;
    }
    let order = tree.symbolic.order();
    let own = |u: usize| {
        let columns = tree.columns(u);
        Mutex::new(Mat::from_fn(columns.len(), count, |i, k| B[(order[columns.start + i], k)]))
    };
    let X: Vec<Mutex<Mat<f64>>> = (0..tree.ranges.len()).map(own).collect();
    let inbox: Vec<Mutex<Vec<Sent>>> = X.iter().map(|_| Mutex::new(Vec::new())).collect();
    let forward = |u: usize| {
        let mut received = std::mem::take(&mut *lock(&inbox[u]));
        received.sort_by_key(|(child, _)| *child);
        let outer = tree.forward(u, &mut lock(&X[u]), &received);
        if let Some(parent) = tree.parent[u] {
            lock(&inbox[parent]).push((u, outer));
        }
    };
    let backward = |u: usize, above: &Mat<f64>| -> Vec<Mat<f64>> {
        let mut X = lock(&X[u]);
        tree.backward(u, &mut X, above);
        let above_of = |&child: &usize| {
            let rows = tree.outer_rows(child);
            let mut values = Mat::zeros(rows.len(), count);
            tree.gather(u, &X, above, rows, values.as_mut());
            values
        };
        tree.children[u].iter().map(above_of).collect()
    };
    let roots = (0..tree.ranges.len()).filter(|&u| tree.parent[u].is_none());
    if parallel && tree.ranges.len() > 1 {
        climb(tree, &forward);
        rayon::scope(|scope| {
            for root in roots {
                let backward = &backward;
                scope.spawn(move |scope| descend(scope, tree, backward, root, Mat::zeros(0, count)));
            }
        });
    } else {
        (0..tree.ranges.len()).for_each(forward);
        let mut waiting: Vec<(usize, Mat<f64>)> = roots.map(|root| (root, Mat::zeros(0, count))).collect();
        while let Some((u, above)) = waiting.pop() {
            let above = backward(u, &above);
            waiting.extend(tree.children[u].iter().copied().zip(above));
        }
    }
    for (u, X) in X.iter().enumerate() {
        let (columns, X) = (tree.columns(u), lock(X));
        for k in 0..count {
            let mut target = B.rb_mut().col_mut(k);
            X.col_as_slice(k).iter().zip(&order[columns.clone()]).for_each(|(&x, &row)| target[row] = x);
        }
    }
}

/// Runs every unit after its children: each thread goes on with the parent when it was the last child.
fn climb(tree: &Tree<'_>, forward: &(impl Fn(usize) + Sync)) {
    let waiting: Vec<AtomicUsize> = tree.children.iter().map(|list| AtomicUsize::new(list.len())).collect();
    let from = |start: usize| {
        let mut u = start;
        loop {
            forward(u);
            let Some(parent) = tree.parent[u] else { break };
            if waiting[parent].fetch_sub(1, Atomic::AcqRel) != 1 {
                break;
            }
            u = parent;
        }
    };
    let leaves: Vec<usize> = (0..tree.ranges.len()).filter(|&u| tree.children[u].is_empty()).collect();
    rayon::scope(|scope| {
        for u in leaves {
            let from = &from;
            scope.spawn(move |_| from(u));
        }
    });
}

/// Runs a unit and then, side by side, its children.
fn descend<'scope>(
    scope: &rayon::Scope<'scope>,
    tree: &'scope Tree<'scope>,
    backward: &'scope (impl Fn(usize, &Mat<f64>) -> Vec<Mat<f64>> + Sync),
    u: usize,
    above: Mat<f64>,
) {
    for (&child, above) in tree.children[u].iter().zip(backward(u, &above)) {
        scope.spawn(move |scope| descend(scope, tree, backward, child, above));
    }
}
