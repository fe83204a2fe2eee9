//! Whether the steps of a run resolve what drives it and how it vibrates.

use std::f64::consts::TAU;

use pliant_diag::real;
use pliant_mechanism::{Drive, Model};

use crate::integration::events::Events;
use crate::linear::frequencies::{lowest_frequency, vibrates_below};
use crate::{AnalysisKind, Settings, SimulationError, State, StepControl, Warning};

/// Largest departure of a function from the straight line between the ends of a step, as a part of its range.
/// A sine with ten steps in a period departs by 1 − cos(π/10) = 4.9 % of its amplitude, half of that of its
/// range.
const DEPARTURE: f64 = 0.025;

/// Where in a step a function is looked at: no multiple of a step's fraction, so that a period of an integer
/// number of steps is seen.
const LOOKS: [f64; 3] = [0.236, 0.382, 0.618];

/// Most steps that are looked at, spread over the run.
const MOST_STEPS: usize = 20_000;

/// Newmark's rule lengthens the period of a mode by the part (ωh)²/12; above this it is worth a warning:
/// fewer than 18 steps in a period.
const PERIOD_ERROR: f64 = 0.01;

/// A function that a run follows.
struct Followed<'m> {
    subject: String,
    what: &'static str,
    value: Box<dyn Fn(f64) -> f64 + 'm>,
}

/// What the steps of a run that begins at `start` do not resolve.
pub(crate) fn unresolved(
    model: &Model,
    kind: AnalysisKind,
    settings: &Settings,
    events: &Events,
    start: &State,
) -> Vec<Warning> {
    // These analyses have no steps, only times at which they look.
    if matches!(kind, AnalysisKind::QuasiStatic | AnalysisKind::Static) {
        return Vec::new();
    }
    // Of a run under error control the steps are known when they have been taken.
    let (h, key) = match (settings.step, kind) {
        (StepControl::Fixed { step }, _) => (step, "step"),
        (StepControl::ErrorControlled { max_step, .. }, AnalysisKind::Linear) => (max_step, "max"),
        (StepControl::ErrorControlled { .. }, _) => return Vec::new(),
    };
    let mut warnings: Vec<Warning> =
        followed(model).iter().filter_map(|f| f.unresolved(settings, (h, key), events)).collect();
    let steps = ((settings.t_end - settings.t_start) / h).ceil().max(1.0);
    warnings.extend(many_corners(settings, steps, events.corners()));
    if key == "step" {
        warnings.extend(samples(model, settings, h));
        if kind != AnalysisKind::Rigid {
            warnings.extend(first_mode(model, settings, start, h));
        }
    }
    warnings
}

/// Times at which functions are looked at, besides both sides of events.
const LOOKED_AT: usize = 256;

/// What drives the machine and is not finite somewhere in the run.
///
/// # Errors
/// The first such function, with a time.
pub(crate) fn all_finite(model: &Model, settings: &Settings, events: &Events) -> Result<(), SimulationError> {
    let (from, to) = (settings.t_start, settings.t_end);
    let spread = (0..=LOOKED_AT).map(|k| from + (to - from) * (k as f64 / LOOKED_AT as f64));
    let sides = events.parts(from, to).into_iter().flat_map(|(a, b)| [a, b]);
    let mut times: Vec<f64> = spread.chain(sides).collect();
    times.sort_by(f64::total_cmp);
    for Followed { subject, what, value } in followed(model) {
        if let Some(t) = times.iter().copied().find(|t| !value(*t).is_finite()) {
            return Err(SimulationError::Undefined { subject, what: what.to_owned(), t });
        }
    }
    Ok(())
}

/// Watches what the steps of a run under error control miss: what a function does between the ends of a step
/// that they do not show.
pub(crate) struct StepWatch<'m> {
    followed: Vec<(Followed<'m>, Seen)>,
    corners: usize,
    margin: f64,
}

/// What the steps have shown of a function.
#[derive(Clone, Copy)]
struct Seen {
    low: f64,
    high: f64,
    /// Largest departure, with the step's beginning and length.
    worst: (f64, f64, f64),
}

impl<'m> StepWatch<'m> {
    pub(crate) fn new(model: &'m Model, events: &Events) -> Self {
        let none = Seen { low: f64::INFINITY, high: f64::NEG_INFINITY, worst: (0.0, 0.0, 0.0) };
        let followed = followed(model).into_iter().map(|f| (f, none)).collect();
        Self { followed, corners: events.corners(), margin: events.margin() }
    }

    /// Takes note of a step.
    pub(crate) fn take(&mut self, begin: f64, end: f64) {
        // On the inner side of events at its ends.
        let (t0, t1) = (begin + self.margin, end - self.margin);
        for (followed, seen) in &mut self.followed {
            let found = followed.departure(t0, t1);
            (seen.low, seen.high) = (seen.low.min(found.low), seen.high.max(found.high));
            // What the ends of a step show error control resolves itself.
            if found.departure > seen.worst.0 && found.change <= found.departure {
                seen.worst = (found.departure, t0, t1 - t0);
            }
        }
    }

