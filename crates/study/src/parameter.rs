//! Parameters and the keys they set.

use pliant_expression::Node;
use pliant_pipeline::{Document, Value, ValueKind};

/// A key of the pipeline file, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) parts: Vec<String>,
}

/// A parameter: a name and the keys it sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) targets: Vec<Target>,
}

/// A key that is computed from the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub(crate) target: Target,
    pub(crate) text: String,
    pub(crate) expression: Node,
}

impl Target {
    /// Splits a dotted key; a part in quotes may hold dots. What comes behind `links.<name>.override` is one key, the name of
    /// a card's field.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text.trim();
        loop {
            let (part, after) = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => match rest[1..].split_once(quote) {
                    Some((part, after)) => (part, after),
                    None => return Err(format!("`{text}` has a quote without its end")),
                },
                _ => rest.split_at(rest.find('.').unwrap_or(rest.len())),
            };
            if part.is_empty() {
                return Err(format!("`{text}` is not a key: a part between dots is empty"));
            }
            parts.push(part.to_owned());
            match after.strip_prefix('.') {
                Some(more) => rest = more,
                None if after.is_empty() => break,
                None => return Err(format!("`{text}` is not a key: expected a dot at `{after}`")),
            }
        }
        if parts.len() > 4 && parts[0] == "links" && parts[2] == "override" {
            let field = parts.split_off(3).join(".");
            parts.push(field);
        }
        Ok(Self { parts })
    }

    pub(crate) fn put(&self, document: &mut Document, value: &Value) -> Result<(), String> {
        let parts: Vec<_> = self.parts.iter().map(String::as_str).collect();
        document.root.set(&parts, value.kind.clone(), value.span).map_err(|part| {
            format!("`{}` cannot be set: there is no place for `{part}` in the file", self.parts.join("."))
        })
    }

    /// The number that the file has there.
    pub(crate) fn number(&self, document: &Document) -> Option<f64> {
        let mut value = &document.root;
        for part in &self.parts {
            value = match &value.kind {
                ValueKind::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => value.get(&[part])?,
            };
        }
        number(value)
    }
}

/// A value as a number, true and false as 1 and 0.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value.kind {
        ValueKind::Integer(i) => Some(i as f64),
        ValueKind::Float(x) => Some(x),
        ValueKind::Boolean(b) => Some(f64::from(b)),
        _ => None,
    }
}

/// A number as a value: a whole one as a whole number, so that it also serves keys that count.
pub(crate) fn value(x: f64) -> ValueKind {
    // Beyond 2^53 not every whole number has its own f64.
    if x.fract() == 0.0 && x.abs() < 9e15 { ValueKind::Integer(x as i64) } else { ValueKind::Float(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split_at_dots_outside_quotes_and_card_fields_kept_whole() {
        let parts = |text: &str| Target::parse(text).map(|t| t.parts);
        assert_eq!(parts("payload.mass").unwrap(), ["payload", "mass"]);
        assert_eq!(parts("gravity.2").unwrap(), ["gravity", "2"]);
        let field = ["links", "a", "override", "PSHELL.3.T"];
        assert_eq!(parts("links.a.override.PSHELL.3.T").unwrap(), field);
        assert_eq!(parts("links.a.override.\"PSHELL.3.T\"").unwrap(), field);
        assert_eq!(parts("links.'a.b'.thickness").unwrap(), ["links", "a.b", "thickness"]);
        for bad in ["", "a..b", "a.", "'a", "'a'b"] {
            assert!(parts(bad).is_err(), "{bad}");
        }
    }
}
