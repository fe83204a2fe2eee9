//! The pipeline file: one TOML file tells the whole story of a machine.
//!
//! [`Document`] is the text as a tree of values that know their places; the [`schema`] turns it into typed tables and
//! reports everything that is wrong in one pass; the same table definitions make the reference page and the JSON schema.

mod document;
mod file;
pub mod link;
pub mod schema;

pub use document::{Document, Key, Value, ValueKind};
pub use file::{PipelineFile, PipelineTable, read};
