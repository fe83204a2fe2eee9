//! A bushing: stiffness and damping in six directions between two frames.

use nalgebra::{Matrix6, Vector3, Vector6};
use pliant_spatial::{Displacement, left_jacobian_inverse, left_jacobian_rate, rotation_log, wrench};

use super::{ForceElement, ForcePower, ForceResponse};
use crate::closure::{FrameChange, velocity_of};
use crate::{FrameMotion, Row};

/// Resists `d = [r; φ]`, r the position of the child's origin in the parent's frame and φ the rotation vector
/// of the child against the parent, with `K d + D ḋ`. The force is the gradient of ½dᵀKd at any rotation
/// below a full turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// K (N/m, N, N·m/rad), 6×6, symmetric.
    pub stiffness: Matrix6<f64>,
    /// D (N·s/m, N·s, N·m·s/rad), 6×6, symmetric.
    pub damping: Matrix6<f64>,
}

impl Bushing {
    fn columns(rows: &[Row]) -> (Vector6<f64>, Vector6<f64>) {
        (Vector6::from_fn(|i, _| rows[i].position), Vector6::from_fn(|i, _| rows[i].rate))
    }
}

impl ForceElement for Bushing {
    fn kind(&self) -> &'static str {
        "bushing"
    }

    fn row_count(&self) -> usize {
        6
    }

    fn measure(&self, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]) {
        let R = &parent.X.R;
        let r = R.tr_mul(&(child.X.p - parent.X.p));
        let turn = R.tr_mul(&child.X.R);
        let phi = rotation_log(&turn);
        let w = parent.V.fixed_rows::<3>(3).into_owned();
        let rate = R.tr_mul(&(velocity_of(child) - velocity_of(parent))) - w.cross(&r);
        let J = left_jacobian_inverse(&phi);
        let spin = J * (turn * child.V.fixed_rows::<3>(3) - w);
        for i in 0..3 {
            let mut e = Vector3::zeros();
            e[i] = 1.0;
            rows[i] = Row {
                parent: wrench(-e, -r.cross(&e)),
                child: wrench(turn.tr_mul(&e), Vector3::zeros()),
                position: r[i],
                rate: rate[i],
                acceleration: 0.0,
            };
            let m = J.row(i).transpose();
            rows[3 + i] = Row {
                parent: wrench(Vector3::zeros(), -m),
                child: wrench(Vector3::zeros(), turn.tr_mul(&m)),
                position: phi[i],
                rate: spin[i],
                acceleration: 0.0,
            };
        }
    }

    fn measure_change(
        &self,
        parent: &FrameMotion,
        child: &FrameMotion,
        by: [&Displacement; 2],
        rows: &mut [Row],
    ) {
        let (p, c) = (FrameChange::new(parent, by[0]), FrameChange::new(child, by[1]));
        let R = &parent.X.R;
        let seen = |y: Vector3<f64>, dy: Vector3<f64>| (R.tr_mul(&y), p.seen(R, &y, &dy));
        let (r, dr) = seen(child.X.p - parent.X.p, c.origin - p.origin);
        let (_, dv) = seen(velocity_of(child) - velocity_of(parent), c.velocity - p.velocity);
        let w = parent.V.fixed_rows::<3>(3).into_owned();
        let d_rate = dv - p.spin.cross(&r) - w.cross(&dr);
        // The child turns against the parent by θ in the parent's axes: δ turn = [θ]× turn, δφ = J θ.
        let turn = R.tr_mul(&child.X.R);
        let phi = rotation_log(&turn);
        let J = left_jacobian_inverse(&phi);
        let theta = turn * c.turn - p.turn;
        let dJ = -J * left_jacobian_rate(&phi, &(J * theta)) * J;
        let spin = turn * child.V.fixed_rows::<3>(3);
        let d_spin = turn * c.spin + theta.cross(&spin) - p.spin;
        let d_phi = J * theta;
        let d_phi_rate = dJ * (spin - w) + J * d_spin;
        for i in 0..3 {
            let mut e = Vector3::zeros();
            e[i] = 1.0;
            rows[i] = Row {
                parent: wrench(Vector3::zeros(), -dr.cross(&e)),
                child: wrench(-turn.tr_mul(&theta.cross(&e)), Vector3::zeros()),
                position: dr[i],
                rate: d_rate[i],
                acceleration: 0.0,
            };
            let (m, dm) = (J.row(i).transpose(), dJ.row(i).transpose());
            rows[3 + i] = Row {
                parent: wrench(Vector3::zeros(), -dm),
                child: wrench(Vector3::zeros(), turn.tr_mul(&(dm - theta.cross(&m)))),
                position: d_phi[i],
                rate: d_phi_rate[i],
                acceleration: 0.0,
            };
        }
    }

    fn respond(&self, _: f64, rows: &[Row]) -> ForceResponse {
        let (d, rate) = Self::columns(rows);
        let force = self.stiffness * d + self.damping * rate;
        let mut response = ForceResponse::default();
        for i in 0..6 {
            response.resistance[i] = force[i];
            for j in 0..6 {
                response.stiffness[i][j] = self.stiffness[(i, j)];
                response.damping[i][j] = self.damping[(i, j)];
            }
        }
        response
    }

    fn stored(&self, _: f64, rows: &[Row]) -> f64 {
        let (d, _) = Self::columns(rows);
        0.5 * d.dot(&(self.stiffness * d))
    }

    fn power(&self, _: f64, rows: &[Row]) -> ForcePower {
        let (_, rate) = Self::columns(rows);
        let force = self.damping * rate;
        ForcePower { loss: std::array::from_fn(|i| [force[i], rate[i]]), ..ForcePower::default() }
    }

    fn clone_box(&self) -> Box<dyn ForceElement> {
        Box::new(self.clone())
    }
}
