//! How Pliant says what is wrong and where: spans into source files, diagnostics as values.
//!
//! Nothing here prints. Stages collect [`Diagnostic`]s and hand them on with their output as
//! [`Warned`]; the command line renders them.

mod diagnostic;
mod number;
mod source;
mod span;
mod suggest;

pub use diagnostic::{Diagnostic, Diagnostics, FieldRef, Severity, Warned};
pub use number::real;
pub use source::{LARGEST_INPUT, LARGEST_TABLE, LineColumn, SourceFile, SourceMap, read_input, read_text};
pub use span::{FileId, Located, Origin, Span};
pub use suggest::{closest, suggestion};
