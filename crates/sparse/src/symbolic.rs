//! Symbolic analysis: where the factor has its entries and what it will cost, before any large
//! allocation.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{simplicial, supernodal};
use nalgebra_sparse::CscMatrix;

use crate::ordering::{Ordering, OrderingMethod};
use crate::pattern::{elimination_tree, inverse, permuted_upper, postorder};
use crate::trapezoid::{BLOCK, Trapezoid};

/// Merge rules for supernodes: (largest number of columns, largest share of stored zeros).
/// Measured on solids, see `docs/performance/sparse.md`.
const RELAX: &[(usize, f64)] = &[(4, 1.0), (16, 0.8), (48, 0.1), (usize::MAX, 0.05)];

/// The structure of the factor LDLᵀ of one symmetric pattern.
///
/// It serves every matrix whose entries lie within the analysed pattern, such as K and K − σM.
#[derive(Debug)]
pub struct Symbolic {
    /// New position → original row.
    order: Vec<usize>,
    /// Original row → new position.
    position: Vec<usize>,
    /// Column ranges and row patterns of the supernodes, in postorder.
    supernodes: Vec<Supernode>,
    /// All row patterns, one after the other.
    rows: Vec<u32>,
    info: SymbolicInfo,
}

/// A group of neighbouring columns of L with the same rows below the diagonal block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supernode {
    /// First column.
    pub(crate) first: usize,
    /// Number of columns.
    pub(crate) width: usize,
    /// Number of rows below the diagonal block.
    pub(crate) below: usize,
    /// Start of its rows in the common list.
    rows_start: usize,
    /// The supernode that takes its update, `usize::MAX` at a root.
    pub(crate) parent: usize,
}

impl Supernode {
    /// Shape of its part of L.
    pub(crate) fn panel(&self) -> Trapezoid {
        Trapezoid { height: self.width + self.below, width: self.width }
    }

    /// Shape of its update matrix.
    pub(crate) fn update(&self) -> Trapezoid {
        Trapezoid::square(self.below)
    }

    /// Multiplications and additions to eliminate it.
    pub(crate) fn flops(&self) -> f64 {
        let (s, r) = (self.width as f64, self.below as f64);
        s * s * s / 3.0 + s * s * r + s * r * r
    }
}

/// What the analysis found.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicInfo {
    /// Rows of the matrix.
    pub rows: usize,
    /// Vertices of the graph that was ordered.
    pub vertices: usize,
    /// Ordering that was used.
    pub ordering: OrderingMethod,
    /// Entries of L, the diagonal included.
    pub factor_nonzeros: usize,
    /// Values stored for L: entries, merged zeros and unused halves of diagonal blocks.
    pub stored_values: usize,
    /// Supernodes.
    pub supernodes: usize,
    /// Floating-point operations of a factorisation.
    pub flops: f64,
    /// Largest sum of update matrices alive at once when one thread factorises, in values.
    pub update_values: usize,
}

