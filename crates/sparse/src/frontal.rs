//! Multifrontal LDLᵀ without pivoting: one dense front per supernode, subtrees in parallel.
//!
//! ```text
//! ⎡A₁₁ A₂₁ᵀ⎤   ⎡L₁₁    ⎤ ⎡D₁   ⎤ ⎡L₁₁ᵀ L₂₁ᵀ⎤
//! ⎣A₂₁ A₂₂ ⎦ = ⎣L₂₁  I ⎦ ⎣   U ⎦ ⎣      I  ⎦ ,   U = A₂₂ − L₂₁ D₁ L₂₁ᵀ
//! ```
//!
//! U goes to the parent in the elimination tree, which adds it to its own front (Duff & Reid 1983;
//! Liu, SIAM Review 34, 1992). Every front is computed by one thread with the same operations in
//! the same order whatever the number of threads, so the factor has the same bits.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering as Atomic};

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{
    LdltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};

use crate::pattern::PermutedLower;
use crate::symbolic::{Supernode, Symbolic};
use crate::trapezoid::{BLOCK, Trapezoid};

/// A subtree below this share of all operations is not split between threads.
const SUBTREE_SHARE: f64 = 1.0 / 64.0;

/// The update matrix of a supernode, a lower triangle.
struct Update {
    supernode: usize,
    values: Vec<f64>,
}

/// Memory of one thread.
struct Workspace {
    /// Row → index in the current front.
    local: Vec<u32>,
    /// L₂₁D₁.
    scaled: Vec<f64>,
    /// Indices of a child's rows in the current front.
    indices: Vec<u32>,
    /// Update buffers to use again: fresh pages cost more than the arithmetic of small fronts.
    spare: Vec<Vec<f64>>,
    memory: MemBuffer,
    /// The panel that is not kept.
    panel: Vec<f64>,
    /// What is known of the panels that were not kept.
    tally: Tally,
}

/// What is left of a factor that is not kept.
#[derive(Default)]
pub(crate) struct Tally {
    /// Pivots in elimination order, as (index, value).
    pub(crate) pivots: Vec<(usize, f64)>,
    /// diag(|L||D||Lᵀ|), where the rows were met.
    pub(crate) sizes: Vec<f64>,
}

impl Tally {
    /// Adds an eliminated panel.
    fn add(&mut self, node: Supernode, rows: &[u32], values: &[f64]) {
        let panel = node.panel();
        for k in 0..node.width {
            let column = &values[panel.column_offset(k) + k % BLOCK..][..panel.height - k];
            let pivot = column[0];
            self.pivots.push((node.first + k, pivot));
            let size = pivot.abs();
            self.sizes[node.first + k] += size;
            let (inside, below) = column[1..].split_at(node.width - k - 1);
            for (sum, l) in self.sizes[node.first + k + 1..].iter_mut().zip(inside) {
                *sum += l * l * size;
            }
            for (row, l) in rows.iter().zip(below) {
                self.sizes[*row as usize] += l * l * size;
            }
        }
    }
}

