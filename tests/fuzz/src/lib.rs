//! Fuzzing of every reader of foreign bytes (promise 3 of docs/guarantees.md).
//!
//! A [`Target`] is a plain function of bytes with its seeds. Two drivers call it: [`campaign`], which damages
//! the seeds with a generator that gives the same numbers everywhere, and `cargo fuzz` in `fuzz/`, which is
//! guided by coverage.

pub mod campaign;
mod foreign;
pub mod memory;
pub mod mutate;
mod op4;
mod random;
pub mod seeds;
mod stored;
pub mod target;

pub use random::Random;
pub use stored::clean;
pub use target::{TARGETS, Target};
