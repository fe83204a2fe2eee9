//! Hold: no motion.

use super::{Motion, MotionSample};

/// Rests at `value`: a locked joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The value (rad or m).
    pub value: f64,
}

impl Motion for Hold {
    fn at(&self, _: f64) -> MotionSample {
        MotionSample::rest(self.value)
    }

    fn end(&self) -> f64 {
        0.0
    }
}
