//! The pipeline file: one TOML file describes a machine completely.
//!
//! [`Document`] is the text as a tree of values with their locations; the [`schema`] turns it into typed
//! tables and reports everything that is wrong in one pass; the same table definitions make the reference
//! page and the JSON schema.

pub mod analysis;
pub mod constraint;
pub mod curve;
pub mod damping;
mod document;
mod documentation;
pub mod durability;
mod file;
pub mod force;
pub mod function;
pub mod joint;
mod key_path;
pub mod limits;
pub mod link;
pub mod load;
pub mod motion;
pub mod output;
pub mod path;
pub mod payload;
pub mod response;
pub mod schema;
pub mod study;
mod write;

pub use document::{Document, Key, Value, ValueKind};
pub use documentation::{file_reference, file_schema};
pub use file::{PipelineFile, PipelineTable, from_text, read};
pub use key_path::{KeyError, KeyPath};

/// Version of the pipeline file: raised, with a new golden file (CONTRIBUTING.md), when a file that was read
/// before is refused or means something else.
pub const PIPELINE_FORMAT: u32 = 1;
