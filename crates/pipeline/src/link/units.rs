//! `units`.

use pliant_mesh::Units;
use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc, read_word};
use crate::{Value, ValueKind, table};

/// Units of a deck.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct UnitsSpec(pub Units);

table! {
    /// Factors from deck units to SI.
    ///
    /// ```toml
    /// [links.arm]
    /// deck    = "arm.bdf"
    /// inboard = 1
    /// units   = { length = 0.01, mass = 0.001 }     # cm and g
    /// ```
    pub struct UnitsTable {
        /// Metres in one deck length.
        length: f64;
        /// Kilograms in one deck mass.
        mass: f64;
        /// Seconds in one deck time.
        time: f64 = 1.0, "1.0";
    } check UnitsTable::check
}

impl UnitsTable {
    fn check(&self, context: &mut Context<'_>) {
        let factors = [("length", Some(self.length)), ("mass", Some(self.mass)), ("time", Some(self.time))];
        context.positive(&factors);
    }
}

const NAMED: &[(&str, Units)] =
    &[("si", Units::SI), ("mm-t-s", Units::MM_T_S), ("in-lbf-s", Units::IN_LBF_S)];

impl FromValue for UnitsSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        if !matches!(value.kind, ValueKind::Table(_)) {
            return read_word(value, NAMED, context).map(Self);
        }
        let table = UnitsTable::from_value(value, context)?;
        let is_sound = [table.length, table.mass, table.time].iter().all(|factor| *factor > 0.0);
        is_sound.then_some(Self(Units { length: table.length, mass: table.mass, time: table.time }))
    }

    fn doc() -> TypeDoc {
        let table = UnitsTable::doc();
        let words: Vec<_> = NAMED.iter().map(|(word, _)| *word).collect();
        TypeDoc {
            words: format!("`si`, `mm-t-s`, `in-lbf-s`, or {}", table.words),
            json: json!({ "anyOf": [{ "type": "string", "enum": words }, table.json] }),
            tables: table.tables,
        }
    }
}
