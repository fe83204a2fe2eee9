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

/// Change of an angular velocity in C axes by a displacement x in C axes: `δω = ẋ + ω × x`, `δω̇ = ẍ + ω̇ × x
/// + ω × ẋ`.
pub(super) fn spin_change(
    (w, w_rate): (&[f64], &[f64]),
    (x, x_rate, x_acceleration): (&[f64], &[f64], &[f64]),
    (dw, dw_rate): (&mut [f64], &mut [f64]),
) {
    let vector = |x: &[f64]| Vector3::new(x[0], x[1], x[2]);
    let (w, x, rate) = (vector(w), vector(x), vector(x_rate));
    dw.copy_from_slice((rate + w.cross(&x)).as_slice());
    let change = vector(x_acceleration) + vector(w_rate).cross(&x) + w.cross(&rate);
    dw_rate.copy_from_slice(change.as_slice());
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

    fn has_constant_subspace(&self) -> bool {
        true
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

    fn rate_change(
        &self,
        nominal: (&[f64], &[f64]),
        x: (&[f64], &[f64], &[f64]),
        change: (&mut [f64], &mut [f64]),
    ) {
        spin_change(nominal, x, change);
    }
}
