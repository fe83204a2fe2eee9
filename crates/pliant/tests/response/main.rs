//! The machine in the frequency domain against answers of other codes and closed forms (../shared/response,
//! where it is there).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]

mod agreement;
mod arm;
mod clocks;
mod commands;
mod elastic;
mod four_bar;
mod hub_beam;
mod hydraulic;
mod joint_loop;
mod loads;
mod loads_in_run;
mod moving;
mod one_mesh;
mod plane;
mod rotors;
mod start_in_loops;
mod support;
mod tracking;
