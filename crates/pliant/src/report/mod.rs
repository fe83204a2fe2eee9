//! From files of results to the plain numbers of a report.

mod elements;
mod machine;
mod response;
mod run;
mod shapes;
mod symbols;

pub use response::response;
pub use run::run;
pub use shapes::shapes;
