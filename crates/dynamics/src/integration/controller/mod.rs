//! What drives remember: integrals, samples and torques on their way of servos, states of hydraulic drives.

mod hydraulic;

use std::collections::VecDeque;

use pliant_diag::real;
use pliant_mechanism::{Controller as LawAtWork, Drive, JointCoordinate, Measurement, Memory, Model, Servo};

use crate::integration::controller::hydraulic::HydraulicController;
use crate::{SimulationError, State};

/// The part of a sample time that rounding may take from a time.
const ROUNDING: f64 = 1e-6;

/// One servo with memory.
#[derive(Debug)]
struct Controller {
    servo: Servo,
    /// What computes the torque instead of the servo's own law.
    law: Option<Box<dyn LawAtWork>>,
    /// The torque that holds the joint where the run starts.
    holding: f64,
    /// Indices among positions and velocities.
    q: usize,
    v: usize,
    joint: String,
    /// ∫e dt.
    integral: f64,
    /// Error at the last step, for the trapezoidal rule.
    error: f64,
    /// Number of samples taken.
    samples: u64,
    /// The torque of the last sample.
    output: f64,
    /// Torques with the times they come into force.
    coming: VecDeque<(f64, f64)>,
}

/// All drives of a machine that have memory.
#[derive(Debug)]
pub(crate) struct Controllers {
    servos: Vec<Controller>,
    /// Indices among positions and velocities of all joint coordinates that are one number, where a law from
    /// outside measures them.
    measured: Vec<[usize; 2]>,
    /// Their positions and rates at a sample.
    joints: Vec<[f64; 2]>,
    hydraulics: Vec<HydraulicController>,
    start: f64,
}

impl Controllers {
    /// In a `linear` analysis hydraulic drives have no deadband, stroke and limit.
    pub(crate) fn new(model: &Model, start: f64, linear: bool) -> Self {
        let has_law = model.servos().any(|(_, servo)| servo.law.is_some());
        let (names, measured) = if has_law { scalar_coordinates(model) } else { Default::default() };
        let mut servos = Vec::new();
        let mut hydraulics = Vec::new();
        let mut add = |joint: &str, coordinates: &[JointCoordinate], q: usize, v: usize| {
            for (k, c) in coordinates.iter().enumerate() {
                if let Drive::Hydraulic(drive) = &c.drive {
                    let place = (joint.to_owned(), q + k, v + k);
                    hydraulics.push(HydraulicController::new(drive, place, start, linear));
                }
                if let Drive::Servo(servo) = &c.drive
                    && servo.has_memory()
                {
                    let waiting = servo.sampling.map_or(0.0, |s| s.delay / s.time) as usize + 2;
                    servos.push(Controller {
                        servo: servo.clone(),
                        law: servo.law.as_ref().map(|law| law.start(&names)),
                        holding: 0.0,
                        q: q + k,
                        v: v + k,
                        joint: joint.to_owned(),
                        integral: 0.0,
                        error: 0.0,
                        samples: 0,
                        output: 0.0,
                        coming: VecDeque::with_capacity(waiting),
                    });
                }
            }
        };
        for body in model.bodies() {
            let (q, v) = (body.hinge_positions().start, body.hinge_velocities().start);
            add(&body.joint_name, &body.coordinates, q, v);
        }
        for joint in &model.closures().joints {
            add(&joint.name, &joint.coordinates, joint.positions().start, joint.velocities().start);
        }
        let joints = vec![[0.0; 2]; measured.len()];
        Self { servos, measured, joints, hydraulics, start }
    }

