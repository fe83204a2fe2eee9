//! Machines from pipeline files and decks against other codes and closed forms, and against themselves in
//! other axes and units.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(non_snake_case, reason = "frames keep the letters of the equations")]

mod cuts;
mod denavit_hartenberg;
mod exudyn;
mod fedem;
mod indifference;
mod support;
mod suspension;