    /// What was missed in a run of so many steps.
    pub(crate) fn warnings(&self, settings: &Settings, steps: u64) -> Vec<Warning> {
        let missed = |(f, seen): &(Followed<'m>, Seen)| f.warning("max", seen.low, seen.high, seen.worst);
        let mut warnings: Vec<Warning> = self.followed.iter().filter_map(missed).collect();
        // Each corner has cost a step.
        let others = steps.saturating_sub(self.corners as u64) as f64;
        warnings.extend(many_corners(settings, others, self.corners));
        warnings
    }
}

fn followed(model: &Model) -> Vec<Followed<'_>> {
    let mut found: Vec<Followed<'_>> = Vec::new();
    let bodies = model.bodies().iter().map(|b| (&b.joint_name, &b.coordinates));
    let closing = model.closures().joints.iter().map(|j| (&j.name, &j.coordinates));
    for (joint, coordinates) in bodies.chain(closing) {
        for c in coordinates {
            let subject = format!("joint `{joint}`");
            match &c.drive {
                Drive::Prescribed(m) => found.push(Followed {
                    subject,
                    what: "the acceleration of its motion",
                    value: Box::new(|t| m.at(t).acceleration),
                }),
                Drive::Torque(f) => {
                    found.push(Followed { subject, what: "its torque", value: Box::new(|t| f.value(t)) });
                }
                Drive::Servo(s) => found.push(Followed {
                    subject,
                    what: "the rate of its command",
                    value: Box::new(|t| s.follow.at(t).rate),
                }),
                Drive::Hydraulic(drive) => found.push(Followed {
                    subject,
                    what: "the rate of its command",
                    value: Box::new(|t| drive.follow.at(t).rate),
                }),
                Drive::Free => {}
            }
        }
    }
    for load in model.loads() {
        for f in load.components.iter().flatten() {
            let subject = format!("load `{}`", load.name);
            found.push(Followed { subject, what: "its force", value: Box::new(|t| f.value(t)) });
        }
    }
    for constraint in &model.closures().constraints {
        let subject = format!("constraint `{}`", constraint.name);
        let value = Box::new(|t| constraint.kind.drive_rate(t));
        found.push(Followed { subject, what: "the rate of its length", value });
    }
    for force in &model.closures().forces {
        let subject = format!("force `{}`", force.name);
        let value = Box::new(|t| force.kind.command(t));
        found.push(Followed { subject, what: "its command", value });
    }
    found
}

impl Followed<'_> {
    /// A warning when a step of `h` does not resolve it.
    fn unresolved(&self, settings: &Settings, (h, key): (f64, &str), events: &Events) -> Option<Warning> {
        let length = settings.t_end - settings.t_start;
        let count = (length / h).ceil().max(1.0) as usize;
        let every = count.div_ceil(MOST_STEPS);
        let (mut low, mut high, mut worst) = (f64::INFINITY, f64::NEG_INFINITY, (0.0, 0.0, h));
        for n in (0..count).step_by(every) {
            let (a, b) = (n as f64, (n + 1) as f64);
            let begin = settings.t_start + length * (a / count as f64);
            let end = settings.t_start + length * (b / count as f64);
            for (t0, t1) in events.parts(begin, end) {
                let found = self.departure(t0, t1);
                (low, high) = (low.min(found.low), high.max(found.high));
                if found.departure > worst.0 {
                    worst = (found.departure, t0, t1 - t0);
                }
            }
        }
        self.warning(key, low, high, worst)
    }

    /// A warning when the largest departure, in a step of so much at a time, is too large for the range;
    /// `key` sets the step.
    fn warning(&self, key: &str, low: f64, high: f64, worst: (f64, f64, f64)) -> Option<Warning> {
        let (range, (departure, t, part)) = (high - low, worst);
        if !(departure > DEPARTURE * range && range > 1e-12 * low.abs().max(high.abs())) {
            return None;
        }
        let fine = |pieces: u32| {
            let d = part / f64::from(pieces);
            (0..pieces).all(|i| {
                let t0 = t + d * f64::from(i);
                self.departure(t0, t0 + d).departure <= DEPARTURE * range
            })
        };
        let halvings = (1..=12).find(|k| fine(1 << k)).unwrap_or(12);
        let better = part / f64::from(1u32 << halvings);
        let message = format!(
            "a step of {} s does not resolve {}, which departs from a straight line within the step by {:.0} % of its range; use a `{key}` of at \
             most {better:.2e} s",
            real(part),
            self.what,
            100.0 * departure / range,
        );
        Some(Warning { t, subject: self.subject.clone(), message })
    }

    fn departure(&self, t0: f64, t1: f64) -> Departure {
        let (f0, f1) = ((self.value)(t0), (self.value)(t1));
        let mut found =
            Departure { departure: 0.0, change: (f1 - f0).abs(), low: f0.min(f1), high: f0.max(f1) };
        for look in LOOKS {
            let f = (self.value)(t0 + look * (t1 - t0));
            found.departure = found.departure.max((f - f0 - look * (f1 - f0)).abs());
            (found.low, found.high) = (found.low.min(f), found.high.max(f));
        }
        found
    }
}

