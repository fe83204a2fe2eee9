//! The check that loads and reactions balance.

use nalgebra::Vector3;
use pliant_mesh::LinkMesh;

use crate::dof::{DofMap, rigid_row};

/// Resultants about the origin of the basic frame: three forces, three moments.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Equilibrium {
    /// Of the applied loads.
    pub applied: [f64; 6],
    /// Of the forces of single-point constraints.
    pub reactions: [f64; 6],
    /// Largest unbalanced force over the largest applied or reaction force, or over the moments divided by
    /// the size of the body they act on if that is more: forces that are all rounding are no error.
    pub force_error: f64,
    /// The same for moments, relative to the sum of the absolute contributions, or to the forces times the
    /// size of the body they act on if that is more: moments that are all rounding are no error.
    pub moment_error: f64,
}

impl Equilibrium {
    /// Adds up applied loads and reactions given on every component.
    ///
    /// What grounded springs carry, and what an MPC passes to the ground, is in neither.
    pub fn new(mesh: &LinkMesh, dofs: &DofMap, applied: &[f64], reactions: &[f64]) -> Self {
        let mut sums = [[0.0; 6]; 2];
        let mut sizes = [0.0_f64; 6];
        let mut couples = 0.0;
        let (mut low, mut high) = (Vector3::repeat(f64::MAX), Vector3::repeat(f64::MIN));
        for row in 0..dofs.count() {
            if applied[row] == 0.0 && reactions[row] == 0.0 {
                continue;
            }
            let (node, component) = dofs.node_and_component(row);
            let position = mesh.node(node).position;
            (low, high) = (low.inf(&position), high.sup(&position));
            if component.row() >= 3 {
                couples += applied[row].abs() + reactions[row].abs();
            }
            let rigid = rigid_row(mesh, node, component, Vector3::zeros());
            for k in 0..6 {
                sums[0][k] += rigid[k] * applied[row];
                sums[1][k] += rigid[k] * reactions[row];
                sizes[k] += (rigid[k] * applied[row]).abs() + (rigid[k] * reactions[row]).abs();
            }
        }
        let largest = |from: usize| sizes[from..from + 3].iter().copied().fold(0.0, f64::max);
        let extent = (high - low).norm();
        let lever = if largest(0) > 0.0 { largest(0) * extent } else { 0.0 };
        let pair = if couples > 0.0 && extent > 0.0 { couples / extent } else { 0.0 };
        let error = |from: usize, size: f64| {
            let worst = (from..from + 3).map(|k| (sums[0][k] + sums[1][k]).abs()).fold(0.0, f64::max);
            if size > 0.0 { worst / size } else { 0.0 }
        };
        Self {
            applied: sums[0],
            reactions: sums[1],
            force_error: error(0, pair.max(largest(0))),
            moment_error: error(3, lever.max(largest(3))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_diag::Origin;
    use pliant_mesh::{Components, CoordIndex, GridId, Node, NodeKind};

    /// A bar along x pulled at one end and held at the other, with a moment of the size of rounding in the
    /// reactions.
    #[test]
    fn moments_and_forces_of_rounding_are_no_error() {
        let mut mesh = LinkMesh::default();
        for (id, x) in [(1, 0.0), (2, 1.0)] {
            mesh.nodes.push(Node {
                id: GridId(id),
                kind: NodeKind::Grid,
                position: Vector3::new(x, 0.0, 0.0),
                displacement_frame: CoordIndex::BASIC,
                permanent_spc: Components::NONE,
                source: Origin::default(),
            });
        }
        let dofs = DofMap::new(&mesh);
        let (mut applied, mut reactions) = ([0.0; 12], [0.0; 12]);
        (applied[6], reactions[0], reactions[5]) = (1000.0, -1000.0, 1e-14);
        assert!(Equilibrium::new(&mesh, &dofs, &applied, &reactions).moment_error < 1e-16);
        // Bent by two moments, with forces of rounding.
        let (mut bent, mut held) = ([0.0; 12], [0.0; 12]);
        (bent[11], held[5], held[1]) = (1000.0, -1000.0, 1e-13);
        assert!(Equilibrium::new(&mesh, &dofs, &bent, &held).force_error < 1e-15);
        // A real one is reported: the force acts 0.5 beside the support.
        mesh.nodes[1].position.y = 0.5;
        assert!(Equilibrium::new(&mesh, &dofs, &applied, &reactions).moment_error > 0.2);
    }
}
