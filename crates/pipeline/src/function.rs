//! Functions of time: a number, a CSV file or an expression.

use serde_json::json;

use crate::curve::CurveTable;
use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind};

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionSpec {
    /// The same at all times.
    Constant(f64),
    /// A CSV file with times and values.
    Table(CurveTable),
    /// An expression in t (s).
    Expression(String),
}

impl FromValue for FunctionSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(text) if text.to_lowercase().ends_with(".csv") => {
                Some(Self::Table(CurveTable::plain(value, text)))
            }
            ValueKind::Table(_) => CurveTable::from_value(value, context).map(Self::Table),
            ValueKind::String(text) => Some(Self::Expression(text.clone())),
            _ => f64::from_value(value, context).map(Self::Constant),
        }
    }

    fn doc() -> TypeDoc {
        let table = CurveTable::doc();
        let words = format!(
            "number, expression in `t`, path of a CSV file (`\"….csv\"`: time, value), or {}",
            table.words
        );
        let json = json!({ "anyOf": [{ "type": ["number", "string"] }, table.json] });
        TypeDoc { words, json, tables: table.tables }
    }
}
