//! Equilibrium, load continuation and the quasi-static analysis.

pub(crate) mod balanced;
pub(crate) mod descent;
pub(crate) mod equilibrium;
mod load_steps;
mod quasi_static;
pub(crate) mod stability;
