//! Linear statics, natural frequencies and buckling loads of a deck's own cases.

mod boundary;
mod buckling;
mod condense;
mod effective_mass;
mod equilibrium;
mod grid_point;
mod modes;
mod singular;
mod statics;
#[cfg(test)]
mod tests;

pub use buckling::{Buckling, BucklingOptions, BucklingSubcase, buckling};
pub use effective_mass::EffectiveMass;
pub use equilibrium::Equilibrium;
pub use grid_point::{GridForce, GridForceOrigin, GridForces, grid_point_forces};
pub use modes::{Modes, ModesOptions, Reduction, modes};
pub use statics::{StaticSubcase, Statics, statics};

use pliant_mesh::NodeIndex;

use crate::constraint::Constraints;
use crate::dof::DofMap;

/// Node of each free component: rows of one grid are ordered together.
fn groups(dofs: &DofMap, constraints: &Constraints) -> Vec<usize> {
    let mut node_of = Vec::with_capacity(dofs.count());
    for node in 0..dofs.node_count() {
        node_of.resize(dofs.rows_of(NodeIndex::from(node)).end, node);
    }
    constraints.free.iter().map(|row| node_of[*row]).collect()
}
