//! Forward and backward substitution with a block of right-hand sides.
//!
//! The tree is split into the same units as for the factorisation. A unit works on its own rows and hands
//! what it does to the rows below it to its parent, so units run side by side, and every number is computed
//! by the same operations in the same order whatever the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering as Atomic};

use faer::MatMut;
use pliant_simd::with_wide_registers;

use crate::frontal::{lock, units};
use crate::substitution::{Backward, Columns, Forward, Row, Rows};
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
                scope.spawn(move |_| solve_some(tree, chunk, parallel));
            }
        });
    } else {
        chunks.into_iter().for_each(|chunk| solve_some(&tree, chunk, parallel));
    }
}

/// Some right-hand sides by rows, in groups of a few.
type Groups<const W: usize> = Vec<Vec<Row<W>>>;

fn zeros<const W: usize>(rows: usize, groups: usize) -> Groups<W> {
    vec![vec![[0.0; W]; rows]; groups]
}

/// What a unit does to the rows below it.
type Sent<const W: usize> = (usize, Groups<W>);

/// The tree as its units see it.
struct Tree<'a> {
    symbolic: &'a Symbolic,
    values: &'a [f64],
    /// Supernodes of each unit: a complete subtree, or one node high in the tree.
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

    /// Forward substitution and division by D in one unit, after its children. Returns what is to be added to
    /// the rows below it.
    fn forward<const W: usize>(&self, u: usize, X: &mut Groups<W>, received: &[Sent<W>]) -> Groups<W> {
        let (nodes, outer_rows) = (self.symbolic.supernodes(), self.outer_rows(u));
        let mut outer = zeros(outer_rows.len(), X.len());
        let mut below = Vec::new();
        for (child, update) in received {
            let unit_rows = self.find(u, self.outer_rows(*child), &mut below);
            for ((X, outer), update) in X.iter_mut().zip(&mut outer).zip(update) {
                unit_rows.add(update, X, outer);
            }
        }
        let (first, last) = self.ranges[u];
        let mut work = Vec::new();
        let mut end = self.start[u];
        for (s, node) in nodes.iter().enumerate().take(last).skip(first) {
            let panel = node.panel();
            let part = &self.values[end..end + panel.len()];
            end += panel.len();
            let unit_rows = self.find(u, self.symbolic.rows(s), &mut below);
            for (X, outer) in X.iter_mut().zip(&mut outer) {
                work.clear();
                work.resize(node.below, [0.0; W]);
                let X_s = &mut X[node.first - self.columns(u).start..][..node.width];
                for b in 0..panel.blocks() {
                    let rows = Rows { own_and_next: &mut X_s[panel.first(b)..], last: &mut work };
                    with_wide_registers(Forward(Columns::new(panel.block(part, b), panel.columns(b)), rows));
                }
                unit_rows.add(&work, X, outer);
            }
        }
        outer
    }

    /// Backward substitution in one unit, after its parent; `above` holds the solution in the rows below it.
    fn backward<const W: usize>(&self, u: usize, X: &mut Groups<W>, above: &Groups<W>) {
        let nodes = self.symbolic.supernodes();
        let (first, last) = self.ranges[u];
        let (mut below, mut work) = (Vec::new(), Vec::new());
        let mut end = self.start[u] + nodes[first..last].iter().map(|node| node.panel().len()).sum::<usize>();
        for (s, node) in nodes.iter().enumerate().take(last).skip(first).rev() {
            let panel = node.panel();
            let part = &self.values[end - panel.len()..end];
            end -= panel.len();
            let unit_rows = self.find(u, self.symbolic.rows(s), &mut below);
            for (X, above) in X.iter_mut().zip(above) {
                unit_rows.get(X, above, &mut work);
                let X_s = &mut X[node.first - self.columns(u).start..][..node.width];
                for b in (0..panel.blocks()).rev() {
                    let rows = Rows { own_and_next: &mut X_s[panel.first(b)..], last: &mut work };
                    with_wide_registers(Backward(Columns::new(panel.block(part, b), panel.columns(b)), rows));
                }
            }
        }
    }

    /// Where ascending rows are in a unit and below it.
    fn find<'b>(&self, u: usize, rows: &'b [u32], below: &'b mut Vec<u32>) -> UnitRows<'b> {
        let (columns, outer_rows) = (self.columns(u), self.outer_rows(u));
        let inside = rows.partition_point(|&row| (row as usize) < columns.end);
        below.clear();
        let mut at = rows.get(inside).map_or(0, |first| outer_rows.partition_point(|row| row < first));
        for row in &rows[inside..] {
            while outer_rows[at] != *row {
                at += 1;
            }
            below.push(at as u32);
        }
        UnitRows { start: columns.start, own: &rows[..inside], below }
    }
}

