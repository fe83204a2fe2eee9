//! Geometric stiffness projected onto shapes, for many states at once and without assembling it.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::DMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;
use rayon::prelude::*;

use super::geometric::{Part, displaced_part, rigid_parts};
use super::nodal_sum::NodalSum;
use crate::dof::{DofMap, displacements_to_element_axes, rows_to_element_axes};
use crate::element::{Element, ElementContext, ShellJoints, all_elements, build_among, element_error};

/// Elements that one task sums up.
const BATCH: usize = 64;
/// Batches whose sums are in memory at one time, and values of them that they may hold where there are more batches than threads.
const WAVE: usize = 32;
const WAVE_VALUES: usize = 1 << 21;

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
