//! From files of results to the plain numbers of a report.

mod elements;
mod loads;
mod machine;
mod response;
mod run;
mod shapes;
mod symbols;

pub(crate) use machine::machine;
pub use response::response;
pub use run::run;
pub use shapes::shapes;
pub(crate) use symbols::{drawn as drawn_symbol, payload_radius};
