//! From values to typed tables, with every problem reported, and from the same definitions a reference page.

mod context;
mod primitive;
mod reference;
mod table;
mod words;

pub use context::Context;
pub use pliant_diag::{Located, closest, suggestion};
pub use primitive::{Named, NumberOrWord, OneOrMany};
pub use reference::{json_schema, reference_page};
pub(crate) use table::key_name;
pub(crate) use table::reference_to;
pub(crate) use table::report_unknown;
pub(crate) use table::table_doc;
pub use table::{Choice, KeyDoc, TableDoc, entries as table_entries};

pub(crate) use words::read_word;
pub(crate) use words::words_doc;

use crate::Value;

/// A type that can be read from a value of the pipeline file.
pub trait FromValue: Sized {
    /// Reads it. `None` when it could not be read; then at least one error was reported.
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self>;

    /// What a missing key means: `None` when the key must be there.
    fn missing() -> Option<Self> {
        None
    }

    /// Its description for people and for JSON schema.
    fn doc() -> TypeDoc;
}

/// What a type looks like, for the reference page and the JSON schema.
#[derive(Clone, Debug)]
pub struct TypeDoc {
    /// In words: `number`, `list of 3 numbers`, `table`.
    pub words: String,
    /// JSON schema.
    pub json: serde_json::Value,
    /// Tables that this type holds.
    pub tables: Vec<TableDoc>,
}

impl TypeDoc {
    /// A type without tables inside.
    pub fn plain(words: impl Into<String>, json: serde_json::Value) -> Self {
        Self { words: words.into(), json, tables: Vec::new() }
    }
}
