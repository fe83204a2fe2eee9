//! The times at which steps must end because a force, a motion or its slope jumps.
//!
//! Up to an event forces are evaluated a rounding before it, from it on a rounding after it, so that every
//! step sees one side only.

use pliant_mechanism::{Event, Model};

use crate::Settings;
use crate::integration::pulses::Pulses;

/// An event this close to another end of a step, as a part of the step, is at that end.
const SAME: f64 = 1e-9;

/// Events of a run that are still to come.
#[derive(Clone, Debug)]
pub(crate) struct Events {
    events: Vec<Event>,
    next: usize,
    margin: f64,
    /// Of the machine itself, without the stops inside pulses.
    corners: usize,
}

/// The end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// Time (s).
    pub(crate) t: f64,
    /// Time at which forces are evaluated when the step arrives.
    pub(crate) before: f64,
    /// Time at which they are evaluated when the next one begins, where they may have jumped.
    pub(crate) after: Option<f64>,
}

impl Events {
    /// The events of a run and the pulses between them.
    pub(crate) fn new(model: &Model, settings: &Settings) -> (Self, Pulses) {
        // A motion in a sequence is evaluated at a difference of times: a few roundings of the largest.
        let margin = 8.0 * f64::EPSILON * settings.t_start.abs().max(settings.t_end.abs());
        let (from, to) = (settings.t_start - 2.0 * margin, settings.t_end + 2.0 * margin);
        let mut events = model.events(from, to);
        events.retain(|event| event.t >= from && event.t <= to);
        let mut events = Event::merged(events, 2.0 * margin);
        let corners = events.len();
        let pulses = Pulses::new(model, settings, &events, margin);
        if !pulses.stops.is_empty() {
            events.extend(&pulses.stops);
            events = Event::merged(events, 2.0 * margin);
        }
        (Self { events, next: 0, margin, corners }, pulses)
    }

    /// How many corners and jumps the machine has.
    pub(crate) fn corners(&self) -> usize {
        self.corners
    }

    /// Distance from an event at which a function is that of one side.
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    /// What events leave of an interval, on the inner side of each.
    pub(crate) fn parts(&self, begin: f64, end: f64) -> Vec<(f64, f64)> {
        let inside = self.events.iter().map(|event| event.t);
        let first = self.events.partition_point(|event| event.t <= begin + 2.0 * self.margin);
        let inside = inside.skip(first).take_while(|t| *t < end - 2.0 * self.margin);
        let (mut parts, mut from) = (Vec::new(), begin + self.margin);
        for t in inside {
            parts.push((from, t - self.margin));
            from = t + self.margin;
        }
        parts.push((from, end - self.margin));
        parts
    }

    /// The event at the start of the run, when something jumps there.
    pub(crate) fn at_start(&mut self, t_start: f64) -> Option<Stop> {
        let event = *self.events.get(self.next).filter(|e| e.t <= t_start + 2.0 * self.margin)?;
        self.next += 1;
        event.jumps.then(|| self.stop(event, t_start))
    }

    fn stop(&self, event: Event, t: f64) -> Stop {
        if event.jumps {
            Stop { t, before: event.t - self.margin, after: Some(event.t + self.margin) }
        } else {
            Stop { t, before: t, after: None }
        }
    }

    /// The next end on the way to `target`, with steps of about `h`: an event before it, or the target
    /// itself.
    pub(crate) fn towards(&self, target: f64, h: f64) -> Stop {
        let slack = (SAME * h).max(2.0 * self.margin);
        match self.events.get(self.next) {
            Some(event) if event.t < target - slack => self.stop(*event, event.t),
            Some(event) if event.t <= target + slack => self.stop(*event, target),
            _ => Stop { t: target, before: target, after: None },
        }
    }

    /// Leaves those behind that lie at a stop that has been reached, or before it.
    pub(crate) fn reached(&mut self, stop: &Stop, h: f64) {
        let slack = (SAME * h).max(2.0 * self.margin);
        while self.events.get(self.next).is_some_and(|event| event.t <= stop.t + slack) {
            self.next += 1;
        }
    }
}
