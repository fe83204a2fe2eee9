//! Inertia loads: GRAV, ACCEL1 and RFORCE.

use nalgebra::Vector3;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};

use crate::assembly::{Masses, symmetric_product};
use crate::dof::displacement_triad;

/// GRAV: f = M a, the acceleration of gravity on every grid. The M of the analysis is used, as Nastran does.
pub(super) fn gravity(mesh: &LinkMesh, system: Masses<'_>, acceleration: Vector3<f64>, f: &mut [f64]) {
    add_inertia(mesh, system, |_, _| (acceleration, Vector3::zeros()), 1.0, f);
}

/// ACCEL1: f = M a with the acceleration on some grids only. On all of them it is GRAV.
pub(super) fn grid_acceleration(
    mesh: &LinkMesh,
    system: Masses<'_>,
    acceleration: Vector3<f64>,
    nodes: &[NodeIndex],
    f: &mut [f64],
) {
    let mut chosen = vec![false; mesh.nodes.len()];
    nodes.iter().for_each(|node| chosen[node.index()] = true);
    let field = |node: NodeIndex, _| {
        (if chosen[node.index()] { acceleration } else { Vector3::zeros() }, Vector3::zeros())
    };
    add_inertia(mesh, system, field, 1.0, f);
}

/// RFORCE: f = −M [ω × (ω × r) + α × r; α], r from the centre: what the structure feels in its rotating
/// frame.
pub(super) fn rotation(
    mesh: &LinkMesh,
    system: Masses<'_>,
    centre: Vector3<f64>,
    omega: Vector3<f64>,
    alpha: Vector3<f64>,
    factor: f64,
    f: &mut [f64],
) {
    let field = |_, x: Vector3<f64>| {
        let r = x - centre;
        (-omega.cross(&omega.cross(&r)) - alpha.cross(&r), -alpha)
    };
    add_inertia(mesh, system, field, factor, f);
}

/// Adds factor · M a for an acceleration field (translational, angular) in the basic frame.
fn add_inertia(
    mesh: &LinkMesh,
    system: Masses<'_>,
    field: impl Fn(NodeIndex, Vector3<f64>) -> (Vector3<f64>, Vector3<f64>),
    factor: f64,
    f: &mut [f64],
) {
    let mut a = vec![0.0; system.dofs.count()];
    for (index, node) in mesh.nodes.iter().enumerate() {
        if node.kind == NodeKind::Scalar {
            continue;
        }
        let index = NodeIndex::from(index);
        let (mut linear, mut angular) = field(index, node.position);
        if let Some(triad) = displacement_triad(mesh, index) {
            linear = triad.transpose() * linear;
            angular = triad.transpose() * angular;
        }
        for (k, row) in system.dofs.rows_of(index).enumerate() {
            a[row] = if k < 3 { linear[k] } else { angular[k - 3] };
        }
    }
    for (sum, value) in f.iter_mut().zip(symmetric_product(system.M, &a)) {
        *sum += factor * value;
    }
}
