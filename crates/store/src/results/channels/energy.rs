//! `/energy`.

use pliant_dynamics::Energy;

use crate::results::channel::{Channels, Number};
use crate::results::schema::{self, Item};

type Of = fn(&Energy) -> f64;

pub(super) fn declare(channels: &mut Channels) {
    let all: [(Item, Of); 7] = [
        (schema::ENERGY_KINETIC, |e| e.kinetic),
        (schema::ENERGY_STRAIN, |e| e.strain),
        (schema::ENERGY_GRAVITY, |e| e.gravity),
        (schema::ENERGY_DRIVE, |e| e.drive_work),
        (schema::ENERGY_LOAD, |e| e.load_work),
        (schema::ENERGY_DISSIPATED, |e| e.dissipated),
        (schema::ENERGY_BALANCE, |e| e.balance),
    ];
    for (item, of) in all {
        channels.scalar(item, Number::Real, move |frame| of(frame.energy));
    }
}
