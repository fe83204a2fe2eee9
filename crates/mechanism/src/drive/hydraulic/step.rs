//! A step of a hydraulic drive inside the step of the machine.
//!
//! Its states follow the trapezoidal rule, which is Newmark's for first-order states, with position and rate
//! of the joint at the end of the step. They stand in a chain (loops, spool, pressure), so that the end of
//! the step is found stage by stage, together with its derivatives by the joint's position and rate: these
//! enter the Newton matrix of the machine, and the drive is as implicit as the rest of it.

use nalgebra::Vector3;

use super::{Compensator, Hydraulic, Tachometer};

/// A number with its derivatives by position and rate at the end of the step.
type Dual = Vector3<f64>;

fn fixed(value: f64) -> Dual {
    Dual::new(value, 0.0, 0.0)
}

/// State of a compensator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopState {
    /// The error behind the lag.
    pub filtered: f64,
    /// ∫ dt of what lead and lag leave of it.
    pub integral: f64,
}

/// State of a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HydraulicState {
    /// x.
    pub spool: f64,
    /// ẋ.
    pub spool_rate: f64,
    /// p (Pa).
    pub pressure: f64,
    /// y.
    pub tachometer: f64,
    /// Of C_p and C_v.
    pub loops: [LoopState; 2],
    /// The valve input that is asked for.
    pub asked: f64,
    /// The one that has come into force.
    pub input: f64,
}

/// What a drive needs to find the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HydraulicStep {
    /// Length (s); at zero the drive is as in `from`.
    pub h: f64,
    /// The state that the step begins with.
    pub from: HydraulicState,
    /// Errors of position and tachometer there.
    pub errors: [f64; 2],
    /// θ̇ there.
    pub rate: f64,
    /// Valve input in force at the end: the first number plus the second times what is asked for then.
    pub arriving: [f64; 2],
    /// A constant part of the valve input: the adjustment of its null.
    pub null: f64,
    /// Integrals stand still, because the input is at its limit.
    pub at_limit: bool,
    /// The electronics hold what they asked for last.
    pub sampled: bool,
    /// Without deadband, stroke and limit.
    pub linear: bool,
}

impl Compensator {
    /// Filter, integral and output at the end of a step from the errors at its begin and end.
    fn advance(&self, h: f64, from: LoopState, error: f64, end: Dual, frozen: bool) -> [Dual; 3] {
        let passes = self.passes();
        let (filtered, before, now) = if self.lag > 0.0 {
            let part = 0.5 * h / self.lag;
            let filtered =
                (fixed(from.filtered + part * (error - from.filtered)) + end * part) / (1.0 + part);
            let before = from.filtered + passes * (error - from.filtered);
            (filtered, before, filtered + (end - filtered) * passes)
        } else {
            (fixed(0.0), error, end)
        };
        let grown = if frozen { fixed(0.0) } else { (fixed(before) + now) * (0.5 * h) };
        let integral = fixed(from.integral) + grown;
        [filtered, integral, now * self.gain + integral * self.integral_gain]
    }
}

impl Hydraulic {
    /// Errors of position and tachometer.
    pub fn errors(&self, t: f64, position: f64, tachometer: f64, loops: &[LoopState; 2]) -> [f64; 2] {
        let command = self.follow.at(t);
        let error = command.value - position;
        let asked = self.position.map_or(0.0, |c| output(&c, error, loops[0]));
        let rate = asked + self.feed_forward[0] * command.rate + self.feed_forward[1] * command.acceleration;
        [error, self.tachometer.gain * rate - tachometer]
    }

    /// The valve input that errors ask for, before its limit.
    pub fn asked(&self, errors: [f64; 2], loops: &[LoopState; 2]) -> f64 {
        output(&self.rate, errors[1], loops[1])
    }

