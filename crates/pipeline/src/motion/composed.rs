//! Motions made of other motions, and of files.

use std::path::PathBuf;

use serde_json::json;

use super::{MotionSpec, ProfileWord, TABLES};
use crate::schema::{Context, FromValue, Located, TypeDoc, reference_to};
use crate::{Value, table};

table! {
    /// `table`: a CSV file whose first column is the time (s). Cubic splines run through its values; it rests before and after.
    pub struct TableMotionTable {
        /// `table`.
        profile: ProfileWord;
        /// The CSV file.
        file: Located<PathBuf>;
        /// Which column has the values (the time is column 1).
        column: u32 = 2, "2";
        /// True: the values are degrees. False: rad or m.
        degrees: bool = false, "false";
    } check TableMotionTable::check
}

table! {
    /// `sequence`: one motion after the other, each on its own clock, none with a jump to the next. `sum`: all of them added.
    pub struct PartsTable {
        /// `sequence` or `sum`.
        profile: ProfileWord;
        /// The motions.
        parts: Parts;
    } check PartsTable::check
}

/// A list of motions. Its documentation does not repeat that of the motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts(pub Vec<MotionSpec>);

impl FromValue for Parts {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        Vec::from_value(value, context).map(Self)
    }

    fn doc() -> TypeDoc {
        let kinds: Vec<_> = TABLES.iter().map(|name| reference_to(name)).collect();
        TypeDoc::plain(
            "list of motions",
            json!({ "type": "array", "items": { "anyOf": kinds }, "minItems": 1 }),
        )
    }
}

impl TableMotionTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.column < 2 {
            context.error(self.source.0, "the values stand in column 2 or later: column 1 is the time");
        }
    }
}

impl PartsTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.parts.0.is_empty() {
            context.error(self.source.0, "`parts` is empty");
        }
    }
}
