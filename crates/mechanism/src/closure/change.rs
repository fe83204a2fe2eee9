//! How a frame that is displaced changes what is measured from it.

use nalgebra::{Matrix3, Vector3};
use pliant_spatial::{Displacement, Wrench, wrench};

use super::{FrameMotion, Row, acceleration_of, velocity_of};

/// Changes of a displaced frame: of its origin in world axes, of its turning in its own.
pub(crate) struct FrameChange {
    /// Rotation.
    pub(crate) turn: Vector3<f64>,
    /// Change of the origin's position.
    pub(crate) origin: Vector3<f64>,
    /// Change of its velocity.
    pub(crate) velocity: Vector3<f64>,
    /// Change of its acceleration.
    pub(crate) acceleration: Vector3<f64>,
    /// Change of the angular velocity.
    pub(crate) spin: Vector3<f64>,
    /// Change of its derivative.
    pub(crate) spin_rate: Vector3<f64>,
}

impl FrameChange {
    pub(crate) fn new(frame: &FrameMotion, by: &Displacement) -> Self {
        let part = |x: &pliant_spatial::Twist, first: usize| x.fixed_rows::<3>(first).into_owned();
        let (dV, dA) = by.motion(&frame.V, &frame.A);
        let (v, w) = (part(&frame.V, 0), part(&frame.V, 3));
        let (e, turn) = (part(&by.e, 0), part(&by.e, 3));
        let (dv, dw) = (part(&dV, 0), part(&dV, 3));
        let acceleration = part(&frame.A, 0) + w.cross(&v);
        let own = part(&dA, 0) + dw.cross(&v) + w.cross(&dv);
        Self {
            origin: frame.X.R * e,
            velocity: frame.X.R * (turn.cross(&v) + dv),
            acceleration: frame.X.R * (turn.cross(&acceleration) + own),
            spin: dw,
            spin_rate: part(&dA, 3),
            turn,
        }
    }

    /// Change of the components, in the axes `R` of the frame, of a vector of the world that changes by `dy`.
    pub(crate) fn seen(&self, R: &Matrix3<f64>, y: &Vector3<f64>, dy: &Vector3<f64>) -> Vector3<f64> {
        R.tr_mul(dy) - self.turn.cross(&R.tr_mul(y))
    }
}

/// Change of [`line`](super::line), the distance of two origins, by displacements of parent and child.
pub(crate) fn line_change(parent: &FrameMotion, child: &FrameMotion, by: [&Displacement; 2]) -> Row {
    let r = child.X.p - parent.X.p;
    let length = r.norm();
    if length <= f64::MIN_POSITIVE {
        return Row::default();
    }
    let (p, c) = (FrameChange::new(parent, by[0]), FrameChange::new(child, by[1]));
    let n = r / length;
    let v = velocity_of(child) - velocity_of(parent);
    let a = acceleration_of(child) - acceleration_of(parent);
    let along = n.dot(&v);
    let (dr, dv, da) = (c.origin - p.origin, c.velocity - p.velocity, c.acceleration - p.acceleration);
    let d_length = n.dot(&dr);
    let dn = (dr - n * d_length) / length;
    let d_along = dn.dot(&v) + n.dot(&dv);
    let across = (v.norm_squared() - along * along) / length;
    let pull = |x: Vector3<f64>| -> Wrench { wrench(x, Vector3::zeros()) };
    Row {
        parent: pull(-p.seen(&parent.X.R, &n, &dn)),
        child: pull(c.seen(&child.X.R, &n, &dn)),
        position: d_length,
        rate: d_along,
        acceleration: dn.dot(&a)
            + n.dot(&da)
            + (2.0 * (v.dot(&dv) - along * d_along) - across * d_length) / length,
    }
}
