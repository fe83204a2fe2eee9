//! Geometric stiffness projected onto shapes, for many states at once and without assembling it.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::DMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, NodeIndex};
use rayon::prelude::*;

use super::all_finite;
use super::geometric::{Part, displaced_part, rigid_parts};
use super::node_pairs::NodePairs;
use super::pair_sum::add_pairs;
use super::square_sum::{Motions, SquareSum, TOGETHER, group_count};
use crate::dof::{DofMap, rows_to_element_axes};
use crate::element::{Element, ElementContext, GeometricSquares, all_elements, build, element_error};

/// Elements that one task goes through.
const BATCH: usize = 64;
/// Tasks whose sums are in memory at one time, and values of them that they may hold where there are more
/// tasks than threads.
const WAVE: usize = 32;
const WAVE_VALUES: usize = 1 << 21;
/// Pairs of nodes of the largest solid.
const MOST_PAIRS: usize = 190;

/// VᵀK_gV of each state: what `geometric_stiffness` gives, without assembling
/// it. The states `u` (row by row) and the shapes `V` (shape by row) have one column for each component, in
/// the displacement frames; `unbalanced` gives K u − f of a state, what constraints carry.
///
/// The sum is taken in one order of the elements whatever the number of threads.
///
/// # Errors
/// Elements that cannot be built.
pub fn projected_geometric_stiffness(
    mesh: &LinkMesh,
    dofs: &DofMap,
    u: &DMatrix<f64>,
    unbalanced: &(dyn Fn(usize) -> Vec<f64> + Sync),
    V: &DMatrix<f64>,
) -> Result<Vec<DMatrix<f64>>, Diagnostics> {
    let (n, states) = (V.nrows(), u.nrows());
    let projection = Projection { mesh, dofs, u, V };
    let mut sums = Mat::zeros(n * (n + 1) / 2, states);
    let fitting = WAVE_VALUES / (sums.nrows().max(BATCH * MOST_PAIRS) * states).max(1);
    let wave = fitting.clamp(rayon::current_num_threads().min(WAVE), WAVE);
    let mut pairs = NodePairs::new(mesh.nodes.len(), states);
    let mut squares = SquareSum::new(n, states);
    for wave_elements in neighbours_together(mesh).chunks(wave * BATCH) {
        let parts: Vec<_> = wave_elements.par_chunks(BATCH).map(|batch| projection.of_batch(batch)).collect();
        for part in parts {
            let part = part.map_err(|problem| Diagnostics::from_iter([*problem]))?;
            for (nodes, S) in &part.nodal {
                pairs.add(nodes, S);
            }
            if pairs.is_full() {
                add_pairs(&mut squares, &pairs, mesh, dofs, V, wave);
                pairs.clear();
            }
            if let Some(part) = part.squares {
                squares.add_sum(&part);
            }
            if let Some(others) = part.others {
                sums += others;
            }
        }
    }
    add_pairs(&mut squares, &pairs, mesh, dofs, V, wave);
    drop(pairs);
    sums += squares.finish();
    let of_state = |k: usize| {
        let mut G = DMatrix::zeros(n, n);
        let mut entries = sums.col(k).iter();
        for i in 0..n {
            for (j, value) in (0..=i).zip(entries.by_ref()) {
                G[(i, j)] = *value;
                G[(j, i)] = *value;
            }
        }
        for (rows, block) in rigid_parts(mesh, dofs, &unbalanced(k)) {
            let V_r = DMatrix::from_fn(3, n, |i, j| V[(j, rows[i])]);
            let part = V_r.transpose() * block * V_r;
            G += (&part + part.transpose()) * 0.5;
        }
        G
    };
    Ok((0..states).into_par_iter().map(of_state).collect())
}

/// All elements, solids along the longest side of the mesh: those that share nodes come soon after each
/// other, whatever the order of the deck.
fn neighbours_together(mesh: &LinkMesh) -> Vec<ElementRef> {
    let positions = || mesh.nodes.iter().map(|node| node.position);
    let Some(first) = positions().next() else { return all_elements(mesh) };
    let [low, high] = positions().fold([first; 2], |[low, high], x| [low.inf(&x), high.sup(&x)]);
    let axis = (high - low).imax();
    let begin = |which: ElementRef| match which {
        ElementRef::Solid(row) => {
            let nodes = mesh.nodes_of_solid(&mesh.solids[row as usize]).iter();
            let coordinates = nodes.filter(|node| node.is_some()).map(|node| mesh.node(*node).position[axis]);
            coordinates.fold(f64::INFINITY, f64::min)
        }
        _ => f64::NEG_INFINITY,
    };
    let mut elements: Vec<_> = mesh.elements().map(|which| (begin(which), which)).collect();
    elements.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    elements.into_iter().map(|(_, which)| which).collect()
}

struct Projection<'a> {
    mesh: &'a LinkMesh,
    dofs: &'a DofMap,
    u: &'a DMatrix<f64>,
    V: &'a DMatrix<f64>,
}

/// What some elements add.
struct Batch {
    /// Nodes of elements whose K_g is the same along all axes, and what it is.
    nodal: Vec<(Vec<NodeIndex>, DMatrix<f64>)>,
    /// The sum of elements whose K_g is a sum of squares.
    squares: Option<SquareSum>,
    /// The sum of the others: the lower triangle of VᵀK_gV row by row, one column for each state.
    others: Option<Mat<f64>>,
}

