//! What acts on links: force elements between two frames, one file each, loads, and coupled damping.

mod actuator;
mod bushing;
mod damping;
mod load;
mod spring_damper;

pub use actuator::Actuator;
pub use bushing::Bushing;
pub use damping::CoupledDamping;
pub use load::{Load, LoadFrame};
pub use spring_damper::{SpringDamper, SpringLaw};

use std::fmt::Debug;
use std::sync::Arc;

use pliant_spatial::Displacement;

use crate::{Constraint, Event, FrameMotion, Row, TimeFunction};

/// Most rows of a force element.
pub(crate) const MAX_FORCE_ROWS: usize = 6;

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

/// Powers as pairs of a force and the rate at which it works (N, m/s; N·m, rad/s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForcePower {
    /// Put in from outside.
    pub drive: [f64; 2],
    /// Lost, row by row.
    pub loss: [[f64; 2]; MAX_FORCE_ROWS],
}

/// A law that is used outside the rows of its table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftTable {
    /// Argument (m, m/s).
    pub at: f64,
    /// First argument of the table.
    pub first: f64,
    /// Last argument.
    pub last: f64,
    /// False when the table has no value there.
    pub defined: bool,
}

/// A force element: it measures rows and resists their change.
pub trait ForceElement: Debug + Send + Sync {
    /// What it is in a drawing of the machine: `spring`, `cylinder`, …
    fn kind(&self) -> &'static str;

    /// Number of rows, at most `MAX_FORCE_ROWS`.
    fn row_count(&self) -> usize;

    /// Measures the rows.
    fn measure(&self, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]);

    /// Measures the changes of all parts of the rows when the two frames are displaced by `by`, parent first.
    fn measure_change(
        &self,
        parent: &FrameMotion,
        child: &FrameMotion,
        by: [&Displacement; 2],
        rows: &mut [Row],
    );

    /// The forces at time `t`.
    fn respond(&self, t: f64, rows: &[Row]) -> ForceResponse;

    /// Energy stored (J).
    fn stored(&self, t: f64, rows: &[Row]) -> f64;

    /// What is put in from outside, and what is lost.
    fn power(&self, t: f64, rows: &[Row]) -> ForcePower;

    /// A copy on the heap.
    fn clone_box(&self) -> Box<dyn ForceElement>;

    /// The constraint that it becomes when it stands on its command exactly; nothing for an element without a
    /// command.
    fn held(&self) -> Option<Box<dyn Constraint>> {
        None
    }

    /// Where it or its slope in time jumps from `from` to `to` (s); others may be among them.
    fn events(&self, from: f64, to: f64) -> Vec<Event> {
        let _ = (from, to);
        Vec::new()
    }

    /// What it is commanded at time `t`: a push (N), or the rate of a length (m/s).
    fn command(&self, t: f64) -> f64 {
        let _ = t;
        0.0
    }

    /// The push over time, of an element that is one.
    fn push(&self) -> Option<&Arc<dyn TimeFunction>> {
        None
    }

    /// The same element with another push, where it is one.
    fn with_push(&self, push: Arc<dyn TimeFunction>) -> Box<dyn ForceElement> {
        drop(push);
        self.clone_box()
    }

    /// The table of a law whose rows the element has left.
    fn left_table(&self, rows: &[Row]) -> Option<LeftTable> {
        let _ = rows;
        None
    }

    /// When its command comes to rest (s).
    fn end(&self) -> f64 {
        0.0
    }
}
