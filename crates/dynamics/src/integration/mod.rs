//! Time integration: analyses, schemes, steps, events and controllers.

pub(crate) mod analysis;
pub(crate) mod areas;
pub(crate) mod controller;
pub(crate) mod events;
pub(crate) mod impulse;
pub(crate) mod initial;
pub(crate) mod nominal;
pub(crate) mod pulses;
pub(crate) mod resolution;
pub(crate) mod scheme;
pub(crate) mod simulation;
pub(crate) mod span;
