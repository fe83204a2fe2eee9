//! A hinge in a motion about which it is displaced: what a linearisation needs of it.

use nalgebra::Vector3;
use pliant_spatial::{Displacement, Transform, Twist, cross_motion, twist};

use super::{Hinge, MAX_HINGE_VELOCITIES};

/// Pose, columns of S with their first two time derivatives, and relative twist of a hinge whose bearing is
/// at rest in its middle.
#[derive(Clone, Debug)]
pub struct HingeMotion {
    /// Pose of L in T.
    pub X_TL: Transform,
    /// Columns of S at and in L; those of the joint, then those of the bearing.
    pub S: [Twist; MAX_HINGE_VELOCITIES],
    S_rate: [Twist; MAX_HINGE_VELOCITIES],
    S_acceleration: [Twist; MAX_HINGE_VELOCITIES],
    /// Twist of L against T.
    pub U: Twist,
    /// Derivative of its components.
    pub U_rate: Twist,
    count: usize,
}

impl Default for HingeMotion {
    fn default() -> Self {
        let columns = [Twist::zeros(); MAX_HINGE_VELOCITIES];
        Self {
            X_TL: Transform::identity(),
            S: columns,
            S_rate: columns,
            S_acceleration: columns,
            U: Twist::zeros(),
            U_rate: Twist::zeros(),
            count: 0,
        }
    }
}

impl HingeMotion {
    /// Evaluates the hinge at positions, velocities and accelerations of joint and bearing; the bearing's are
    /// zero.
    pub fn evaluate(&mut self, hinge: &Hinge, (q, v, a): (&[f64], &[f64], &[f64])) {
        self.count = hinge.velocity_count();
        let joint = hinge.joint.velocity_count();
        self.X_TL = hinge.transform(q);
        self.U_rate = hinge.subspace(q, v, &mut self.S);
        self.U = Twist::zeros();
        for ((S, v), a) in self.S.iter().zip(v).zip(a) {
            self.U += S * *v;
            self.U_rate += S * *a;
        }
        let theta = &q[..hinge.joint.position_count()];
        let (rate, acceleration) = (&mut self.S_rate, &mut self.S_acceleration);
        hinge.joint.subspace_rates(theta, &v[..joint], &a[..joint], rate, acceleration);
        for k in 0..joint {
            rate[k] = hinge.X_CL.carry_twist(&rate[k]);
            acceleration[k] = hinge.X_CL.carry_twist(&acceleration[k]);
        }
        // Axes of the bearing stand still in T and turn in L.
        for k in joint..self.count {
            rate[k] = cross_motion(&self.S[k], &self.U);
            acceleration[k] = cross_motion(&rate[k], &self.U) + cross_motion(&self.S[k], &self.U_rate);
        }
    }

    /// Displacement of L when T is displaced and the coordinates by x: `Ad e_T + S x` with its time
    /// derivatives.
    pub fn displace(
        &self,
        T: &Displacement,
        (x, x_rate, x_acceleration): (&[f64], &[f64], &[f64]),
    ) -> Displacement {
        let mut L = T.carried(&self.X_TL, &self.U, &self.U_rate);
        for k in 0..self.count {
            L.e += self.S[k] * x[k];
            L.rate += self.S_rate[k] * x[k] + self.S[k] * x_rate[k];
            L.acceleration += self.S_acceleration[k] * x[k]
                + self.S_rate[k] * (2.0 * x_rate[k])
                + self.S[k] * x_acceleration[k];
        }
        L
    }

    /// Displacement of L against T.
    pub fn along(&self, x: &[f64]) -> Twist {
        self.S.iter().zip(x).fold(Twist::zeros(), |sum, (S, x)| sum + S * *x)
    }

    /// Writes the changes of the columns of S when the coordinates of joint and bearing move by x from `q`.
    pub fn subspace_change(
        &self,
        hinge: &Hinge,
        q: &[f64],
        x: &[f64],
        change: &mut [Twist; MAX_HINGE_VELOCITIES],
    ) {
        let n = hinge.joint.velocity_count();
        if hinge.joint.has_constant_subspace() {
            change[..n].fill(Twist::zeros());
        } else {
            let theta = &q[..hinge.joint.position_count()];
            let (still, mut unused) = ([0.0; MAX_HINGE_VELOCITIES], [Twist::zeros(); MAX_HINGE_VELOCITIES]);
            hinge.joint.subspace_rates(theta, &x[..n], &still[..n], change, &mut unused);
            for column in &mut change[..n] {
                *column = hinge.X_CL.carry_twist(column);
            }
        }
        if hinge.bearing.count() == 0 {
            return;
        }
        let turn = self.along(&x[..n]);
        let X_BL = hinge.X_TP.inverse() * self.X_TL;
        let mut phi = Vector3::zeros();
        for ((component, _, _), x) in hinge.bearing.compliant().zip(&x[n..]) {
            if component >= 3 {
                phi[component - 3] = *x;
            }
        }
        for (k, (component, _, _)) in hinge.bearing.compliant().enumerate() {
            let mut axis = Vector3::zeros();
            axis[component % 3] = 1.0;
            // In the displaced bearing, translations turn by all of φ, axes of rotation by half of it.
            let own = if component < 3 {
                twist(-phi.cross(&axis), Vector3::zeros())
            } else {
                twist(Vector3::zeros(), phi.cross(&axis) * -0.5)
            };
            change[n + k] = X_BL.carry_twist(&own) + cross_motion(&self.S[n + k], &turn);
        }
    }
}
