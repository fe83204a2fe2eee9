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

use crate::schema::{Choice, Context, FromValue, TableDoc, TypeDoc, reference_to, table_entries, words_doc};
use crate::{Value, words};
use pliant_diag::Span;

/// One motion in each position that takes one.
const EXAMPLE: &str = r#"[joints.elbow]
parent = "upper.tip"
child  = "forearm"
type   = "revolute"
drive  = { motion = { profile = "cycloidal", from_deg = 0, to_deg = 60, time = 1.0 } }

[joints.wrist]
parent = "forearm.tip"
child  = "hand"
type   = "revolute"
drive  = { servo = { follow = { profile = "hold", value_deg = 30 }, position_gain = 800, rate_gain = 20 } }"#;

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

            /// The words of `profile`, each with its table.
            pub(crate) const CHOICES: &'static [Choice] =
                &[$(Choice { word: $word, text: concat!($($text),+), table: stringify!($table) }),+];

            /// Documentation of the table of each word.
            fn documentation() -> Vec<TypeDoc> {
                vec![$($table::doc()),+]
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

    /// The table of words, then the table of each; what a table says of `profile` are its own words.
    fn doc() -> TypeDoc {
        let mut tables = vec![TableDoc {
            name: "Motion",
            text: "A motion: the table that its `profile` chooses. `motion` of a drive, `follow` of a servo or a hydraulic \
                   drive, `length` of a cylinder and `parts` of other motions take one."
                .to_owned(),
            example: EXAMPLE.to_owned(),
            keys: Vec::new(),
            choices: Self::CHOICES.to_vec(),
        }];
        for (doc, choice) in Self::documentation().into_iter().zip(Self::CHOICES) {
            if tables.iter().any(|table| table.name == choice.table) {
                continue;
            }
            let words = Self::CHOICES.iter().filter(|other| other.table == choice.table);
            let words: Vec<_> = words.map(|other| other.word).collect();
            for mut table in doc.tables {
                for key in table.keys.iter_mut().filter(|key| key.name == "profile") {
                    key.doc = words_doc(&words);
                }
                tables.push(table);
            }
        }
        TypeDoc { words: "[Motion](#motion)".to_owned(), json: reference_to("Motion"), tables }
    }
}
