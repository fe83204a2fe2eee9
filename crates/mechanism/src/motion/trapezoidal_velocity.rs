//! Trapezoidal velocity: constant acceleration, constant velocity, constant deceleration, dwell.

use super::segments::Segments;
use super::{Motion, MotionSample};

/// The acceleration jumps at the borders; the peak rate is `(to − from)/(accelerate/2 + cruise +
/// decelerate/2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TrapezoidalVelocity {
    from: f64,
    to: f64,
    dwell: f64,
    segments: Segments,
}

impl TrapezoidalVelocity {
    /// From `from` to `to`, beginning at `start`, with the given lengths (s) of acceleration, cruise,
    /// deceleration and final dwell. `None` unless accelerate and decelerate are positive and the others not
    /// negative.
    pub fn new(
        from: f64,
        to: f64,
        start: f64,
        accelerate: f64,
        cruise: f64,
        decelerate: f64,
        dwell: f64,
    ) -> Option<Self> {
        let valid = accelerate > 0.0 && decelerate > 0.0 && cruise >= 0.0 && dwell >= 0.0;
        let finite = [from, to, start, accelerate, cruise, decelerate, dwell].iter().all(|x| x.is_finite());
        (valid && finite).then(|| {
            // Unit peak rate; scaled to the range on the way out.
            let pieces = [
                (accelerate, 1.0 / accelerate, 0.0),
                (cruise, 0.0, 0.0),
                (decelerate, -1.0 / decelerate, 0.0),
            ];
            Self { from, to, dwell, segments: Segments::new(start, &pieces) }
        })
    }
}

impl Motion for TrapezoidalVelocity {
    fn at(&self, t: f64) -> MotionSample {
        self.segments.between(self.from, self.to, t)
    }

    fn end(&self) -> f64 {
        self.segments.end() + self.dwell
    }

    fn kinks(&self) -> Vec<f64> {
        self.segments.borders()
    }
}
