//! Force elements between two places, one file each.

mod actuator;
mod bushing;
mod spring_damper;

pub use actuator::Actuator;
pub use bushing::Bushing;
pub use spring_damper::{SpringDamper, SpringLaw};

use std::fmt::Debug;

use pliant_spatial::Displacement;

use crate::{Constraint, PlaceMotion, Row};

/// Most rows of a force element.
pub const MAX_FORCE_ROWS: usize = 6;

/// Forces of an element and their slopes; only the first rows are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceResponse {
    /// Resistance along each row: the multiplier is its negative.
    pub resistance: [f64; MAX_FORCE_ROWS],
    /// ∂resistance/∂position, row by row.
    pub stiffness: [[f64; MAX_FORCE_ROWS]; MAX_FORCE_ROWS],
    /// ∂resistance/∂rate.
    pub damping: [[f64; MAX_FORCE_ROWS]; MAX_FORCE_ROWS],
}

/// A force element: it measures rows and resists their change.
pub trait ForceElement: Debug + Send + Sync {
    /// Number of rows, at most [`MAX_FORCE_ROWS`].
    fn row_count(&self) -> usize;

    /// Measures the rows.
    fn measure(&self, parent: &PlaceMotion, child: &PlaceMotion, rows: &mut [Row]);

    /// Measures the changes of all parts of the rows when the two places are displaced by `by`, parent first.
    fn measure_change(
        &self,
        parent: &PlaceMotion,
        child: &PlaceMotion,
        by: [&Displacement; 2],
        rows: &mut [Row],
    );

    /// The forces at time `t`.
    fn respond(&self, t: f64, rows: &[Row]) -> ForceResponse;

    /// Energy stored (J).
    fn stored(&self, t: f64, rows: &[Row]) -> f64;

    /// Power put in from outside, and power lost (W).
    fn power(&self, t: f64, rows: &[Row]) -> (f64, f64);

    /// A copy on the heap.
    fn clone_box(&self) -> Box<dyn ForceElement>;

    /// The constraint that it becomes when it stands on its command exactly; nothing for an element without a command.
    fn held(&self) -> Option<Box<dyn Constraint>> {
        None
    }

    /// Times where it jumps.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// When its command comes to rest (s).
    fn end(&self) -> f64 {
        0.0
    }
}
