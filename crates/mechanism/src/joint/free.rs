//! Free: all six freedoms, as of a satellite.

use nalgebra::Vector3;
use pliant_spatial::{Transform, Twist, twist};

use super::Joint;
use super::spherical::{advance_quaternion, quaternion, spin_change};

/// Positions: origin of C in P (3) and the unit quaternion (w, x, y, z) of C in P. Velocities: the rate of
/// that origin in *P axes* (3), so that a drifting body moves exactly straight, and the angular velocity in C
/// axes (3). P = C at zero. No singularity.
#[derive(Clone, Debug, Default)]
pub struct Free;

impl Joint for Free {
    fn kind(&self) -> &'static str {
        "free"
    }

    fn clone_box(&self) -> Box<dyn Joint> {
        Box::new(self.clone())
    }

    fn coordinates(&self) -> &'static [&'static str] {
        &["x", "y", "z", "rotation_x", "rotation_y", "rotation_z"]
    }

    fn is_angle(&self, i: usize) -> bool {
        i >= 3
    }

    fn position_count(&self) -> usize {
        7
    }

    fn set_zero(&self, q: &mut [f64]) {
        q.copy_from_slice(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    }

    fn transform(&self, q: &[f64]) -> Transform {
        Transform::new(quaternion(&q[3..7]).to_rotation_matrix().into_inner(), Vector3::new(q[0], q[1], q[2]))
    }

    fn subspace(&self, q: &[f64], v: &[f64], S: &mut [Twist]) -> Twist {
        let Rt = quaternion(&q[3..7]).to_rotation_matrix().into_inner().transpose();
        for i in 0..3 {
            S[i] = twist(Rt.column(i).into_owned(), Vector3::zeros());
            S[3 + i] = Twist::zeros();
            S[3 + i][3 + i] = 1.0;
        }
        // d/dt Rᵀ = −[ω]× Rᵀ.
        let velocity = Rt * Vector3::new(v[0], v[1], v[2]);
        twist(velocity.cross(&Vector3::new(v[3], v[4], v[5])), Vector3::zeros())
    }

    fn advance(&self, q0: &[f64], delta: &[f64], q: &mut [f64]) {
        for i in 0..3 {
            q[i] = q0[i] + delta[i];
        }
        advance_quaternion(&q0[3..7], &delta[3..6], &mut q[3..7]);
    }

    fn subspace_rates(&self, q: &[f64], v: &[f64], a: &[f64], first: &mut [Twist], second: &mut [Twist]) {
        let Rt = quaternion(&q[3..7]).to_rotation_matrix().into_inner().transpose();
        let (w, w_rate) = (Vector3::new(v[3], v[4], v[5]), Vector3::new(a[3], a[4], a[5]));
        for i in 0..3 {
            let column = Rt.column(i).into_owned();
            first[i] = twist(-w.cross(&column), Vector3::zeros());
            second[i] = twist(w.cross(&w.cross(&column)) - w_rate.cross(&column), Vector3::zeros());
            first[3 + i] = Twist::zeros();
            second[3 + i] = Twist::zeros();
        }
    }

    fn rate_change(
        &self,
        (v, a): (&[f64], &[f64]),
        (x, x_rate, x_acceleration): (&[f64], &[f64], &[f64]),
        (dv, da): (&mut [f64], &mut [f64]),
    ) {
        dv[..3].copy_from_slice(&x_rate[..3]);
        da[..3].copy_from_slice(&x_acceleration[..3]);
        spin_change(
            (&v[3..], &a[3..]),
            (&x[3..], &x_rate[3..], &x_acceleration[3..]),
            (&mut dv[3..], &mut da[3..]),
        );
    }
}
