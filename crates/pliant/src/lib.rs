//! What the program can do, as functions on domain types. Command line, studies and other front ends call
//! this crate and translate to and from it; the sequence of stages stands here and nowhere else.
//!
//! [`load`] reads a pipeline file into a [`Case`]; [`link`] reduces one link, [`links`](links::links) all of
//! a case; [`run`](run::run) moves the machine and stores its results; [`response`](response::response)
//! is the machine in the frequency domain; [`report`] reads results for a page; [`compare`] lays results
//! beside each other; [`view`] draws a file before anything is computed; [`statics`] adds stress and forces
//! on grids to the static answer of a deck; [`migrate`] brings a pipeline file to the present format;
//! [`facts`] are outcomes for programs; [`metrics`] is the catalogue of its numbers.

mod case;
pub mod compare;
mod controller;
mod durability;
pub mod export;
pub mod facts;
mod keep;
pub mod link;
pub mod links;
pub mod metrics;
pub mod migrate;
mod prepare;
mod recovery;
pub mod report;
pub mod response;
pub mod run;
pub mod segments;
pub mod statics;
mod view;

pub use case::{Case, LoadFailure, Machine, Provenance, load};
pub use controller::JointController;
pub use keep::keep;
pub use prepare::{Prepared, prepare, refused_target};
pub use view::{Viewed, view};
