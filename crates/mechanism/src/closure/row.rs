//! Rows between two frames.

use std::fmt::Debug;

use nalgebra::Vector3;
use pliant_spatial::{Displacement, Transform, Wrench, wrench};

use super::{FrameMotion, FrameRef};

/// One scalar measured between a parent and a child frame. `rate = parent·V_p + child·V_c + (what depends on
/// time alone)`, so that a multiplier Λ acts as the wrenches `Λ·parent` and `Λ·child`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Wrench on the parent per unit multiplier, at and in its frame.
    pub parent: Wrench,
    /// Wrench on the child per unit multiplier, at and in its frame.
    pub child: Wrench,
    /// The scalar (m, rad).
    pub position: f64,
    /// Its derivative.
    pub rate: f64,
    /// Its second derivative.
    pub acceleration: f64,
}

/// A constraint between two frames: every row's position, rate and acceleration is to be zero.
pub trait Constraint: Debug + Send + Sync {
    /// What it is in a drawing of the machine: `rod`, `cylinder`, …
    fn kind(&self) -> &'static str;

    /// Number of rows.
    fn row_count(&self) -> usize;

    /// A row in words.
    fn label(&self, row: usize) -> String;

    /// Evaluates the rows at time `t`.
    fn evaluate(&self, t: f64, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]);

    /// Evaluates the changes of all parts of the rows when the two frames are displaced by `by`, parent
    /// first.
    fn change(&self, parent: &FrameMotion, child: &FrameMotion, by: [&Displacement; 2], rows: &mut [Row]);

    /// Power that time puts in per unit of each row's multiplier: minus the explicit rate, zero without one.
    fn drive_rate(&self, t: f64) -> f64 {
        let _ = t;
        0.0
    }

    /// Directions of the parent's frame along which the multipliers of the rows are forces on the child;
    /// empty where they turn.
    fn directions(&self) -> &[Vector3<f64>] {
        &[]
    }

    /// A copy on the heap.
    fn clone_box(&self) -> Box<dyn Constraint>;

    /// Times where it jumps.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// When its command comes to rest (s).
    fn end(&self) -> f64 {
        0.0
    }
}

/// Something that acts between two frames.
#[derive(Debug)]
pub struct Pair<K: ?Sized> {
    /// Name.
    pub name: String,
    /// First frame.
    pub parent: FrameRef,
    /// Pose in the first frame.
    pub X_parent: Transform,
    /// Second frame.
    pub child: FrameRef,
    /// Pose in the second frame.
    pub X_child: Transform,
    /// What acts.
    pub kind: Box<K>,
}

/// Velocity of a frame's origin in world axes.
pub(crate) fn velocity_of(frame: &FrameMotion) -> Vector3<f64> {
    frame.X.R * frame.V.fixed_rows::<3>(0)
}

/// Acceleration of a frame's origin in world axes: the components change with the axes.
pub(crate) fn acceleration_of(frame: &FrameMotion) -> Vector3<f64> {
    let (v, w) = (frame.V.fixed_rows::<3>(0).into_owned(), frame.V.fixed_rows::<3>(3).into_owned());
    frame.X.R * (frame.A.fixed_rows::<3>(0) + w.cross(&v))
}

/// The distance of two origins as a row. Without a direction (a distance of zero) the row is zero.
pub(crate) fn line(parent: &FrameMotion, child: &FrameMotion) -> Row {
    let r = child.X.p - parent.X.p;
    let length = r.norm();
    if length <= f64::MIN_POSITIVE {
        return Row::default();
    }
    let n = r / length;
    let v = velocity_of(child) - velocity_of(parent);
    let a = acceleration_of(child) - acceleration_of(parent);
    let along = n.dot(&v);
    Row {
        parent: wrench(-parent.X.R.tr_mul(&n), Vector3::zeros()),
        child: wrench(child.X.R.tr_mul(&n), Vector3::zeros()),
        position: length,
        rate: along,
        acceleration: n.dot(&a) + (v.norm_squared() - along * along) / length,
    }
}
