//! A link of every element family: what a reduction promises, whatever the link is made of.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod deck;
mod energy;
mod reduced_against_full;
mod solid;
#[path = "../support/mod.rs"]
mod support;
