//! Line elements: rods, bars, beams.

mod bar;
#[cfg(test)]
pub(super) mod bar_fixture;
#[cfg(test)]
mod bar_load_tests;
mod bar_mass;
#[cfg(test)]
mod bar_tests;
mod beam_section;
mod flexible_line;
pub(super) mod frame;
pub(super) mod geometric;
#[cfg(test)]
mod hermite;
mod pins;
pub(super) mod quadrature;
mod rod;
mod section;
mod timoshenko;
#[cfg(test)]
mod timoshenko_tests;
mod tube;
mod viscous;

pub(super) use bar::build as build_bar;
pub use bar::warnings as beam_warnings;
pub(super) use rod::build as build_rod;
pub(super) use viscous::build as build_viscous_rod;
