//! State, samples and inputs on their way of one hydraulic drive.

use std::collections::VecDeque;

use pliant_mechanism::{Hydraulic, HydraulicState, HydraulicStep, LoopState, Memory, Sampling};

use crate::State;
use crate::integration::controller::ROUNDING;

/// One hydraulic drive.
#[derive(Clone, Debug)]
pub(super) struct HydraulicController {
    drive: Hydraulic,
    joint: String,
    /// Indices among positions and velocities.
    q: usize,
    v: usize,
    start: f64,
    linear: bool,
    state: HydraulicState,
    /// Part of the valve input that holds the machine at its start, where no integral does.
    null: f64,
    /// Times and inputs that were asked for, as far back as the delay of a continuous drive goes.
    history: VecDeque<(f64, f64)>,
    /// Errors at the last sample, number of samples, and inputs with the times they come into force.
    sampled: [f64; 2],
    samples: u64,
    coming: VecDeque<(f64, f64)>,
}

impl HydraulicController {
    pub(super) fn new(
        drive: &Hydraulic,
        (joint, q, v): (String, usize, usize),
        start: f64,
        linear: bool,
    ) -> Self {
        let waiting = drive.sample.map_or(0.0, |time| drive.delay / time) as usize + 2;
        Self {
            drive: drive.clone(),
            joint,
            q,
            v,
            start,
            linear,
            state: HydraulicState::default(),
            null: 0.0,
            history: VecDeque::new(),
            sampled: [0.0; 2],
            samples: 0,
            coming: VecDeque::with_capacity(waiting),
        }
    }

    /// Joint, sample time and delay.
    pub(super) fn clock(&self) -> (&String, Option<Sampling>) {
        (&self.joint, self.drive.sampling())
    }

    /// The start: at rest with the oil under no pressure, or (`holding` has the forces that hold the joints)
    /// under the one that holds the joint, the valve open by what leaks. An integral of the rate loop asks
    /// for that input, else the null of the valve is adjusted to it.
    pub(super) fn begin(&mut self, state: &State, holding: Option<&[f64]>, memory: &mut [Memory]) {
        let drive = &self.drive;
        let pressure = holding.map_or(0.0, |holding| holding[self.v] / drive.displacement);
        let spool = drive.holding_spool(pressure, self.linear);
        let tachometer = drive.tachometer.gain * state.v[self.v];
        let mut loops = [LoopState::default(); 2];
        // Filters start where their errors are.
        for k in 0..2 {
            loops[k].filtered = drive.errors(state.t, state.q[self.q], tachometer, &loops)[k];
        }
        let asked = spool / drive.valve.gain;
        let errors = drive.errors(state.t, state.q[self.q], tachometer, &loops);
        let left = asked - drive.asked(errors, &loops);
        if holding.is_some() {
            match drive.rate.integral_gain > 0.0 {
                true => loops[1].integral = left / drive.rate.integral_gain,
                false => self.null = left,
            }
        }
        let asked = drive.asked(errors, &loops) + self.null;
        self.state = HydraulicState {
            spool,
            pressure,
            tachometer,
            loops,
            asked,
            input: asked,
            ..HydraulicState::default()
        };
        self.sampled = errors;
        self.remember(state.t);
        self.sample(state);
        memory[self.v].hydraulic = Some(Box::new(self.step(0.0, state)));
    }

    /// What the electronics ask for now, within its limit.
    fn limited(&self, asked: f64) -> f64 {
        if self.linear { asked } else { asked.clamp(-self.drive.limit, self.drive.limit) }
    }

    /// Valve input in force at a time after the state: a constant and a factor of what is asked for then.
    fn arriving(&self, t: f64, h: f64) -> [f64; 2] {
        let delay = self.drive.delay;
        if self.drive.sample.is_some() || h == 0.0 {
            return [self.state.input, 0.0];
        }
        if delay == 0.0 {
            return [0.0, 1.0];
        }
        if delay < h {
            let part = 1.0 - delay / h;
            return [(1.0 - part) * self.state.asked, part];
        }
        [self.past(t + h - delay), 0.0]
    }

