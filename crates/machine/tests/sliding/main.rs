//! Sliding joints: booms that are gripped at a point which moves along them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]

mod drives;
mod inner_end;
mod limits;
mod moving;
mod published;
mod rollers;
mod similarity;
mod solids;
mod support;
mod swinging;
mod writings;
