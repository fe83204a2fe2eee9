//! Curves from CSV files: how they go from row to row, and outside the rows.

use std::path::PathBuf;

use pliant_diag::Origin;
use serde_json::json;

use crate::schema::{Context, FromValue, Located, TypeDoc};
use crate::{Value, ValueKind, table, words};

words! {
    /// How a table goes from row to row.
    pub enum InterpolationWord {
        /// Straight lines; two rows with the same first value are a jump.
        Linear = "linear",
        /// The cubic spline with continuous second derivative; it may leave the range of the rows beside it.
        Cubic = "cubic",
        /// Cubic pieces with continuous slope that never leave the range of the rows beside them.
        Monotone = "monotone",
        /// Each value stays until the next row.
        Step = "step",
    }
}

words! {
    /// What a table is outside its rows.
    pub enum OutsideWord {
        /// The first and the last value.
        Hold = "hold",
        /// Zero.
        Zero = "zero",
        /// An error.
        Error = "error",
    }
}

table! {
    /// A curve from a CSV file. `linear` draws straight lines, and two rows with the same first value are a
    /// jump; `cubic` is the spline with continuous second derivative, which may leave the range of the rows
    /// beside it; `monotone` is smooth in its slope and stays in that range; `step` keeps each value until
    /// the next row. Outside the rows `hold` keeps the first and the last value, `zero` is zero, and `error`
    /// refuses a run that comes there. Corners and jumps over time are stepped to, so that impulse and work
    /// are those of the curve at any step. [More about tables](tables.md).
    ///
    /// ![The four interpolations of one table](tables/interpolation.svg)
    ///
    /// ```toml
    /// [loads.gust]
    /// at    = "boom.tip"
    /// force = [{ file = "wind.csv", column = 3, interpolation = "monotone", outside = "zero" }, 0, 0]
    /// ```
    pub struct CurveTable {
        /// The CSV file.
        file: Located<PathBuf>;
        /// Which column has the values (column 1 is what they depend on).
        column: u32 = 2, "2";
        /// How it goes from row to row.
        interpolation: InterpolationWord = InterpolationWord::Linear, "linear";
        /// What it is outside the rows.
        outside: OutsideWord = OutsideWord::Hold, "hold";
    } check CurveTable::check
}

impl CurveTable {
    /// A file with the defaults.
    pub(crate) fn plain(value: &Value, path: &str) -> Self {
        let source = Origin(value.span);
        Self {
            file: Located { value: path.into(), source },
            column: 2,
            interpolation: InterpolationWord::Linear,
            outside: OutsideWord::Hold,
            source,
        }
    }

    fn check(&self, context: &mut Context<'_>) {
        check_column(self.column, context);
    }
}

pub(crate) fn check_column(column: u32, context: &mut Context<'_>) {
    if column < 2 {
        let message = format_args!(
            "`column` must be 2 or more, found {column}: column 1 holds the independent variable"
        );
        context.error(context.key("column"), message);
    }
}

/// A curve: the path of a CSV file, or a table that says more about it.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSpec(pub CurveTable);

impl FromValue for CurveSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(path) => Some(Self(CurveTable::plain(value, path))),
            _ => CurveTable::from_value(value, context).map(Self),
        }
    }

    fn doc() -> TypeDoc {
        let table = CurveTable::doc();
        let json = json!({ "anyOf": [{ "type": "string" }, table.json] });
        TypeDoc { words: format!("path of a CSV file, or {}", table.words), json, tables: table.tables }
    }
}
