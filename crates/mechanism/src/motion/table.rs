//! A motion given as a table of values, as from a CSV file.

use super::{Motion, MotionSample};
use crate::Spline;

/// The cubic spline through the table: value, rate and acceleration are continuous. Rests at the first value
/// before and at the last value after; [`Spline::end_slopes`] tells how hard it stops there.
#[derive(Clone, Debug, PartialEq)]
pub struct TableMotion {
    /// The spline.
    pub spline: Spline,
}

impl Motion for TableMotion {
    fn at(&self, t: f64) -> MotionSample {
        let (first, last) = self.spline.range();
        if t < first || t > last {
            return MotionSample::rest(self.spline.at(t.clamp(first, last)).value);
        }
        self.spline.at(t)
    }

    fn end(&self) -> f64 {
        self.spline.range().1
    }

    fn kinks(&self) -> Vec<f64> {
        let (first, last) = self.spline.range();
        vec![first, last]
    }
}
