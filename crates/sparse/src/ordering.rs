//! Fill-reducing orderings: nested dissection of the *node* graph by METIS, or AMD.
//!
//! The components of one grid share their neighbours, so the graph METIS sees has one
//! vertex per grid (weight: its number of degrees of freedom) and its order is expanded
//! back to components. This is several times faster than ordering the rows themselves, and
//! gives less fill.

use std::sync::Mutex;

use faer::sparse::SymbolicSparseColMatRef;
use nalgebra_sparse::CscMatrix;

use crate::pattern::mirror;

/// Below this many vertices AMD is as good as nested dissection and starts faster.
const SMALL_GRAPH: usize = 400;

/// Which fill-reducing ordering to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderingMethod {
    /// Nested dissection for large problems, AMD for small ones.
    #[default]
    Auto,
    /// Nested dissection by METIS on the compressed graph.
    Metis,
    /// Approximate minimum degree on the compressed graph.
    Amd,
    /// The rows as they come: for tests, and for matrices that are already ordered.
    Natural,
}

/// An elimination order: `order[k]` is the row that is eliminated as the k-th.
#[derive(Clone, Debug)]
pub struct Ordering {
    /// New position → original row.
    pub order: Vec<usize>,
    /// Vertices of the graph that was ordered (grids when a map was given).
    pub vertex_count: usize,
    /// The method that was used in the end; never [`OrderingMethod::Auto`].
    pub method: OrderingMethod,
}

impl Ordering {
    /// Orders the rows of a symmetric matrix of which the lower triangle is given.
    ///
    /// `groups[row]` is any label shared by the rows of one grid; without it, rows with the same
    /// neighbours are found and grouped. The result is the same for any thread count.
    ///
    /// # Panics
    /// When `groups` has another length than the matrix has rows.
    #[must_use]
    pub fn new(A: &CscMatrix<f64>, groups: Option<&[usize]>, method: OrderingMethod) -> Self {
        let n = A.ncols();
        if method == OrderingMethod::Natural {
            return Self { order: (0..n).collect(), vertex_count: n, method };
        }
        let members = match groups {
            Some(labels) => {
                assert_eq!(labels.len(), n, "one group label per row");
                members_of(labels)
            }
            None => members_of(&neighbourhood_labels(A)),
        };
        let graph = Graph::compressed(A, &members);
        let vertex_count = members.len();
        let method = match method {
            OrderingMethod::Auto if vertex_count < SMALL_GRAPH => OrderingMethod::Amd,
            OrderingMethod::Auto => OrderingMethod::Metis,
            other => other,
        };
        let by_metis = if method == OrderingMethod::Metis { graph.nested_dissection(&members) } else { None };
        let (vertex_order, method) = match by_metis {
            Some(order) => (order, OrderingMethod::Metis),
            None => (graph.minimum_degree(), OrderingMethod::Amd),
        };
        let order = vertex_order.iter().flat_map(|&v| members[v].iter().copied()).collect();
        Self { order, vertex_count, method }
    }
}

/// Rows of each group, groups in the order of their first row.
fn members_of(labels: &[usize]) -> Vec<Vec<usize>> {
    let mut vertex_of_label = std::collections::HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        let vertex = *vertex_of_label.entry(*label).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[vertex].push(row);
    }
    members
}

/// A label per row that is equal for rows with the same neighbours (themselves included).
///
/// The label is a 64-bit sum of scrambled row numbers. A chance collision would only make
/// the ordering a little worse, never wrong.
fn neighbourhood_labels(A: &CscMatrix<f64>) -> Vec<usize> {
    let scramble = |row: usize| {
        let mut x = (row as u64).wrapping_add(0x9E37_79B9_7F4A_7C15);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    };
    let mut label: Vec<u64> = (0..A.ncols()).map(scramble).collect();
    for (j, column) in A.col_iter().enumerate() {
        for &i in column.row_indices().iter().filter(|&&i| i != j) {
            label[i] = label[i].wrapping_add(scramble(j));
            label[j] = label[j].wrapping_add(scramble(i));
        }
    }
    label.into_iter().map(|x| x as usize).collect()
}

