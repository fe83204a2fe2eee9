//! Geometric stiffness projected onto shapes, for many states at once and without assembling it.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::DMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;
use rayon::prelude::*;

use super::geometric::{Part, displaced_part, rigid_parts};
use crate::dof::{DofMap, displacements_to_element_axes, rows_to_element_axes};
use crate::element::{Element, ElementContext, ShellJoints, all_elements, build_among, element_error};

/// Elements that one task sums up.
const BATCH: usize = 64;
/// Batches whose sums are in memory at one time, and values of them that they may hold where there are more batches than threads.
const WAVE: usize = 32;
const WAVE_VALUES: usize = 1 << 21;
/// Values of products of shapes in memory at one time: what a core's cache holds.
const PRODUCTS: usize = 1 << 17;

/// VᵀK_gV of each state: what [`geometric_stiffness`](super::geometric_stiffness) gives, without assembling it. The states `u` (row by row) and the
/// shapes `V` (shape by row) have one column for each component, in the displacement frames; `unbalanced` gives K u − f of a state, what constraints carry.
///
/// The sum is taken in the order of the elements whatever the number of threads.
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
    let projection = Projection { mesh, dofs, joints: &ShellJoints::of(mesh), u, V };
    let mut sums = Mat::zeros(n * (n + 1) / 2, states);
    let fitting = WAVE_VALUES / (sums.nrows() * states).max(1);
    let wave = fitting.clamp(rayon::current_num_threads().min(WAVE), WAVE);
    for wave in all_elements(mesh).chunks(wave * BATCH) {
        let parts: Vec<_> = wave.par_chunks(BATCH).map(|batch| projection.of_batch(batch)).collect();
        for part in parts {
            sums += part.map_err(|problem| Diagnostics::from_iter([*problem]))?;
        }
    }
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

struct Projection<'a> {
    mesh: &'a LinkMesh,
    dofs: &'a DofMap,
    joints: &'a ShellJoints,
    u: &'a DMatrix<f64>,
    V: &'a DMatrix<f64>,
}

impl Projection<'_> {
    /// The sum of some elements: the lower triangle of VᵀK_gV row by row, one column for each state.
    fn of_batch(&self, batch: &[ElementRef]) -> Result<Mat<f64>, Box<Diagnostic>> {
        let n = self.V.nrows();
        let mut solids = NodalSum::new(n, self.u.nrows());
        let mut others = Vec::new();
        for which in batch {
            // Mass per length or area does not enter K_g.
            let element =
                build_among(ElementContext { mesh: self.mesh, extra_nsm: 0.0 }, *which, self.joints)?;
            let rows = self.dofs.rows_of_element(element.as_ref());
            let u = self.states_at_element(element.as_ref(), &rows);
            match element.nodal_geometric_stiffness(&u) {
                Some(S) if S.iter().all(|value| value.is_finite()) => {
                    solids.add(&S, &self.shapes_at_element(element.as_ref(), &rows));
                }
                Some(_) => {
                    return Err(element_error(self.mesh, *which, "its geometric stiffness is not finite"));
                }
                None => others.extend(displaced_part(self.mesh, *which, element.as_ref(), rows, &u)?),
            }
        }
        let mut sum = solids.finish();
        if !others.is_empty() {
            let product = self.product(&others);
            for k in 0..self.u.nrows() {
                let block = product.subcols(k * n, n);
                let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
                for (entry, (i, j)) in sum.col_mut(k).iter_mut().zip(lower) {
                    *entry += 0.5 * (block[(i, j)] + block[(j, i)]);
                }
            }
        }
        Ok(sum)
    }

    /// The states at an element, in its own order and axes; one column for each state.
    fn states_at_element(&self, element: &dyn Element, rows: &[u32]) -> DMatrix<f64> {
        let mut here = DMatrix::zeros(rows.len(), self.u.nrows());
        for (i, row) in rows.iter().enumerate() {
            let column = self.u.column(*row as usize);
            let places = here.as_mut_slice()[i..].iter_mut().step_by(rows.len());
            places.zip(column.as_slice()).for_each(|(a, b)| *a = *b);
        }
        displacements_to_element_axes(self.mesh, element, &mut here);
        here
    }

    /// The shapes at an element, in its own order and axes; one row for each shape.
    fn shapes_at_element(&self, element: &dyn Element, rows: &[u32]) -> DMatrix<f64> {
        let mut here = DMatrix::zeros(self.V.nrows(), rows.len());
        for (mut column, row) in here.column_iter_mut().zip(rows) {
            column.copy_from(&self.V.column(*row as usize));
        }
        rows_to_element_axes(self.mesh, element, &mut here);
        here
    }

    /// VᵀK_gV of some elements, one state beside the other: [V₁; V₂; …]ᵀ [K_g₁V₁; K_g₂V₂; …] as one dense product.
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

