//! Equilibrium, load continuation and the quasi-static analysis.

pub(crate) mod equilibrium;
pub(crate) mod load_steps;
pub(crate) mod quasi_static;
