//! What servos take from the rigid machine: the inertia they move, and the torque its motion needs.

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::{InverseDynamics, Settings, SimulationError, StepControl};
use pliant_mechanism::{CoordinateRef, Model, Servo, TimeFunction};
use pliant_pipeline::PipelineTable;
use pliant_pipeline::joint::DriveSpec;

/// Times at which the inertia of a joint is looked at, at most.
const LOOKS: usize = 400;
/// Most times at which a torque is kept.
const MOST_TORQUES: f64 = 20_000.0;

/// A servo that needs something of the rigid machine.
#[derive(Clone, Debug)]
pub(crate) struct ToComplete {
    joint: String,
    coordinate: usize,
    /// Its structural frequency, when its inertia must be found.
    f0_hz: Option<f64>,
    rigid_torque: bool,
    span: Option<Span>,
}

/// The servos of a file that need something of the rigid machine.
pub(crate) fn to_complete(table: &PipelineTable) -> Vec<ToComplete> {
    let mut found = Vec::new();
    for (name, joint) in table.joints.iter() {
        for (coordinate, kind) in joint.type_.coordinates().iter().enumerate() {
            let Some(Some(DriveSpec::Driven(drive))) = joint.coordinate(kind).map(|c| c.drive) else {
                continue;
            };
            let Some(servo) = &drive.servo else { continue };
            let f0_hz = servo.f0_hz.filter(|_| servo.inertia.is_none());
            if f0_hz.is_some() || servo.rigid_torque {
                let (joint, span) = (name.to_owned(), servo.source.0);
                found.push(ToComplete { joint, coordinate, f0_hz, rigid_torque: servo.rigid_torque, span });
            }
        }
    }
    found
}

/// A torque at equally spaced times, straight in between: no overshoot where it jumps.
#[derive(Clone, Debug)]
struct SampledTorque {
    start: f64,
    spacing: f64,
    values: Vec<f64>,
}

impl TimeFunction for SampledTorque {
    fn value(&self, t: f64) -> f64 {
        let last = self.values.len() - 1;
        let position = ((t - self.start) / self.spacing).clamp(0.0, last as f64);
        let before = (position as usize).min(last.saturating_sub(1));
        let after = (before + 1).min(last);
        self.values[before] + (self.values[after] - self.values[before]) * (position - before as f64)
    }
}

/// What a servo gets of the rigid machine.
struct Found {
    coordinate: CoordinateRef,
    velocity: usize,
    inertia: f64,
    torque: Vec<f64>,
}

/// Completes the servos of a machine from its nominal motion over the entire run.
///
/// # Errors
/// A rigid machine that cannot make the motion.
pub(crate) fn complete(
    servos: &[ToComplete],
    model: &mut Model,
    settings: &Settings,
) -> Result<(), Diagnostics> {
    let Some(first) = servos.first() else { return Ok(()) };
    let fail = |error: SimulationError| {
        let message = format!("inertia and torque of the rigid machine cannot be computed: {error}");
        Diagnostics::from_iter([Diagnostic::error(message).at(first.span)])
    };
    let nominal = model.nominal();
    let found = |servo: &ToComplete| {
        let coordinate = nominal
            .joint_coordinate(&servo.joint, servo.coordinate)
            .expect("invariant: every joint of the file is in the model");
        let velocity = nominal.state_entry(coordinate).velocity;
        Found { coordinate, velocity, inertia: 0.0, torque: Vec::new() }
    };
    let mut found: Vec<Found> = servos.iter().map(found).collect();
    let step = match settings.step {
        StepControl::Fixed { step } => step,
        StepControl::ErrorControlled { min_step, .. } => min_step,
    };
    let (start, length) = (settings.t_start, settings.t_end - settings.t_start);
    let count = (length / step).ceil().clamp(1.0, MOST_TORQUES) as usize;
    let (spacing, looks_every) = (length / count as f64, count.div_ceil(LOOKS));
    let mut rigid = InverseDynamics::new(&nominal, settings).map_err(fail)?;
    for i in 0..=count {
        if i > 0 {
            rigid.advance_to(start + spacing * i as f64, spacing).map_err(fail)?;
        }
        for (servo, found) in servos.iter().zip(&mut found) {
            found.torque.push(rigid.drive_force(found.velocity));
            if servo.f0_hz.is_some() && i % looks_every == 0 {
                let inertia = rigid.reflected_inertia(found.velocity).map_err(fail)?;
                found.inertia = found.inertia.max(inertia);
            }
        }
    }
    for (servo, found) in servos.iter().zip(found) {
        let Some(made) = model.servo_mut(found.coordinate) else { continue };
        if let Some(f0_hz) = servo.f0_hz {
            let gains = Servo::from_frequency(Arc::clone(&made.follow), f0_hz, found.inertia);
            (made.position_gain, made.rate_gain) = (gains.position_gain, gains.rate_gain);
        }
        if servo.rigid_torque {
            made.feed_torque = Some(Arc::new(SampledTorque { start, spacing, values: found.torque }));
        }
    }
    Ok(())
}
