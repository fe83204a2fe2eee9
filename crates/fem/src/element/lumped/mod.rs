//! Elements at a point or between two: springs, bushings, dampers, masses.

mod bush;
mod damper;
mod point_mass;
mod scalar_mass;
mod scalar_pair;
mod spring;

pub(super) use bush::build as build_bush;
pub(super) use damper::build as build_damper;
pub(super) use point_mass::build as build_point_mass;
pub(super) use scalar_mass::build as build_scalar_mass;
pub(super) use spring::build as build_spring;
