//! What acts on a joint coordinate.

use std::sync::Arc;

use pliant_mechanism::{Drive, Friction, JointCoordinate, Rotor, Sampling, Servo, Stiffness};
use pliant_pipeline::joint::{CoordinateTable, DriveSpec, DriveTable, ServoTable, StartTable};

use crate::function::function;
use crate::hydraulic::hydraulic;
use crate::motion::{MotionOf, motion, scalar};
use crate::problems::Problems;

/// Drive, friction, spring, rotor and start of one coordinate.
pub(crate) fn coordinate(
    table: &CoordinateTable,
    is_angle: bool,
    problems: &mut Problems<'_>,
) -> Option<JointCoordinate> {
    let driven = match &table.drive {
        Some(DriveSpec::Driven(driven)) => Some(driven),
        Some(DriveSpec::Free) | None => None,
    };
    let drive = match driven {
        Some(driven) => drive(driven, is_angle, problems),
        None => Some(Drive::Free),
    };
    let friction = table.friction.as_ref().map_or_else(Friction::default, |f| Friction {
        viscous: f.viscous,
        coulomb: f.coulomb,
        slip_rate: f.slip_rate,
    });
    let mut spring = Stiffness::default();
    if let Some(s) = &table.stiffness {
        let neutral = scalar(s.neutral, s.neutral_deg, is_angle, s.source.0, problems);
        spring = Stiffness { stiffness: s.k, neutral: neutral.unwrap_or_default() };
    }
    let rotor =
        table.rotor.as_ref().map_or_else(Rotor::default, |r| Rotor { inertia: r.inertia, ratio: r.ratio });
    let (mut initial, mut initial_rate) = (Some(0.0), Some(0.0));
    if let Some(start) = &table.start {
        let span = start.source.0;
        initial = scalar(start.value, start.value_deg, is_angle, span, problems);
        initial_rate = scalar(start.rate, start.rate_deg, is_angle, span, problems);
        if driven.is_some_and(|driven| driven.motion.is_some()) {
            let message = "`start` cannot be used with a prescribed motion";
            return problems.error_with_hint(span, message, "the joint starts where its profile does");
        }
    }
    let (drive, initial, initial_rate) = (drive?, initial?, initial_rate?);
    let exact = table.start.as_ref().is_some_and(|start| start.exact);
    let hold = table.start.as_ref().is_some_and(|start| start.hold);
    let given = |start: &StartTable| start.value.is_some() || start.value_deg.is_some();
    let stated = table.start.as_ref().is_some_and(given);
    Some(JointCoordinate { drive, friction, spring, rotor, initial, initial_rate, stated, exact, hold })
}

fn drive(table: &DriveTable, is_angle: bool, problems: &mut Problems<'_>) -> Option<Drive> {
    if let Some(spec) = &table.motion {
        return motion(spec, is_angle, MotionOf::Rigid, problems)
            .map(|motion| Drive::Prescribed(motion.into()));
    }
    if let Some(spec) = &table.torque {
        return function(spec, problems).map(Drive::Torque);
    }
    if let Some(table) = &table.servo {
        return servo(table, is_angle, problems).map(Drive::Servo);
    }
    let table = table.hydraulic.as_ref()?;
    hydraulic(table, is_angle, problems).map(|drive| Drive::Hydraulic(Box::new(drive)))
}

fn servo(table: &ServoTable, is_angle: bool, problems: &mut Problems<'_>) -> Option<Servo> {
    let follow = Arc::from(motion(&table.follow, is_angle, MotionOf::Command, problems)?);
    let mut servo = match table.f0_hz {
        // An inertia that is left out is found when the links are there.
        Some(f0_hz) => Servo::from_frequency(follow, f0_hz, table.inertia.unwrap_or(1.0)),
        None => Servo::new(follow, table.position_gain?, table.rate_gain?),
    };
    servo.integral_gain = table.integral_gain;
    servo.feed_forward = table.feed_forward;
    servo.limit = table.limit.unwrap_or(f64::INFINITY);
    servo.sampling = table.sample.map(|time| Sampling {
        time,
        delay: table.delay,
        rate_limit: table.rate_limit.unwrap_or(f64::INFINITY),
    });
    Some(servo)
}
