//! A motion given as a table of values, as from a CSV file.

use super::{Motion, MotionSample};
use crate::{Interpolation, Table};

/// The motion through a table. A cubic one has continuous rate and acceleration, a monotone one a continuous
/// rate; linear tables and those of steps jump in rate or value and are commands for a servo.
/// [`Table::end_slopes`] says how hard it stops at its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TableMotion {
    /// The table.
    pub table: Table,
}

impl TableMotion {
    /// True when neither value nor rate jump between the rows, so that a joint can be moved along it.
    pub fn has_continuous_rate(&self) -> bool {
        matches!(self.table.interpolation(), Interpolation::Cubic | Interpolation::Monotone)
    }
}

impl Motion for TableMotion {
    fn at(&self, t: f64) -> MotionSample {
        self.table.at(t)
    }

    fn end(&self) -> f64 {
        self.table.range().1
    }

    fn kinks(&self) -> Vec<f64> {
        self.table.events().into_iter().map(|event| event.t).collect()
    }
}
