//! Whether the steps of a run resolve what drives it and how it vibrates.

use std::f64::consts::TAU;

use pliant_mechanism::{Drive, Model};

use crate::integration::events::Events;
use crate::linear::frequencies::lowest_frequency;
use crate::{AnalysisKind, Settings, StepControl, Warning};

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

/// What the steps of a run do not resolve.
pub(crate) fn unresolved(
    model: &Model,
    kind: AnalysisKind,
    settings: &Settings,
    events: &Events,
) -> Vec<Warning> {
    // These analyses have no steps, only times at which they look.
    if matches!(kind, AnalysisKind::QuasiStatic | AnalysisKind::Static) {
        return Vec::new();
    }
    let (h, fixed) = match settings.step {
        StepControl::Fixed { step } => (step, true),
        StepControl::ErrorControlled { max_step, .. } => (max_step, false),
    };
    let mut warnings: Vec<Warning> =
        followed(model).iter().filter_map(|f| f.unresolved(settings, h, fixed, events)).collect();
    warnings.extend(many_corners(settings, h, events));
    if fixed {
        warnings.extend(samples(model, settings, h));
        if kind != AnalysisKind::Rigid {
            warnings.extend(first_mode(model, settings, h));
        }
    }
    warnings
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
    fn unresolved(&self, settings: &Settings, h: f64, fixed: bool, events: &Events) -> Option<Warning> {
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
                // Error control sees the ends of a step: what they show it resolves itself.
                let seen = !fixed && found.change > found.departure;
                if found.departure > worst.0 && !seen {
                    worst = (found.departure, t0, t1 - t0);
                }
            }
        }
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
        let key = if fixed { "step" } else { "max" };
        let message = format!(
            "a step of {h:.3e} s does not resolve {}: within one it departs by {:.0} % of its range from the line between the ends; use a \
             `{key}` of at most {better:.2e} s",
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

/// Events that are much closer than the steps: each is stepped to, which takes its time.
fn many_corners(settings: &Settings, h: f64, events: &Events) -> Option<Warning> {
    let steps = ((settings.t_end - settings.t_start) / h).ceil().max(1.0);
    let count = events.count();
    (count as f64 > 2.0 * steps).then(|| Warning {
        t: settings.t_start,
        subject: "corners of tables and expressions".to_owned(),
        message: format!(
            "there are {count} of them and each is stepped to, in a run of {steps:.0} steps; interpolation = \"cubic\" has none where the \
             data are smooth"
        ),
    })
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
                "its servo samples every {:.3e} s, and a step of {h:.3e} s does not resolve the response in between; use a `step` of at \
                 most {:.2e} s",
                sampling.time,
                0.5 * sampling.time
            );
            warnings.push(Warning { t: settings.t_start, subject: format!("joint `{joint}`"), message });
        }
    }
    warnings
}

/// A first mode of the machine that the step does not resolve.
fn first_mode(model: &Model, settings: &Settings, h: f64) -> Option<Warning> {
    let hz = lowest_frequency(model, settings)?;
    let longer = (TAU * hz * h).powi(2) / 12.0;
    (longer > PERIOD_ERROR).then(|| Warning {
        t: settings.t_start,
        subject: "the machine".to_owned(),
        message: format!(
            "its first mode, {hz:.4} Hz, has {:.1} steps in a period, which make the period {:.1} % too long; use a `step` of at most {:.2e} s",
            1.0 / (hz * h),
            100.0 * longer,
            0.05 / hz
        ),
    })
}
