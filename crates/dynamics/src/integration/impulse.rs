//! Forces over time with the exact impulse over the steps of a run.

use std::sync::Arc;

use pliant_mechanism::{Event, TimeFunction};

use crate::integration::span::Division;

/// Less than this part is rounding: a force of straight pieces stays as it is.
const ROUNDING: f64 = 1e-14;

/// A force that is straight between ends of steps inside its pulses, and itself elsewhere. Newmark's rule
/// takes the trapezoid of a step, which is exact for straight lines on every grid that holds their corners.
#[derive(Debug)]
pub(crate) struct Polygon {
    force: Arc<dyn TimeFunction>,
    pulses: Vec<Pulse>,
}

/// The corners of a pulse. They lie on the force but for what makes the sum exact: with
/// `δ_i = ∫f dt − h_i (f_i + f_{i+1})/2` over step i, of n,
///
/// `f̃_i = f_i + w_i/(h_{i−1} + h_i)`,  `w_i = δ_{i−1} + δ_i`, and `δ₀` more of `w₁`, `δ_{n−1}` more of
/// `w_{n−1}`,
///
/// which leaves the pulse's ends where they are: `Σ h_i (f̃_i + f̃_{i+1})/2 = Σ h_i (f_i + f_{i+1})/2 + ½ Σ
/// w_i`, and `½ Σ w_i = Σ δ_i`. What a step misses goes to its own two ends.
#[derive(Debug)]
pub(crate) struct Pulse {
    t: Vec<f64>,
    f: Vec<f64>,
}

impl Polygon {
    /// The polygon of a force with these pulses, ascending.
    pub(crate) fn new(force: Arc<dyn TimeFunction>, pulses: Vec<Pulse>) -> Self {
        Self { force, pulses }
    }

    /// True when it was made of this force.
    pub(crate) fn stands_for(&self, force: &Arc<dyn TimeFunction>) -> bool {
        Arc::ptr_eq(&self.force, force)
    }
}

impl Pulse {
    /// Nothing where the force is exact without it, or there is no end of a step inside that could be moved.
    pub(crate) fn new(division: &Division) -> Option<Self> {
        let Division { t, f, missed, .. } = division;
        let n = missed.len();
        let h = |i: usize| t[i + 1] - t[i];
        let magnitude: f64 = (0..n).map(|i| 0.5 * h(i) * (f[i].abs() + f[i + 1].abs())).sum();
        let rest: f64 = missed.iter().map(|missed| missed.abs()).sum();
        if n < 2 || !(rest > ROUNDING * magnitude && rest.is_finite()) {
            return None;
        }
        let mut moved = f.clone();
        for i in 1..n {
            let first = if i == 1 { missed[0] } else { 0.0 };
            let last = if i == n - 1 { missed[n - 1] } else { 0.0 };
            moved[i] += (missed[i - 1] + missed[i] + first + last) / (h(i - 1) + h(i));
        }
        Some(Self { t: t.clone(), f: moved })
    }

    fn covers(&self, t: f64) -> bool {
        t <= self.t[self.t.len() - 1]
    }

    fn value(&self, t: f64) -> f64 {
        let next = self.t.partition_point(|corner| *corner <= t).min(self.t.len() - 1);
        let (a, b) = (self.t[next - 1], self.t[next]);
        let share = (t - a) / (b - a);
        self.f[next - 1] * (1.0 - share) + self.f[next] * share
    }
}

impl TimeFunction for Polygon {
    fn value(&self, t: f64) -> f64 {
        let begun = self.pulses.partition_point(|pulse| pulse.t[0] <= t);
        match begun.checked_sub(1).map(|last| &self.pulses[last]) {
            Some(pulse) if pulse.covers(t) => pulse.value(t),
            _ => self.force.value(t),
        }
    }

    fn events(&self, from: f64, to: f64) -> Vec<Event> {
        self.force.events(from, to)
    }
}
