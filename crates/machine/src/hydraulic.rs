//! Servo-hydraulic drives.

use std::f64::consts::TAU;
use std::sync::Arc;

use pliant_mechanism::{Compensator, Hydraulic, Oil, Tachometer, Valve};
use pliant_pipeline::joint::{CompensatorTable, HydraulicTable};

use crate::motion::{MotionOf, motion};
use crate::problems::Problems;

pub(crate) fn hydraulic(
    table: &HydraulicTable,
    is_angle: bool,
    problems: &mut Problems<'_>,
) -> Option<Hydraulic> {
    let follow = Arc::from(motion(&table.follow, is_angle, MotionOf::Command, problems)?);
    let displacement = match (&table.piston, &table.motor) {
        (Some(piston), _) => match (piston.lever, is_angle) {
            (None, true) => {
                let hint = "lever = 0.2 is a lever arm of 0.2 m";
                let message = "a `piston` that turns a joint needs a `lever`";
                return problems.error_with_hint(piston.source.0, message, hint);
            }
            (lever, _) => piston.area * lever.unwrap_or(1.0),
        },
        (None, Some(motor)) => motor.displacement * motor.ratio,
        (None, None) => return None,
    };
    let (valve, oil) = (&table.valve, &table.oil);
    let infinite = f64::INFINITY;
    Some(Hydraulic {
        follow,
        valve: Valve {
            gain: valve.gain,
            frequency: TAU * valve.natural_hz,
            damping: valve.damping,
            flow_gain: valve.flow_gain,
            pressure_flow: valve.pressure_flow,
            deadband: valve.deadband,
            stroke: valve.stroke.unwrap_or(infinite),
        },
        oil: Oil { volume: oil.volume, bulk_modulus: oil.bulk_modulus, leakage: oil.leakage },
        displacement,
        tachometer: table.tachometer.as_ref().map_or(
            Tachometer { gain: 1.0, time_constant: 0.0 },
            |tachometer| Tachometer { gain: tachometer.gain, time_constant: tachometer.time_constant },
        ),
        position: table.position.as_ref().map(compensator),
        rate: compensator(&table.rate),
        feed_forward: [table.feed_forward, table.acceleration_feed_forward],
        limit: table.limit.unwrap_or(infinite),
        sample: table.sample,
        delay: table.delay,
    })
}

fn compensator(table: &CompensatorTable) -> Compensator {
    let CompensatorTable { gain, integral_gain, lead, lag, .. } = *table;
    Compensator { gain, integral_gain, lead, lag }
}
