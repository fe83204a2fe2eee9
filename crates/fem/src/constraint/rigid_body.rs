//! RBE1, RBE2, RBAR: components that follow one rigid body; RROD: a rigid length.

use nalgebra::{DMatrix, Matrix6, Vector3};
use pliant_diag::Diagnostic;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex, NodeKind};

use super::dependency::Row;
use crate::dof::{DofMap, displacement_triad, rigid_row};

type Rows = Result<Vec<Row>, Box<Diagnostic>>;

/// RBE2: u_dep = R(x_dep − x_n) u_n, each side in its own displacement frame.
pub(super) fn rbe2(
    mesh: &LinkMesh,
    dofs: &DofMap,
    independent: NodeIndex,
    components: Components,
    dependents: &[NodeIndex],
) -> Rows {
    let independents = [(independent, Components::ALL)];
    let dependents: Vec<(NodeIndex, Components)> = dependents.iter().map(|n| (*n, components)).collect();
    rbe1(mesh, dofs, &independents, &dependents)
}

/// RBAR: the components of both ends that are not independent follow; CMA and CMB narrow them down.
pub(super) fn rbar(
    mesh: &LinkMesh,
    dofs: &DofMap,
    nodes: [NodeIndex; 2],
    independents: [Components; 2],
    dependents: [Components; 2],
) -> Rows {
    let all = dependents.iter().all(|c| c.is_empty());
    let following = [0, 1].map(|i| {
        let components = if all { Components::ALL.without(independents[i]) } else { dependents[i] };
        (nodes[i], components)
    });
    rbe1(mesh, dofs, &[(nodes[0], independents[0]), (nodes[1], independents[1])], &following)
}

/// RBE1: six independent components u_n = R_n q define the motion q of a rigid body, which the dependent ones
/// follow: u_m = R_m R_n⁻¹ u_n.
pub(super) fn rbe1(
    mesh: &LinkMesh,
    dofs: &DofMap,
    independents: &[(NodeIndex, Components)],
    dependents: &[(NodeIndex, Components)],
) -> Rows {
    let all: Vec<(NodeIndex, Component)> = components_of(independents);
    if all.len() != 6 {
        return Err(Diagnostic::boxed(format!("needs six independent components, found {}", all.len())));
    }
    let mut nodes: Vec<NodeIndex> = independents.iter().chain(dependents).map(|(n, _)| *n).collect();
    if let Some(scalar) = nodes.iter().find(|n| mesh.node(**n).kind == NodeKind::Scalar) {
        return Err(Diagnostic::boxed(format!(
            "scalar point {} cannot be part of a rigid body",
            mesh.node(*scalar).id
        )));
    }
    nodes.truncate(independents.len());
    let about = mesh.node(all[0].0).position;
    let length = nodes.iter().map(|n| (mesh.node(*n).position - about).norm()).fold(0.0, f64::max);
    let length = if length > 0.0 { length } else { 1.0 };
    // Rotations are scaled by a length so that the test for singularity does not depend on units.
    let scale = |c: Component, mut r: [f64; 6]| {
        let factor = if c.row() >= 3 { length } else { 1.0 };
        for (k, value) in r.iter_mut().enumerate() {
            *value *= factor / if k >= 3 { length } else { 1.0 };
        }
        r
    };
    let mut R_n = Matrix6::zeros();
    for (i, (node, component)) in all.iter().enumerate() {
        let row = scale(*component, rigid_row(mesh, *node, *component, about));
        R_n.set_row(i, &nalgebra::RowVector6::from_row_slice(&row));
    }
    let singular = R_n.singular_values();
    let inverse = R_n.try_inverse().filter(|_| singular.min() > 1e-9 * singular.max()).ok_or_else(|| {
        Diagnostic::boxed("its six independent components do not define the motion of a rigid body")
    })?;
    let independent_rows: Vec<usize> = rows_of(dofs, &all);
    let mut rows = Vec::new();
    for (node, component) in components_of(dependents) {
        let row = rows_of(dofs, &[(node, component)])[0];
        if independent_rows.contains(&row) {
            return Err(Diagnostic::boxed(format!("{} is both dependent and independent", dofs.name(row))));
        }
        let factor = if component.row() >= 3 { 1.0 / length } else { 1.0 };
        let r = scale(component, rigid_row(mesh, node, component, about));
        let terms = nalgebra::RowVector6::from_row_slice(&r) * inverse;
        let terms = independent_rows
            .iter()
            .zip(&all)
            .zip(terms.iter())
            .map(|((term, (_, c)), value)| (*term, value * factor * if c.row() >= 3 { length } else { 1.0 }))
            .filter(|(_, value)| *value != 0.0)
            .collect();
        rows.push((row, terms));
    }
    Ok(rows)
}

/// RROD: (u_B − u_A)·e = 0 along the line of its grids, solved for the one dependent translation.
pub(super) fn rrod(
    mesh: &LinkMesh,
    dofs: &DofMap,
    nodes: [NodeIndex; 2],
    dependents: [Components; 2],
) -> Rows {
    let line: Vector3<f64> = mesh.node(nodes[1]).position - mesh.node(nodes[0]).position;
    if line.norm() == 0.0 {
        return Err(Diagnostic::boxed("its grids coincide"));
    }
    let axis = line.normalize();
    let chosen = components_of(&[(nodes[0], dependents[0]), (nodes[1], dependents[1])]);
    let [(node, component)] = chosen[..] else {
        return Err(Diagnostic::boxed(format!(
            "needs exactly one dependent component, found {}",
            chosen.len()
        )));
    };
    if component.row() >= 3 {
        return Err(Diagnostic::boxed("its dependent component must be a translation"));
    }
    let mut terms = Vec::new();
    for (end, sign) in nodes.iter().zip([-1.0, 1.0]) {
        let direction = displacement_triad(mesh, *end).map_or(axis, |triad| triad.transpose() * axis);
        for k in 0..3 {
            let row = rows_of(dofs, &[(*end, Component::from_row(k))])[0];
            terms.push((row, sign * direction[k]));
        }
    }
    let row = rows_of(dofs, &[(node, component)])[0];
    let leading = terms.iter().find(|(term, _)| *term == row).map_or(0.0, |(_, value)| *value);
    if leading.abs() < 1e-8 {
        return Err(Diagnostic::boxed(format!(
            "{} is at right angles to the rod and cannot be dependent",
            dofs.name(row)
        )));
    }
    let terms = terms
        .into_iter()
        .filter(|(term, value)| *term != row && *value != 0.0)
        .map(|(term, value)| (term, -value / leading))
        .collect();
    Ok(vec![(row, terms)])
}

/// Node and component, one by one.
pub(super) fn components_of(list: &[(NodeIndex, Components)]) -> Vec<(NodeIndex, Component)> {
    list.iter().flat_map(|(node, components)| components.iter().map(|c| (*node, c))).collect()
}

/// Rows of components of grids.
pub(super) fn rows_of(dofs: &DofMap, list: &[(NodeIndex, Component)]) -> Vec<usize> {
    list.iter().map(|(n, c)| dofs.row(*n, *c).expect("invariant: grids have six components")).collect()
}

/// Rigid rows of components about a point, one below the other.
pub(super) fn rigid_rows(
    mesh: &LinkMesh,
    list: &[(NodeIndex, Component)],
    about: Vector3<f64>,
) -> DMatrix<f64> {
    let mut R = DMatrix::zeros(list.len(), 6);
    for (i, (node, component)) in list.iter().enumerate() {
        for (k, value) in rigid_row(mesh, *node, *component, about).into_iter().enumerate() {
            R[(i, k)] = value;
        }
    }
    R
}
