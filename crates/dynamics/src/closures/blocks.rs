//! Sparse LU of the closures' equations, one block for each closure: cost grows with the loops that meet, not
//! with all there are.
//!
//! Blocks are eliminated in the order in which they are numbered, `K_cd ← K_cd − K_cb K_bb⁺ K_bd`, with
//! complete pivoting inside a block and none between blocks. That finds the rank all the same: what is left
//! of the compliances G S⁻¹Gᵀ after each elimination is symmetric and positive semidefinite, and x with xᵀAx
//! = 0 in one block has A x = 0 in all of them. So an equation that repeats others shows as a pivot of zero
//! in its own block, and may be left out there.

use crate::closures::pivoted::{PivotedLu, Rank, RankError};

/// Entries of a null vector below this part of its largest are rounding.
const ROUNDING: f64 = 1e-14;

/// A block that is eliminated later than the one it is coupled with.
#[derive(Clone, Debug)]
struct Coupled {
    block: usize,
    /// Where K(later, earlier) and K(earlier, later) are stored; the second becomes K_bb⁺ K_bc.
    below: usize,
    right: usize,
}

/// The matrix between two blocks.
pub(crate) struct Part<'k> {
    /// Column by column.
    pub(crate) entries: &'k mut [f64],
    /// Its first row and first column in the complete matrix.
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Its number of rows.
    pub(crate) rows: usize,
}

/// `K = L U` by blocks. Room is made once.
#[derive(Clone, Debug)]
pub(crate) struct BlockLu {
    /// First unknown of each block, and the number of unknowns.
    start: Vec<usize>,
    diagonal: Vec<PivotedLu>,
    later: Vec<Vec<Coupled>>,
    values: Vec<f64>,
    /// Equations of each block that repeat others.
    leave: Vec<usize>,
    null: NullSpace,
}

/// An orthonormal basis of what the equations leave undetermined.
#[derive(Clone, Debug, Default)]
struct NullSpace {
    /// One vector after the other; only the blocks listed are up to date.
    vectors: Vec<f64>,
    blocks: Vec<Vec<usize>>,
}

