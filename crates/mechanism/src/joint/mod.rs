//! Joints, one file each.
//!
//! A joint connects frame P on the parent side with frame C on the child side. It states its zero
//! configuration, its axis and its sign; at zero P and C coincide. Adding a joint is one file, one line here,
//! and one line in the contract tests.

mod cylindrical;
mod fixed;
mod free;
mod prismatic;
mod revolute;
mod spherical;
mod universal;

pub use cylindrical::Cylindrical;
pub use fixed::Fixed;
pub use free::Free;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use spherical::Spherical;
pub use universal::Universal;

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist};

/// The kinematics of a joint. Positions `q` may have more entries than velocities `v` (quaternions).
pub trait Joint: std::fmt::Debug + Send + Sync {
    /// Name as the pipeline file writes it.
    fn kind(&self) -> &'static str;

    /// A copy on the heap.
    fn clone_box(&self) -> Box<dyn Joint>;

    /// What each velocity coordinate is called; their number is the number of freedoms.
    fn coordinates(&self) -> &'static [&'static str];

    /// True when velocity coordinate `i` is an angle (rad), false when it is a length (m).
    fn is_angle(&self, i: usize) -> bool;

    /// Number of positions.
    fn position_count(&self) -> usize {
        self.velocity_count()
    }

    /// Number of velocities.
    fn velocity_count(&self) -> usize {
        self.coordinates().len()
    }

    /// True when a coordinate is the integral of its rate, so that a motion can be prescribed and a stiffness
    /// defined on it. False for quaternions.
    fn has_scalar_coordinates(&self) -> bool {
        self.position_count() == self.velocity_count()
    }

    /// True when S is the same at every position, as of one axis that both bodies share or all axes of the
    /// child.
    fn has_constant_subspace(&self) -> bool {
        false
    }

    /// Writes the zero configuration.
    fn set_zero(&self, q: &mut [f64]) {
        q.fill(0.0);
    }

    /// `X_PC`.
    fn transform(&self, q: &[f64]) -> Transform;

    /// Writes the columns of the motion subspace S (twist of C relative to P per unit of each velocity, at
    /// and in C) and returns `Ṡ v`, the derivative of the components.
    fn subspace(&self, q: &[f64], v: &[f64], S: &mut [Twist]) -> Twist;

    /// Writes the first and second time derivatives of the columns of S for velocities `v` that change at the
    /// rates `a`. Nothing but zeros where S is constant.
    fn subspace_rates(&self, q: &[f64], v: &[f64], a: &[f64], first: &mut [Twist], second: &mut [Twist]) {
        let _ = (q, v, a);
        let n = self.velocity_count();
        first[..n].fill(Twist::zeros());
        second[..n].fill(Twist::zeros());
    }

    /// Writes the changes of velocities and accelerations when the position moves by a small `x`, `q ⊕ x(t)`:
    /// the derivatives of x, but where velocities are no derivatives of coordinates.
    fn rate_change(
        &self,
        (v, a): (&[f64], &[f64]),
        (x, x_rate, x_acceleration): (&[f64], &[f64], &[f64]),
        (dv, da): (&mut [f64], &mut [f64]),
    ) {
        let _ = (v, a, x);
        dv.copy_from_slice(x_rate);
        da.copy_from_slice(x_acceleration);
    }

    /// `q = q0 ⊕ δ`: the position reached from `q0` when the velocity coordinates act for a while; δ = ∫v dt.
    fn advance(&self, q0: &[f64], delta: &[f64], q: &mut [f64]) {
        for ((q, q0), d) in q.iter_mut().zip(q0).zip(delta) {
            *q = q0 + d;
        }
    }
}

/// The unit vector along `axis`, or `None` when it has no direction.
pub(crate) fn unit(axis: Vector3<f64>) -> Option<Vector3<f64>> {
    let length = axis.norm();
    (length.is_finite() && length > 1e-12).then(|| axis / length)
}

#[cfg(test)]
mod contract;