/// Where rows are: first those of a unit, then those below it.
struct UnitRows<'a> {
    /// First row of the unit.
    start: usize,
    own: &'a [u32],
    /// Indices among the rows below the unit.
    below: &'a [u32],
}

impl UnitRows<'_> {
    /// The rows from where they are.
    fn get<const W: usize>(&self, own: &[Row<W>], below: &[Row<W>], rows: &mut Vec<Row<W>>) {
        rows.clear();
        rows.extend(self.own.iter().map(|row| own[*row as usize - self.start]));
        rows.extend(self.below.iter().map(|index| below[*index as usize]));
    }

    /// Adds rows where they belong.
    fn add<const W: usize>(&self, rows: &[Row<W>], own: &mut [Row<W>], below: &mut [Row<W>]) {
        let (for_own, for_below) = rows.split_at(self.own.len());
        let add = |x: &mut Row<W>, y: &Row<W>| (0..W).for_each(|k| x[k] += y[k]);
        self.own.iter().zip(for_own).for_each(|(row, y)| add(&mut own[*row as usize - self.start], y));
        self.below.iter().zip(for_below).for_each(|(index, y)| add(&mut below[*index as usize], y));
    }
}

/// Solves for some right-hand sides, with as many beside each other as a register or two hold.
fn solve_some(tree: &Tree<'_>, B: MatMut<'_, f64>, parallel: bool) {
    match B.ncols() {
        ..=4 => solve_chunk::<4>(tree, B, parallel),
        5..=8 => solve_chunk::<8>(tree, B, parallel),
        _ => solve_chunk::<16>(tree, B, parallel),
    }
}

fn solve_chunk<const W: usize>(tree: &Tree<'_>, mut B: MatMut<'_, f64>, parallel: bool) {
    let count = B.ncols();
    let groups = count.div_ceil(W);
    if count == 0 || tree.ranges.is_empty() {
        return;
    }
    let order = tree.symbolic.order();
    let own = |u: usize| {
        let order = &order[tree.columns(u)];
        let mut X = zeros::<W>(order.len(), groups);
        for (X, first) in X.iter_mut().zip((0..count).step_by(W)) {
            let part = B.as_ref().subcols(first, W.min(count - first));
            for (x, &row) in X.iter_mut().zip(order) {
                x.iter_mut().zip(part.row(row).iter()).for_each(|(x, b)| *x = *b);
            }
        }
        Mutex::new(X)
    };
    let X: Vec<Mutex<Groups<W>>> = (0..tree.ranges.len()).map(own).collect();
    let inbox: Vec<Mutex<Vec<Sent<W>>>> = X.iter().map(|_| Mutex::new(Vec::new())).collect();
    let forward = |u: usize| {
        let mut received = std::mem::take(&mut *lock(&inbox[u]));
        received.sort_by_key(|(child, _)| *child);
        let outer = tree.forward(u, &mut lock(&X[u]), &received);
        if let Some(parent) = tree.parent[u] {
            lock(&inbox[parent]).push((u, outer));
        }
    };
    let backward = |u: usize, above: &Groups<W>| -> Vec<Groups<W>> {
        let mut X = lock(&X[u]);
        tree.backward(u, &mut X, above);
        let mut below = Vec::new();
        let above_of = |&child: &usize| {
            let unit_rows = tree.find(u, tree.outer_rows(child), &mut below);
            let mut values = vec![Vec::new(); groups];
            values.iter_mut().zip(X.iter().zip(above)).for_each(|(v, (X, above))| unit_rows.get(X, above, v));
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
                scope.spawn(move |scope| descend(scope, tree, backward, root, zeros(0, groups)));
            }
        });
    } else {
        (0..tree.ranges.len()).for_each(forward);
        let mut waiting: Vec<(usize, Groups<W>)> = roots.map(|root| (root, zeros(0, groups))).collect();
        while let Some((u, above)) = waiting.pop() {
            let above = backward(u, &above);
            waiting.extend(tree.children[u].iter().copied().zip(above));
        }
    }
    for (u, X) in X.iter().enumerate() {
        let (order, X) = (&order[tree.columns(u)], lock(X));
        for (X, first) in X.iter().zip((0..count).step_by(W)) {
            let mut part = B.as_mut().subcols_mut(first, W.min(count - first));
            for (x, &row) in X.iter().zip(order) {
                part.as_mut().row_mut(row).iter_mut().zip(x).for_each(|(b, x)| *b = *x);
            }
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
fn descend<'scope, const W: usize>(
    scope: &rayon::Scope<'scope>,
    tree: &'scope Tree<'scope>,
    backward: &'scope (impl Fn(usize, &Groups<W>) -> Vec<Groups<W>> + Sync),
    u: usize,
    above: Groups<W>,
) {
    for (&child, above) in tree.children[u].iter().zip(backward(u, &above)) {
        scope.spawn(move |scope| descend(scope, tree, backward, child, above));
    }
}
