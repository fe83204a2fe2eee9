//! A smooth stretch of a force over time with the ends of steps in it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pliant_mechanism::{Event, TimeFunction};

use crate::integration::areas::Areas;
use crate::{Settings, StepControl};

/// Less than this part is rounding: a force of straight pieces stays as it is.
const ROUNDING: f64 = 1e-14;

/// A stretch between two events with the ends of steps that are known beforehand.
pub(crate) struct Span<'f> {
    force: &'f dyn TimeFunction,
    areas: Areas<'f>,
    /// Ends of the steps; those of the stretch itself on their inner sides.
    t: Vec<f64>,
    margin: f64,
}

/// How a stretch is divided.
pub(crate) struct Division {
    /// Ends of the steps, and values of the force there.
    pub(crate) t: Vec<f64>,
    pub(crate) f: Vec<f64>,
    /// What the trapezoid misses of the area over each step.
    pub(crate) missed: Vec<f64>,
    /// Those ends that are new.
    stops: Vec<f64>,
}

impl Division {
    pub(crate) fn stops(&self) -> impl Iterator<Item = f64> {
        self.stops.iter().copied()
    }
}

/// A step, or a part of one; the one that misses most is the greatest, the earlier of two alike.
struct Part {
    begin: (f64, f64),
    end: (f64, f64),
    missed: f64,
    /// Its size, and at least the area between force and chord as it is where nothing cancels: a cubic that
    /// is odd about the middle misses nothing, and is no straight line.
    error: f64,
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        let worse = self.error.total_cmp(&other.error);
        worse.then_with(|| other.begin.0.total_cmp(&self.begin.0))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl<'f> Span<'f> {
    /// Nothing where it is too short for a step, or quadrature does not resolve the force.
    pub(crate) fn new(
        force: &'f dyn TimeFunction,
        settings: &Settings,
        events: &[Event],
        (begin, end): (f64, f64),
        margin: f64,
    ) -> Option<Self> {
        if end - begin <= 8.0 * margin {
            return None;
        }
        let mut t = vec![begin + margin];
        let known = events.partition_point(|event| event.t <= begin);
        t.extend(events[known..].iter().map(|event| event.t).take_while(|t| *t < end));
        if let StepControl::Fixed { step } = settings.step {
            let length = settings.t_end - settings.t_start;
            let count = (length / step - 1e-9).ceil().max(1.0);
            let first = ((begin - settings.t_start) / length * count).floor();
            let target = |n: f64| settings.t_start + length * (n / count);
            let all = (1..).map(|k| target(first + f64::from(k)));
            t.extend(all.take_while(|t| *t < end).filter(|t| *t > begin));
        }
        t.retain(|t| *t > begin + 2.0 * margin && *t < end - 2.0 * margin || *t == begin + margin);
        t.push(end - margin);
        t.sort_by(f64::total_cmp);
        let areas = Areas::new(force, begin + margin, end - margin)?;
        Some(Self { force, areas, t, margin })
    }

    /// The same stretch with steps of a length.
    pub(crate) fn with_steps_of(&self, length: f64) -> Option<Self> {
        let (begin, end) = (self.t[0], self.t[self.t.len() - 1]);
        let count = ((end - begin) / length).ceil().max(1.0);
        let ends = (0..=count as usize).map(|k| begin + (end - begin) * (k as f64 / count));
        let areas = Areas::new(self.force, begin, end)?;
        Some(Self { force: self.force, areas, t: ends.collect(), margin: self.margin })
    }

    pub(crate) fn length(&self) -> f64 {
        self.t[self.t.len() - 1] - self.t[0]
    }

    pub(crate) fn steps(&self) -> usize {
        self.t.len() - 1
    }

    /// True when the steps miss no more than a part of the integral of the magnitude.
    pub(crate) fn is_resolved_to(&self, error: f64) -> bool {
        self.parts().iter().map(|part| part.error).sum::<f64>() <= error * self.areas.magnitude()
    }

    /// With the steps as they are.
    pub(crate) fn undivided(&self) -> Division {
        self.division(self.parts(), Vec::new())
    }

    /// With the steps halved that miss most, until no more than the part `error` of the integral of the
    /// magnitude is missed; nothing where that takes more than so many stops.
    pub(crate) fn divided(&self, error: f64, most: usize) -> Option<Division> {
        let parts = self.parts();
        let mut sum: f64 = parts.iter().map(|part| part.error).sum();
        let allowed = error * self.areas.magnitude();
        let (mut heap, mut done, mut stops) = (BinaryHeap::from(parts), Vec::new(), Vec::new());
        // One part has no end inside that could be moved.
        let curved = sum > ROUNDING * self.areas.magnitude();
        while sum > allowed || (curved && heap.len() + done.len() < 2) {
            let Some(worst) = heap.pop() else { break };
            if worst.end.0 - worst.begin.0 < 16.0 * self.margin {
                sum -= worst.error;
                done.push(worst);
                continue;
            }
            if stops.len() == most {
                return None;
            }
            let middle = 0.5 * (worst.begin.0 + worst.end.0);
            let middle = (middle, self.force.value(middle));
            stops.push(middle.0);
            sum -= worst.error;
            for (begin, end) in [(worst.begin, middle), (middle, worst.end)] {
                let part = self.part(begin, end);
                sum += part.error;
                heap.push(part);
            }
        }
        done.extend(heap.into_vec());
        Some(self.division(done, stops))
    }

    fn part(&self, begin: (f64, f64), end: (f64, f64)) -> Part {
        let length = end.0 - begin.0;
        let missed = self.areas.between(begin.0, end.0) - 0.5 * length * (begin.1 + end.1);
        // The height of a parabola over its chord gives two thirds of the rectangle.
        let height = |share: f64| {
            (self.force.value(begin.0 + share * length) - begin.1 - share * (end.1 - begin.1)).abs()
        };
        let between = 2.0 / 3.0 * length * height(0.382).max(height(0.618));
        Part { begin, end, missed, error: between.max(missed.abs()) }
    }

    fn parts(&self) -> Vec<Part> {
        let values: Vec<(f64, f64)> = self.t.iter().map(|t| (*t, self.force.value(*t))).collect();
        values.windows(2).map(|ends| self.part(ends[0], ends[1])).collect()
    }

    fn division(&self, mut parts: Vec<Part>, stops: Vec<f64>) -> Division {
        parts.sort_by(|a, b| a.begin.0.total_cmp(&b.begin.0));
        let last = parts.last().map(|part| part.end);
        let ends: Vec<(f64, f64)> = parts.iter().map(|part| part.begin).chain(last).collect();
        let (t, f) = ends.into_iter().unzip();
        Division { t, f, missed: parts.iter().map(|part| part.missed).collect(), stops }
    }
}