impl BlockLu {
    /// Blocks of these sizes, `coupled` with those that it lists (all earlier or all later ones, or both).
    pub(crate) fn new(sizes: &[usize], coupled: &[Vec<usize>]) -> Self {
        let count = sizes.len();
        let mut start = vec![0];
        start.extend(sizes.iter().scan(0, |sum, size| {
            *sum += size;
            Some(*sum)
        }));
        let mut pattern = vec![std::collections::BTreeSet::new(); count];
        for (b, others) in coupled.iter().enumerate() {
            for &c in others.iter().filter(|c| **c != b) {
                pattern[b.min(c)].insert(b.max(c));
            }
        }
        let (mut later, mut end) = (Vec::with_capacity(count), 0);
        for b in 0..count {
            let own = std::mem::take(&mut pattern[b]);
            for &c in &own {
                // Eliminating b couples all that it was coupled with.
                pattern[c].extend(own.range(c + 1..));
            }
            later.push(Vec::from_iter(own.into_iter().map(|block| {
                let (below, right) = (end, end + sizes[block] * sizes[b]);
                end = right + sizes[block] * sizes[b];
                Coupled { block, below, right }
            })));
        }
        Self {
            start,
            diagonal: sizes.iter().map(|size| PivotedLu::new(*size)).collect(),
            later,
            values: vec![0.0; end],
            leave: vec![0; count],
            null: NullSpace::default(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.start[self.diagonal.len()]
    }

    /// Where the unknowns of a block begin.
    pub(crate) fn start(&self, block: usize) -> usize {
        self.start[block]
    }

    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
        self.diagonal.iter_mut().for_each(|lu| lu.matrix().fill(0.0));
    }

    fn offset(&self, row: usize, column: usize) -> usize {
        let later = &self.later[row.min(column)];
        let at = later.binary_search_by_key(&row.max(column), |c| c.block);
        let coupled = &later[at.expect("invariant: only coupled blocks are written")];
        if row > column { coupled.below } else { coupled.right }
    }

    /// The number of rows of the matrix between two coupled blocks, and its entries column by column.
    pub(crate) fn part(&mut self, row: usize, column: usize) -> (usize, &mut [f64]) {
        let rows = self.start[row + 1] - self.start[row];
        if row == column {
            return (rows, self.diagonal[row].matrix());
        }
        let at = self.offset(row, column);
        let size = rows * (self.start[column + 1] - self.start[column]);
        (rows, &mut self.values[at..at + size])
    }

    /// Calls `change` with every part of the matrix.
    pub(crate) fn for_each_part(&mut self, mut change: impl FnMut(Part<'_>)) {
        for b in 0..self.diagonal.len() {
            let (start, size) = (self.start[b], self.start[b + 1] - self.start[b]);
            change(Part { entries: self.diagonal[b].matrix(), row: start, column: start, rows: size });
            for c in &self.later[b] {
                let (other, rows) = (self.start[c.block], self.start[c.block + 1] - self.start[c.block]);
                let entries = &mut self.values[c.below..c.below + rows * size];
                change(Part { entries, row: other, column: start, rows });
                let entries = &mut self.values[c.right..c.right + rows * size];
                change(Part { entries, row: start, column: other, rows: size });
            }
        }
    }

    /// Factors. With `find`, pivots below this part of the largest entry count as zero; without, as many
    /// equations of each block are left over as when [`keep_left_over`](Self::keep_left_over) was called. The
    /// error names an equation by its index.
    pub(crate) fn factor(&mut self, find: Option<f64>) -> Result<(), RankError> {
        let mut largest = 0.0f64;
        self.for_each_part(|part| largest = part.entries.iter().fold(largest, |a, x| a.max(x.abs())));
        for b in 0..self.diagonal.len() {
            let rank = find.map_or(Rank::Leave(self.leave[b]), Rank::Find);
            self.diagonal[b].factor_against(rank, largest).map_err(|e| e.map(|k| k + self.start[b]))?;
            let size = self.start[b + 1] - self.start[b];
            for c in &self.later[b] {
                let columns = self.start[c.block + 1] - self.start[c.block];
                for column in self.values[c.right..c.right + size * columns].chunks_exact_mut(size) {
                    self.diagonal[b].solve(column);
                }
            }
            self.update(b);
        }
        if self.leave.iter().any(|count| *count > 0) && find.is_none() {
            self.find_null_space();
        }
        Ok(())
    }

    /// `K_cd −= K_cb X_bd` for all pairs of blocks that b is coupled with.
    fn update(&mut self, b: usize) {
        let size = self.start[b + 1] - self.start[b];
        for i in 0..self.later[b].len() {
            let (c, below) = (self.later[b][i].block, self.later[b][i].below);
            let rows = self.start[c + 1] - self.start[c];
            for j in 0..self.later[b].len() {
                let (d, right) = (self.later[b][j].block, self.later[b][j].right);
                let columns = self.start[d + 1] - self.start[d];
                let at = if c == d { None } else { Some(self.offset(c, d)) };
                for column in 0..columns {
                    for k in 0..size {
                        let x = self.values[right + column * size + k];
                        if x == 0.0 {
                            continue;
                        }
                        let from = below + k * rows;
                        match at {
                            Some(at) => {
                                for row in 0..rows {
                                    self.values[at + column * rows + row] -= self.values[from + row] * x;
                                }
                            }
                            None => {
                                let target = &mut self.diagonal[c].matrix()[column * rows..];
                                for (t, l) in target.iter_mut().zip(&self.values[from..from + rows]) {
                                    *t -= l * x;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Solves with the unknowns of left-over columns at zero: `x` holds the right-hand side and becomes the
    /// solution.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        for b in 0..self.diagonal.len() {
            let (before, rest) = x.split_at_mut(self.start[b + 1]);
            let own = &mut before[self.start[b]..];
            self.diagonal[b].solve(own);
            for c in &self.later[b] {
                let rows = self.start[c.block + 1] - self.start[c.block];
                let other = &mut rest[self.start[c.block] - self.start[b + 1]..][..rows];
                multiply_subtract(&self.values[c.below..], own, other);
            }
        }
        for b in (0..self.diagonal.len()).rev() {
            self.back_substitute(b, x);
        }
    }

    /// `x_b −= Σ X_bc x_c`.
    fn back_substitute(&self, b: usize, x: &mut [f64]) {
        let (before, rest) = x.split_at_mut(self.start[b + 1]);
        for c in &self.later[b] {
            let other =
                &rest[self.start[c.block] - self.start[b + 1]..self.start[c.block + 1] - self.start[b + 1]];
            multiply_subtract(&self.values[c.right..], other, &mut before[self.start[b]..]);
        }
    }

    /// Indices of the equations left over by the last factorisation.
    pub(crate) fn left_over(&self) -> impl Iterator<Item = usize> + '_ {
        self.diagonal
            .iter()
            .zip(&self.start)
            .flat_map(|(lu, start)| lu.left_over().iter().map(move |k| start + k))
    }

    /// From now on as many equations are left over in each block as in the last factorisation.
    pub(crate) fn keep_left_over(&mut self) {
        for (leave, lu) in self.leave.iter_mut().zip(&self.diagonal) {
            *leave = lu.left_over().len();
        }
        let (n, count, blocks) = (self.size(), self.leave.iter().sum::<usize>(), self.diagonal.len());
        self.null.vectors = vec![0.0; n * count];
        self.null.blocks = (0..count).map(|_| Vec::with_capacity(blocks)).collect();
    }

    /// The smallest pivot taken over the largest entry, and its equation.
    pub(crate) fn weakest(&self) -> Option<(f64, usize)> {
        let pivots = self.diagonal.iter().zip(&self.start);
        let weakest = pivots.filter_map(|(lu, start)| lu.weakest().map(|(ratio, row)| (ratio, start + row)));
        weakest.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// A vector for each unknown that is left over, made orthonormal among those whose blocks overlap.
    fn find_null_space(&mut self) {
        let n = self.size();
        let mut null = std::mem::take(&mut self.null);
        let left =
            self.leave.iter().enumerate().flat_map(|(b, count)| (0..*count).map(move |index| (b, index)));
        for (k, (b, index)) in left.enumerate() {
            let (done, rest) = null.vectors.split_at_mut(k * n);
            let (known, own) = null.blocks.split_at_mut(k);
            let (vector, blocks) = (&mut rest[..n], &mut own[0]);
            vector.fill(0.0);
            self.diagonal[b].null_vector(index, &mut vector[self.start[b]..self.start[b + 1]]);
            blocks.clear();
            blocks.push(b);
            for a in (0..b).rev() {
                if !self.later[a].iter().any(|c| blocks.contains(&c.block)) {
                    continue;
                }
                self.back_substitute(a, vector);
                let part = &mut vector[self.start[a]..self.start[a + 1]];
                if part.iter().all(|x| x.abs() <= ROUNDING) {
                    part.fill(0.0);
                } else {
                    blocks.push(a);
                }
            }
            for (other, theirs) in done.chunks_exact(n).zip(known) {
                if theirs.iter().any(|a| blocks.contains(a)) {
                    let dot: f64 = over(&self.start, theirs).map(|i| other[i] * vector[i]).sum();
                    over(&self.start, theirs).for_each(|i| vector[i] -= dot * other[i]);
                    for a in theirs.iter() {
                        if !blocks.contains(a) {
                            blocks.push(*a);
                        }
                    }
                }
            }
            let norm = over(&self.start, blocks).map(|i| vector[i] * vector[i]).sum::<f64>().sqrt();
            if norm > 0.0 {
                over(&self.start, blocks).for_each(|i| vector[i] /= norm);
            }
        }
        self.null = null;
    }

    /// Takes from `x`, a solution, what the equations leave undetermined, so that the smallest remains.
    pub(crate) fn take_least_norm(&self, x: &mut [f64]) {
        for (vector, blocks) in self.null.vectors.chunks_exact(self.size().max(1)).zip(&self.null.blocks) {
            let size: f64 = over(&self.start, blocks).map(|i| vector[i] * x[i]).sum();
            over(&self.start, blocks).for_each(|i| x[i] -= size * vector[i]);
        }
    }
}

/// Unknowns of some blocks.
fn over(start: &[usize], blocks: &[usize]) -> impl Iterator<Item = usize> {
    blocks.iter().flat_map(|b| start[*b]..start[b + 1])
}

/// `y −= A x`, A column by column.
fn multiply_subtract(A: &[f64], x: &[f64], y: &mut [f64]) {
    for (column, x) in A.chunks_exact(y.len().max(1)).zip(x) {
        for (y, a) in y.iter_mut().zip(column) {
            *y -= a * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A = BᵀB with B of less than full rank, in blocks that form a ring, against a dense factor of the same
    /// matrix.
    #[test]
    fn finds_rank_null_space_and_least_norm_as_a_dense_factor_does() {
        let sizes = [2, 3, 1, 4, 2];
        let coupled: Vec<Vec<usize>> = (0..5).map(|b| vec![(b + 1) % 5]).collect();
        let mut lu = BlockLu::new(&sizes, &coupled);
        let n = lu.size();
        // Each body is reached by two neighbours: six coordinates for twelve equations.
        let mut seed = 1.0f64;
        let mut next = || {
            seed = (seed * 997.0 + 0.1).sin();
            seed
        };
        let mut B = DMatrix::zeros(6, n);
        for coordinate in 0..6 {
            for b in [coordinate % 5, (coordinate + 1) % 5] {
                for i in lu.start(b)..lu.start(b) + sizes[b] {
                    B[(coordinate, i)] = next();
                }
            }
        }
        let A = B.transpose() * &B;
        let fill = |lu: &mut BlockLu| {
            lu.clear();
            for row in 0..5 {
                for column in 0..5 {
                    let apart = (row as i32 - column as i32).abs();
                    if apart == 2 || apart == 3 {
                        continue;
                    }
                    let part =
                        A.view((lu.start(row), lu.start(column)), (sizes[row], sizes[column])).into_owned();
                    lu.part(row, column).1.copy_from_slice(part.as_slice());
                }
            }
        };
        fill(&mut lu);
        lu.factor(Some(1e-10)).unwrap();
        assert_eq!(lu.left_over().count(), n - 6);
        lu.keep_left_over();
        fill(&mut lu);
        lu.factor(None).unwrap();
        let x = DVector::from_fn(n, |_, _| next());
        let mut found = (&A * &x).as_slice().to_vec();
        lu.solve(&mut found);
        let error = &A * (DVector::from_column_slice(&found) - &x);
        assert!(error.amax() < 1e-11, "{error}");
        // The smallest solution has no part in the null space: it is A⁺A x.
        lu.take_least_norm(&mut found);
        let least = A.clone().svd(true, true).solve(&(&A * &x), 1e-10).unwrap();
        assert!((DVector::from_vec(found) - least).amax() < 1e-10);
    }
}
