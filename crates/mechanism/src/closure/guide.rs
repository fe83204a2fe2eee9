//! A point of one body that stays on a line or in a plane of another.

use nalgebra::Vector3;
use pliant_spatial::{Displacement, wrench};

use super::{Constraint, FrameChange, FrameMotion, Row, acceleration_of, velocity_of};
use crate::joint::unit;

/// The origin of the child's frame stays on a line or in a plane through the origin of the parent's frame.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Directions of the parent's frame in which the point may not move.
    across: Vec<Vector3<f64>>,
}

impl Guide {
    /// Along `axis` of the parent's frame; `None` when it has no direction.
    pub fn on_line(axis: Vector3<f64>) -> Option<Self> {
        let axis = unit(axis)?;
        // The axis of the frame that lies least along the line gives the best second direction.
        let least = if axis.x.abs() <= axis.y.abs() && axis.x.abs() <= axis.z.abs() {
            Vector3::x()
        } else if axis.y.abs() <= axis.z.abs() {
            Vector3::y()
        } else {
            Vector3::z()
        };
        let first = unit(least - axis * axis.dot(&least))?;
        Some(Self { across: vec![first, axis.cross(&first)] })
    }

    /// In the plane with this normal in the parent's frame; `None` when it has no direction.
    pub fn in_plane(normal: Vector3<f64>) -> Option<Self> {
        Some(Self { across: vec![unit(normal)?] })
    }
}

impl Constraint for Guide {
    fn kind(&self) -> &'static str {
        if self.across.len() == 1 { "plane" } else { "line" }
    }

    fn row_count(&self) -> usize {
        self.across.len()
    }

    fn directions(&self) -> &[Vector3<f64>] {
        &self.across
    }

    fn label(&self, row: usize) -> String {
        let e = self.across[row];
        format!("along ({:.3}, {:.3}, {:.3}) of its parent", e.x, e.y, e.z)
    }

    fn evaluate(&self, _: f64, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]) {
        let R = &parent.X.R;
        let r = R.tr_mul(&(child.X.p - parent.X.p));
        let w = parent.V.fixed_rows::<3>(3).into_owned();
        let spin = parent.A.fixed_rows::<3>(3).into_owned();
        let rate = R.tr_mul(&(velocity_of(child) - velocity_of(parent))) - w.cross(&r);
        // Relative acceleration in turning axes: less the Euler, Coriolis and centrifugal parts.
        let acceleration = R.tr_mul(&(acceleration_of(child) - acceleration_of(parent)))
            - spin.cross(&r)
            - w.cross(&rate) * 2.0
            - w.cross(&w.cross(&r));
        for (row, e) in rows.iter_mut().zip(&self.across) {
            *row = Row {
                parent: wrench(-e, -r.cross(e)),
                child: wrench(child.X.R.tr_mul(&(R * e)), Vector3::zeros()),
                position: e.dot(&r),
                rate: e.dot(&rate),
                acceleration: e.dot(&acceleration),
            };
        }
    }

    fn change(&self, parent: &FrameMotion, child: &FrameMotion, by: [&Displacement; 2], rows: &mut [Row]) {
        let (p, c) = (FrameChange::new(parent, by[0]), FrameChange::new(child, by[1]));
        let R = &parent.X.R;
        let seen = |y: Vector3<f64>, dy: Vector3<f64>| (R.tr_mul(&y), p.seen(R, &y, &dy));
        let (r, dr) = seen(child.X.p - parent.X.p, c.origin - p.origin);
        let (v, dv) = seen(velocity_of(child) - velocity_of(parent), c.velocity - p.velocity);
        let (_, da) = seen(acceleration_of(child) - acceleration_of(parent), c.acceleration - p.acceleration);
        let w = parent.V.fixed_rows::<3>(3).into_owned();
        let spin = parent.A.fixed_rows::<3>(3).into_owned();
        let rate = v - w.cross(&r);
        let d_rate = dv - p.spin.cross(&r) - w.cross(&dr);
        let d_acceleration = da
            - p.spin_rate.cross(&r)
            - spin.cross(&dr)
            - (p.spin.cross(&rate) + w.cross(&d_rate)) * 2.0
            - p.spin.cross(&w.cross(&r))
            - w.cross(&(p.spin.cross(&r) + w.cross(&dr)));
        for (row, e) in rows.iter_mut().zip(&self.across) {
            *row = Row {
                parent: wrench(Vector3::zeros(), -dr.cross(e)),
                child: wrench(c.seen(&child.X.R, &(R * e), &(R * p.turn.cross(e))), Vector3::zeros()),
                position: e.dot(&dr),
                rate: e.dot(&d_rate),
                acceleration: e.dot(&d_acceleration),
            };
        }
    }

    fn clone_box(&self) -> Box<dyn Constraint> {
        Box::new(self.clone())
    }
}