/// An undirected graph without loops, neighbours of `v` in `neighbours[start[v]..start[v + 1]]`.
struct Graph {
    start: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    fn compressed(A: &CscMatrix<f64>, members: &[Vec<usize>]) -> Self {
        let mut vertex_of = vec![0; A.ncols()];
        for (vertex, rows) in members.iter().enumerate() {
            for &row in rows {
                vertex_of[row] = vertex;
            }
        }
        let mut start = vec![0];
        let mut half = Vec::new();
        let mut seen_by = vec![usize::MAX; members.len()];
        for (vertex, rows) in members.iter().enumerate() {
            seen_by[vertex] = vertex;
            for &j in rows {
                for &i in A.col(j).row_indices() {
                    let other = vertex_of[i];
                    if seen_by[other] != vertex {
                        seen_by[other] = vertex;
                        half.push(other);
                    }
                }
            }
            start.push(half.len());
        }
        let (start, neighbours) = mirror(&start, &half);
        Self { start, neighbours }
    }

    fn vertex_count(&self) -> usize {
        self.start.len() - 1
    }

    /// METIS_NodeND; `None` when the graph does not fit 32-bit indices or METIS gives up.
    fn nested_dissection(&self, members: &[Vec<usize>]) -> Option<Vec<usize>> {
        // METIS draws from the C library's one random stream, so two calls at once would
        // disturb each other's ordering and the answer would depend on timing.
        static METIS: Mutex<()> = Mutex::new(());
        let narrow = |values: &[usize]| -> Option<Vec<i32>> {
            values.iter().map(|&v| i32::try_from(v).ok()).collect()
        };
        let mut vertex_count = i32::try_from(self.vertex_count()).ok()?;
        let mut start = narrow(&self.start)?;
        let mut neighbours = narrow(&self.neighbours)?;
        let mut weights: Vec<i32> =
            members.iter().map(|rows| i32::try_from(rows.len()).ok()).collect::<Option<_>>()?;
        let mut options = [-1_i32; metis_sys::METIS_NOPTIONS as usize];
        options[metis_sys::moptions_et_METIS_OPTION_SEED as usize] = 1;
        let mut order = vec![0_i32; self.vertex_count()];
        let mut position = vec![0_i32; self.vertex_count()];
        let status = {
            let _guard = METIS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            // SAFETY: every pointer is to a live, exclusively borrowed buffer of the length that
            // METIS_NodeND documents (n + 1, start[n], n, METIS_NOPTIONS, n, n); the graph is
            // symmetric without loops, its indices are below n, and −1 options mean "default".
            unsafe {
                metis_sys::METIS_NodeND(
                    &raw mut vertex_count,
                    start.as_mut_ptr(),
                    neighbours.as_mut_ptr(),
                    weights.as_mut_ptr(),
                    options.as_mut_ptr(),
                    order.as_mut_ptr(),
                    position.as_mut_ptr(),
                )
            }
        };
        (status == metis_sys::rstatus_et_METIS_OK).then(|| order.iter().map(|&v| v as usize).collect())
    }

    fn minimum_degree(&self) -> Vec<usize> {
        use faer::dyn_stack::{MemBuffer, MemStack};
        use faer::sparse::linalg::amd;
        let n = self.vertex_count();
        let mut order = vec![0_usize; n];
        let mut position = vec![0_usize; n];
        let A = SymbolicSparseColMatRef::new_unsorted_checked(n, n, &self.start, None, &self.neighbours);
        let mut memory = MemBuffer::new(amd::order_maybe_unsorted_scratch::<usize>(n, self.neighbours.len()));
        amd::order_maybe_unsorted(
            &mut order,
            &mut position,
            A,
            amd::Control::default(),
            MemStack::new(&mut memory),
        )
        .expect("invariant: the graph's indices fit usize");
        order
    }
}
