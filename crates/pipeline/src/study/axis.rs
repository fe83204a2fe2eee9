//! The values of one parameter.

use serde_json::json;

use crate::limits::CASES;
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
    ///
    /// ```toml
    /// [study]
    /// grid = { "links.arm.beam.section.rod" = { from = 0.01, to = 0.04, count = 7, scale = "log" } }
    /// ```
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
                context.error(value.span, "the list of values must not be empty");
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
        if self.count < 2 {
            context
                .error(context.key("count"), format_args!("`count` must be 2 or more, found {}", self.count));
        }
        if self.count > CASES {
            context.error(
                context.key("count"),
                format_args!("`count` must be at most {CASES}, found {}", self.count),
            );
        }
        if self.scale == ScaleWord::Log {
            context.positive(&[("from", Some(self.from)), ("to", Some(self.to))]);
        }
    }

    /// The values, the ends exactly as they are written, those between them as a person would write them: 0.9
    /// rather than the 0.8999999999999999 that the sum gives.
    pub fn values(&self) -> Vec<f64> {
        let last = self.count - 1;
        let at = |i: u32| {
            let part = f64::from(i) / f64::from(last);
            match self.scale {
                _ if i == 0 => self.from,
                _ if i == last => self.to,
                // What is lost between ends of opposite sign is a share of the ends.
                ScaleWord::Linear => {
                    let size = self.from.abs().max(self.to.abs());
                    shortest(self.from + (self.to - self.from) * part, ROUNDING * size)
                }
                ScaleWord::Log => {
                    let value = self.from * (self.to / self.from).powf(part);
                    shortest(value, ROUNDING * value)
                }
            }
        };
        (0..self.count).map(at).collect()
    }
}

/// What may be rounded off, of the size of the values.
const ROUNDING: f64 = 1e-12;

/// The decimal of fewest digits within a tolerance of a number.
fn shortest(value: f64, tolerance: f64) -> f64 {
    if value.abs() <= tolerance {
        return 0.0;
    }
    let rounded = (0..17).filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok());
    rounded.into_iter().find(|short| (short - value).abs() <= tolerance).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_numbers_a_person_would_write() {
        let range = |from: f64, to: f64, count: u32, scale: ScaleWord| {
            RangeTable { from, to, count, scale, source: Default::default() }.values()
        };
        let tenths: Vec<f64> = (0..=10).map(|i| format!("{}", i as f64 / 10.0).parse().unwrap()).collect();
        assert_eq!(range(0.0, 1.0, 11, ScaleWord::Linear), tenths);
        assert_eq!(range(0.6, 1.2, 7, ScaleWord::Linear), [0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2]);
        assert_eq!(range(-0.3, 0.3, 3, ScaleWord::Linear), [-0.3, 0.0, 0.3]);
        assert_eq!(range(1e-3, 1e3, 7, ScaleWord::Log), [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0]);
        // The ends are never touched, and what is no short number loses a part in 10¹² at most.
        let third = range(0.0, 1.0 + f64::EPSILON, 4, ScaleWord::Linear);
        assert_eq!(third[3], 1.0 + f64::EPSILON);
        assert!((third[1] - 1.0 / 3.0).abs() < 1e-12, "{third:?}");
    }
}