    /// What the electronics ask for at a sample, `time` after the last one, whose errors were `last`: lead
    /// and lag by the trapezoidal rule, the integral with the present sample. Integrals stand still where
    /// `at_limit` says so of an input.
    pub fn sampled(
        &self,
        (t, time): (f64, f64),
        (position, tachometer): (f64, f64),
        (loops, last): (&[LoopState; 2], [f64; 2]),
        at_limit: impl Fn(f64) -> bool,
    ) -> ([LoopState; 2], [f64; 2], f64) {
        let next = |c: &Compensator, from: LoopState, last: f64, error: f64| {
            let [filtered, ..] = c.advance(time, from, last, fixed(error), true);
            let passed = if c.lag > 0.0 { filtered.x + c.passes() * (error - filtered.x) } else { error };
            LoopState { filtered: filtered.x, integral: from.integral + time * passed }
        };
        let mut new = *loops;
        let error = self.errors(t, position, tachometer, &new)[0];
        if let Some(c) = &self.position {
            new[0] = next(c, loops[0], last[0], error);
        }
        let errors = self.errors(t, position, tachometer, &new);
        new[1] = next(&self.rate, loops[1], last[1], errors[1]);
        let mut asked = self.asked(errors, &new);
        if at_limit(asked) {
            for (new, old) in new.iter_mut().zip(loops) {
                new.integral = old.integral;
            }
            asked = self.asked(self.errors(t, position, tachometer, &new), &new);
        }
        (new, errors, asked)
    }

    /// Flow area that a spool opens, and its slope.
    fn opening(&self, spool: Dual, linear: bool) -> Dual {
        let (x, valve) = (spool.x, &self.valve);
        match linear {
            true => spool,
            false if x.abs() <= valve.deadband => fixed(0.0),
            false if x.abs() - valve.deadband >= valve.stroke => fixed(valve.stroke.copysign(x)),
            false => spool - fixed(valve.deadband.copysign(x)),
        }
    }

    /// Torque or force at the end of a step, with its derivatives by the position and rate there. Without a
    /// step the valve is closed and the oil at rest with the joint on its command.
    pub fn force(&self, step: Option<&HydraulicStep>, t: f64, position: f64, rate: f64) -> [f64; 3] {
        let Some(step) = step else {
            let stiffness = self.oil_stiffness();
            return [stiffness * (self.follow.at(t).value - position), -stiffness, 0.0];
        };
        (self.end(step, t, position, rate).1 * self.displacement).into()
    }

    /// The state at the end of a step, and its pressure with derivatives.
    pub fn end(&self, step: &HydraulicStep, t: f64, position: f64, rate: f64) -> (HydraulicState, Dual) {
        let (h, from, half) = (step.h, &step.from, 0.5 * step.h);
        let (theta, omega) = (Dual::new(position, 1.0, 0.0), Dual::new(rate, 0.0, 1.0));
        let Tachometer { gain, time_constant } = self.tachometer;
        let tachometer = if time_constant > 0.0 {
            let part = half / time_constant;
            (fixed(from.tachometer + part * (gain * step.rate - from.tachometer)) + omega * (part * gain))
                / (1.0 + part)
        } else {
            omega * gain
        };
        let (mut loops, mut asked) = (from.loops, fixed(from.asked));
        if !step.sampled {
            let command = self.follow.at(t);
            let feed = self.feed_forward[0] * command.rate + self.feed_forward[1] * command.acceleration;
            let mut wanted = fixed(feed);
            if let Some(c) = &self.position {
                let error = fixed(command.value) - theta;
                let [filtered, integral, out] =
                    c.advance(h, from.loops[0], step.errors[0], error, step.at_limit);
                loops[0] = LoopState { filtered: filtered.x, integral: integral.x };
                wanted += out;
            }
            let error = wanted * gain - tachometer;
            let [filtered, integral, out] =
                self.rate.advance(h, from.loops[1], step.errors[1], error, step.at_limit);
            loops[1] = LoopState { filtered: filtered.x, integral: integral.x };
            asked = out + fixed(step.null);
            if asked.x.abs() > self.limit && !step.linear {
                asked = fixed(self.limit.copysign(asked.x));
            }
        }
        let input = fixed(step.arriving[0]) + asked * step.arriving[1];
        let valve = &self.valve;
        let (square, double) = (valve.frequency * valve.frequency, 2.0 * valve.damping * valve.frequency);
        let pull = square * (valve.gain * from.input - from.spool) - double * from.spool_rate;
        let drawn = input * valve.gain - fixed(from.spool + half * from.spool_rate);
        let spool_rate = (fixed(from.spool_rate + half * pull) + drawn * (half * square))
            / (1.0 + half * double + half * half * square);
        let spool = fixed(from.spool + half * from.spool_rate) + spool_rate * half;
        let (C, leak, a) = (self.compliance(), self.total_leakage(), self.displacement);
        let before = valve.flow_gain * self.opening(fixed(from.spool), step.linear).x
            - leak * from.pressure
            - a * step.rate;
        let flow = self.opening(spool, step.linear) * valve.flow_gain - omega * a;
        let pressure =
            (fixed(from.pressure + half / C * before) + flow * (half / C)) / (1.0 + half / C * leak);
        let state = HydraulicState {
            spool: spool.x,
            spool_rate: spool_rate.x,
            pressure: pressure.x,
            tachometer: tachometer.x,
            loops,
            asked: asked.x,
            input: input.x,
        };
        (state, pressure)
    }

