//! Pieces of constant jerk, integrated exactly: what trapezoidal profiles are made of.

use super::MotionSample;

/// A chain of pieces, each with a starting state and a constant jerk.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segments {
    starts: Vec<f64>,
    states: Vec<(MotionSample, f64)>,
    last: MotionSample,
    end: f64,
}

fn step(state: MotionSample, jerk: f64, t: f64) -> MotionSample {
    MotionSample {
        value: state.value + t * (state.rate + t * (state.acceleration / 2.0 + t * jerk / 6.0)),
        rate: state.rate + t * (state.acceleration + t * jerk / 2.0),
        acceleration: state.acceleration + t * jerk,
    }
}

impl Segments {
    /// From rest at zero; pieces are (duration, acceleration at the beginning, jerk).
    pub(super) fn new(start: f64, pieces: &[(f64, f64, f64)]) -> Self {
        let mut state = MotionSample::default();
        let (mut t, mut starts, mut states) = (start, Vec::new(), Vec::new());
        for &(duration, acceleration, jerk) in pieces {
            state.acceleration = acceleration;
            starts.push(t);
            states.push((state, jerk));
            state = step(state, jerk, duration);
            t += duration;
        }
        Self { starts, states, last: state, end: t }
    }

    /// Distance covered.
    pub(super) fn distance(&self) -> f64 {
        self.last.value
    }

    /// State at `t`, at rest outside, scaled to run between `from` and `to`.
    pub(super) fn between(&self, from: f64, to: f64, t: f64) -> MotionSample {
        if t < self.starts[0] {
            return MotionSample::rest(from);
        }
        if t >= self.end {
            return MotionSample::rest(to);
        }
        let i = self.starts.partition_point(|s| *s <= t) - 1;
        let (state, jerk) = self.states[i];
        let local = step(state, jerk, t - self.starts[i]);
        let scale = (to - from) / self.distance();
        MotionSample {
            value: from + scale * local.value,
            rate: scale * local.rate,
            acceleration: scale * local.acceleration,
        }
    }

    /// Beginning of each piece and the end.
    pub(super) fn borders(&self) -> Vec<f64> {
        let mut borders = self.starts.clone();
        borders.push(self.end);
        borders.dedup();
        borders
    }

    /// End of the last piece.
    pub(super) fn end(&self) -> f64 {
        self.end
    }
}
