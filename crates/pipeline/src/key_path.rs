//! The path of a key in a pipeline file, such as `payload.mass` or `gravity.2`.

use thiserror::Error;

use crate::{Document, Value, ValueKind};

/// What is wrong with the path of a key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// A quote without its end.
    #[error("the key `{0}` has an opening quote without a closing one")]
    OpenQuote(String),
    /// Nothing between two dots.
    #[error("the key `{0}` has an empty part between its dots")]
    EmptyPart(String),
    /// Text behind a quoted part.
    #[error("the key `{key}` needs a dot before `{found}`")]
    MissingDot {
        /// The key.
        key: String,
        /// What stands where the dot belongs.
        found: String,
    },
    /// The file has a plain value or no such element there.
    #[error("`{key}` cannot be set: the file has no `{part}` there")]
    NotFound {
        /// The key.
        key: String,
        /// The part of the path that does not exist.
        part: String,
    },
}

/// A key of the pipeline file, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPath {
    /// Names of tables and keys, or indices of lists.
    pub parts: Vec<String>,
}

impl KeyPath {
    /// Splits a dotted key; a part in quotes may hold dots. What comes behind `links.<name>.override` is one
    /// key, the name of a card's field.
    ///
    /// # Errors
    /// Text that is not a key.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut parts = Vec::new();
        let mut rest = text.trim();
        loop {
            let (part, after) = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => match rest[1..].split_once(quote) {
                    Some((part, after)) => (part, after),
                    None => return Err(KeyError::OpenQuote(text.to_owned())),
                },
                _ => rest.split_at(rest.find('.').unwrap_or(rest.len())),
            };
            if part.is_empty() {
                return Err(KeyError::EmptyPart(text.to_owned()));
            }
            parts.push(part.to_owned());
            match after.strip_prefix('.') {
                Some(more) => rest = more,
                None if after.is_empty() => break,
                None => {
                    return Err(KeyError::MissingDot { key: text.to_owned(), found: after.to_owned() });
                }
            }
        }
        if parts.len() > 4 && parts[0] == "links" && parts[2] == "override" {
            let field = parts.split_off(3).join(".");
            parts.push(field);
        }
        Ok(Self { parts })
    }

    /// Sets the value of the key; missing tables are created.
    ///
    /// # Errors
    /// The part of the path that does not exist.
    pub fn set(&self, document: &mut Document, value: &Value) -> Result<(), KeyError> {
        let parts: Vec<_> = self.parts.iter().map(String::as_str).collect();
        document.root.set(&parts, value.kind.clone(), value.span).map_err(|missing| KeyError::NotFound {
            key: self.parts.join("."),
            part: missing.part.to_owned(),
        })
    }

    /// The number that the file has there.
    pub fn number(&self, document: &Document) -> Option<f64> {
        self.value(document)?.number()
    }

    /// The value that the file has there.
    pub fn value<'d>(&self, document: &'d Document) -> Option<&'d Value> {
        let mut value = &document.root;
        for part in &self.parts {
            value = match &value.kind {
                ValueKind::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => value.get(&[part])?,
            };
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split_at_dots_outside_quotes_and_card_fields_stay_one_part() {
        let parts = |text: &str| KeyPath::parse(text).map(|t| t.parts);
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
