//! Elements at a point or between two: springs, bushings, dampers, masses.

mod bush;
mod point_mass;
mod scalar;

pub(super) use bush::build as build_bush;
pub(super) use point_mass::build as build_point_mass;
pub(super) use scalar::build as build_scalar;
