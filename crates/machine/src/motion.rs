//! Motions.

use pliant_diag::Span;
use pliant_mechanism::Motion;
use pliant_mechanism::motion::{
    Cycloidal, Harmonic, Hold, Quintic, Sequence, SpinUp, Sum, TableMotion, TrapezoidalAcceleration,
    TrapezoidalVelocity,
};
use pliant_pipeline::motion::{MotionSpec, TableMotionTable};

use crate::curve::curve_of_time;
use crate::problems::Problems;

/// What is wrong with degrees of a prismatic joint or a cylinder.
const LENGTH: &str = "degrees cannot be used for a coordinate that is a length";

/// A value given plainly or in degrees; zero when neither is. Degrees are for angles only.
pub(crate) fn scalar(
    plain: Option<f64>,
    degrees: Option<f64>,
    is_angle: bool,
    span: Option<Span>,
    problems: &mut Problems<'_>,
) -> Option<f64> {
    match degrees {
        Some(_) if !is_angle => problems.error_with_hint(span, LENGTH, "leave out `_deg` and give metres"),
        Some(degrees) => Some(degrees.to_radians()),
        None => Some(plain.unwrap_or(0.0)),
    }
}

/// What a motion moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MotionOf {
    /// A joint or a length that is where the motion has it: a jump of its rate would be an infinite force.
    Rigid,
    /// The command of a servo or of a cylinder with oil.
    Command,
}

/// The motion of a table, for an angle or a length.
pub(crate) fn motion(
    spec: &MotionSpec,
    is_angle: bool,
    moves: MotionOf,
    problems: &mut Problems<'_>,
) -> Option<Box<dyn Motion>> {
    let span = spec.span();
    let mut number = |plain, degrees| scalar(plain, degrees, is_angle, span, problems);
    match spec {
        MotionSpec::Cycloidal(t) => {
            let (from, to) = (number(t.from, t.from_deg)?, number(t.to, t.to_deg)?);
            Some(Box::new(Cycloidal { from, to, start: t.start, duration: t.time }))
        }
        MotionSpec::Quintic(t) => {
            let (from, to) = (number(t.from, t.from_deg)?, number(t.to, t.to_deg)?);
            Some(Box::new(Quintic { from, to, start: t.start, duration: t.time }))
        }
        MotionSpec::TrapezoidalVelocity(t) => {
            let (from, to) = (number(t.from, t.from_deg)?, number(t.to, t.to_deg)?);
            let made =
                TrapezoidalVelocity::new(from, to, t.start, t.accelerate, t.cruise, t.decelerate, t.dwell);
            match made {
                Some(motion) => Some(Box::new(motion)),
                None => {
                    let message = format!(
                        "`accelerate` and `decelerate` must be positive, `cruise` and `dwell` not negative, found {}, {}, {} and {}",
                        t.accelerate, t.decelerate, t.cruise, t.dwell
                    );
                    problems.error(span, message)
                }
            }
        }
        MotionSpec::TrapezoidalAcceleration(t) => {
            let (from, to) = (number(t.from, t.from_deg)?, number(t.to, t.to_deg)?);
            match TrapezoidalAcceleration::new(from, to, t.start, t.accelerate, t.ramp, t.cruise) {
                Some(motion) => Some(Box::new(motion)),
                None => {
                    let message = format!(
                        "`ramp` must be positive and at most half of `accelerate`, `cruise` not negative, found {}, {} and {}",
                        t.ramp, t.accelerate, t.cruise
                    );
                    problems.error(span, message)
                }
            }
        }
        MotionSpec::Harmonic(t) => {
            let mean = number(t.mean, t.mean_deg)?;
            let amplitude = number(t.amplitude, t.amplitude_deg)?;
            let phase = t.phase_deg.to_radians();
            Some(Box::new(Harmonic { mean, amplitude, freq_hz: t.freq_hz, phase }))
        }
        MotionSpec::Hold(t) => Some(Box::new(Hold { value: number(t.value, t.value_deg)? })),
        MotionSpec::SpinUp(t) => {
            let (from, rate) = (number(t.from, t.from_deg)?, number(t.rate, t.rate_deg)?);
            Some(Box::new(SpinUp { from, rate, start: t.start, duration: t.time }))
        }
        MotionSpec::Table(t) => table(t, is_angle, moves, problems),
        MotionSpec::Sequence(t) => {
            let parts = all(&t.parts.0, is_angle, moves, problems)?;
            match Sequence::new(parts) {
                Ok(sequence) => Some(Box::new(sequence)),
                Err(error) => problems.error(span, error.to_string()),
            }
        }
        MotionSpec::Sum(t) => Some(Box::new(Sum { parts: all(&t.parts.0, is_angle, moves, problems)? })),
        // Stands there until the arm is known and its path solved.
        MotionSpec::Path(t) => Some(Box::new(Hold { value: number(t.near, t.near_deg)? })),
    }
}