    /// The input that was asked for at a time, straight between steps; the first one before the start.
    fn past(&self, t: f64) -> f64 {
        let after = self.history.partition_point(|(time, _)| *time < t);
        let at = |k: usize| self.history.get(k).copied();
        match (after.checked_sub(1).and_then(at), at(after)) {
            (Some((t0, u0)), Some((t1, u1))) => u0 + (u1 - u0) * (t - t0) / (t1 - t0),
            (Some((_, u)), None) | (None, Some((_, u))) => u,
            (None, None) => self.state.asked,
        }
    }

    fn remember(&mut self, t: f64) {
        let delay = self.drive.delay;
        if self.drive.sample.is_none() && delay > 0.0 {
            self.history.push_back((t, self.state.asked));
            while self.history.get(1).is_some_and(|(time, _)| *time <= t - delay) {
                self.history.pop_front();
            }
        }
    }

    fn step(&self, h: f64, state: &State) -> HydraulicStep {
        let (t, drive) = (state.t, &self.drive);
        let mut from = self.state;
        let errors = drive.errors(t, state.q[self.q], from.tachometer, &from.loops);
        let mut at_limit = false;
        if drive.sample.is_none() {
            // A command that jumps is felt at once.
            let asked = drive.asked(errors, &from.loops) + self.null;
            from.asked = self.limited(asked);
            at_limit = !self.linear && asked.abs() >= drive.limit;
            if drive.delay == 0.0 {
                from.input = from.asked;
            }
        }
        HydraulicStep {
            h,
            from,
            errors,
            rate: state.v[self.v],
            arriving: self.arriving(t, h),
            null: self.null,
            at_limit,
            sampled: drive.sample.is_some(),
            linear: self.linear,
        }
    }

    /// Before a step of length `h`.
    pub(super) fn foretell(&self, h: f64, state: &State, memory: &mut [Memory]) {
        if let Some(step) = &mut memory[self.v].hydraulic {
            **step = self.step(h, state);
        }
    }

    /// After a step: its end is the state. The pressure does not jump, and with it no acceleration.
    pub(super) fn update(&mut self, state: &State, memory: &mut [Memory]) {
        let Some(step) = &mut memory[self.v].hydraulic else { return };
        self.state = self.drive.end(step, state.t, state.q[self.q], state.v[self.v]).0;
        self.remember(state.t);
        self.sample(state);
        **step = self.step(0.0, state);
    }

    /// Takes a sample that is due, and puts inputs into force whose time has come.
    fn sample(&mut self, state: &State) {
        let Some(time) = self.drive.sample else { return };
        let (t, slack) = (state.t, ROUNDING * time);
        if t >= self.start + self.samples as f64 * time - slack {
            let measured = (state.q[self.q], self.state.tachometer);
            // The first sample has none before it.
            let time = if self.samples == 0 { 0.0 } else { time };
            let (limit, null) = (self.drive.limit, self.null);
            let at_limit = |asked: f64| !self.linear && (asked + null).abs() >= limit;
            let from = (&self.state.loops, self.sampled);
            let (loops, errors, asked) = self.drive.sampled((t, time), measured, from, at_limit);
            self.state.asked = self.limited(asked + null);
            (self.state.loops, self.sampled) = (loops, errors);
            self.coming.push_back((t + self.drive.delay, self.state.asked));
            self.samples += 1;
        }
        while let Some(&(when, input)) = self.coming.front()
            && t >= when - slack
        {
            self.coming.pop_front();
            self.state.input = input;
        }
    }

    /// The next time at which it samples or an input comes into force (s).
    pub(super) fn next_event(&self) -> Option<f64> {
        let sample = self.start + self.samples as f64 * self.drive.sample?;
        Some(self.coming.front().map_or(sample, |(when, _)| when.min(sample)))
    }
}
