//! Motions made of other motions, and of files.

use std::path::PathBuf;

use serde_json::json;

use super::{MotionSpec, ProfileWord};
use crate::curve::{CurveTable, InterpolationWord, OutsideWord, check_column};
use crate::schema::{Context, FromValue, Located, TypeDoc, reference_to};
use crate::{Value, table};

table! {
    /// `table`: a CSV file whose first column is the time (s), by default with a cubic spline through its
    /// values, at rest before and after; [CurveTable](#curvetable) explains the words. A joint
    /// moves along `cubic` and `monotone` tables; `linear` and `step` jump in rate or value, and are commands
    /// for a servo or a cylinder with oil.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    /// drive  = { motion = { profile = "table", file = "elbow.csv", degrees = true } }
    /// ```
    pub struct TableMotionTable {
        /// `table`.
        profile: ProfileWord;
        /// The CSV file.
        file: Located<PathBuf>;
        /// Which column has the values (the time is column 1).
        column: u32 = 2, "2";
        /// True: the values are degrees. False: rad or m.
        degrees: bool = false, "false";
        /// How it goes from row to row.
        interpolation: InterpolationWord = InterpolationWord::Cubic, "cubic";
        /// What it is outside the rows.
        outside: OutsideWord = OutsideWord::Hold, "hold";
    } check TableMotionTable::check
}

table! {
    /// `sequence`: one motion after the other, each on its own clock, none with a jump to the next. `sum`:
    /// all of them added.
    ///
    /// ```toml
    /// [joints.elbow]
    /// parent = "upper.tip"
    /// child  = "forearm"
    /// type   = "revolute"
    ///
    /// [joints.elbow.drive.motion]
    /// profile = "sequence"
    /// parts   = [
    ///     { profile = "cycloidal", to_deg = 60, time = 1.0 },
    ///     { profile = "cycloidal", from_deg = 60, to_deg = 0, start = 0.5, time = 1.0 },
    /// ]
    /// ```
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
        // A path stands alone.
        let mut names: Vec<_> = MotionSpec::CHOICES.iter().map(|choice| choice.table).collect();
        names.dedup();
        names.retain(|name| *name != "PathShareTable");
        let kinds: Vec<_> = names.into_iter().map(reference_to).collect();
        TypeDoc::plain(
            "list of [Motion](#motion)",
            json!({ "type": "array", "items": { "anyOf": kinds }, "minItems": 1 }),
        )
    }
}

impl TableMotionTable {
    fn check(&self, context: &mut Context<'_>) {
        check_column(self.column, context);
        if self.outside == OutsideWord::Zero {
            let message = "`outside` = \"zero\" makes a motion jump to zero outside the rows of its table";
            let hint = "outside = \"hold\" keeps the first and the last value";
            context.error_with_hint(context.key("outside"), message, Some(hint.to_owned()));
        }
    }

    /// The curve of its file.
    pub fn curve(&self) -> CurveTable {
        CurveTable {
            file: self.file.clone(),
            column: self.column,
            interpolation: self.interpolation,
            outside: self.outside,
            source: self.source,
        }
    }
}

impl PartsTable {
    fn check(&self, context: &mut Context<'_>) {
        if self.parts.0.is_empty() {
            context.error(context.key("parts"), "`parts` must not be an empty list");
        }
    }
}