    /// Sample times and delays must be integers of a fixed step.
    ///
    /// # Errors
    /// Which joint's are not.
    pub(crate) fn check_step(&self, h: f64) -> Result<(), SimulationError> {
        let servos = self.servos.iter().map(|c| (&c.joint, c.servo.sampling));
        let hydraulics = self.hydraulics.iter().map(HydraulicController::clock);
        for (joint, sampling) in servos.chain(hydraulics) {
            let Some(sampling) = sampling else { continue };
            for (what, time) in [("samples every", sampling.time), ("is delayed by", sampling.delay)] {
                if ((time / h).round() - time / h).abs() > ROUNDING * (time / h).max(1.0) {
                    let message = format!(
                        "the servo of joint `{joint}` {what} {time} s, which is not an integer multiple of the step of {} s",
                        real(h)
                    );
                    return Err(SimulationError::Setting { setting: "step", message });
                }
            }
        }
        Ok(())
    }

    /// The start: samples are taken. In equilibrium (`holding` has the forces that hold the joints) a sampled
    /// servo with an integral starts with the integral that holds its joint.
    ///
    /// # Errors
    /// Those of a control law from outside.
    pub(crate) fn begin(
        &mut self,
        state: &State,
        holding: Option<&[f64]>,
        memory: &mut [Memory],
    ) -> Result<(), SimulationError> {
        for c in &mut self.servos {
            c.holding = holding.map_or(0.0, |holding| holding[c.v]);
            if c.law.is_some() {
                // What holds the joint until the first torque comes into force.
                memory[c.v].value = c.holding;
            }
            let (position, rate) = (state.q[c.q], state.v[c.v]);
            c.error = c.servo.error(state.t, position, rate).0;
            if let (Some(holding), true, Some(_)) = (holding, c.servo.integral_gain > 0.0, c.servo.sampling) {
                let wanted = holding[c.v] - c.servo.demand(state.t, position, rate);
                c.integral = wanted / c.servo.integral_gain;
                c.output = holding[c.v];
                memory[c.v].value = holding[c.v];
            }
        }
        for c in &mut self.hydraulics {
            c.begin(state, holding, memory);
        }
        self.sample(state, memory).map(|_| ())
    }

    /// Before a step of length `h`: the integral at its end as the error and its rate foretell it. Its own
    /// error is of third order in h, so that the scheme stays of second order and needs no further term in
    /// its Newton matrix.
    pub(crate) fn foretell(&self, h: f64, state: &State, memory: &mut [Memory]) {
        for c in &self.hydraulics {
            c.foretell(h, state, memory);
        }
        for c in self.servos.iter().filter(|c| c.servo.sampling.is_none()) {
            let (e, e_rate) = c.servo.error(state.t, state.q[c.q], state.v[c.v]);
            let at_limit = c.is_at_limit(state, c.servo.integral_gain * c.integral);
            let gain = if at_limit { 0.0 } else { h * (e + 0.5 * h * e_rate) };
            memory[c.v].value = c.servo.integral_gain * (c.integral + gain);
        }
    }

    /// After a step of length `h`: integrals by the trapezoidal rule, samples that are due, torques that come
    /// into force. True when a held torque has changed, and with it the accelerations.
    ///
    /// # Errors
    /// Those of a control law from outside.
    pub(crate) fn update(
        &mut self,
        h: f64,
        state: &State,
        memory: &mut [Memory],
    ) -> Result<bool, SimulationError> {
        for c in &mut self.hydraulics {
            c.update(state, memory);
        }
        for c in self.servos.iter_mut().filter(|c| c.servo.sampling.is_none()) {
            let e = c.servo.error(state.t, state.q[c.q], state.v[c.v]).0;
            if !c.is_at_limit(state, c.servo.integral_gain * c.integral) {
                c.integral += 0.5 * h * (c.error + e);
            }
            c.error = e;
        }
        self.sample(state, memory)
    }

    /// After an event: errors are those behind it.
    pub(crate) fn resume(&mut self, state: &State) {
        for c in self.servos.iter_mut().filter(|c| c.servo.sampling.is_none()) {
            c.error = c.servo.error(state.t, state.q[c.q], state.v[c.v]).0;
        }
    }