/// Σ S_ij d_iᵀd_j over elements with K_g = S ⊗ 1₃, where d_i is the motion of node i beside the first node's (3 × n, one column for each shape).
///
/// The products d_iᵀd_j + d_jᵀd_i do not depend on the state: they are made once, and all states are one dense product with them.
struct NodalSum {
    /// n.
    shapes: usize,
    /// Products that are made before they are used.
    room: usize,
    /// Lower triangles of the products, one after the other.
    products: Vec<f64>,
    /// S_ij of every product, state by state.
    S: Vec<Vec<f64>>,
    sum: Mat<f64>,
}

impl NodalSum {
    fn new(shapes: usize, states: usize) -> Self {
        let size = shapes * (shapes + 1) / 2;
        let room = (PRODUCTS / size.max(1)).clamp(32, 512);
        Self {
            shapes,
            room,
            products: Vec::new(),
            S: vec![Vec::new(); states],
            sum: Mat::zeros(size, states),
        }
    }

    /// Adds an element: its S by state, and the shapes at its nodes (n × 3·nodes).
    fn add(&mut self, S: &DMatrix<f64>, V: &DMatrix<f64>) {
        let n = self.shapes;
        // d_i by component, the shapes beside each other.
        let (first, others) = V.as_slice().split_at(3 * n);
        let mut d = others.to_vec();
        for node in d.chunks_exact_mut((3 * n).max(1)) {
            node.iter_mut().zip(first).for_each(|(d, first)| *d -= first);
        }
        let node = |i: usize| {
            let (x, rest) = d[3 * n * i..3 * n * (i + 1)].split_at(n);
            let (y, z) = rest.split_at(n);
            [x, y, z]
        };
        let mut pair = 0;
        for i in 0..d.len() / (3 * n).max(1) {
            for j in 0..=i {
                push_products(node(i), (i != j).then(|| node(j)), &mut self.products);
                self.S.iter_mut().zip(S.column_iter()).for_each(|(all, S)| all.push(S[pair]));
                pair += 1;
                if self.S.first().is_some_and(|S| S.len() == self.room) {
                    self.flush();
                }
            }
        }
    }

    fn flush(&mut self) {
        let (size, states) = (self.sum.nrows(), self.S.len());
        let count = self.S.first().map_or(0, Vec::len);
        if count > 0 && size > 0 {
            let S = Mat::from_fn(count, states, |i, k| self.S[k][i]);
            let products = MatRef::from_column_major_slice(&self.products, size, count);
            matmul(self.sum.as_mut(), Accum::Add, products, S.as_ref(), 1.0, Par::Seq);
        }
        self.products.clear();
        self.S.iter_mut().for_each(Vec::clear);
    }

    fn finish(mut self) -> Mat<f64> {
        self.flush();
        self.sum
    }
}

/// Appends the lower triangle of aᵀb + bᵀa row by row, or of aᵀa without a b.
fn push_products(a: [&[f64]; 3], b: Option<[&[f64]; 3]>, out: &mut Vec<f64>) {
    for m in 0..a[0].len() {
        let [x, y, z] = a.map(|row| &row[..=m]);
        let at = |row: &[f64]| row[m];
        let (p, q, r) = (at(x), at(y), at(z));
        let own = x.iter().zip(y).zip(z);
        let Some(b) = b else {
            out.extend(own.map(|((x, y), z)| p * x + q * y + r * z));
            continue;
        };
        let [u, v, w] = b.map(|row| &row[..=m]);
        let (s, t, o) = (at(u), at(v), at(w));
        let other = u.iter().zip(v).zip(w);
        out.extend(
            own.zip(other).map(|(((x, y), z), ((u, v), w))| p * u + q * v + r * w + s * x + t * y + o * z),
        );
    }
}
