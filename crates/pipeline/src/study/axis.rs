//! The values of one parameter.

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind, table, words};

words! {
    /// How a range is divided.
    pub enum ScaleWord {
        /// Equal differences.
        Linear = "linear",
        /// Equal ratios.
        Log = "log",
    }
}

table! {
    /// Values from one end to the other, both included.
    pub struct RangeTable {
        /// The first.
        from: f64;
        /// The last.
        to: f64;
        /// How many.
        count: u32;
        /// How the range is divided.
        scale: ScaleWord = ScaleWord::Linear, "linear";
    } check RangeTable::check
}

/// The values of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisSpec {
    /// As they are: numbers, words, lists, tables.
    Values(Vec<Value>),
    /// Evenly spread.
    Range(RangeTable),
}

impl FromValue for AxisSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::Array(items) if items.is_empty() => {
                context.error(value.span, "the list of values is empty");
                None
            }
            ValueKind::Array(items) => Some(Self::Values(items.clone())),
            ValueKind::Table(_) => RangeTable::from_value(value, context).map(Self::Range),
            other => {
                let hint = "a list of values, or { from = 1, to = 2, count = 5 }".to_owned();
                let message = format!("expected the values of a parameter, found {}", other.describe());
                context.error_with_hint(value.span, message, Some(hint));
                None
            }
        }
    }

    fn doc() -> TypeDoc {
        let table = RangeTable::doc();
        let json = json!({ "anyOf": [{ "type": "array", "minItems": 1 }, table.json] });
        TypeDoc { words: format!("list of values, or {}", table.words), json, tables: table.tables }
    }
}

impl RangeTable {
    fn check(&self, context: &mut Context<'_>) {
        let place = self.source.0;
        if self.count < 2 {
            context.error(place, "a range has at least 2 values");
        }
        if self.scale == ScaleWord::Log && (self.from <= 0.0 || self.to <= 0.0) {
            context.error(place, "a range with equal ratios lies above 0");
        }
    }

    /// The values, the ends exactly as they are written.
    pub fn values(&self) -> Vec<f64> {
        let last = self.count - 1;
        let at = |i: u32| {
            let part = f64::from(i) / f64::from(last);
            match self.scale {
                _ if i == 0 => self.from,
                _ if i == last => self.to,
                ScaleWord::Linear => self.from + (self.to - self.from) * part,
                ScaleWord::Log => self.from * (self.to / self.from).powf(part),
            }
        };
        (0..self.count).map(at).collect()
    }
}
