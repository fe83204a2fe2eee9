//! What servos take from the rigid machine: the inertia they move, and the torque its motion needs.

use std::sync::Arc;

use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_dynamics::{InverseDynamics, Settings, StepControl};
use pliant_mechanism::{Model, Servo, TimeFunction};
use pliant_pipeline::PipelineTable;
use pliant_pipeline::joint::DriveSpec;

/// Times at which the inertia of a joint is looked at.
const LOOKS: u32 = 400;
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
        let place = ((t - self.start) / self.spacing).clamp(0.0, last as f64);
        let before = (place as usize).min(last.saturating_sub(1));
        let after = (before + 1).min(last);
        self.values[before] + (self.values[after] - self.values[before]) * (place - before as f64)
    }
}

/// Completes the servos of a machine.
///
/// # Errors
/// A rigid machine whose motion does not follow from its commands alone.
pub(crate) fn complete(
    servos: &[ToComplete],
    model: &mut Model,
    settings: &Settings,
) -> Result<(), Diagnostics> {
    if servos.is_empty() {
        return Ok(());
    }
    let nominal = model.nominal();
    let fail = |message: &str, span| Err(Diagnostics::from_iter([Diagnostic::error(message).at(span)]));
    let Some(mut rigid) = InverseDynamics::new(&nominal) else {
        let message = "inertia and torque of the rigid machine are found where every joint has a motion or follows one, and no loop is closed";
        return fail(message, servos[0].span);
    };
    let (start, length) = (settings.t_start, settings.t_end - settings.t_start);
    let step = match settings.step {
        StepControl::Fixed { step } => step,
        StepControl::ErrorControlled { min_step, .. } => min_step,
    };
    for servo in servos {
        let Some(body) = nominal.bodies().iter().position(|body| body.joint_name == servo.joint) else {
            return fail("a servo of a joint that closes a loop cannot be completed", servo.span);
        };
        let k = servo.coordinate;
        let inertia = servo.f0_hz.map(|_| {
            let at = |i: u32| start + length * f64::from(i) / f64::from(LOOKS);
            (0..=LOOKS).map(|i| rigid.reflected_inertia(at(i), body, k)).fold(0.0, f64::max)
        });
        let torque = servo.rigid_torque.then(|| {
            let count = (length / step).ceil().clamp(1.0, MOST_TORQUES);
            let spacing = length / count;
            let at = |i: usize| start + spacing * i as f64;
            let values = (0..=count as usize).map(|i| rigid.drive_force(at(i), body, k)).collect();
            Arc::new(SampledTorque { start, spacing, values }) as Arc<dyn TimeFunction>
        });
        let Some(made) = model.servo_mut(body, k) else { continue };
        if let (Some(f0_hz), Some(inertia)) = (servo.f0_hz, inertia) {
            let gains = Servo::from_frequency(Arc::clone(&made.follow), f0_hz, inertia);
            (made.position_gain, made.rate_gain) = (gains.position_gain, gains.rate_gain);
        }
        made.feed_torque = torque.or(made.feed_torque.take());
    }
    Ok(())
}
