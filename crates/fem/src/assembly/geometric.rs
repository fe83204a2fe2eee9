//! Geometric stiffness of a mesh in one state.

use nalgebra::{DMatrix, Matrix3, Vector3};
use nalgebra_sparse::{CooMatrix, CscMatrix};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex, RigidKind};
use rayon::prelude::*;

use super::all_finite;
use crate::dof::{DofMap, displacement_triad, displacements_to_element_axes, matrix_to_displacement_axes};
use crate::element::{Element, ElementContext, all_elements, build, element_error, rigid_arm};

/// Elements whose matrices are in memory at one time.
const BATCH: usize = 4096;

/// A state of the mesh: its displacements and what its elements are not in balance with.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// u, every component in the displacement frames.
    pub u: &'a [f64],
    /// K u − f with the applied loads f: what constraints carry.
    pub unbalanced: &'a [f64],
}

/// K_g of a state, all components, lower triangle, displacement frames: that of every element, and that of
/// rigid elements, whose dependent grids move by ½θ×(θ×r) to second order.
///
/// # Errors
/// Elements that cannot be built.
pub(crate) fn geometric_stiffness(
    mesh: &LinkMesh,
    dofs: &DofMap,
    state: State<'_>,
) -> Result<CscMatrix<f64>, Diagnostics> {
    let mut sum = CooMatrix::new(dofs.count(), dofs.count());
    for chunk in all_elements(mesh).chunks(BATCH) {
        let parts: Vec<Result<Option<Part>, Box<Diagnostic>>> =
            chunk.par_iter().map(|which| element_part(mesh, dofs, *which, state.u)).collect();
        for part in parts {
            let Some(part) = part.map_err(|problem| Diagnostics::from_iter([*problem]))? else { continue };
            for (j, column) in part.rows.iter().enumerate() {
                for (i, row) in part.rows.iter().enumerate().filter(|(_, row)| *row >= column) {
                    if part.K_g[0][(i, j)] != 0.0 {
                        sum.push(*row as usize, *column as usize, part.K_g[0][(i, j)]);
                    }
                }
            }
        }
    }
    for (rows, block) in rigid_parts(mesh, dofs, state.unbalanced) {
        for (j, column) in rows.iter().enumerate() {
            for (i, row) in rows.iter().enumerate().filter(|(_, row)| *row >= column) {
                sum.push(*row, *column, block[(i, j)]);
            }
        }
    }
    Ok(CscMatrix::from(&sum))
}

/// K_g of an element for each state, in displacement frames.
pub(super) struct Part {
    pub(super) rows: Vec<u32>,
    pub(super) K_g: Vec<DMatrix<f64>>,
}

fn element_part(
    mesh: &LinkMesh,
    dofs: &DofMap,
    which: ElementRef,
    state: &[f64],
) -> Result<Option<Part>, Box<Diagnostic>> {
    // Mass per length or area does not enter K_g.
    let element = build(ElementContext { mesh, extra_nsm: 0.0 }, which)?;
    let rows = dofs.rows_of_element(element.as_ref());
    let u = element_displacements(mesh, element.as_ref(), &rows, &[state]);
    displaced_part(mesh, which, element.as_ref(), rows, &u)
}

/// K_g of an element for displacements of its nodes in its own axes, one state in each column.
pub(super) fn displaced_part(
    mesh: &LinkMesh,
    which: ElementRef,
    element: &dyn Element,
    rows: Vec<u32>,
    u: &DMatrix<f64>,
) -> Result<Option<Part>, Box<Diagnostic>> {
    let Some(mut K_g) = element.geometric_stiffness(u) else { return Ok(None) };
    for A in &mut K_g {
        if !all_finite(A.as_slice()) {
            return Err(element_error(mesh, which, "its geometric stiffness is not finite"));
        }
        matrix_to_displacement_axes(mesh, element, A);
    }
    Ok(Some(Part { rows, K_g }))
}

/// Displacements of an element's nodes in its own order and axes, one column for each of `states` (every
/// component, displacement frames). `rows` are those of the element.
pub(crate) fn element_displacements(
    mesh: &LinkMesh,
    element: &dyn Element,
    rows: &[u32],
    states: &[&[f64]],
) -> DMatrix<f64> {
    let mut u = DMatrix::from_fn(rows.len(), states.len(), |i, k| states[k][rows[i] as usize]);
    displacements_to_element_axes(mesh, element, &mut u);
    u
}

/// Second order of RBE2, and of RBAR with one independent end: the rows of the rotation of the independent
/// grid and the block that belongs there. Forces on a dependent grid that carries another rigid element are
/// those of its own elements only.
pub(super) fn rigid_parts(
    mesh: &LinkMesh,
    dofs: &DofMap,
    unbalanced: &[f64],
) -> Vec<([usize; 3], Matrix3<f64>)> {
    let mut parts = Vec::new();
    let mut add = |independent: NodeIndex, dependents: &[NodeIndex], components: Components| {
        let origin = mesh.node(independent).position;
        let mut block = Matrix3::zeros();
        for node in dependents {
            let first = dofs.rows_of(*node).start;
            let held = |k: usize| {
                if components.contains(Component::from_row(k)) { unbalanced[first + k] } else { 0.0 }
            };
            let force = Vector3::from_fn(|k, _| held(k));
            let force = displacement_triad(mesh, *node).map_or(force, |triad| triad * force);
            block += rigid_arm(&force, &(mesh.node(*node).position - origin));
        }
        if let Some(triad) = displacement_triad(mesh, independent) {
            block = triad.transpose() * block * triad;
        }
        let first = dofs.rows_of(independent).start + 3;
        parts.push(([first, first + 1, first + 2], block));
    };
    for rigid in &mesh.rigids {
        match &rigid.kind {
            RigidKind::Rbe2 { independent, components, dependents } => {
                add(*independent, dependents, *components);
            }
            RigidKind::Rbar { nodes, independents, dependents } => {
                let all = dependents.iter().all(|c| c.is_empty());
                for end in 0..2 {
                    if independents[end] == Components::ALL {
                        let following = if all { Components::ALL } else { dependents[1 - end] };
                        add(nodes[end], &[nodes[1 - end]], following);
                    }
                }
            }
            _ => {}
        }
    }
    parts
}
