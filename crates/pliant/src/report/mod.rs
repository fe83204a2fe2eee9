//! From a results file to the plain numbers of a report.

mod elements;
mod loads;
mod machine;
mod response;
mod run;
mod symbols;

pub(crate) use machine::machine;
pub use response::response;
pub use run::run;
pub(crate) use symbols::{drawn as drawn_symbol, payload_radius};