/// All parts, with the problems of all.
fn all(
    specs: &[MotionSpec],
    is_angle: bool,
    moves: MotionOf,
    problems: &mut Problems<'_>,
) -> Option<Vec<Box<dyn Motion>>> {
    if let Some(spec) = specs.iter().find(|spec| matches!(spec, MotionSpec::Path(_))) {
        return problems.error(spec.span(), "profile = \"path\" cannot be a part of another motion");
    }
    let parts: Vec<_> = specs.iter().map(|spec| motion(spec, is_angle, moves, problems)).collect();
    parts.into_iter().collect()
}

fn table(
    table: &TableMotionTable,
    is_angle: bool,
    moves: MotionOf,
    problems: &mut Problems<'_>,
) -> Option<Box<dyn Motion>> {
    let span = table.file.span();
    if table.degrees && !is_angle {
        return problems.error_with_hint(span, LENGTH, "leave out `degrees` and give metres");
    }
    let scale = if table.degrees { 1f64.to_radians() } else { 1.0 };
    let motion = TableMotion { table: curve_of_time(&table.curve(), scale, problems)? };
    let shown = table.file.value.display();
    if !motion.has_continuous_rate() {
        if moves == MotionOf::Rigid {
            let word = table.interpolation.as_str();
            let message = format!(
                "{shown}: with interpolation = \"{word}\" the rate or value jumps, an infinite force"
            );
            let hint = "use \"cubic\" or \"monotone\" for a joint; a servo may follow any table";
            return problems.error_with_hint(span, message, hint);
        }
        return Some(Box::new(motion));
    }
    for (before, after, step) in motion.table.jumps() {
        let message = format!(
            "{shown}: between the rows at t = {before} and {after} s the motion changes by {step:.4e}, more than eight times as fast as beside them: a jump in the data?"
        );
        problems.warning(span, message);
    }
    let (first, last) = motion.table.range();
    let (begin, end) = motion.table.end_slopes();
    // A table that rests at its ends has slopes of rounding only.
    let size = |t: f64| motion.table.at(t).value.abs();
    let size = size(first).max(size(last)).max(1e-9) / (last - first);
    let inside = |t: f64| t > 0.0 && problems.end().is_some_and(|end| t < end);
    for (slope, word, in_run) in [(begin, "begins", inside(first)), (end, "ends", inside(last))] {
        if slope.abs() <= 1e-3 * size {
            continue;
        }
        let message = format!("{shown}: the motion {word} with a rate of {slope:.4e}, not at rest");
        // A servo or a cylinder with oil feels a jump of its command's rate as a finite force.
        if in_run && moves == MotionOf::Rigid {
            let message = format!("{message}: its rate jumps there during the run, an infinite force");
            let hint =
                "interpolation = \"monotone\" comes to rest where the rows do; or give more rows there";
            problems.warning_with_hint(span, message, hint);
        } else {
            problems.warning(span, message);
        }
    }
    Some(Box::new(motion))
}
