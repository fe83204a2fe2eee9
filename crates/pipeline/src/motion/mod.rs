//! Motions: one table for each profile, chosen by `profile`.

mod composed;
mod endless;
mod path_share;
mod rest_to_rest;

pub use composed::{Parts, PartsTable, TableMotionTable};
pub use endless::{HarmonicTable, HoldTable, SpinUpTable};
pub use path_share::PathShareTable;
pub use rest_to_rest::{SmoothTable, TrapezoidalAccelerationTable, TrapezoidalVelocityTable};

use pliant_diag::Span;
use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc, table_entries};
use crate::{Value, words};

words! {
    /// Profile of a motion.
    pub enum ProfileWord {
        /// Rest to rest with continuous acceleration.
        Cycloidal = "cycloidal",
        /// Rest to rest by the polynomial of degree five.
        Quintic = "quintic",
        /// Constant acceleration, constant velocity, constant deceleration, dwell.
        TrapezoidalVelocity = "trapezoidal-velocity",
        /// Acceleration that ramps up and down.
        TrapezoidalAcceleration = "trapezoidal-acceleration",
        /// A sine without end.
        Harmonic = "harmonic",
        /// Rest.
        Hold = "hold",
        /// A rate that rises and stays.
        SpinUp = "spin-up",
        /// A CSV file.
        Table = "table",
        /// One motion after the other.
        Sequence = "sequence",
        /// Motions added.
        Sum = "sum",
        /// Whatever keeps the tip on `[path]`.
        Path = "path",
    }
}

/// Names of the tables of all profiles.
pub(crate) const TABLES: [&str; 8] = [
    "SmoothTable",
    "TrapezoidalVelocityTable",
    "TrapezoidalAccelerationTable",
    "HarmonicTable",
    "HoldTable",
    "SpinUpTable",
    "TableMotionTable",
    "PartsTable",
];

/// A motion.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionSpec {
    /// `cycloidal`.
    Cycloidal(SmoothTable),
    /// `quintic`.
    Quintic(SmoothTable),
    /// `trapezoidal-velocity`.
    TrapezoidalVelocity(TrapezoidalVelocityTable),
    /// `trapezoidal-acceleration`.
    TrapezoidalAcceleration(TrapezoidalAccelerationTable),
    /// `harmonic`.
    Harmonic(HarmonicTable),
    /// `hold`.
    Hold(HoldTable),
    /// `spin-up`.
    SpinUp(SpinUpTable),
    /// `table`.
    Table(TableMotionTable),
    /// `sequence`.
    Sequence(PartsTable),
    /// `sum`.
    Sum(PartsTable),
    /// `path`.
    Path(PathShareTable),
}

impl MotionSpec {
    /// Where its table stands.
    pub fn span(&self) -> Option<Span> {
        let source = match self {
            Self::Cycloidal(table) | Self::Quintic(table) => table.source,
            Self::TrapezoidalVelocity(table) => table.source,
            Self::TrapezoidalAcceleration(table) => table.source,
            Self::Harmonic(table) => table.source,
            Self::Hold(table) => table.source,
            Self::SpinUp(table) => table.source,
            Self::Table(table) => table.source,
            Self::Sequence(table) | Self::Sum(table) => table.source,
            Self::Path(table) => table.source,
        };
        source.0
    }
}

impl FromValue for MotionSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        let entries = table_entries(value, context)?;
        let Some((_, profile)) = entries.iter().find(|(key, _)| key.name == "profile") else {
            let words: Vec<_> = ProfileWord::WORDS.iter().map(|(word, _)| *word).collect();
            let hint = format!("one of: {}", words.join(", "));
            context.error_with_hint(value.span, "missing key `profile`", Some(hint));
            return None;
        };
        let profile = context.within("profile", |context| ProfileWord::from_value(profile, context))?;
        match profile {
            ProfileWord::Cycloidal => SmoothTable::from_value(value, context).map(Self::Cycloidal),
            ProfileWord::Quintic => SmoothTable::from_value(value, context).map(Self::Quintic),
            ProfileWord::TrapezoidalVelocity => {
                TrapezoidalVelocityTable::from_value(value, context).map(Self::TrapezoidalVelocity)
            }
            ProfileWord::TrapezoidalAcceleration => {
                TrapezoidalAccelerationTable::from_value(value, context).map(Self::TrapezoidalAcceleration)
            }
            ProfileWord::Harmonic => HarmonicTable::from_value(value, context).map(Self::Harmonic),
            ProfileWord::Hold => HoldTable::from_value(value, context).map(Self::Hold),
            ProfileWord::SpinUp => SpinUpTable::from_value(value, context).map(Self::SpinUp),
            ProfileWord::Table => TableMotionTable::from_value(value, context).map(Self::Table),
            ProfileWord::Sequence => PartsTable::from_value(value, context).map(Self::Sequence),
            ProfileWord::Sum => PartsTable::from_value(value, context).map(Self::Sum),
            ProfileWord::Path => PathShareTable::from_value(value, context).map(Self::Path),
        }
    }

    fn doc() -> TypeDoc {
        let kinds = [
            SmoothTable::doc(),
            TrapezoidalVelocityTable::doc(),
            TrapezoidalAccelerationTable::doc(),
            HarmonicTable::doc(),
            HoldTable::doc(),
            SpinUpTable::doc(),
            TableMotionTable::doc(),
            PartsTable::doc(),
            PathShareTable::doc(),
        ];
        let words: Vec<_> =
            kinds.iter().map(|kind| kind.words.trim_start_matches("table ").to_owned()).collect();
        let json = json!({ "anyOf": kinds.iter().map(|kind| &kind.json).collect::<Vec<_>>() });
        let words = format!("table, by its `profile` one of {}", words.join(", "));
        TypeDoc { words, json, tables: kinds.into_iter().flat_map(|kind| kind.tables).collect() }
    }
}