    fn sample(&mut self, state: &State, memory: &mut [Memory]) -> Result<bool, SimulationError> {
        let (t, start) = (state.t, self.start);
        let mut changed = false;
        for c in &mut self.servos {
            let Some(sampling) = c.servo.sampling else { continue };
            let slack = ROUNDING * sampling.time;
            if t >= start + c.samples as f64 * sampling.time - slack {
                let (position, rate) = (state.q[c.q], state.v[c.v]);
                let e = c.servo.error(t, position, rate).0;
                let first = c.samples == 0;
                let step = if first { 0.0 } else { sampling.time * e };
                let wanted = match &mut c.law {
                    Some(law) => {
                        for (measured, at) in self.joints.iter_mut().zip(&self.measured) {
                            *measured = [state.q[at[0]], state.v[at[1]]];
                        }
                        let (command, holding) = (c.servo.follow.at(t), c.holding);
                        let joints = &self.joints;
                        let measured = Measurement { t, position, rate, command, holding, joints };
                        torque_of(&mut **law, &measured, &c.joint)?
                    }
                    None => {
                        let demand = c.servo.demand(t, position, rate);
                        demand + c.servo.integral_gain * (c.integral + step)
                    }
                };
                // The integral stands still while the torque is at its limit.
                if wanted.abs() < c.servo.limit {
                    c.integral += step;
                }
                let limit = c.servo.limit;
                let mut torque = wanted.clamp(-limit, limit);
                let change = sampling.rate_limit * sampling.time;
                if !first && change.is_finite() {
                    torque = torque.clamp(c.output - change, c.output + change);
                }
                c.output = torque;
                c.coming.push_back((t + sampling.delay, torque));
                c.samples += 1;
            }
            while let Some(&(when, torque)) = c.coming.front()
                && t >= when - slack
            {
                c.coming.pop_front();
                changed |= memory[c.v].value != torque;
                memory[c.v].value = torque;
            }
        }
        Ok(changed)
    }

    /// The next time at which a servo samples or changes its torque (s); infinite when none does.
    pub(crate) fn next_event(&self) -> f64 {
        let next = |c: &Controller| {
            let sampling = c.servo.sampling?;
            let sample = self.start + c.samples as f64 * sampling.time;
            Some(c.coming.front().map_or(sample, |(when, _)| when.min(sample)))
        };
        let hydraulics = self.hydraulics.iter().filter_map(HydraulicController::next_event);
        self.servos.iter().filter_map(next).chain(hydraulics).fold(f64::INFINITY, f64::min)
    }
}

impl Controller {
    fn is_at_limit(&self, state: &State, integral: f64) -> bool {
        let wanted = self.servo.demand(state.t, state.q[self.q], state.v[self.v]) + integral;
        wanted.abs() >= self.servo.limit
    }
}

/// The torque of a law from outside, which must be a number.
fn torque_of(
    law: &mut dyn LawAtWork,
    measured: &Measurement<'_>,
    joint: &str,
) -> Result<f64, SimulationError> {
    let failed = |message| SimulationError::Controller { t: measured.t, joint: joint.to_owned(), message };
    let torque = law.torque(measured).map_err(|error| failed(error.message))?;
    if torque.is_finite() {
        Ok(torque)
    } else {
        Err(failed(format!("it returned {torque}, expected a finite torque")))
    }
}

/// Names and state entries of all joint coordinates that are one number.
fn scalar_coordinates(model: &Model) -> (Vec<String>, Vec<[usize; 2]>) {
    let scalar =
        model.coordinate_refs().filter(|c| model.joint(c.joint).hinge.joint.has_scalar_coordinates());
    let named = scalar.map(|coordinate| {
        let (view, entry) = (model.joint(coordinate.joint), model.state_entry(coordinate));
        (view.coordinate_name(coordinate.coordinate), [entry.position, entry.velocity])
    });
    named.unzip()
}
