//! Stops inside smooth pulses, so that steps of any length give a pulse's impulse.

use pliant_mechanism::{Drive, Event, Model};

use crate::{Settings, StepControl};

/// Largest error of the impulse of a pulse, as a part of the integral of its magnitude.
const IMPULSE_ERROR: f64 = 5e-7;

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
    events: Vec<f64>,
    value: Box<dyn Fn(f64) -> f64 + 'm>,
}

/// Stops inside the pulses of a machine. A pulse is what a force does between two events of its own, or
/// between the start of the run and the first of them. Over a step the trapezoidal rule of Newmark's scheme
/// takes the mean of the forces at its ends, which misses `−h³/12 f″` of the impulse; where the steps of the
/// run miss more than [`IMPULSE_ERROR`], they are divided into equal parts. A force whose pulses would take
/// more than [`MOST_STOPS`] is left as it is: [`crate::integration::resolution`] warns of it where that
/// matters.
pub(crate) fn stops_inside(model: &Model, settings: &Settings, events: &[Event], margin: f64) -> Vec<Event> {
    let mut stops = Vec::new();
    for force in forces(model, settings) {
        let found = force.stops(settings, events, margin);
        if found.len() <= MOST_STOPS {
            stops.extend(found.into_iter().map(Event::corner));
        }
    }
    stops
}

fn forces<'m>(model: &'m Model, settings: &Settings) -> Vec<Force<'m>> {
    let (from, to) = (settings.t_start, settings.t_end);
    let mut found: Vec<Force<'m>> = Vec::new();
    let mut add = |events: Vec<Event>, value: Box<dyn Fn(f64) -> f64 + 'm>| {
        let mut events: Vec<f64> = events.iter().map(|event| event.t).collect();
        events.sort_by(f64::total_cmp);
        if !events.is_empty() {
            found.push(Force { events, value });
        }
    };
    for c in model.joint_coordinates() {
        if let Drive::Torque(f) = &c.drive {
            add(f.events(from, to), Box::new(|t| f.value(t)));
        }
    }
    for f in model.loads().iter().flat_map(|load| load.components.iter().flatten()) {
        add(f.events(from, to), Box::new(|t| f.value(t)));
    }
    for force in &model.closures().forces {
        add(force.kind.events(from, to), Box::new(|t| force.kind.command(t)));
    }
    found
}

impl Force<'_> {
    fn stops(&self, settings: &Settings, events: &[Event], margin: f64) -> Vec<f64> {
        let mut stops = Vec::new();
        let mut begin = settings.t_start;
        for &end in self.events.iter().filter(|t| **t > settings.t_start && **t <= settings.t_end + margin) {
            let end = end.min(settings.t_end);
            if end - begin > 8.0 * margin {
                let fixed = matches!(settings.step, StepControl::Fixed { .. });
                self.divide(&grid(settings, events, begin, end), fixed, margin, &mut stops);
            }
            begin = end;
            if stops.len() > MOST_STOPS {
                break;
            }
        }
        stops
    }

    /// Divides the intervals of a grid over one pulse. Steps that are `fixed` are the intervals, and their
    /// errors may cancel; others may be shorter in part of the pulse, so that each interval counts with the
    /// magnitude of its error.
    fn divide(&self, grid: &[f64], fixed: bool, margin: f64, stops: &mut Vec<f64>) {
        let (begin, end) = (grid[0] + margin, grid[grid.len() - 1] - margin);
        let magnitude = self.integrals(begin, end, PANELS).1;
        // A straight line has no error; rounding is none either.
        let allowed = IMPULSE_ERROR * magnitude;
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
        if !(magnitude > 0.0 && error(&|_| 1) > allowed) {
            return;
        }
        let parts_of =
            |length: f64| move |part: f64| (part / length * (1.0 - 1e-12)).ceil().max(1.0) as usize;
        let mut length = end - begin;
        loop {
            let found = error(&parts_of(length));
            if found <= allowed || stops.len() > MOST_STOPS || (end - begin) / length > MOST_STOPS as f64 {
                break;
            }
            // The error falls with the square of the length.
            length *= (0.98 * (allowed / found).sqrt()).clamp(0.1, 0.9);
        }
        let first = grid[0];
        each_part(grid, &parts_of(length), &mut |a, _| {
            if a > first {
                stops.push(a);
            }
        });
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

/// Every interval of a grid in equal parts.
fn each_part(grid: &[f64], parts: &dyn Fn(f64) -> usize, take: &mut dyn FnMut(f64, f64)) {
    for ends in grid.windows(2) {
        let length = ends[1] - ends[0];
        let count = parts(length);
        let at = |i: usize| if i == count { ends[1] } else { ends[0] + length * (i as f64 / count as f64) };
        (0..count).for_each(|i| take(at(i), at(i + 1)));
    }
}
