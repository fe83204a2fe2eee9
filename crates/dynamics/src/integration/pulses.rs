//! Stops inside pulses, so that steps of any length give a pulse's impulse.

use std::sync::Arc;

use pliant_mechanism::{Event, Model, TimeFunction};

use crate::integration::impulse::{Polygon, ROUNDING};
use crate::{Settings, StepControl};

/// Largest error of the impulse of a pulse, as a part of the integral of its magnitude, that is left to
/// [`Polygon`] to take away.
const IMPULSE_ERROR: f64 = 5e-7;

/// The same of a table whose pulses would take too many stops for that.
const TABLE_ERROR: f64 = 1e-3;

/// Most stops that the pulses of one force may take. A half sine takes π/√(12 · 5e-7) = 1,283 of them.
const MOST_STOPS: usize = 4096;

/// Panels of the quadrature that stands for the exact integral; with five points each a half sine is exact to
/// rounding.
const PANELS: usize = 32;

/// Points and weights of Gauss and Legendre's rule with five points on −1 … 1 (Abramowitz and Stegun 1972,
/// table 25.4).
pub(crate) const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// A force over time with its own events, ascending.
struct Force<'m> {
    /// Nothing for the rate of a cylinder's length.
    function: Option<&'m Arc<dyn TimeFunction>>,
    events: Vec<f64>,
    /// Those of them at which the force may jump, and the last.
    jumps: Vec<f64>,
    value: Box<dyn Fn(f64) -> f64 + 'm>,
}

/// The pulses of a machine's forces. A pulse is what a force does between two events of its own, or between
/// the start of the run and the first of them; of a table also what it does until the run ends. Over a step
/// the trapezoidal rule of Newmark's scheme takes the mean of the forces at its ends, which misses
/// `−h³/12 f″` of the impulse; where the steps of the run miss more than [`IMPULSE_ERROR`], they are divided
/// into equal parts, and what is left is taken away by [`Polygon`]. A force whose pulses would take more than
/// [`MOST_STOPS`] is not divided, and what fixed steps miss is taken away from jump to jump;
/// [`crate::integration::resolution`] warns of it where that matters.
#[derive(Debug, Default)]
pub(crate) struct Pulses {
    /// Where steps end inside pulses.
    pub(crate) stops: Vec<Event>,
    polygons: Vec<Arc<Polygon>>,
}

impl Pulses {
    pub(crate) fn new(model: &Model, settings: &Settings, events: &[Event], margin: f64) -> Self {
        let mut found = Self::default();
        for force in forces(model, settings, margin) {
            let Division { stops, pulses, error } = force.divided(settings, events, margin);
            found.stops.extend(stops.into_iter().map(Event::corner));
            let Some(function) = force.function else { continue };
            let integral = |a: f64, b: f64| function.integral(a, b).unwrap_or_else(|| force.integral(a, b));
            if let Some(polygon) = Polygon::new(Arc::clone(function), pulses, &integral, 2.0 * error) {
                found.polygons.push(Arc::new(polygon));
            }
        }
        found
    }

    /// The machine under forces that have the exact impulse over the steps of the run, where that is not
    /// so anyway.
    pub(crate) fn exact(&self, model: &Model) -> Option<Model> {
        let replaced = |force: &Arc<dyn TimeFunction>| -> Arc<dyn TimeFunction> {
            match self.polygons.iter().find(|polygon| polygon.stands_for(force)) {
                Some(polygon) => Arc::<Polygon>::clone(polygon),
                None => Arc::clone(force),
            }
        };
        (!self.polygons.is_empty()).then(|| model.with_time_forces(replaced))
    }
}

