//! A small change of a machine.

use pliant_mechanism::Model;

use crate::kinematics::state::hinges;

/// A small change of a machine: displacements x of its coordinates with their derivatives, and of
/// multipliers. It is zero at prescribed coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Perturbation {
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) a: Vec<f64>,
    /// The algorithmic accelerations of the integration scheme.
    pub(crate) a_bar: Vec<f64>,
    /// Of constraints.
    pub(crate) multipliers: Vec<f64>,
}

impl Perturbation {
    pub(crate) fn new(model: &Model) -> Self {
        let zeros = || vec![0.0; model.velocity_count()];
        let multipliers = vec![0.0; model.closures().constraint_count()];
        Self { q: zeros(), v: zeros(), a: zeros(), a_bar: zeros(), multipliers }
    }

    /// Changes of velocities and accelerations of all coordinates about the nominal ones.
    pub(crate) fn rates(&self, model: &Model, (v, a): (&[f64], &[f64]), (dv, da): (&mut [f64], &mut [f64])) {
        dv.copy_from_slice(&self.v);
        da.copy_from_slice(&self.a);
        for (hinge, _, _, at) in hinges(model).filter(|(hinge, ..)| !hinge.joint.has_scalar_coordinates()) {
            let at = at.start..at.start + hinge.joint.velocity_count();
            hinge.joint.rate_change(
                (&v[at.clone()], &a[at.clone()]),
                (&self.q[at.clone()], &self.v[at.clone()], &self.a[at.clone()]),
                (&mut dv[at.clone()], &mut da[at]),
            );
        }
    }
}
