//! Stops inside pulses and forces with the exact impulse, at steps of any length.

use std::sync::Arc;

use pliant_mechanism::{Event, ForceElement, Model, TimeFunction};

use crate::integration::impulse::{Polygon, Pulse};
use crate::integration::span::{Division, Span};
use crate::{Settings, StepControl};

/// What the trapezoids over the steps may miss of a pulse's impulse, as a part of the integral of its
/// magnitude: where fine division takes too many stops, coarse division serves.
const FINE: f64 = 5e-7;
const COARSE: f64 = 1e-3;

/// Steps that miss no more than this part resolve a force.
const RESOLVED: f64 = 1e-2;

/// Most stops that the pulses of one force may take. A half sine takes some π/√(12 · 5e-7) = 1,283 of them.
const MOST_STOPS: usize = 4096;

/// A corner at which rounding of time moves the force by this part of its peak is taken as a jump.
const STEEP: f64 = 1e-10;

/// Stops that a stretch may take however few steps it has.
const FEW: usize = 256;

/// Longest stretch, in steps, that is looked at although the force has no event at its end.
const MOST_STEPS: usize = 100_000;

/// A force over time with its own events, ascending.
struct Force<'m> {
    function: &'m dyn TimeFunction,
    /// Where it can be replaced; the rate of a cylinder's length cannot.
    shared: Option<&'m Arc<dyn TimeFunction>>,
    events: Vec<Event>,
}

/// The rate of a cylinder's length.
#[derive(Debug)]
struct Rate<'m>(&'m dyn ForceElement);

impl TimeFunction for Rate<'_> {
    fn value(&self, t: f64) -> f64 {
        self.0.command(t)
    }
}

/// The pulses of a machine's forces. A pulse is what a force does between two events of its own, or between
/// the start of the run and the first of them. Over a step the trapezoidal rule of Newmark's scheme takes the
/// mean of the forces at its ends, which misses `−h³/12 f″` of the impulse. Where the steps of the run miss
/// more than the part [`FINE`] of a pulse, those that miss most are halved, and what is left is added by
/// [`Polygon`]. A force whose pulses would take more than [`MOST_STOPS`] is divided to [`COARSE`], with no
/// more stops than the run has steps, or but once where a pulse lies within one step: with fixed steps its
/// impulse is exact all the same.
///
/// What a force does from its last event to the end of the run is a pulse too, divided to [`COARSE`] where
/// the steps do not resolve it, and so is a force without events that they do not resolve. Under error
/// control such a stretch is divided finely or not at all: error control resolves what it sees.
#[derive(Debug, Default)]
pub(crate) struct Pulses {
    /// Where steps end inside pulses.
    pub(crate) stops: Vec<Event>,
    polygons: Vec<Arc<Polygon>>,
}

impl Pulses {
    pub(crate) fn new(model: &Model, settings: &Settings, events: &[Event], margin: f64) -> Self {
        let rates = model.closures().forces.iter().map(|force| &*force.kind);
        let rates: Vec<Rate<'_>> = rates.filter(|kind| kind.push().is_none()).map(Rate).collect();
        let mut found = Self::default();
        for force in forces(model, &rates, settings, margin) {
            let mut pulses = Vec::new();
            let divisions = force.divided(settings, events, margin);
            found.stops.extend(force.steep_corners(&divisions, margin));
            for division in divisions {
                found.stops.extend(division.stops().map(Event::corner));
                pulses.extend(Pulse::new(&division));
            }
            if let Some(shared) = force.shared.filter(|_| !pulses.is_empty()) {
                found.polygons.push(Arc::new(Polygon::new(Arc::clone(shared), pulses)));
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

fn forces<'m>(model: &'m Model, rates: &'m [Rate<'m>], settings: &Settings, margin: f64) -> Vec<Force<'m>> {
    let (from, to) = (settings.t_start, settings.t_end);
    let shared = model.time_forces().map(|f| (&**f, Some(f), f.events(from, to)));
    let rates = rates.iter().map(|rate| (rate as &dyn TimeFunction, None, rate.0.events(from, to)));
    let force = |(function, shared, mut events): (_, _, Vec<Event>)| {
        events.retain(|event| event.t > from && event.t <= to + margin);
        events.sort_by(|a, b| a.t.total_cmp(&b.t));
        Force { function, shared, events }
    };
    shared.chain(rates).map(force).collect()
}

impl Force<'_> {
    /// How its pulses are divided.
    fn divided(&self, settings: &Settings, events: &[Event], margin: f64) -> Vec<Division> {
        let span = |t: &[f64]| Span::new(self.function, settings, events, (t[0], t[1]), margin);
        let begin = settings.t_start;
        let mut times = vec![begin];
        times.extend(self.events.iter().map(|event| event.t.min(settings.t_end)));
        let last = [times[times.len() - 1], settings.t_end];
        // The run may end within a table.
        let tabulated = self.function.integral(begin, begin).is_some();
        if tabulated {
            times.push(settings.t_end);
        }
        let closed: Vec<Span<'_>> = times.windows(2).filter_map(span).collect();
        let mut all = divided_together(&closed, settings).unwrap_or_else(|| {
            // Rows so close leave one step between them and nothing to move, so that what the steps miss is
            // spread from jump to jump. Steps under error control end where they like.
            let jumps = self.events.iter().filter(|event| event.jumps).map(|event| event.t);
            let mut ends: Vec<f64> = [begin].into_iter().chain(jumps).collect();
            ends.extend(times.last().filter(|last| **last > ends[ends.len() - 1]));
            let spans = ends.windows(2).filter(|_| steps_of(settings).is_some()).filter_map(span);
            spans.map(|span| span.undivided()).collect()
        });
        // Nothing is known of where a force changes that has neither bounds nor an event.
        if !tabulated && self.function.range(last[0], last[1]).is_some() {
            all.extend(span(&last).and_then(|span| self.to_the_end(&span, settings)));
        }
        all
    }

