//! Numbers, words, lists and maps.

use std::path::PathBuf;

use pliant_diag::{Located, Origin};
use serde_json::json;

use crate::limits::MAGNITUDE;
use crate::schema::table::entries;
use crate::schema::{Context, FromValue, TypeDoc};
use crate::{Value, ValueKind};

fn expected<T>(value: &Value, what: &str, context: &mut Context<'_>) -> Option<T> {
    context.error(value.span, format_args!("expected {what}, found {}", value.kind.describe()));
    None
}

impl FromValue for f64 {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match value.kind {
            ValueKind::Float(x) if x.abs() <= MAGNITUDE => Some(x),
            ValueKind::Integer(i) => Some(i as f64),
            ValueKind::Float(x) => {
                let message =
                    format_args!("expected a finite number of at most {MAGNITUDE:e} in magnitude, found {x}");
                context.error(value.span, message);
                None
            }
            _ => expected(value, "a number", context),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("number", json!({ "type": "number" }))
    }
}

impl FromValue for u32 {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match value.kind {
            ValueKind::Integer(i) => u32::try_from(i).ok().or_else(|| {
                context
                    .error(value.span, format_args!("expected an integer from 0 to {}, found {i}", u32::MAX));
                None
            }),
            _ => expected(value, "an integer", context),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("integer", json!({ "type": "integer", "minimum": 0 }))
    }
}

impl FromValue for bool {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match value.kind {
            ValueKind::Boolean(b) => Some(b),
            _ => expected(value, "true or false", context),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("true or false", json!({ "type": "boolean" }))
    }
}

impl FromValue for String {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(s) => Some(s.clone()),
            _ => expected(value, "a string", context),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("string", json!({ "type": "string" }))
    }
}

impl FromValue for PathBuf {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        String::from_value(value, context).map(Self::from)
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("path, relative to this file", json!({ "type": "string" }))
    }
}

/// Anything, as it stands.
impl FromValue for Value {
    fn from_value(value: &Value, _: &mut Context<'_>) -> Option<Self> {
        Some(value.clone())
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("any value", json!({}))
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        T::from_value(value, context).map(Some)
    }

    fn missing() -> Option<Self> {
        Some(None)
    }

    fn doc() -> TypeDoc {
        T::doc()
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        let ValueKind::Array(items) = &value.kind else { return expected(value, "a list", context) };
        let read: Vec<_> = items.iter().map(|item| T::from_value(item, context)).collect();
        read.into_iter().collect()
    }

    fn doc() -> TypeDoc {
        let item = T::doc();
        let json = json!({ "type": "array", "items": item.json });
        TypeDoc { words: format!("list of {}", item.words), json, tables: item.tables }
    }
}

impl<T: FromValue, const N: usize> FromValue for [T; N] {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        let items = Vec::<T>::from_value(value, context)?;
        let found = items.len();
        items.try_into().ok().or_else(|| {
            context.error(value.span, format_args!("expected {N} values, found {found}"));
            None
        })
    }

    fn doc() -> TypeDoc {
        let item = T::doc();
        let json = json!({ "type": "array", "items": item.json, "minItems": N, "maxItems": N });
        TypeDoc { words: format!("list of {N}: {}", item.words), json, tables: item.tables }
    }
}

/// One value, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T: FromValue> FromValue for OneOrMany<T> {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match value.kind {
            ValueKind::Array(_) => Vec::from_value(value, context).map(Self),
            _ => T::from_value(value, context).map(|one| Self(vec![one])),
        }
    }

    fn doc() -> TypeDoc {
        let (one, many) = (T::doc(), Vec::<T>::doc());
        let json = json!({ "anyOf": [one.json, many.json] });
        TypeDoc { words: format!("{}, or a list", one.words), json, tables: one.tables }
    }
}

/// A number, or one of some words that its user knows.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberOrWord {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl FromValue for NumberOrWord {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        match &value.kind {
            ValueKind::String(word) => Some(Self::Word(word.clone())),
            _ => f64::from_value(value, context).map(Self::Number),
        }
    }

    fn doc() -> TypeDoc {
        TypeDoc::plain("number or string", json!({ "type": ["number", "string"] }))
    }
}

impl<T: FromValue> FromValue for Located<T> {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        T::from_value(value, context).map(|inner| Self { value: inner, source: Origin(value.span) })
    }

    fn missing() -> Option<Self> {
        T::missing().map(|value| Self { value, source: Origin::default() })
    }

    fn doc() -> TypeDoc {
        T::doc()
    }
}

/// A table whose keys are the user's names, in file order.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Names, their locations and what they name.
    pub entries: Vec<(Located<String>, T)>,
}

impl<T> Named<T> {
    /// What has this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// Names and what they name, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.entries.iter().map(|(name, value)| (name.value.as_str(), value))
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T: FromValue> FromValue for Named<T> {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        let read: Vec<_> = entries(value, context)?
            .iter()
            .map(|(key, value)| {
                let name = Located { value: key.name.clone(), source: Origin(key.span) };
                context.within(&key.name, |context| T::from_value(value, context)).map(|value| (name, value))
            })
            .collect();
        read.into_iter().collect::<Option<_>>().map(|entries| Self { entries })
    }

    fn missing() -> Option<Self> {
        Some(Self::default())
    }

    fn doc() -> TypeDoc {
        let item = T::doc();
        let json = json!({ "type": "object", "additionalProperties": item.json });
        TypeDoc { words: format!("table of names, each a {}", item.words), json, tables: item.tables }
    }
}