struct Departure {
    departure: f64,
    change: f64,
    low: f64,
    high: f64,
}

/// Corners that are more than twice as many as the steps that the run takes without them: each is stepped
/// to, which takes its time.
fn many_corners(settings: &Settings, steps: f64, corners: usize) -> Option<Warning> {
    (corners as f64 > 2.0 * steps).then(|| Warning {
        t: settings.t_start,
        subject: "corners of tables and expressions".to_owned(),
        message: format!(
            "each of the {corners} corners ends a step, in a run of {steps:.0} other steps; a table with interpolation = \"cubic\" has no corners \
             between its ends"
        ),
    })
}

/// A commanded joint whose rate jumps in the run, which takes an infinite force.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RateJump {
    joint: String,
    /// Time (s).
    pub(crate) t: f64,
    rates: [f64; 2],
}

impl RateJump {
    /// The jump in words.
    pub(crate) fn describe(&self) -> String {
        let (Self { joint, t, .. }, [before, after]) = (self, self.rates);
        format!(
            "the motion of joint `{joint}` jumps at t = {t:.6} s from a rate of {before:.4e} to {after:.4e}"
        )
    }
}

/// Rates on both sides of a smooth corner differ by less than this part of the larger one.
const SAME_RATE: f64 = 1e-6;

/// Jumps of the rates of commanded joints, the largest change first.
pub(crate) fn rate_jumps(model: &Model, settings: &Settings, margin: f64) -> Vec<RateJump> {
    let bodies = model.bodies().iter().map(|b| (&b.joint_name, &b.coordinates));
    let closing = model.closures().joints.iter().map(|j| (&j.name, &j.coordinates));
    let mut jumps = Vec::new();
    for (joint, coordinates) in bodies.chain(closing) {
        for motion in coordinates.iter().filter_map(|c| c.motion()) {
            for t in motion.kinks() {
                let rates = [motion.at(t - margin).rate, motion.at(t + margin).rate];
                let size = rates[0].abs().max(rates[1].abs());
                if t > settings.t_start
                    && t < settings.t_end
                    && (rates[1] - rates[0]).abs() > SAME_RATE * size
                {
                    jumps.push(RateJump { joint: joint.clone(), t, rates });
                }
            }
        }
    }
    let size = |jump: &RateJump| (jump.rates[1] - jump.rates[0]).abs();
    jumps.sort_by(|a, b| size(b).total_cmp(&size(a)));
    jumps
}

/// Servos that sample in every step: what happens between samples is not resolved.
fn samples(model: &Model, settings: &Settings, h: f64) -> Vec<Warning> {
    let bodies = model.bodies().iter().map(|b| (&b.joint_name, &b.coordinates));
    let closing = model.closures().joints.iter().map(|j| (&j.name, &j.coordinates));
    let mut warnings = Vec::new();
    for (joint, coordinates) in bodies.chain(closing) {
        for c in coordinates {
            let sampling = match &c.drive {
                Drive::Servo(servo) => servo.sampling,
                Drive::Hydraulic(drive) => drive.sampling(),
                Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) => None,
            };
            let Some(sampling) = sampling.filter(|s| s.time < 2.0 * h * (1.0 - 1e-6)) else { continue };
            let message = format!(
                "its servo samples every {} s, and a step of {} s does not resolve the response in between; use a `step` of at most {:.2e} s",
                real(sampling.time),
                real(h),
                0.5 * sampling.time
            );
            warnings.push(Warning { t: settings.t_start, subject: format!("joint `{joint}`"), message });
        }
    }
    warnings
}

/// A first mode of the machine that the step does not resolve.
fn first_mode(model: &Model, settings: &Settings, start: &State, h: f64) -> Option<Warning> {
    if vibrates_below(model, start, (12.0 * PERIOD_ERROR).sqrt() / (TAU * h)) {
        return None;
    }
    let hz = lowest_frequency(model, settings)?;
    let longer = (TAU * hz * h).powi(2) / 12.0;
    (longer > PERIOD_ERROR).then(|| Warning {
        t: settings.t_start,
        subject: "the machine".to_owned(),
        message: match 1.0 / (hz * h) {
            // The formula for the period is an expansion for small steps.
            steps if steps < 4.0 => format!(
                "a step of {} s does not resolve its first mode, {hz:.4} Hz; use a `step` of at most {:.2e} s",
                real(h),
                0.05 / hz
            ),
            steps => format!(
                "its first mode, {hz:.4} Hz, has {steps:.1} steps in a period, which make the period {:.1} % too long; use a `step` of at most {:.2e} s",
                100.0 * longer,
                0.05 / hz
            ),
        },
    })
}
