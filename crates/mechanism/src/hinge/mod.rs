//! A hinge: placement, bearing and joint in one, from the parent's triad to the child's link frame.

mod bearing;
mod grip;
mod motion;

pub use bearing::Bearing;
pub use grip::{GRIP_ROWS, Grip, GripKind, GripState};
pub(crate) use grip::{GripError, rail_in_joint};
pub use motion::HingeMotion;

use pliant_spatial::{Transform, Twist, cross_motion};

use crate::Joint;

/// Largest number of velocity coordinates of a hinge: six of the joint, six of the bearing.
pub const MAX_HINGE_VELOCITIES: usize = 12;

/// `X_TL = X_TP · B(b) · A(θ) · X_CL`: T is the parent's (deformed) interface triad or the world, L the
/// child's link frame. Coordinates are ordered joint first, bearing second.
#[derive(Debug)]
pub struct Hinge {
    /// The joint A.
    pub joint: Box<dyn Joint>,
    /// The bearing B; all rigid when empty.
    pub bearing: Bearing,
    /// Joint frame on the parent side, in T.
    pub X_TP: Transform,
    /// Link frame in the joint frame on the child side.
    pub X_CL: Transform,
}

impl Hinge {
    /// Number of positions: joint and bearing.
    pub fn position_count(&self) -> usize {
        self.joint.position_count() + self.bearing.count()
    }

    /// Number of velocities: joint and bearing.
    pub fn velocity_count(&self) -> usize {
        self.joint.velocity_count() + self.bearing.count()
    }

    /// `X_TL`.
    pub fn transform(&self, q: &[f64]) -> Transform {
        let (theta, b) = q.split_at(self.joint.position_count());
        let A = self.joint.transform(theta);
        if b.is_empty() {
            return self.X_TP * A * self.X_CL;
        }
        self.X_TP * self.bearing.transform(b) * A * self.X_CL
    }

    /// Writes the columns of S at and in L; returns `Ṡ v`.
    pub fn subspace(&self, q: &[f64], v: &[f64], S: &mut [Twist]) -> Twist {
        let n = self.joint.velocity_count();
        let (theta, b) = q.split_at(self.joint.position_count());
        let (theta_rate, b_rate) = v.split_at(n);
        let mut bias = self.joint.subspace(theta, theta_rate, S);
        if !b.is_empty() {
            let A = self.joint.transform(theta);
            let U_joint = combine(&S[..n], theta_rate);
            let bias_B = self.bearing.subspace(b, b_rate, &mut S[n..]);
            let mut U_bearing = Twist::zeros();
            for (column, rate) in S[n..].iter_mut().zip(b_rate) {
                *column = A.carry_twist(column);
                U_bearing += *column * *rate;
            }
            // Components of the bearing's twist change with A as well: d(Ad)U = U × U_joint.
            bias += A.carry_twist(&bias_B) + cross_motion(&U_bearing, &U_joint);
        }
        for column in &mut S[..v.len()] {
            *column = self.X_CL.carry_twist(column);
        }
        self.X_CL.carry_twist(&bias)
    }

    /// Writes the zero configuration.
    pub fn set_zero(&self, q: &mut [f64]) {
        let (theta, b) = q.split_at_mut(self.joint.position_count());
        self.joint.set_zero(theta);
        b.fill(0.0);
    }

    /// `q = q0 ⊕ δ`.
    pub fn advance(&self, q0: &[f64], delta: &[f64], q: &mut [f64]) {
        let (p, n) = (self.joint.position_count(), self.joint.velocity_count());
        self.joint.advance(&q0[..p], &delta[..n], &mut q[..p]);
        for ((q, q0), d) in q[p..].iter_mut().zip(&q0[p..]).zip(&delta[n..]) {
            *q = q0 + d;
        }
    }
}

/// `S v`.
fn combine(S: &[Twist], v: &[f64]) -> Twist {
    S.iter().zip(v).fold(Twist::zeros(), |sum, (s, v)| sum + s * *v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::{Revolute, Universal};
    use nalgebra::Vector3;
    use pliant_spatial::twist;

    fn hinge(joint: Box<dyn Joint>) -> Hinge {
        let components = [Some((1.0, 0.0)), None, Some((1.0, 0.0)), Some((1.0, 0.0)), Some((1.0, 0.0)), None];
        let X = Transform::rotation(&Vector3::new(0.4, 0.2, -0.9)) * Transform::translation(Vector3::y());
        Hinge { joint, bearing: Bearing { components }, X_TP: X, X_CL: X.inverse() * X.inverse() }
    }

    #[test]
    fn subspace_and_bias_are_derivatives_of_the_entire_chain() {
        let joints: [Box<dyn Joint>; 2] = [
            Box::new(Revolute::new(Vector3::new(0.0, 1.0, 2.0)).unwrap()),
            Box::new(Universal::new(Vector3::x(), Vector3::z()).unwrap()),
        ];
        for joint in joints {
            let hinge = hinge(joint);
            let n = hinge.velocity_count();
            let q: Vec<f64> = (0..n).map(|i| 0.9 - 0.3 * i as f64).collect();
            let v: Vec<f64> = (0..n).map(|i| 0.5 + 0.2 * i as f64).collect();
            let h = 1e-5;
            let at = |t: f64| {
                let q: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + v * t).collect();
                let mut S = vec![Twist::zeros(); n];
                let bias = hinge.subspace(&q, &v, &mut S);
                (hinge.transform(&q), combine(&S, &v), bias)
            };
            let (X, U, bias) = at(0.0);
            let (ahead, behind) = (at(h), at(-h));
            let spin = X.R.transpose() * (ahead.0.R - behind.0.R) / (2.0 * h);
            let velocity = X.R.transpose() * (ahead.0.p - behind.0.p) / (2.0 * h);
            let expected = twist(velocity, Vector3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]));
            // Central differences, h = 1e-5: truncation and rounding together below 1e-9.
            assert!((U - expected).norm() < 1e-9);
            assert!((bias - (ahead.1 - behind.1) / (2.0 * h)).norm() < 1e-9);
        }
    }
}
