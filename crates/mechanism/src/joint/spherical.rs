//! Spherical: any rotation about a common point.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use pliant_spatial::{Transform, Twist, quaternion_exp};

use super::Joint;

/// C rotated against P by the unit quaternion q = (w, x, y, z); velocities are the angular velocity of C in C
/// axes. P = C at (1, 0, 0, 0). No singularity.
#[derive(Clone, Debug, Default)]
pub struct Spherical;

/// The quaternion stored as (w, x, y, z).
pub(super) fn quaternion(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// `q = q0 · exp(δ)`, δ in C axes.
pub(super) fn advance_quaternion(q0: &[f64], delta: &[f64], q: &mut [f64]) {
    let next = quaternion(q0) * quaternion_exp(&Vector3::new(delta[0], delta[1], delta[2]));
    q.copy_from_slice(&[next.w, next.i, next.j, next.k]);
}

impl Joint for Spherical {
    fn kind(&self) -> &'static str {
        "spherical"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["rotation_x", "rotation_y", "rotation_z"]
    }

    fn is_angle(&self, _: usize) -> bool {
        true
    }

    fn position_count(&self) -> usize {
        4
    }

    fn set_zero(&self, q: &mut [f64]) {
        q.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
    }

    fn transform(&self, q: &[f64]) -> Transform {
        Transform::new(quaternion(q).to_rotation_matrix().into_inner(), Vector3::zeros())
    }

    fn subspace(&self, _: &[f64], _: &[f64], S: &mut [Twist]) -> Twist {
        for (i, column) in S.iter_mut().take(3).enumerate() {
            *column = Twist::zeros();
            column[3 + i] = 1.0;
        }
        Twist::zeros()
    }

    fn advance(&self, q0: &[f64], delta: &[f64], q: &mut [f64]) {
        advance_quaternion(q0, delta, q);
    }
}
