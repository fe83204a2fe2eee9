//! RBE3: the reference moves as the weighted mean of the others.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Matrix6};
use pliant_diag::Diagnostic;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex, NodeKind, WeightGroup};

use super::dependency::Row;
use super::rigid_body::{components_of, rigid_rows, rows_of};
use crate::dof::DofMap;

/// The rigid motion q at the reference that fits the independent components u best,
///
/// ```text
/// q = (RᵀWR)⁻¹ RᵀW u,
/// ```
///
/// R their rigid rows about the reference, W the weights; those of rotations are multiplied by the square of
/// the mean distance of the independent grids from the reference, as NX and MSC Nastran do (checked against
/// the GM matrices of NX 9). With UM the same equations are solved for the UM components.
pub(super) fn rbe3(
    mesh: &LinkMesh,
    dofs: &DofMap,
    reference: NodeIndex,
    components: Components,
    groups: &[WeightGroup],
    dependents: &[(NodeIndex, Components)],
) -> Result<Vec<Row>, Box<Diagnostic>> {
    let used = groups.iter().flat_map(|g| g.nodes.iter().copied()).chain([reference]);
    if let Some(scalar) = used.into_iter().find(|n| mesh.node(*n).kind == NodeKind::Scalar) {
        return Err(Diagnostic::boxed(format!(
            "scalar point {} cannot be part of an RBE3",
            mesh.node(scalar).id
        )));
    }
    let (list, G) = interpolation(mesh, reference, groups)?;
    let reference_components = components_of(&[(reference, components)]);
    let wanted = rigid_rows(mesh, &reference_components, mesh.node(reference).position);
    let G = G.project(&wanted, &reference_components)?;
    let rows = rows_of(dofs, &reference_components);
    let terms = rows_of(dofs, &list);
    if dependents.is_empty() {
        let combine = |i: usize| {
            let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
            for (k, term) in terms.iter().enumerate() {
                *sums.entry(*term).or_default() += G[(i, k)];
            }
            sums.into_iter().filter(|(_, value)| *value != 0.0).collect()
        };
        return Ok(rows.iter().enumerate().map(|(i, row)| (*row, combine(i))).collect());
    }
    exchange(dofs, &rows, &terms, &G, &rows_of(dofs, &components_of(dependents)))
}

/// Solves u_ref − G u = 0 for the rows `chosen` (UM).
fn exchange(
    dofs: &DofMap,
    rows: &[usize],
    terms: &[usize],
    G: &DMatrix<f64>,
    chosen: &[usize],
) -> Result<Vec<Row>, Box<Diagnostic>> {
    if chosen.len() != rows.len() {
        return Err(Diagnostic::boxed(format!(
            "UM and REFC must have the same number of components, found {} and {}",
            chosen.len(),
            rows.len()
        )));
    }
    let mut columns: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        columns.entry(*row).or_insert_with(|| vec![0.0; rows.len()])[i] += 1.0;
    }
    for (k, term) in terms.iter().enumerate() {
        let column = columns.entry(*term).or_insert_with(|| vec![0.0; rows.len()]);
        for (i, value) in column.iter_mut().enumerate() {
            *value -= G[(i, k)];
        }
    }
    let mut A_m = DMatrix::zeros(rows.len(), rows.len());
    for (j, row) in chosen.iter().enumerate() {
        let column = columns.remove(row).ok_or_else(|| {
            Diagnostic::boxed(format!("{} of UM is not one of its components", dofs.name(*row)))
        })?;
        A_m.column_mut(j).copy_from_slice(&column);
    }
    let size = A_m.amax();
    let inverse = A_m.clone().try_inverse().filter(|inverse| inverse.amax() * size < 1e12);
    let inverse =
        inverse.ok_or_else(|| Diagnostic::boxed("the components of UM cannot be made dependent together"))?;
    let mut solved: Vec<Row> = chosen.iter().map(|row| (*row, Vec::new())).collect();
    for (term, column) in columns {
        let values = -(&inverse * nalgebra::DVector::from_vec(column));
        for (row, value) in solved.iter_mut().zip(values.iter()) {
            if *value != 0.0 {
                row.1.push((term, *value));
            }
        }
    }
    Ok(solved)
}

/// The independent components, grid by grid.
type Independents = Vec<(NodeIndex, Component)>;

/// RᵀWR, its eigenvectors, and RᵀW.
struct Fit {
    normal: Matrix6<f64>,
    weighted: DMatrix<f64>,
    length: f64,
}

impl Fit {
    /// Rows of `wanted` (REFC in the frame of the reference) times (RᵀWR)⁻¹RᵀW. Rigid motions that the
    /// independents do not see are left out; it fails when a wanted component needs one of them.
    fn project(
        &self,
        wanted: &DMatrix<f64>,
        names: &[(NodeIndex, Component)],
    ) -> Result<DMatrix<f64>, Box<Diagnostic>> {
        // Rotations times a length, so that the eigenvalues compare whatever the units.
        let scale = |k: usize| if k >= 3 { 1.0 / self.length } else { 1.0 };
        let normal = Matrix6::from_fn(|i, j| self.normal[(i, j)] * scale(i) * scale(j));
        let eigen = normal.symmetric_eigen();
        let largest = eigen.eigenvalues.max();
        let mut result = DMatrix::zeros(wanted.nrows(), self.weighted.ncols());
        for k in 0..6 {
            let v = eigen.eigenvectors.column(k);
            let seen = eigen.eigenvalues[k] > 1e-12 * largest;
            for i in 0..wanted.nrows() {
                let along: f64 = (0..6).map(|j| wanted[(i, j)] * scale(j) * v[j]).sum();
                if !seen {
                    let size: f64 = (0..6).map(|j| (wanted[(i, j)] * scale(j)).powi(2)).sum::<f64>().sqrt();
                    if along.abs() > 1e-7 * size {
                        return Err(Diagnostic::boxed(format!(
                            "its independent components do not define component {} of the reference",
                            names[i].1
                        )));
                    }
                    continue;
                }
                for column in 0..self.weighted.ncols() {
                    let load: f64 = (0..6).map(|j| v[j] * scale(j) * self.weighted[(j, column)]).sum();
                    result[(i, column)] += along * load / eigen.eigenvalues[k];
                }
            }
        }
        Ok(result)
    }
}

/// The independent components in order, and the fit of a rigid motion to them.
fn interpolation(
    mesh: &LinkMesh,
    reference: NodeIndex,
    groups: &[WeightGroup],
) -> Result<(Independents, Fit), Box<Diagnostic>> {
    let about = mesh.node(reference).position;
    let mut list = Vec::new();
    let mut weights = Vec::new();
    let (mut distance, mut count) = (0.0, 0.0);
    for group in groups {
        for node in &group.nodes {
            distance += (mesh.node(*node).position - about).norm();
            count += 1.0;
            for component in group.components.iter() {
                list.push((*node, component));
                weights.push(group.weight);
            }
        }
    }
    if list.is_empty() {
        return Err(Diagnostic::boxed("has no independent components"));
    }
    let length = if distance > 0.0 { distance / count } else { 1.0 };
    for (weight, (_, component)) in weights.iter_mut().zip(&list) {
        if component.row() >= 3 {
            *weight *= length * length;
        }
    }
    let R = rigid_rows(mesh, &list, about);
    let mut weighted = R.transpose();
    for (mut column, weight) in weighted.column_iter_mut().zip(&weights) {
        column *= *weight;
    }
    let normal = &weighted * R;
    let normal = Matrix6::from_fn(|i, j| normal[(i, j)]);
    Ok((list, Fit { normal, weighted, length }))
}