impl Workspace {
    fn new(symbolic: &Symbolic) -> Self {
        let request = cholesky_in_place_scratch::<f64>(BLOCK, Par::Seq, Default::default());
        Self {
            local: vec![0; symbolic.order().len()],
            scaled: Vec::new(),
            indices: Vec::new(),
            spare: Vec::new(),
            memory: MemBuffer::new(request),
            panel: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// A buffer of at least `length` values with any content.
    fn buffer(&mut self, length: usize) -> Vec<f64> {
        let fits = |b: &Vec<f64>| b.len() >= length && b.len() <= 4 * length + 4096;
        let best =
            (0..self.spare.len()).filter(|&k| fits(&self.spare[k])).min_by_key(|&k| self.spare[k].len());
        match best {
            Some(k) => self.spare.swap_remove(k),
            None => vec![0.0; length],
        }
    }

    /// Writes the indices of a child's rows in the current front; returns the shape of its update.
    fn find_indices(&mut self, symbolic: &Symbolic, child: &Update) -> Trapezoid {
        let rows = symbolic.rows(child.supernode);
        self.indices.clear();
        self.indices.extend(rows.iter().map(|&row| self.local[row as usize]));
        Trapezoid::square(rows.len())
    }

    fn give_back(&mut self, buffer: Vec<f64>) {
        self.spare.push(buffer);
        if self.spare.len() > 4 {
            let smallest = (0..self.spare.len()).min_by_key(|&k| self.spare[k].len());
            self.spare.swap_remove(smallest.expect("invariant: not empty"));
        }
    }
}

/// Neighbouring supernodes done by one thread in one go: a complete subtree, or one node high in the tree.
struct Unit<'a> {
    first: usize,
    /// Where its panels go; empty when they are not kept.
    panels: Vec<&'a mut [f64]>,
    end: usize,
}

/// Factorises into `values` (the panels of the supernodes, one after the other).
pub(crate) fn factorise(symbolic: &Symbolic, A: &PermutedLower, values: &mut [f64], parallel: bool) {
    go_through(symbolic, A, Some(values), parallel);
}

/// Eliminates without keeping L: its pivots, and the sizes of what was added up for them.
pub(crate) fn pivots(symbolic: &Symbolic, A: &PermutedLower, parallel: bool) -> Tally {
    let mut all = Tally { pivots: Vec::with_capacity(symbolic.order().len()), ..Tally::default() };
    for workspace in go_through(symbolic, A, None, parallel) {
        all.pivots.extend(workspace.tally.pivots);
        if all.sizes.is_empty() {
            all.sizes = workspace.tally.sizes;
        } else {
            all.sizes.iter_mut().zip(workspace.tally.sizes).for_each(|(sum, own)| *sum += own);
        }
    }
    all.pivots.sort_unstable_by_key(|(index, _)| *index);
    all
}

/// Eliminates all supernodes, into `values` or passing by; returns the workspaces of the threads.
fn go_through(
    symbolic: &Symbolic,
    A: &PermutedLower,
    values: Option<&mut [f64]>,
    parallel: bool,
) -> Vec<Workspace> {
    let nodes = symbolic.supernodes();
    // A link of one element between its interfaces has nothing inside.
    if nodes.is_empty() {
        return Vec::new();
    }
    // One thread goes through the tree in postorder, which keeps the fewest updates alive.
    let parallel = parallel && rayon::current_num_threads() > 1;
    let ranges = if parallel { units(symbolic) } else { vec![(0, nodes.len())] };
    let mut unit_of = vec![0_usize; nodes.len()];
    let mut waiting: Vec<AtomicUsize> = Vec::new();
    let is_kept = values.is_some();
    let mut rest = values;
    let mut work = Vec::new();
    for (u, &(first, end)) in ranges.iter().enumerate() {
        let mut panels = Vec::new();
        for (s, node) in nodes.iter().enumerate().take(end).skip(first) {
            unit_of[s] = u;
            if let Some(values) = rest.take() {
                let (panel, tail) = values.split_at_mut(node.panel().len());
                panels.push(panel);
                rest = Some(tail);
            }
        }
        work.push(Mutex::new(Some(Unit { first, panels, end })));
        waiting.push(AtomicUsize::new(0));
    }
    let parent_unit = |u: usize| match nodes[ranges[u].1 - 1].parent {
        usize::MAX => None,
        parent => Some(unit_of[parent]),
    };
    for u in 0..ranges.len() {
        if let Some(parent) = parent_unit(u) {
            waiting[parent].fetch_add(1, Atomic::Relaxed);
        }
    }
    let inbox: Vec<Mutex<Vec<Update>>> = ranges.iter().map(|_| Mutex::new(Vec::new())).collect();
    let idle: Mutex<Vec<Workspace>> = Mutex::new(Vec::new());

    // Runs a unit, then its parent if this was the last child it waited for, and so on.
    let climb = |start: usize| {
        let pooled = lock(&idle).pop();
        let mut workspace = pooled.unwrap_or_else(|| Workspace::new(symbolic));
        if !is_kept {
            workspace.tally.sizes.resize(symbolic.order().len(), 0.0);
        }
        let mut u = start;
        loop {
            let unit = lock(&work[u]).take().expect("invariant: a unit runs once");
            let mut received = std::mem::take(&mut *lock(&inbox[u]));
            received.sort_by_key(|update| update.supernode);
            let sent = run(symbolic, A, unit, received, &mut workspace);
            let Some(parent) = parent_unit(u) else { break };
            lock(&inbox[parent]).extend(sent);
            if waiting[parent].fetch_sub(1, Atomic::AcqRel) != 1 {
                break;
            }
            u = parent;
        }
        lock(&idle).push(workspace);
    };
    let leaves: Vec<usize> = (0..ranges.len()).filter(|&u| waiting[u].load(Atomic::Relaxed) == 0).collect();
    if parallel {
        rayon::scope(|scope| {
            for &u in &leaves {
                let climb = &climb;
                scope.spawn(move |_| climb(u));
            }
        });
    } else {
        leaves.into_iter().for_each(climb);
    }
    idle.into_inner().expect("invariant: no thread panics while it holds a lock")
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("invariant: no thread panics while it holds a lock")
}

/// Splits the tree: subtrees small enough for one thread, and the nodes above them one by one.
pub(crate) fn units(symbolic: &Symbolic) -> Vec<(usize, usize)> {
    let nodes = symbolic.supernodes();
    let limit = symbolic.info().flops * SUBTREE_SHARE;
    let mut work: Vec<f64> = nodes.iter().map(|node| node.flops()).collect();
    let mut first: Vec<usize> = (0..nodes.len()).collect();
    for (s, node) in nodes.iter().enumerate() {
        if node.parent != usize::MAX {
            work[node.parent] += work[s];
            first[node.parent] = first[node.parent].min(first[s]);
        }
    }
    let small = |s: usize| work[s] <= limit;
    let mut ranges = Vec::new();
    for (s, node) in nodes.iter().enumerate() {
        if !small(s) {
            ranges.push((s, s + 1));
        } else if node.parent == usize::MAX || !small(node.parent) {
            ranges.push((first[s], s + 1));
        }
    }
    ranges
}

/// Eliminates the supernodes of a unit in postorder; returns the updates for other units.
fn run(
    symbolic: &Symbolic,
    A: &PermutedLower,
    unit: Unit<'_>,
    received: Vec<Update>,
    workspace: &mut Workspace,
) -> Vec<Update> {
    let nodes = symbolic.supernodes();
    let mut pending = received;
    let mut kept = unit.panels.into_iter();
    for s in unit.first..unit.end {
        let from =
            pending.iter().rposition(|update| nodes[update.supernode].parent != s).map_or(0, |k| k + 1);
        let children = pending.split_off(from);
        let update = match kept.next() {
            Some(panel) => eliminate(symbolic, A, s, panel, &children, workspace),
            None => {
                let (node, mut panel) = (nodes[s], std::mem::take(&mut workspace.panel));
                let length = node.panel().len();
                panel.resize(panel.len().max(length), 0.0);
                let update = eliminate(symbolic, A, s, &mut panel[..length], &children, workspace);
                workspace.tally.add(node, symbolic.rows(s), &panel[..length]);
                workspace.panel = panel;
                update
            }
        };
        children.into_iter().for_each(|child| workspace.give_back(child.values));
        pending.extend(update);
    }
    pending
}

/// Assembles and eliminates one front.
fn eliminate(
    symbolic: &Symbolic,
    A: &PermutedLower,
    s: usize,
    values: &mut [f64],
    children: &[Update],
    workspace: &mut Workspace,
) -> Option<Update> {
    let node = symbolic.supernodes()[s];
    for k in 0..node.width {
        workspace.local[node.first + k] = k as u32;
    }
    for (k, &row) in symbolic.rows(s).iter().enumerate() {
        workspace.local[row as usize] = (node.width + k) as u32;
    }
    let largest = assemble(symbolic, A, s, values, &workspace.local);
    for child in children {
        add_to_panel(symbolic, child, values, node.panel(), workspace);
    }
    let mut update = workspace.buffer(node.update().len());
    factorise_panel(values, node.panel(), &mut update, node.update(), largest, workspace);
    if node.below == 0 {
        workspace.give_back(update);
        return None;
    }
    for child in children {
        add_to_update(symbolic, child, &mut update, node, workspace);
    }
    Some(Update { supernode: s, values: update })
}

/// Puts the entries of A into a panel; returns the largest of them.
fn assemble(symbolic: &Symbolic, A: &PermutedLower, s: usize, values: &mut [f64], local: &[u32]) -> f64 {
    let node = symbolic.supernodes()[s];
    let (panel, rows) = (node.panel(), symbolic.rows(s));
    let mut largest = 0.0_f64;
    values.fill(0.0);
    for k in 0..node.width {
        let column = &mut values[panel.column_offset(k)..];
        let skipped = panel.first(k / BLOCK);
        for (row, value) in A.column(node.first + k) {
            let index = local[row] as usize;
            let known = match index.checked_sub(node.width) {
                None => Some(node.first + index),
                Some(below) => rows.get(below).map(|&row| row as usize),
            };
            assert_eq!(known, Some(row), "an entry outside the analysed pattern");
            column[index - skipped] += value;
            largest = largest.max(value.abs());
        }
    }
    largest
}

/// LDLᵀ of the panel, block column by block column; every block column updates the rest of the panel and
/// `update` = −L₂₁D₁L₂₁ᵀ (lower triangle).
fn factorise_panel(
    values: &mut [f64],
    panel: Trapezoid,
    update: &mut [f64],
    shape: Trapezoid,
    largest: f64,
    workspace: &mut Workspace,
) {
    // An exact zero pivot becomes a hopelessly small one: the elimination goes on and the pivot
    // check afterwards names all suspicious rows instead of the first.
    let regularisation = LdltRegularization {
        dynamic_regularization_signs: None,
        dynamic_regularization_delta: if largest > 0.0 { largest * 1e-30 } else { 1e-30 },
        dynamic_regularization_epsilon: f64::MIN_POSITIVE,
    };
    for b in 0..panel.blocks() {
        let (block, mut rest) = panel.block_and_rest(values, b);
        let columns = panel.columns(b);
        let (mut top, mut bottom) = block.split_at_row_mut(columns);
        let stack = MemStack::new(&mut workspace.memory);
        cholesky_in_place(top.rb_mut(), regularisation, Par::Seq, stack, Default::default())
            .expect("invariant: zero pivots are replaced");
        let height = bottom.nrows();
        if height == 0 {
            break;
        }
        solve_unit_lower_triangular_in_place(top.rb(), bottom.rb_mut().transpose_mut(), Par::Seq);
        if workspace.scaled.len() < height * columns {
            workspace.scaled.resize(height * columns, 0.0);
        }
        let scaled = &mut workspace.scaled[..height * columns];
        for (k, column) in scaled.chunks_exact_mut(height).enumerate() {
            let reciprocal = 1.0 / top[(k, k)];
            let source = bottom.rb_mut().col_mut(k).try_as_col_major_mut();
            let source = source.expect("invariant: blocks are stored by columns").as_slice_mut();
            column.copy_from_slice(source);
            source.iter_mut().for_each(|value| *value *= reciprocal);
        }
        let scaled = MatRef::from_column_major_slice(&*scaled, height, columns);
        let bottom = bottom.rb();
        for c in b + 1..panel.blocks() {
            let (rows, width) = (panel.height - panel.first(c), panel.columns(c));
            let (here, after) = rest.split_at_mut(rows * width);
            let target = MatMut::from_column_major_slice_mut(here, rows, width);
            let skip = panel.first(c) - panel.first(b) - columns;
            let (left, right) = (scaled.subrows(skip, rows), bottom.subrows(skip, width));
            matmul(target, Accum::Add, left, right.transpose(), -1.0, Par::Seq);
            rest = after;
        }
        let accumulate = if b == 0 { Accum::Replace } else { Accum::Add };
        let own = height - shape.height;
        for c in 0..shape.blocks() {
            let (target, _) = shape.block_and_rest(update, c);
            let skip = own + shape.first(c);
            let left = scaled.subrows(skip, target.nrows());
            let right = bottom.subrows(skip, target.ncols());
            matmul(target, accumulate, left, right.transpose(), -1.0, Par::Seq);
        }
    }
}

/// Adds the columns of a child's update that belong to this supernode's own columns.
fn add_to_panel(
    symbolic: &Symbolic,
    child: &Update,
    values: &mut [f64],
    panel: Trapezoid,
    workspace: &mut Workspace,
) {
    let source = workspace.find_indices(symbolic, child);
    let own = workspace.indices.partition_point(|&index| (index as usize) < panel.width);
    add(child, source, 0..own, &workspace.indices, 0, values, panel);
}

/// Adds the other columns of a child's update to this supernode's update.
fn add_to_update(
    symbolic: &Symbolic,
    child: &Update,
    values: &mut [f64],
    node: Supernode,
    workspace: &mut Workspace,
) {
    let source = workspace.find_indices(symbolic, child);
    let own = workspace.indices.partition_point(|&index| (index as usize) < node.width);
    add(child, source, own..source.width, &workspace.indices, node.width, values, node.update());
}

/// Adds some columns of an update to a trapezoid whose first row has the index `base`.
fn add(
    child: &Update,
    source: Trapezoid,
    columns: std::ops::Range<usize>,
    indices: &[u32],
    base: usize,
    values: &mut [f64],
    target: Trapezoid,
) {
    for k in columns {
        let from =
            &child.values[source.column_offset(k) + k - source.first(k / BLOCK)..][..source.height - k];
        let column = indices[k] as usize - base;
        let skipped = base + target.first(column / BLOCK);
        let to = &mut values[target.column_offset(column)..][..target.height + base - skipped];
        for (&index, &value) in indices[k..].iter().zip(from) {
            to[index as usize - skipped] += value;
        }
    }
}