    /// Corners so steep that rounding of time moves the force, as at the ends of a half ellipse: the step
    /// before one must not take what belongs behind it.
    fn steep_corners<'d>(&'d self, divisions: &[Division], margin: f64) -> impl Iterator<Item = Event> + 'd {
        let peak =
            divisions.iter().flat_map(|division| &division.f).fold(0.0, |peak: f64, f| peak.max(f.abs()));
        let moved = move |t: f64| (self.function.value(t + margin) - self.function.value(t - margin)).abs();
        let corners = self.events.iter().filter(|event| !event.jumps).map(|event| event.t);
        corners.filter(move |t| moved(*t) > STEEP * peak).map(Event::jump)
    }

    /// The stretch from the last event to the end of the run.
    fn to_the_end(&self, span: &Span<'_>, settings: &Settings) -> Option<Division> {
        let steps = span.steps();
        if steps > MOST_STEPS {
            return None;
        }
        match settings.step {
            StepControl::Fixed { .. } => {
                let resolved = span.is_resolved_to(RESOLVED);
                let divided = if resolved { None } else { span.divided(COARSE, steps.max(FEW)) };
                divided.or_else(|| (!self.events.is_empty()).then(|| span.undivided()))
            }
            StepControl::ErrorControlled { max_step, .. } => {
                let resolved = span.with_steps_of(max_step).is_none_or(|span| span.is_resolved_to(RESOLVED));
                if resolved { None } else { span.divided(FINE, MOST_STOPS) }
            }
        }
    }
}

/// Steps of a run whose steps are fixed.
fn steps_of(settings: &Settings) -> Option<usize> {
    match settings.step {
        StepControl::Fixed { step } => Some(((settings.t_end - settings.t_start) / step).ceil() as usize),
        StepControl::ErrorControlled { .. } => None,
    }
}

/// The pulses of a force, all of them as finely as they share in the stops; nothing where even one stop in
/// each is too many.
fn divided_together(spans: &[Span<'_>], settings: &Settings) -> Option<Vec<Division>> {
    let to = |error: f64, most: usize| {
        let mut left = most;
        let division = |span: &Span<'_>| {
            let division = span.divided(error, left)?;
            left -= division.stops().count();
            Some(division)
        };
        spans.iter().map(division).collect::<Option<Vec<_>>>()
    };
    let steps = steps_of(settings);
    let coarse = steps.map_or(MOST_STOPS, |steps| steps.min(MOST_STOPS));
    // Straight lines from the ends of a pulse to its middle say enough of one that lies within a step.
    let short = match settings.step {
        StepControl::Fixed { .. } => true,
        StepControl::ErrorControlled { max_step, .. } => spans.iter().all(|span| span.length() <= max_step),
    };
    let once = || if short { to(f64::INFINITY, MOST_STOPS) } else { None };
    to(FINE, MOST_STOPS).or_else(|| to(COARSE, coarse)).or_else(once)
}
