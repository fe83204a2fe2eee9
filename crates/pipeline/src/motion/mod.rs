//! Motions: one table for each profile, chosen by `profile`. Adding one is its table and its line in
//! `profiles!`.

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

/// Defines the words of `profile` and the motions that they choose, each with its table.
macro_rules! profiles {
    ($($(#[doc = $text:literal])+ $name:ident = $word:literal, $table:ident;)+) => {
        words! {
            /// Profile of a motion.
            pub enum ProfileWord {
                $($(#[doc = $text])+ $name = $word,)+
            }
        }

        /// A motion.
        #[derive(Clone, Debug, PartialEq)]
        pub enum MotionSpec {
            $(#[doc = concat!("`", $word, "`.")] $name($table),)+
        }

        impl MotionSpec {
            /// Where its table stands.
            pub fn span(&self) -> Option<Span> {
                match self {
                    $(Self::$name(table) => table.source.0,)+
                }
            }

            fn of_profile(profile: ProfileWord, value: &Value, context: &mut Context<'_>) -> Option<Self> {
                match profile {
                    $(ProfileWord::$name => $table::from_value(value, context).map(Self::$name),)+
                }
            }

            /// Name and documentation of the table of each profile, once each.
            pub(crate) fn tables() -> Vec<(&'static str, fn() -> TypeDoc)> {
                let mut once: Vec<(&'static str, fn() -> TypeDoc)> = Vec::new();
                $(if once.iter().all(|(name, _)| *name != stringify!($table)) {
                    once.push((stringify!($table), $table::doc));
                })+
                once
            }
        }
    };
}

profiles! {
    /// Rest to rest with continuous acceleration.
    Cycloidal = "cycloidal", SmoothTable;
    /// Rest to rest by the polynomial of degree five.
    Quintic = "quintic", SmoothTable;
    /// Constant acceleration, constant velocity, constant deceleration, dwell.
    TrapezoidalVelocity = "trapezoidal-velocity", TrapezoidalVelocityTable;
    /// Acceleration that ramps up and down.
    TrapezoidalAcceleration = "trapezoidal-acceleration", TrapezoidalAccelerationTable;
    /// A sine without end.
    Harmonic = "harmonic", HarmonicTable;
    /// Rest.
    Hold = "hold", HoldTable;
    /// A rate that rises and stays.
    SpinUp = "spin-up", SpinUpTable;
    /// A CSV file.
    Table = "table", TableMotionTable;
    /// One motion after the other.
    Sequence = "sequence", PartsTable;
    /// Motions added.
    Sum = "sum", PartsTable;
    /// Whatever keeps the tip on `[path]`.
    Path = "path", PathShareTable;
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
        Self::of_profile(profile, value, context)
    }

    fn doc() -> TypeDoc {
        let kinds: Vec<TypeDoc> = Self::tables().into_iter().map(|(_, doc)| doc()).collect();
        let words: Vec<_> =
            kinds.iter().map(|kind| kind.words.trim_start_matches("table ").to_owned()).collect();
        let json = json!({ "anyOf": kinds.iter().map(|kind| &kind.json).collect::<Vec<_>>() });
        let words = format!("table, by its `profile` one of {}", words.join(", "));
        TypeDoc { words, json, tables: kinds.into_iter().flat_map(|kind| kind.tables).collect() }
    }
}
