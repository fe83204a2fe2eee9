//! Functions of time: a number, a CSV file or an expression.

use std::path::PathBuf;

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind};

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionSpec {
    /// The same at all times.
    Constant(f64),
    /// A CSV file with times and values, zero outside.
    Table(PathBuf),
    /// An expression in t (s).
    Expression(String),
}

impl FromValue for FunctionSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(text) if text.to_lowercase().ends_with(".csv") => {
                Some(Self::Table(text.into()))
            }
            ValueKind::String(text) => Some(Self::Expression(text.clone())),
            _ => f64::from_value(value, context).map(Self::Constant),
        }
    }

    fn doc() -> TypeDoc {
        let words = "number, path of a CSV file (`\"….csv\"`: time, value), or expression in `t`";
        TypeDoc::plain(words, json!({ "type": ["number", "string"] }))
    }
}
