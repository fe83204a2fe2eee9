//! What the deck and its reduction had to say, so that a link from the cache warns as a fresh one does.

use pliant_diag::{Diagnostic, Diagnostics, FieldRef, FileId, Severity, Span};
use serde_json::{Value, json};

/// As JSON; spans as [file, start, length].
pub(super) fn to_json(diagnostics: &Diagnostics) -> String {
    let span = |span: &Span| json!([span.file.0, span.start, span.length]);
    let one = |d: &Diagnostic| {
        json!({
            "severity": d.severity.as_str(),
            "message": d.message,
            "span": d.span.as_ref().map(span),
            "card": d.card,
            "field": d.field.as_ref().map(|field| json!([field.number, field.name])),
            "hints": d.hints,
            "related": d.related.iter().map(|(at, what)| json!([span(at), what])).collect::<Vec<_>>(),
        })
    };
    Value::from(diagnostics.iter().map(one).collect::<Vec<_>>()).to_string()
}

/// The way back; `None` when it is not what [`to_json`] writes.
pub(super) fn from_json(text: &str) -> Option<Diagnostics> {
    let all: Value = serde_json::from_str(text).ok()?;
    all.as_array()?.iter().map(read_one).collect()
}

fn read_one(value: &Value) -> Option<Diagnostic> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let severity = [Severity::Note, Severity::Warning, Severity::Error]
        .into_iter()
        .find(|severity| value["severity"] == severity.as_str())?;
    let mut diagnostic = Diagnostic::new(severity, text(&value["message"])?);
    if !value["span"].is_null() {
        diagnostic.span = Some(read_span(&value["span"])?);
    }
    diagnostic.card = text(&value["card"]);
    if let [number, name] = value["field"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let number = u32::try_from(number.as_u64()?).ok()?;
        diagnostic.field = Some(FieldRef { number, name: text(name)? });
    }
    diagnostic.hints = value["hints"].as_array()?.iter().map(text).collect::<Option<_>>()?;
    let related = value["related"].as_array()?.iter();
    diagnostic.related =
        related.map(|pair| Some((read_span(&pair[0])?, text(&pair[1])?))).collect::<Option<_>>()?;
    Some(diagnostic)
}

fn read_span(value: &Value) -> Option<Span> {
    let [file, start, length] = value.as_array()?.as_slice() else { return None };
    Some(Span {
        file: FileId(u16::try_from(file.as_u64()?).ok()?),
        start: u32::try_from(start.as_u64()?).ok()?,
        length: u16::try_from(length.as_u64()?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let span = |start| Span { file: FileId(3), start, length: 8 };
        let diagnostics: Diagnostics = [
            Diagnostic::warning("the \"card\" is odd\n")
                .at(span(70))
                .card("GRID 1")
                .field(3, "CP")
                .hint("a")
                .hint("b"),
            Diagnostic::note("Ω").related(span(9), "first given"),
        ]
        .into_iter()
        .collect();
        assert_eq!(from_json(&to_json(&diagnostics)), Some(diagnostics));
        assert_eq!(from_json("[{}]"), None);
        assert_eq!(from_json("not JSON"), None);
    }
}
