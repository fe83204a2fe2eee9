//! Free-free modes, each with the rigid motion taken out that makes it vanish at the inboard interface.
//!
//! ```text
//! v_j = φ_j − R φ_j(I)        VᵀKV = Ω², because rigid motion does not strain
//! ```

use faer::Mat;
use nalgebra::{Matrix3, Vector6};
use nalgebra_sparse::CscMatrix;
use pliant_fem::dof::{displacement_triad, rigid_row};
use pliant_mesh::{LinkMesh, NodeIndex};
use pliant_sparse::{EigenParams, Want, lowest};

use super::{Basis, ModeChoice};
use crate::ReduceError;
use crate::substructure::Substructure;

/// V on the free components of `clamped`, from the elastic modes of `free`, the same mesh without the clamp,
/// with its stiffness.
///
/// # Errors
/// No mass or no convergence.
pub(crate) fn free_free(
    mesh: &LinkMesh,
    (free, K): (&Substructure, &CscMatrix<f64>),
    clamped: &Substructure,
    inboard: NodeIndex,
    choice: ModeChoice,
) -> Result<Basis, ReduceError> {
    let want = match choice {
        // Six rigid-body modes come first.
        ModeChoice::Count(count) => Want::Count(count + 6),
        ModeChoice::Below(lambda) => Want::Below(lambda),
    };
    let all: Vec<_> = (0..free.free_count()).collect();
    let params = EigenParams { want, ..EigenParams::count(0) };
    let modes = lowest(&free.free_stiffness(K), &free.mass(), Some(&free.groups(&all)), &params)?;
    let rigid = modes.info.rigid_body_modes;
    let lambda = &modes.lambda[rigid..];
    let origin = mesh.node(inboard).position;
    let triad = displacement_triad(mesh, inboard).unwrap_or_else(Matrix3::identity);
    let mut V = Mat::zeros(clamped.free_count(), lambda.len());
    for m in 0..lambda.len() {
        let shape: Vec<f64> = (0..free.free_count()).map(|i| modes.Phi[(i, rigid + m)]).collect();
        let u = free.constraints.expand(&shape, &vec![0.0; free.constraints.fixed.len()]);
        let at_inboard = Vector6::from_iterator(free.dofs.rows_of(inboard).map(|row| u[row]));
        let (translation, rotation) =
            (triad * at_inboard.fixed_rows::<3>(0), triad * at_inboard.fixed_rows::<3>(3));
        for (column, row) in clamped.constraints.free.iter().enumerate() {
            let (node, component) = clamped.dofs.node_and_component(*row);
            let rigid = rigid_row(mesh, node, component, origin);
            let motion = translation.iter().chain(rotation.iter());
            V[(column, m)] = u[*row] - rigid.iter().zip(motion).map(|(r, x)| r * x).sum::<f64>();
        }
    }
    Ok(Basis::of_modes(V, lambda, modes.info))
}
