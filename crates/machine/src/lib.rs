//! From the tables of a pipeline file to a [`Model`](pliant_mechanism::Model) and the settings of its run.
//!
//! A [`Plan`] is made before any link is reduced, so that what is wrong with joints, drives, loads or
//! settings is reported at once and at its line; with the reduced links it becomes the model.

#![expect(non_snake_case, reason = "frames keep the letters of the equations")]

mod attachment;
mod chain;
mod closure;
mod coordinate;
mod csv;
mod curve;
mod damping;
mod force;
mod function;
mod hydraulic;
mod joint;
mod key_span;
mod links;
mod machine;
mod motion;
mod path;
mod plan;
mod problems;
mod response;
mod servo;
mod settings;

pub use chain::chain;
pub use csv::{ColumnError, columns_of};
pub use links::{Chain, Links, links, material};
pub use plan::{Plan, Settling};
pub use response::{
    Elastic, ElasticError, ElasticName, FoundPoses, PlanePoints, ResponsePlan, ResponseRequest,
};
