//! Machines with loops and force elements against closed forms, published values and other codes.
#![expect(non_snake_case, reason = "frames and matrices keep the letters of the equations")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod andrews;
mod bennett;
mod bricard;
mod clamped;
mod features;
mod fit;
mod flexible;
mod forces;
mod four_bar;
mod linear;
mod n_four_bar;
mod n_four_bar_model;
#[expect(dead_code, reason = "shares the machines of the verification tests")]
#[path = "../verification/support.rs"]
mod support;
