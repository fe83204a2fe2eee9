//! Samples of a space of parameters, and what they say of a metric. Pure numbers: no files, no tables, no
//! machine.
//!
//! [`points`] are numbers between 0 and 1, random, stratified or of Sobol's sequence, [`saltelli`] arranges
//! them for Sobol's indices; [`normal_quantile`] and [`triangular_quantile`] turn them into values. Of the
//! values of a metric, [`Effect`] is what one parameter does to it, [`indices`] are the shares of its
//! variance, [`pareto_front`] are the cases that no other beats in two metrics.

mod effect;
mod indices;
mod pareto;
mod points;
mod quantile;
mod random;
mod sobol;

pub use effect::Effect;
pub use indices::{SobolIndex, indices};
pub use pareto::pareto_front;
pub use points::{Method, points, saltelli};
pub use quantile::{normal_quantile, triangular_quantile};
pub use sobol::SOBOL_DIMENSIONS;
