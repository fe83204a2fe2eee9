//! Forces over time with the exact impulse over the steps of a run.

use std::sync::Arc;

use pliant_mechanism::{Event, TimeFunction};

/// Less than this part is rounding: a force of straight pieces stays as it is.
pub(crate) const ROUNDING: f64 = 1e-14;

/// A force that is straight between ends of steps inside its pulses, and itself elsewhere. Newmark's rule
/// takes the trapezoid of a step, which is exact for straight lines on every grid that holds their corners.
/// The corners lie on the force but for what makes the sum exact: with `R = ∫f dt − Σ h_i (f_i + f_{i+1})/2`
/// and `s = (t − a)/(b − a)` over the pulse from `a` to `b`,
///
/// `f̃_i = f_i + R s_i(1 − s_i) / Σ h_i (s_i(1 − s_i) + s_{i+1}(1 − s_{i+1}))/2`,
///
/// which leaves the pulse's ends where they are.
#[derive(Debug)]
pub(crate) struct Polygon {
    force: Arc<dyn TimeFunction>,
    pulses: Vec<Pulse>,
}

#[derive(Debug)]
struct Pulse {
    t: Vec<f64>,
    f: Vec<f64>,
}

impl Polygon {
    /// The polygon of a force with corners at these ends of steps, of each pulse; nothing where the force is
    /// exact without it. Of a pulse that misses more than the part `most` of its integral the steps say
    /// nothing: it stays as it is.
    pub(crate) fn new(
        force: Arc<dyn TimeFunction>,
        pulses: Vec<Vec<f64>>,
        integral: &dyn Fn(f64, f64) -> f64,
        most: f64,
    ) -> Option<Self> {
        let pulse = |t| Pulse::new(&*force, t, integral, most);
        let pulses: Vec<Pulse> = pulses.into_iter().filter_map(pulse).collect();
        (!pulses.is_empty()).then_some(Self { force, pulses })
    }

    /// True when it was made of this force.
    pub(crate) fn stands_for(&self, force: &Arc<dyn TimeFunction>) -> bool {
        Arc::ptr_eq(&self.force, force)
    }
}

impl Pulse {
    fn new(
        force: &dyn TimeFunction,
        t: Vec<f64>,
        integral: &dyn Fn(f64, f64) -> f64,
        most: f64,
    ) -> Option<Self> {
        let (begin, end) = (t[0], t[t.len() - 1]);
        let mut f: Vec<f64> = t.iter().map(|t| force.value(*t)).collect();
        let sum = |f: &[f64]| -> f64 {
            t.windows(2).zip(f.windows(2)).map(|(t, f)| 0.5 * (t[1] - t[0]) * (f[0] + f[1])).sum()
        };
        let magnitude = sum(&f.iter().map(|f| f.abs()).collect::<Vec<_>>());
        // In parts: an integral by quadrature is as fine as the steps are.
        let exact: f64 = t.windows(2).map(|t| integral(t[0], t[1])).sum();
        let rest = exact - sum(&f);
        if !(rest.abs() > ROUNDING * magnitude && rest.abs() <= most * magnitude) {
            return None;
        }
        let bump: Vec<f64> = t.iter().map(|t| (t - begin) * (end - t) / (end - begin).powi(2)).collect();
        let scale = rest / sum(&bump);
        // Without a corner inside there is nothing to move.
        if !scale.is_finite() {
            return None;
        }
        f.iter_mut().zip(&bump).for_each(|(f, bump)| *f += scale * bump);
        Some(Self { t, f })
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
