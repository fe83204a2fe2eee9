//! Participation factors and effective masses.

use nalgebra::Vector3;
use pliant_mesh::LinkMesh;

use crate::assembly::{Masses, symmetric_product};
use crate::dof::rigid_row;

/// Participation of modes in rigid motions of the base: three translations, three rotations about the basic
/// origin.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EffectiveMass {
    /// Γ = φᵀMR by mode, for unit generalised mass.
    pub participation: Vec<[f64; 6]>,
    /// Γ² by mode: masses, and moments of inertia about the basic origin.
    pub effective: Vec<[f64; 6]>,
    /// Diagonal of RᵀMR: what all modes together can reach.
    pub total: [f64; 6],
}

/// Effective masses of mass-normalised shapes given on every component.
pub(super) fn effective_mass(mesh: &LinkMesh, system: Masses<'_>, shapes: &[Vec<f64>]) -> EffectiveMass {
    let count = system.dofs.count();
    let mut R: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(count));
    for row in 0..count {
        let (node, component) = system.dofs.node_and_component(row);
        let rigid = rigid_row(mesh, node, component, Vector3::zeros());
        R.iter_mut().zip(rigid).for_each(|(column, value)| column.push(value));
    }
    let MR: Vec<Vec<f64>> = R.iter().map(|r| symmetric_product(system.M, r)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let participation: Vec<[f64; 6]> =
        shapes.iter().map(|shape| std::array::from_fn(|k| dot(shape, &MR[k]))).collect();
    EffectiveMass {
        effective: participation.iter().map(|row| row.map(|p| p * p)).collect(),
        participation,
        total: std::array::from_fn(|k| dot(&R[k], &MR[k])),
    }
}
