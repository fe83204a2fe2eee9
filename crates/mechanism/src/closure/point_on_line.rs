//! A point of one body that stays on a line of another.

use nalgebra::Vector3;
use pliant_spatial::wrench;

use super::{Constraint, PlaceMotion, Row, acceleration_of, velocity_of};
use crate::joint::unit;

/// The origin of the child's frame stays on the line through the origin of the parent's frame along `axis`.
#[derive(Clone, Debug)]
pub struct PointOnLine {
    across: [Vector3<f64>; 2],
}

impl PointOnLine {
    /// Along `axis` of the parent's frame; `None` when it has no direction.
    pub fn new(axis: Vector3<f64>) -> Option<Self> {
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
        Some(Self { across: [first, axis.cross(&first)] })
    }
}

impl Constraint for PointOnLine {
    fn row_count(&self) -> usize {
        2
    }

    fn label(&self, row: usize) -> String {
        let e = self.across[row];
        format!("along ({:.3}, {:.3}, {:.3}) of its parent", e.x, e.y, e.z)
    }

    fn evaluate(&self, _: f64, parent: &PlaceMotion, child: &PlaceMotion, rows: &mut [Row]) {
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

    fn clone_box(&self) -> Box<dyn Constraint> {
        Box::new(self.clone())
    }
}