    /// Spool that holds a pressure against leakage.
    pub fn holding_spool(&self, pressure: f64, linear: bool) -> f64 {
        let open = self.total_leakage() * pressure / self.valve.flow_gain;
        if linear || open == 0.0 { open } else { open + self.valve.deadband.copysign(open) }
    }
}

/// Output of a compensator.
fn output(c: &Compensator, error: f64, state: LoopState) -> f64 {
    let passed = if c.lag > 0.0 { state.filtered + c.passes() * (error - state.filtered) } else { error };
    c.gain * passed + c.integral_gain * state.integral
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::Hold;
    use crate::{Oil, Valve};

    fn drive() -> Hydraulic {
        Hydraulic {
            follow: Arc::new(Hold { value: 0.3 }),
            valve: Valve {
                gain: 1.1,
                frequency: 377.0,
                damping: 0.7,
                flow_gain: 1.4e-3,
                pressure_flow: 6e-12,
                deadband: 0.01,
                stroke: 0.8,
            },
            oil: Oil { volume: 1.6e-3, bulk_modulus: 1.1e9, leakage: 1e-12 },
            displacement: 6e-4,
            tachometer: Tachometer { gain: 1.2, time_constant: 1.5e-3 },
            position: Some(Compensator { gain: 5.0, integral_gain: 2.0, lead: 0.02, lag: 0.005 }),
            rate: Compensator { gain: 0.4, integral_gain: 0.8, lead: 0.0, lag: 0.01 },
            feed_forward: [1.0, 0.01],
            limit: f64::INFINITY,
            sample: None,
            delay: 0.0,
        }
    }

    fn step(h: f64) -> HydraulicStep {
        let from = HydraulicState {
            spool: 0.05,
            spool_rate: 0.4,
            pressure: 2e5,
            tachometer: 0.1,
            loops: [LoopState { filtered: 0.1, integral: 0.02 }; 2],
            asked: 0.06,
            input: 0.06,
        };
        let (null, at_limit, sampled, linear) = (0.01, false, false, false);
        HydraulicStep {
            h,
            from,
            errors: [0.1, 0.2],
            rate: 0.1,
            arriving: [0.0, 1.0],
            null,
            at_limit,
            sampled,
            linear,
        }
    }

    #[test]
    fn derivatives_are_those_of_the_force() {
        let (drive, step) = (drive(), step(1e-3));
        let force = |q: f64, v: f64| drive.force(Some(&step), 0.2, q, v);
        let found = force(0.1, 0.2);
        let d = 1e-3;
        // The drive is linear between the corners of its valve: differences are exact but for rounding.
        let by_position = (force(0.1 + d, 0.2)[0] - force(0.1 - d, 0.2)[0]) / (2.0 * d);
        let by_rate = (force(0.1, 0.2 + d)[0] - force(0.1, 0.2 - d)[0]) / (2.0 * d);
        assert!((found[1] / by_position - 1.0).abs() < 1e-9, "{} {by_position}", found[1]);
        assert!((found[2] / by_rate - 1.0).abs() < 1e-9, "{} {by_rate}", found[2]);
        assert!(found[1] < 0.0 && found[2] < 0.0);
    }

    #[test]
    fn a_step_without_length_leaves_the_pressure() {
        let (drive, step) = (drive(), step(0.0));
        let [force, by_position, by_rate] = drive.force(Some(&step), 0.2, 0.1, 0.2);
        assert_eq!((force, by_position, by_rate), (2e5 * 6e-4, 0.0, 0.0));
    }

    #[test]
    fn deadband_and_stroke_bound_the_opening() {
        let drive = drive();
        let opening = |x: f64| drive.opening(Dual::new(x, 1.0, 0.0), false);
        assert_eq!(opening(0.009), fixed(0.0));
        assert_eq!(opening(-0.11), Dual::new(-0.1, 1.0, 0.0));
        assert_eq!(opening(2.0), fixed(0.8));
        assert_eq!(drive.opening(Dual::new(2.0, 1.0, 0.0), true).x, 2.0);
    }
}
