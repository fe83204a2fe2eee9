//! Mechanics of machines built from pipeline files against closed forms: damping, statics, the nominal
//! motion.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "loads keep the letters of the equations")]

mod damping;
mod exact_beams;
mod nominal;
mod stability;
mod statics;
mod support;
