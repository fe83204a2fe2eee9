//! The span in the file of the key of a model error.

use pliant_diag::Span;
use pliant_pipeline::{Value, ValueKind};

/// Tables that the keys of the model do not name.
const UNNAMED: [&str; 2] = ["coordinates", "drive"];

/// The span of the longest part of `key` that the file has. Parts that it does not have, such as the name of
/// a joint's only coordinate, are passed over.
pub(crate) fn key_span(value: &Value, key: &str) -> Option<Span> {
    if key.is_empty() {
        return value.span;
    }
    let ValueKind::Table(entries) = &value.kind else { return value.span };
    let rest = |name: &str| match key.strip_prefix(name) {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix('.'),
        None => None,
    };
    // A quoted name may hold a dot itself: the longest that fits.
    let fitting =
        entries.iter().filter_map(|(name, value)| Some((name.name.len(), value, rest(&name.name)?)));
    if let Some((_, inner, rest)) = fitting.max_by_key(|(length, _, _)| *length) {
        return key_span(inner, rest).or(value.span);
    }
    let first = key.split('.').next().unwrap_or(key);
    let hidden = entries.iter().filter(|(name, _)| UNNAMED.contains(&name.name.as_str()));
    for (_, inner) in hidden {
        if inner.get(&[first]).is_some() {
            return key_span(inner, key).or(value.span);
        }
    }
    let after = key.strip_prefix(first).unwrap_or_default().trim_start_matches('.');
    if after.is_empty() { value.span } else { key_span(value, after) }
}
