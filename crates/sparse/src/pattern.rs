//! Index work on compressed columns: mirrored graphs, permuted triangles, elimination trees.

use nalgebra_sparse::CscMatrix;

/// Makes a directed graph undirected: every edge in both directions, once, no loops.
pub(crate) fn mirror(start: &[usize], half: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let n = start.len() - 1;
    let mut count = vec![0_usize; n + 1];
    for v in 0..n {
        for &w in half[start[v]..start[v + 1]].iter().filter(|&&w| w != v) {
            count[v + 1] += 1;
            count[w + 1] += 1;
        }
    }
    for v in 0..n {
        count[v + 1] += count[v];
    }
    let mut both = vec![0_usize; count[n]];
    let mut next = count.clone();
    for v in 0..n {
        for &w in half[start[v]..start[v + 1]].iter().filter(|&&w| w != v) {
            both[next[v]] = w;
            next[v] += 1;
            both[next[w]] = v;
            next[w] += 1;
        }
    }
    let mut unique_start = vec![0_usize];
    let mut seen_by = vec![usize::MAX; n];
    let mut length = 0;
    for v in 0..n {
        for k in count[v]..count[v + 1] {
            let w = both[k];
            if seen_by[w] != v {
                seen_by[w] = v;
                both[length] = w;
                length += 1;
            }
        }
        unique_start.push(length);
    }
    both.truncate(length);
    (unique_start, both)
}

/// The upper triangle of PAPᵀ as compressed columns (rows of a column in no order), where
/// `position[row]` is the new index of an original row and A is given by its lower triangle.
pub(crate) fn permuted_upper(A: &CscMatrix<f64>, position: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let n = A.ncols();
    let mut start = vec![0_usize; n + 1];
    for (i, j, _) in A.triplet_iter() {
        start[position[i].max(position[j]) + 1] += 1;
    }
    for v in 0..n {
        start[v + 1] += start[v];
    }
    let mut next = start.clone();
    let mut rows = vec![0_usize; A.nnz()];
    for (i, j, _) in A.triplet_iter() {
        let (a, b) = (position[i], position[j]);
        let slot = &mut next[a.max(b)];
        rows[*slot] = a.min(b);
        *slot += 1;
    }
    (start, rows)
}

/// The lower triangle of PAPᵀ, with values, rows of a column in no order.
pub(crate) struct PermutedLower {
    start: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl PermutedLower {
    pub(crate) fn new(A: &CscMatrix<f64>, position: &[usize]) -> Self {
        let n = A.ncols();
        let mut start = vec![0_usize; n + 1];
        for (i, j, _) in A.triplet_iter() {
            start[position[i].min(position[j]) + 1] += 1;
        }
        for v in 0..n {
            start[v + 1] += start[v];
        }
        let mut next = start.clone();
        let mut rows = vec![0_u32; A.nnz()];
        let mut values = vec![0.0; A.nnz()];
        for (i, j, &value) in A.triplet_iter() {
            let (a, b) = (position[i], position[j]);
            let slot = next[a.min(b)];
            next[a.min(b)] += 1;
            rows[slot] = a.max(b) as u32;
            values[slot] = value;
        }
        Self { start, rows, values }
    }

    /// Rows and values of a column.
    pub(crate) fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.start[j]..self.start[j + 1];
        self.rows[range.clone()].iter().zip(&self.values[range]).map(|(&row, &value)| (row as usize, value))
    }

    /// The diagonal.
    pub(crate) fn diagonal(&self) -> Vec<f64> {
        let entry = |j: usize| self.column(j).find(|&(i, _)| i == j).map_or(0.0, |(_, value)| value);
        (0..self.start.len() - 1).map(entry).collect()
    }

    /// Every (row, column, value) with row ≥ column.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        (0..self.start.len() - 1).flat_map(|j| self.column(j).map(move |(i, value)| (i, j, value)))
    }
}

/// The inverse of a permutation.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut position = vec![0; order.len()];
    for (k, &row) in order.iter().enumerate() {
        position[row] = k;
    }
    position
}

/// The parent of each column in the elimination tree (`usize::MAX` at a root), from the upper
/// triangle. Liu's algorithm with path compression (Davis, *Direct Methods for Sparse Linear
/// Systems*, SIAM 2006, §4.1).
pub(crate) fn elimination_tree(start: &[usize], rows: &[usize]) -> Vec<usize> {
    let n = start.len() - 1;
    let mut parent = vec![usize::MAX; n];
    let mut ancestor = vec![usize::MAX; n];
    for k in 0..n {
        for &row in &rows[start[k]..start[k + 1]] {
            let mut i = row;
            while i < k {
                let next = ancestor[i];
                ancestor[i] = k;
                if next == usize::MAX {
                    parent[i] = k;
                    break;
                }
                i = next;
            }
        }
    }
    parent
}

/// A postorder of a forest (new position → old): every subtree is contiguous, which is what
/// lets neighbouring columns merge into supernodes.
pub(crate) fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let mut first_child = vec![usize::MAX; n];
    let mut sibling = vec![usize::MAX; n];
    let mut roots = Vec::new();
    for v in (0..n).rev() {
        if parent[v] == usize::MAX {
            roots.push(v);
        } else {
            sibling[v] = first_child[parent[v]];
            first_child[parent[v]] = v;
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for &root in roots.iter().rev() {
        stack.push(root);
        while let Some(&v) = stack.last() {
            if first_child[v] == usize::MAX {
                order.push(v);
                stack.pop();
            } else {
                stack.push(first_child[v]);
                first_child[v] = sibling[first_child[v]];
            }
        }
    }
    order
}
