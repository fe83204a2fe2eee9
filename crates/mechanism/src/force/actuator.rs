//! An actuator along the line between two points: a given push, or a commanded length behind the stiffness of its oil.

use std::sync::Arc;

use pliant_spatial::Displacement;

use super::{ForceElement, ForceResponse};
use crate::closure::{line, line_change};
use crate::{Constraint, Distance, LengthCommand, PlaceMotion, Row, TimeFunction};

/// A cylinder between two points. A rigid one of prescribed length is a [`Distance`](crate::Distance) instead.
#[derive(Clone, Debug)]
pub enum Actuator {
    /// Pushes the two points apart with a given force (N).
    Force(Arc<dyn TimeFunction>),
    /// Holds a commanded length through the stiffness and damping of the oil: `T = k(l − l_c) + d(l̇ − l̇_c)`.
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
    fn row_count(&self) -> usize {
        1
    }

    fn measure(&self, parent: &PlaceMotion, child: &PlaceMotion, rows: &mut [Row]) {
        rows[0] = line(parent, child);
    }

    fn measure_change(
        &self,
        parent: &PlaceMotion,
        child: &PlaceMotion,
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

    fn power(&self, t: f64, rows: &[Row]) -> (f64, f64) {
        match self {
            Self::Force(push) => (push.value(t) * rows[0].rate, 0.0),
            Self::Oil { length, damping, .. } => {
                let (_, rate, _) = length.at(t);
                let slip = rows[0].rate - rate;
                // The command moves the oil's far end against the tension.
                let tension = self.respond(t, rows).resistance[0];
                (-tension * rate, damping * slip * slip)
            }
        }
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

    fn kinks(&self) -> Vec<f64> {
        match self {
            Self::Force(push) => push.kinks(),
            Self::Oil { length, .. } => length.kinks(),
        }
    }

    fn end(&self) -> f64 {
        match self {
            Self::Force(_) => 0.0,
            Self::Oil { length, .. } => length.end(),
        }
    }
}
