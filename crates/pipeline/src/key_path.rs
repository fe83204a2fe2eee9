//! The path of a key in a pipeline file, such as `payload.mass` or `gravity.2`.

use crate::{Document, Value, ValueKind};

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
    /// What is no key.
    pub fn parse(text: &str) -> Result<Self, String> {
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

    /// Sets the value of the key; missing tables are created.
    ///
    /// # Errors
    /// The part of the path that leads nowhere.
    pub fn set(&self, document: &mut Document, value: &Value) -> Result<(), String> {
        let parts: Vec<_> = self.parts.iter().map(String::as_str).collect();
        document.root.set(&parts, value.kind.clone(), value.span).map_err(|part| {
            format!("`{}` cannot be set: the file has no `{part}` there", self.parts.join("."))
        })
    }

    /// The number that the file has there.
    pub fn number(&self, document: &Document) -> Option<f64> {
        let mut value = &document.root;
        for part in &self.parts {
            value = match &value.kind {
                ValueKind::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => value.get(&[part])?,
            };
        }
        value.number()
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
