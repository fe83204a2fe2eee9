//! A distance between two points: a rigid rod without mass, or an actuator of given length.

use std::sync::Arc;

use pliant_spatial::Displacement;

use super::{Constraint, FrameMotion, Row, line, line_change};
use crate::Motion;

/// The length a distance is to have.
#[derive(Clone, Debug)]
pub enum LengthCommand {
    /// The same at all times (m).
    Constant(f64),
    /// A motion (m).
    Motion(Arc<dyn Motion>),
}

impl LengthCommand {
    /// Length, rate and acceleration.
    pub fn at(&self, t: f64) -> (f64, f64, f64) {
        match self {
            Self::Constant(length) => (*length, 0.0, 0.0),
            Self::Motion(motion) => {
                let s = motion.at(t);
                (s.value, s.rate, s.acceleration)
            }
        }
    }

    /// When it comes to rest (s).
    pub fn end(&self) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Motion(motion) => motion.end(),
        }
    }

    /// Times where it jumps.
    pub(crate) fn kinks(&self) -> Vec<f64> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Motion(motion) => motion.kinks(),
        }
    }
}

/// `|p_c − p_p| = l(t)`. Its multiplier is the push (N), positive when the two are pressed apart.
#[derive(Clone, Debug)]
pub struct Distance {
    /// l(t), positive.
    pub length: LengthCommand,
}

impl Constraint for Distance {
    fn kind(&self) -> &'static str {
        match self.length {
            LengthCommand::Constant(_) => "rod",
            LengthCommand::Motion(_) => "cylinder",
        }
    }

    fn row_count(&self) -> usize {
        1
    }

    fn label(&self, _: usize) -> String {
        "distance".to_owned()
    }

    fn evaluate(&self, t: f64, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]) {
        let (length, rate, acceleration) = self.length.at(t);
        rows[0] = line(parent, child);
        rows[0].position -= length;
        rows[0].rate -= rate;
        rows[0].acceleration -= acceleration;
    }

    fn change(&self, parent: &FrameMotion, child: &FrameMotion, by: [&Displacement; 2], rows: &mut [Row]) {
        rows[0] = line_change(parent, child, by);
    }

    fn drive_rate(&self, t: f64) -> f64 {
        self.length.at(t).1
    }

    fn clone_box(&self) -> Box<dyn Constraint> {
        Box::new(self.clone())
    }

    fn kinks(&self) -> Vec<f64> {
        self.length.kinks()
    }

    fn end(&self) -> f64 {
        self.length.end()
    }
}
