//! From a results file to the plain numbers of a report.

mod elements;
mod machine;
mod run;

pub use run::run;
