//! An actuator along the line between two points: a given push, or a commanded length behind the stiffness of
//! its oil.

use std::sync::Arc;

use pliant_spatial::Displacement;

use super::{ForceElement, ForcePower, ForceResponse};
use crate::closure::{line, line_change};
use crate::{Constraint, Distance, Event, FrameMotion, LengthCommand, Row, TimeFunction};

/// A cylinder between two points. A rigid one of prescribed length is a [`Distance`](crate::Distance)
/// instead.
#[derive(Clone, Debug)]
pub enum Actuator {
    /// Pushes the two points apart with a given force (N).
    Force(Arc<dyn TimeFunction>),
    /// Holds a commanded length through the stiffness and damping of the oil: `T = k(l − l_c) + d(l̇ −
    /// l̇_c)`.
    Oil {
        /// l_c(t) (m).
        length: LengthCommand,
        /// k (N/m).
        stiffness: f64,
        /// d (N·s/m).
        damping: f64,
    },
}

impl ForceElement for Actuator {
    fn kind(&self) -> &'static str {
        "cylinder"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn measure(&self, parent: &FrameMotion, child: &FrameMotion, rows: &mut [Row]) {
        rows[0] = line(parent, child);
    }

    fn measure_change(
        &self,
        parent: &FrameMotion,
        child: &FrameMotion,
        by: [&Displacement; 2],
        rows: &mut [Row],
    ) {
        rows[0] = line_change(parent, child, by);
    }

    fn respond(&self, t: f64, rows: &[Row]) -> ForceResponse {
        let mut response = ForceResponse::default();
        match self {
            Self::Force(push) => response.resistance[0] = -push.value(t),
            Self::Oil { length, stiffness, damping } => {
                let (l, rate, _) = length.at(t);
                response.resistance[0] = stiffness * (rows[0].position - l) + damping * (rows[0].rate - rate);
                response.stiffness[0][0] = *stiffness;
                response.damping[0][0] = *damping;
            }
        }
        response
    }

    fn stored(&self, t: f64, rows: &[Row]) -> f64 {
        match self {
            Self::Force(_) => 0.0,
            Self::Oil { length, stiffness, .. } => {
                let stretch = rows[0].position - length.at(t).0;
                0.5 * stiffness * stretch * stretch
            }
        }
    }

    fn power(&self, t: f64, rows: &[Row]) -> ForcePower {
        let mut power = ForcePower::default();
        match self {
            Self::Force(push) => power.drive = [push.value(t), rows[0].rate],
            Self::Oil { length, damping, .. } => {
                let (_, rate, _) = length.at(t);
                let slip = rows[0].rate - rate;
                // The command moves the oil's far end against the tension.
                let tension = self.respond(t, rows).resistance[0];
                power.drive = [-tension, rate];
                power.loss[0] = [damping * slip, slip];
            }
        }
        power
    }

    fn clone_box(&self) -> Box<dyn ForceElement> {
        Box::new(self.clone())
    }

    fn held(&self) -> Option<Box<dyn Constraint>> {
        match self {
            Self::Force(_) => None,
            Self::Oil { length, .. } => Some(Box::new(Distance { length: length.clone() })),
        }
    }

    fn command(&self, t: f64) -> f64 {
        match self {
            Self::Force(push) => push.value(t),
            Self::Oil { length, .. } => length.at(t).1,
        }
    }

    fn events(&self, from: f64, to: f64) -> Vec<Event> {
        match self {
            Self::Force(push) => push.events(from, to),
            Self::Oil { length, .. } => length.kinks().into_iter().map(Event::jump).collect(),
        }
    }

    fn push(&self) -> Option<&Arc<dyn TimeFunction>> {
        match self {
            Self::Force(push) => Some(push),
            Self::Oil { .. } => None,
        }
    }

    fn with_push(&self, push: Arc<dyn TimeFunction>) -> Box<dyn ForceElement> {
        match self {
            Self::Force(_) => Box::new(Self::Force(push)),
            Self::Oil { .. } => self.clone_box(),
        }
    }

    fn end(&self) -> f64 {
        match self {
            Self::Force(_) => 0.0,
            Self::Oil { length, .. } => length.end(),
        }
    }
}
