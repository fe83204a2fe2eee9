//! Rigid motions R of a mesh and their mass.

use faer::Mat;
use nalgebra::Vector3;
use pliant_fem::assembly::symmetric_product;
use pliant_fem::dof::rigid_row;
use pliant_mesh::LinkMesh;

use crate::substructure::Substructure;

/// Translations along the basic axes and rotations about `origin` at every component, deck units.
pub(crate) fn rigid_rows(mesh: &LinkMesh, part: &Substructure, origin: Vector3<f64>) -> Vec<[f64; 6]> {
    let dofs = &part.dofs;
    let row = |row: usize| {
        let (node, component) = dofs.node_and_component(row);
        rigid_row(mesh, node, component, origin)
    };
    (0..dofs.count()).map(row).collect()
}

/// The mass of rigid motions R about a point, beside that of motions T w of the free components.
pub(crate) struct RigidMass {
    /// RᵀMR.
    pub(crate) own: Mat<f64>,
    /// TᵀMR, free components × 6.
    pub(crate) on_free: Mat<f64>,
}

impl RigidMass {
    /// Of a mesh, about `origin`.
    pub(crate) fn new(mesh: &LinkMesh, part: &Substructure, origin: Vector3<f64>) -> Self {
        let R = rigid_rows(mesh, part, origin);
        let (mut own, mut on_free) = (Mat::zeros(6, 6), Mat::zeros(part.free_count(), 6));
        for k in 0..6 {
            let motion: Vec<f64> = R.iter().map(|row| row[k]).collect();
            let force = symmetric_product(&part.M, &motion);
            for (row, force) in R.iter().zip(&force) {
                (0..6).for_each(|j| own[(j, k)] += row[j] * force);
            }
            let reduced = part.constraints.reduce(&force);
            on_free.col_mut(k).iter_mut().zip(reduced).for_each(|(entry, value)| *entry = value);
        }
        Self { own, on_free }
    }
}
