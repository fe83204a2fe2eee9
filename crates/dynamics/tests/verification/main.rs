//! Verification of the dynamics against closed forms, independent formulations and peers' answers.
#![expect(non_snake_case, reason = "matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod conservation;
mod exudyn_arms;
mod failures;
mod linear;
mod metrics;
mod mode_choice;
mod published;
mod quality;
mod rigid;
mod sampled_servos;
mod second_order;
mod servos;
mod statics_and_forces;
mod support;
mod tables;
