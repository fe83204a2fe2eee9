//! Trapezoidal acceleration: the acceleration ramps up, stays, ramps down; cruise; the mirror image.

use super::segments::Segments;
use super::{Motion, MotionSample};

/// Continuous acceleration, bounded jerk.
#[derive(Clone, Debug, PartialEq)]
pub struct TrapezoidalAcceleration {
    from: f64,
    to: f64,
    segments: Segments,
}

impl TrapezoidalAcceleration {
    /// From `from` to `to`, beginning at `start`: an acceleration phase of length `accelerate` whose first
    /// and last `ramp` are the ramps, a cruise, and the same again as deceleration (s). `None` unless 0 <
    /// 2·ramp ≤ accelerate and cruise is not negative.
    pub fn new(from: f64, to: f64, start: f64, accelerate: f64, ramp: f64, cruise: f64) -> Option<Self> {
        let valid = ramp > 0.0 && 2.0 * ramp <= accelerate * (1.0 + 1e-12) && cruise >= 0.0;
        let finite = [from, to, start, accelerate, ramp, cruise].iter().all(|x| x.is_finite());
        (valid && finite).then(|| {
            let flat = (accelerate - 2.0 * ramp).max(0.0);
            let jerk = 1.0 / ramp;
            let pieces = [
                (ramp, 0.0, jerk),
                (flat, 1.0, 0.0),
                (ramp, 1.0, -jerk),
                (cruise, 0.0, 0.0),
                (ramp, 0.0, -jerk),
                (flat, -1.0, 0.0),
                (ramp, -1.0, jerk),
            ];
            Self { from, to, segments: Segments::new(start, &pieces) }
        })
    }
}

impl Motion for TrapezoidalAcceleration {
    fn at(&self, t: f64) -> MotionSample {
        self.segments.between(self.from, self.to, t)
    }

    fn end(&self) -> f64 {
        self.segments.end()
    }
}