fn forces<'m>(model: &'m Model, settings: &Settings, margin: f64) -> Vec<Force<'m>> {
    let (from, to) = (settings.t_start, settings.t_end);
    let pushes = model.time_forces().map(|f| {
        let value: Box<dyn Fn(f64) -> f64 + 'm> = Box::new(|t| f.value(t));
        (Some(f), f.events(from, to), value)
    });
    let rates =
        model.closures().forces.iter().filter(|element| element.kind.push().is_none()).map(|element| {
            let value: Box<dyn Fn(f64) -> f64 + 'm> = Box::new(|t| element.kind.command(t));
            (None, element.kind.events(from, to), value)
        });
    let mut found = Vec::new();
    for (function, mut events, value) in pushes.chain(rates) {
        // The run may end within a table.
        if function.is_some_and(|f| f.integral(0.0, 0.0).is_some()) {
            events.push(Event::corner(to));
        }
        events.retain(|event| event.t <= to + margin);
        events.sort_by(|a, b| a.t.total_cmp(&b.t));
        let Some(last) = events.last().copied() else { continue };
        let jumps = events.iter().filter(|event| event.jumps).chain([&last]).map(|event| event.t).collect();
        let events = events.iter().map(|event| event.t).collect();
        found.push(Force { function, events, jumps, value });
    }
    found
}

/// How the pulses of a force are divided.
struct Division {
    stops: Vec<f64>,
    /// For each pulse the ends of the steps that are known beforehand, the pulse's own ends among them on
    /// their inner sides.
    pulses: Vec<Vec<f64>>,
    /// Error of the impulse that is left, as a part of the integral of the magnitude.
    error: f64,
}

impl Force<'_> {
    fn divided(&self, settings: &Settings, events: &[Event], margin: f64) -> Division {
        let divided = |error| self.divided_to(error, settings, events, margin);
        let tabulated = self.function.is_some_and(|f| f.integral(0.0, 0.0).is_some());
        let coarse = || if tabulated { divided(TABLE_ERROR) } else { None };
        divided(IMPULSE_ERROR).or_else(coarse).unwrap_or_else(|| {
            // Steps under error control end where they like. Rows so close leave one step between them and
            // nothing to move, so that what the steps miss is spread from jump to jump.
            let fixed = matches!(settings.step, StepControl::Fixed { .. });
            let spans = spans(&self.jumps, settings, margin).filter(|_| fixed);
            let undivided =
                |(begin, end)| with_parts(&grid(settings, events, begin, end), f64::INFINITY, margin);
            Division { stops: Vec::new(), pulses: spans.map(undivided).collect(), error: TABLE_ERROR }
        })
    }

    /// Nothing when it takes too many stops.
    fn divided_to(&self, error: f64, settings: &Settings, events: &[Event], margin: f64) -> Option<Division> {
        let (mut stops, mut pulses) = (Vec::new(), Vec::new());
        let fixed = matches!(settings.step, StepControl::Fixed { .. });
        for (begin, end) in spans(&self.events, settings, margin) {
            let grid = grid(settings, events, begin, end);
            let length = self.part_length(error, &grid, fixed, margin);
            pulses.push(with_parts(&grid, length, margin));
            each_part(&grid, &parts_of(length), &mut |a, _| {
                if a > begin && length.is_finite() {
                    stops.push(a);
                }
            });
            if stops.len() > MOST_STOPS {
                return None;
            }
        }
        Some(Division { stops, pulses, error })
    }

    /// Longest part of the intervals of a grid over one pulse; infinite where they need not be divided. Steps
    /// that are `fixed` are the intervals, and their errors may cancel; others may be shorter in part of the
    /// pulse, so that each interval counts with the magnitude of its error.
    fn part_length(&self, error: f64, grid: &[f64], fixed: bool, margin: f64) -> f64 {
        let (begin, end) = (grid[0] + margin, grid[grid.len() - 1] - margin);
        let magnitude = self.integrals(begin, end, PANELS).1;
        // A straight line has no error; rounding is none either.
        let allowed = error * magnitude;
        let error = |parts: &dyn Fn(f64) -> usize| {
            let mut sum = 0.0;
            each_part(grid, parts, &mut |a, b| {
                let (a, b) = (a.max(begin), b.min(end));
                let panels = if b - a > (end - begin) / PANELS as f64 { PANELS } else { 1 };
                let missed =
                    0.5 * (b - a) * ((self.value)(a) + (self.value)(b)) - self.integrals(a, b, panels).0;
                sum += if fixed { missed } else { missed.abs() };
            });
            f64::abs(sum)
        };
        let undivided = error(&|_| 1);
        if !(magnitude > 0.0 && undivided > allowed) {
            // What is left is spread over corners inside.
            let curved = undivided > ROUNDING * magnitude;
            return if curved && grid.len() == 2 { 0.5 * (end - begin) } else { f64::INFINITY };
        }
        let mut length = end - begin;
        loop {
            let found = error(&parts_of(length));
            if found <= allowed || (end - begin) / length > MOST_STOPS as f64 {
                return length;
            }
            // The error falls with the square of the length.
            length *= (0.98 * (allowed / found).sqrt()).clamp(0.1, 0.9);
        }
    }

    /// ∫f by quadrature.
    fn integral(&self, begin: f64, end: f64) -> f64 {
        self.integrals(begin, end, PANELS).0
    }

    /// ∫f and ∫|f|.
    fn integrals(&self, begin: f64, end: f64, panels: usize) -> (f64, f64) {
        let half = 0.5 * (end - begin) / panels as f64;
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for panel in 0..panels {
            let middle = begin + half * (2 * panel + 1) as f64;
            for (x, weight) in GAUSS {
                let f = weight * half * (self.value)(middle + half * x);
                (sum, magnitude) = (sum + f, magnitude + f.abs());
            }
        }
        (sum, magnitude)
    }
}

