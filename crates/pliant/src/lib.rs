//! What the program can do, as functions on domain types. Command line, studies and other front ends call this crate
//! and translate to and from it; the sequence of stages stands here and nowhere else.

mod keep;
pub mod link;

pub use keep::keep;
