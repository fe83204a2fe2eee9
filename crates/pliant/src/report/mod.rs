//! From a results file to the plain numbers of a report.

mod elements;
mod machine;
mod run;
mod symbols;

pub use run::run;