/// Begin and end of each pulse between events of a force, the start of the run among them.
fn spans(events: &[f64], settings: &Settings, margin: f64) -> impl Iterator<Item = (f64, f64)> {
    let (from, to) = (settings.t_start, settings.t_end);
    let mut begin = from;
    let ends = events.iter().filter(move |t| **t > from && **t <= to + margin);
    ends.filter_map(move |end| {
        let span = (begin, end.min(to));
        begin = span.1;
        (span.1 - span.0 > 8.0 * margin).then_some(span)
    })
}

/// Times of a run from `begin` to `end` that steps end at anyway, both ends among them.
fn grid(settings: &Settings, events: &[Event], begin: f64, end: f64) -> Vec<f64> {
    let mut grid = vec![begin];
    grid.extend(events.iter().map(|event| event.t).filter(|t| *t > begin && *t < end));
    if let StepControl::Fixed { step } = settings.step {
        let length = settings.t_end - settings.t_start;
        let count = (length / step - 1e-9).ceil().max(1.0);
        let first = ((begin - settings.t_start) / length * count).floor();
        let target = |n: f64| settings.t_start + length * (n / count);
        grid.extend(
            (1..).map(|k| target(first + f64::from(k))).take_while(|t| *t < end).filter(|t| *t > begin),
        );
    }
    grid.push(end);
    grid.sort_by(f64::total_cmp);
    grid
}

/// Into how many parts no longer than `length` an interval is divided.
fn parts_of(length: f64) -> impl Fn(f64) -> usize {
    move |part| (part / length * (1.0 - 1e-12)).ceil().max(1.0) as usize
}

/// Ends of the parts of a grid's intervals; first and last on their inner sides.
fn with_parts(grid: &[f64], length: f64, margin: f64) -> Vec<f64> {
    let mut ends = vec![grid[0] + margin];
    each_part(grid, &parts_of(length), &mut |_, b| ends.push(b));
    let last = ends.len() - 1;
    ends[last] -= margin;
    ends
}

/// Every interval of a grid in equal parts.
fn each_part(grid: &[f64], parts: &dyn Fn(f64) -> usize, take: &mut dyn FnMut(f64, f64)) {
    for ends in grid.windows(2) {
        let length = ends[1] - ends[0];
        let count = parts(length);
        let at = |i: usize| if i == count { ends[1] } else { ends[0] + length * (i as f64 / count as f64) };
        (0..count).for_each(|i| take(at(i), at(i + 1)));
    }
}
