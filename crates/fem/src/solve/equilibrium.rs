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
    /// Largest unbalanced force over the largest applied or reaction force.
    pub force_error: f64,
    /// The same for moments, relative to the sum of the absolute contributions.
    pub moment_error: f64,
}

impl Equilibrium {
    /// Adds up applied loads and reactions given on every component.
    ///
    /// What grounded springs carry, and what an MPC passes to the ground, is in neither.
    pub fn new(mesh: &LinkMesh, dofs: &DofMap, applied: &[f64], reactions: &[f64]) -> Self {
        let mut sums = [[0.0; 6]; 2];
        let mut sizes = [0.0_f64; 6];
        for row in 0..dofs.count() {
            if applied[row] == 0.0 && reactions[row] == 0.0 {
                continue;
            }
            let (node, component) = dofs.place(row);
            let rigid = rigid_row(mesh, node, component, Vector3::zeros());
            for k in 0..6 {
                sums[0][k] += rigid[k] * applied[row];
                sums[1][k] += rigid[k] * reactions[row];
                sizes[k] += (rigid[k] * applied[row]).abs() + (rigid[k] * reactions[row]).abs();
            }
        }
        let error = |from: usize| {
            let size = sizes[from..from + 3].iter().copied().fold(0.0, f64::max);
            let worst = (from..from + 3).map(|k| (sums[0][k] + sums[1][k]).abs()).fold(0.0, f64::max);
            if size > 0.0 { worst / size } else { 0.0 }
        };
        Self { applied: sums[0], reactions: sums[1], force_error: error(0), moment_error: error(3) }
    }
}
