//! Damping between the deformations of several links.
//!
//! It acts on coordinates that measure deformation, so that no wrench passes through the tree: its forces are
//! added to the rows of these coordinates once the recursion has written them. The Newton correction has it
//! by conjugate gradients around the recursion (`recursion/damped.rs`).

use pliant_mechanism::Model;

use crate::kinematics::workspace::Workspace;

/// Adds `D v` to the residual and its size.
pub(crate) fn resist(model: &Model, v: &[f64], work: &mut Workspace) {
    for damping in model.damping() {
        let force = &mut work.damping[..damping.coordinates.len()];
        damping.force(v, force);
        for (j, force) in damping.coordinates.iter().zip(force) {
            work.r[*j] += *force;
            work.reference[*j] += force.abs();
        }
    }
}

/// Its forces `D v` with the rates at which they take energy.
pub(crate) fn losses(model: &Model, v: &[f64], work: &mut Workspace, losses: &mut Vec<[f64; 2]>) {
    for damping in model.damping() {
        let force = &mut work.damping[..damping.coordinates.len()];
        damping.force(v, force);
        losses.extend(damping.coordinates.iter().zip(force).map(|(j, force)| [*force, v[*j]]));
    }
}

/// Most coordinates of one damping: the scratch it needs.
pub(crate) fn scratch(model: &Model) -> Vec<f64> {
    vec![0.0; model.damping().iter().map(|damping| damping.coordinates.len()).max().unwrap_or(0)]
}