impl Symbolic {
    /// Analyses the pattern of a symmetric matrix given by its lower triangle.
    ///
    /// The ordering is refined by a postorder of the elimination tree, which keeps the fill and lets
    /// more columns merge.
    ///
    /// # Panics
    /// When the matrix is not square, has entries above the diagonal, or 2³² rows or more.
    #[must_use]
    pub fn new(A: &CscMatrix<f64>, ordering: &Ordering) -> Self {
        let n = A.ncols();
        assert_eq!(A.nrows(), n, "a symmetric matrix is square");
        assert!(u32::try_from(n).is_ok(), "row numbers are stored in 32 bits");
        assert!(A.triplet_iter().all(|(i, j, _)| i >= j), "only the lower triangle is given");
        assert_eq!(ordering.order.len(), n, "the ordering is of this matrix");

        let (start, rows) = permuted_upper(A, &inverse(&ordering.order));
        let parent = elimination_tree(&start, &rows);
        drop((start, rows));
        let order: Vec<usize> = postorder(&parent).into_iter().map(|k| ordering.order[k]).collect();
        let position = inverse(&order);
        let (start, rows) = permuted_upper(A, &position);

        let pattern = SymbolicSparseColMatRef::new_unsorted_checked(n, n, &start, None, &rows);
        let mut tree = vec![0_isize; n];
        let mut counts = vec![0_usize; n];
        let request = simplicial::prefactorize_symbolic_cholesky_scratch::<usize>(n, rows.len())
            .or(supernodal::factorize_supernodal_symbolic_cholesky_scratch::<usize>(n));
        let mut memory = MemBuffer::new(request);
        let stack = MemStack::new(&mut memory);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, pattern, stack);
        let raw = supernodal::factorize_supernodal_symbolic_cholesky(
            pattern,
            tree,
            &counts,
            stack,
            SymbolicSupernodalParams { relax: Some(RELAX) },
        )
        .expect("invariant: indices fit usize and the lists of rows fit memory");
        Self::from_supernodes(order, position, &raw, counts.iter().sum(), ordering)
    }

    fn from_supernodes(
        order: Vec<usize>,
        position: Vec<usize>,
        raw: &supernodal::SymbolicSupernodalCholesky<usize>,
        factor_nonzeros: usize,
        ordering: &Ordering,
    ) -> Self {
        let n = order.len();
        let mut supernode_of = vec![0_u32; n];
        for (s, (&first, &end)) in raw.supernode_begin().iter().zip(raw.supernode_end()).enumerate() {
            supernode_of[first..end].fill(s as u32);
        }
        let mut supernodes = Vec::with_capacity(raw.n_supernodes());
        let mut rows: Vec<u32> = Vec::with_capacity(raw.row_idx().len());
        for s in 0..raw.n_supernodes() {
            let (first, end) = (raw.supernode_begin()[s], raw.supernode_end()[s]);
            let pattern = raw.supernode(s).pattern();
            supernodes.push(Supernode {
                first,
                width: end - first,
                below: pattern.len(),
                rows_start: rows.len(),
                parent: pattern.first().map_or(usize::MAX, |&row| supernode_of[row] as usize),
            });
            rows.extend(pattern.iter().map(|&row| row as u32));
        }
        let info = SymbolicInfo {
            rows: n,
            vertices: ordering.vertex_count,
            ordering: ordering.method,
            factor_nonzeros,
            stored_values: supernodes.iter().map(|s| s.panel().len()).sum(),
            supernodes: supernodes.len(),
            flops: supernodes.iter().map(Supernode::flops).sum(),
            update_values: peak_of_updates(&supernodes),
        };
        Self { order, position, supernodes, rows, info }
    }

    /// Facts about the factor to come.
    #[must_use]
    pub fn info(&self) -> &SymbolicInfo {
        &self.info
    }

    /// Bytes that a factorisation with `threads` threads needs beside the matrix itself.
    #[must_use]
    pub fn bytes(&self, threads: usize, matrix_nonzeros: usize) -> usize {
        let tallest = self.supernodes.iter().map(|s| s.panel().height).max().unwrap_or(0);
        let values =
            self.info.stored_values + threads * (self.info.update_values + BLOCK * tallest + self.info.rows);
        8 * values + 16 * matrix_nonzeros + 4 * self.rows.len()
    }

    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(crate) fn position(&self) -> &[usize] {
        &self.position
    }

    pub(crate) fn supernodes(&self) -> &[Supernode] {
        &self.supernodes
    }

    /// Rows below the diagonal block, ascending.
    pub(crate) fn rows(&self, s: usize) -> &[u32] {
        let node = &self.supernodes[s];
        &self.rows[node.rows_start..node.rows_start + node.below]
    }
}

/// Replays the elimination in postorder: a node's update is born before those of its children die.
fn peak_of_updates(supernodes: &[Supernode]) -> usize {
    let mut from_children = vec![0_usize; supernodes.len()];
    let (mut alive, mut peak) = (0_usize, 0_usize);
    for (s, node) in supernodes.iter().enumerate() {
        let update = node.update().len();
        peak = peak.max(alive + update);
        alive = alive + update - from_children[s];
        if node.parent != usize::MAX {
            from_children[node.parent] += update;
        }
    }
    peak
}