impl Projection<'_> {
    fn of_batch(&self, batch: &[ElementRef]) -> Result<Batch, Box<Diagnostic>> {
        let mut nodal = Vec::new();
        let mut squares = Squares::new(self.V.nrows());
        let mut others = Vec::new();
        for which in batch {
            // Mass per length or area does not enter K_g.
            let element = build(ElementContext { mesh: self.mesh, extra_nsm: 0.0 }, *which)?;
            let rows = self.dofs.rows_of_element(element.as_ref());
            let u = self.at_element(self.u, element.as_ref(), &rows);
            let finite = |values: &DMatrix<f64>| match all_finite(values.as_slice()) {
                true => Ok(()),
                false => Err(element_error(self.mesh, *which, "its geometric stiffness is not finite")),
            };
            if let Some(S) = element.nodal_geometric_stiffness(&u) {
                finite(&S)?;
                nodal.push((element.dofs().iter().step_by(3).map(|dof| dof.node).collect(), S));
            } else if let Some(parts) = element.geometric_squares(&u) {
                finite(&parts.factors)?;
                squares.push(&parts, &self.at_element(self.V, element.as_ref(), &rows));
            } else {
                others.extend(displaced_part(self.mesh, *which, element.as_ref(), rows, &u.transpose())?);
            }
        }
        let others = (!others.is_empty()).then(|| self.lower_triangles(&others));
        Ok(Batch { nodal, squares: squares.sum(self.u.nrows()), others })
    }

    /// States or shapes `all` (by row) at an element, in its own order and axes.
    fn at_element(&self, all: &DMatrix<f64>, element: &dyn Element, rows: &[u32]) -> DMatrix<f64> {
        let mut here = DMatrix::zeros(all.nrows(), rows.len());
        let columns = here.as_mut_slice().chunks_exact_mut(all.nrows().max(1));
        for (column, row) in columns.zip(rows) {
            column.copy_from_slice(all.column(*row as usize).as_slice());
        }
        rows_to_element_axes(self.mesh, element, &mut here);
        here
    }

    /// The lower triangle of VᵀK_gV of some elements row by row, one column for each state.
    fn lower_triangles(&self, parts: &[Part]) -> Mat<f64> {
        let n = self.V.nrows();
        let product = self.product(parts);
        let mut sum = Mat::zeros(n * (n + 1) / 2, self.u.nrows());
        for k in 0..self.u.nrows() {
            let block = product.subcols(k * n, n);
            let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
            for (entry, (i, j)) in sum.col_mut(k).iter_mut().zip(lower) {
                *entry = 0.5 * (block[(i, j)] + block[(j, i)]);
            }
        }
        sum
    }

    /// VᵀK_gV of some elements, one state beside the other: [V₁; V₂; …]ᵀ [K_g₁V₁; K_g₂V₂; …] as one dense
    /// product.
    fn product(&self, parts: &[Part]) -> Mat<f64> {
        let (n, states) = (self.V.nrows(), self.u.nrows());
        let rows: usize = parts.iter().map(|part| part.rows.len()).sum();
        let mut V: Mat<f64> = Mat::zeros(rows, n);
        let mut Y: Mat<f64> = Mat::zeros(rows, n * states);
        let mut first = 0;
        for part in parts {
            let size = part.rows.len();
            for (i, row) in part.rows.iter().enumerate() {
                let shapes = self.V.column(*row as usize);
                (0..n).for_each(|j| V[(first + i, j)] = shapes[j]);
            }
            for (k, K_g) in part.K_g.iter().enumerate() {
                let K_g = MatRef::from_column_major_slice(K_g.as_slice(), size, size);
                let target = Y.as_mut().submatrix_mut(first, k * n, size, n);
                matmul(target, Accum::Replace, K_g, V.as_ref().subrows(first, size), 1.0, Par::Seq);
            }
            first += size;
        }
        let mut product = Mat::zeros(n, n * states);
        matmul(product.as_mut(), Accum::Replace, V.transpose(), Y.as_ref(), 1.0, Par::Seq);
        product
    }
}

/// Squares of some elements.
struct Squares {
    groups: usize,
    shapes: usize,
    /// What the shapes are of each motion d: three components one after the other, shapes in groups beside
    /// each other.
    motions: Vec<[f64; TOGETHER]>,
    /// S of each, states beside each other.
    factors: Vec<f64>,
}

impl Squares {
    fn new(shapes: usize) -> Self {
        Self { groups: group_count(shapes), shapes, motions: Vec::new(), factors: Vec::new() }
    }

    /// Adds those of an element that moves by the shapes `V` (by row).
    fn push(&mut self, parts: &GeometricSquares, V: &DMatrix<f64>) {
        let (rows, size) = parts.motions.shape();
        let mut motions = Mat::<f64>::zeros(self.groups * TOGETHER, rows);
        let V = MatRef::from_column_major_slice(V.as_slice(), self.shapes, size);
        let d = MatRef::from_column_major_slice(parts.motions.as_slice(), rows, size).transpose();
        matmul(motions.as_mut().subrows_mut(0, self.shapes), Accum::Replace, V, d, 1.0, Par::Seq);
        for column in motions.col_iter() {
            let column = column.try_as_col_major().expect("invariant: columns of a new matrix");
            self.motions.extend_from_slice(column.as_slice().as_chunks().0);
        }
        self.factors.extend_from_slice(parts.factors.as_slice());
    }

    /// Their sum; `None` without any.
    fn sum(&self, states: usize) -> Option<SquareSum> {
        (!self.motions.is_empty()).then(|| {
            let mut sum = SquareSum::new(self.shapes, states);
            sum.add(self, &self.factors, &mut Vec::new());
            sum
        })
    }
}

impl Motions for Squares {
    #[inline(always)]
    fn write(&self, k: usize, d: &mut [[f64; TOGETHER]]) {
        d.copy_from_slice(&self.motions[k * d.len()..(k + 1) * d.len()]);
    }
}
