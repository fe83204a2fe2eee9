//! What the program found as plain facts for programs: the same in `--json` of every command and in every
//! other front end. They can be serialised; nothing of HDF5, terminals or files is in them.

mod diagnostics;
mod link;
mod link_numbers;
mod response;
mod run;

pub use diagnostics::{DiagnosticFacts, diagnostics};
pub use link::{LinkFacts, ReducedFacts};
pub use link_numbers::{FrequencyFacts, LinkNumbers};
pub use response::ResponseFacts;
pub use run::AnalysisFacts;
