//! TOML text as a tree of values with their locations.

use std::fmt;

use pliant_diag::{Diagnostic, Diagnostics, FileId, Span};
use toml::de::{DeTable, DeValue};

/// A parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The root table.
    pub root: Value,
}

/// A key and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: String,
    /// Its location; `None` when it did not come from a file (a study's value).
    pub span: Option<Span>,
}

/// A value and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The value.
    pub kind: ValueKind,
    /// Its location; `None` when it did not come from a file.
    pub span: Option<Span>,
}

/// What a [`Value`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// Text.
    String(String),
    /// Integer.
    Integer(i64),
    /// Finite or infinite real number, as written.
    Float(f64),
    /// true or false.
    Boolean(bool),
    /// A date; no key of ours takes one.
    Date(String),
    /// A list.
    Array(Vec<Value>),
    /// A table, in file order.
    Table(Vec<(Key, Value)>),
}

impl ValueKind {
    /// What to call it in a message.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::String(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Boolean(_) => "true or false",
            Self::Date(_) => "a date",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl fmt::Display for ValueKind {
    /// As TOML writes it. Numbers have the shortest text that reads back as the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(i) => write!(f, "{i}"),
            Self::Float(x) if x.is_nan() => f.write_str("nan"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Boolean(b) => write!(f, "{b}"),
            Self::String(s) => f.write_str(&quoted(s)),
            Self::Date(d) => f.write_str(d),
            Self::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| item.kind.to_string()).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(entries) => {
                let entry = |(key, value): &(Key, Value)| format!("{} = {}", quoted(&key.name), value.kind);
                let entries: Vec<_> = entries.iter().map(entry).collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// Text in quotes, as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    // JSON's escapes are a part of TOML's.
    serde_json::Value::from(text).to_string()
}

impl Document {
    /// Parses TOML. Every syntax error is reported; the tree holds what could be read.
    pub fn parse(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Self {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            // What has no location (nesting that is too deep) is about the file: its first line names it.
            let range = error.span().unwrap_or(0..text.len().min(1));
            let span = Some(Span::new(file, range.start, range.end));
            let message = error.message().trim_end();
            let reported = Diagnostic::error(message).at(span);
            let point = message.contains("mantissa") || message.contains("fraction");
            diagnostics.push(if point {
                reported.hint("a decimal point needs digits on both sides: `0.5`")
            } else {
                reported
            });
        }
        let at = |range: std::ops::Range<usize>| Some(Span::new(file, range.start, range.end));
        let mut reader = Reader { at: &at, diagnostics };
        let span = table.span();
        let kind = reader.table(table.get_ref());
        Self { root: Value { kind, span: at(span) } }
    }
}

struct Reader<'a> {
    at: &'a dyn Fn(std::ops::Range<usize>) -> Option<Span>,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> ValueKind {
        let entry = |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| {
            let name = Key { name: key.get_ref().to_string(), span: (self.at)(key.span()) };
            (name, self.value(value))
        };
        ValueKind::Table(table.iter().map(entry).collect())
    }

    fn value(&mut self, value: &toml::Spanned<DeValue<'_>>) -> Value {
        let span = (self.at)(value.span());
        let kind = match value.get_ref() {
            DeValue::String(s) => ValueKind::String(s.to_string()),
            DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
                Ok(i) => ValueKind::Integer(i),
                Err(_) => {
                    let message = format!("an integer must be at most {}, found {}", i64::MAX, i.as_str());
                    self.diagnostics.push(Diagnostic::error(message).at(span));
                    ValueKind::Integer(0)
                }
            },
            DeValue::Float(f) => ValueKind::Float(f.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(b) => ValueKind::Boolean(*b),
            DeValue::Datetime(d) => ValueKind::Date(d.to_string()),
            DeValue::Array(items) => ValueKind::Array(items.iter().map(|item| self.value(item)).collect()),
            DeValue::Table(table) => self.table(table),
        };
        Value { kind, span }
    }
}

/// The part of a path at which [`Value::set`] found neither a table nor an element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingPart<'p> {
    pub(crate) part: &'p str,
}

impl From<f64> for Value {
    /// A number: an integer where it is one, so that it also serves keys that count.
    fn from(x: f64) -> Self {
        // Beyond 2^53 not every integer has its own f64.
        let is_integer = x.fract() == 0.0 && x.abs() < 9e15;
        let kind = if is_integer { ValueKind::Integer(x as i64) } else { ValueKind::Float(x) };
        Self { kind, span: None }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self { kind: ValueKind::String(text.to_owned()), span: None }
    }
}

impl Value {
    /// As a number, true and false as 1 and 0.
    pub fn number(&self) -> Option<f64> {
        match self.kind {
            ValueKind::Integer(i) => Some(i as f64),
            ValueKind::Float(x) => Some(x),
            ValueKind::Boolean(b) => Some(f64::from(b)),
            _ => None,
        }
    }

    /// The value at a dotted path such as `links.upper.modes.count`.
    pub fn get(&self, path: &[&str]) -> Option<&Value> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        let ValueKind::Table(entries) = &self.kind else { return None };
        entries.iter().find(|(key, _)| key.name == *first).and_then(|(_, value)| value.get(rest))
    }

    /// Puts a value at a path, creating missing tables; a number is an index in a list, from 0. New keys and
    /// the value get the location `span`, so that what is wrong with them is reported there. Fails with the
    /// part of the path that does not exist.
    pub(crate) fn set<'p>(
        &mut self,
        path: &[&'p str],
        new: ValueKind,
        span: Option<Span>,
    ) -> Result<(), MissingPart<'p>> {
        let Some((first, rest)) = path.split_first() else {
            *self = Value { kind: new, span };
            return Ok(());
        };
        let missing = || Err(MissingPart { part: first });
        match &mut self.kind {
            ValueKind::Array(items) => {
                match first.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                    Some(item) => item.set(rest, new, span),
                    None => missing(),
                }
            }
            ValueKind::Table(entries) => {
                let index = entries.iter().position(|(key, _)| key.name == *first).unwrap_or_else(|| {
                    let key = Key { name: (*first).to_owned(), span };
                    entries.push((key, Value { kind: ValueKind::Table(Vec::new()), span }));
                    entries.len() - 1
                });
                entries[index].1.set(rest, new, span)
            }
            _ => missing(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_keeps_order_and_locations_and_can_be_changed() {
        let text = "b = 1\na = { y = 2.5, x = [1, 'two'] }\n[t.u]\nv = true\n";
        let mut diagnostics = Diagnostics::new();
        let mut document = Document::parse(text, FileId(0), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let ValueKind::Table(entries) = &document.root.kind else { panic!() };
        let names: Vec<_> = entries.iter().map(|(key, _)| key.name.as_str()).collect();
        assert_eq!(names, ["b", "a", "t"]);
        let y = document.root.get(&["a", "y"]).unwrap();
        assert_eq!((&y.kind, y.span.unwrap().start), (&ValueKind::Float(2.5), 16));
        document.root.set(&["t", "u", "w"], ValueKind::Integer(3), None).unwrap();
        assert_eq!(document.root.get(&["t", "u", "w"]).unwrap().kind, ValueKind::Integer(3));
        assert_eq!(
            document.root.set(&["b", "c"], ValueKind::Integer(3), None),
            Err(MissingPart { part: "c" })
        );
        document.root.set(&["a", "x", "0"], ValueKind::Integer(7), None).unwrap();
        let ValueKind::Array(items) = &document.root.get(&["a", "x"]).unwrap().kind else { panic!() };
        assert_eq!(items[0].kind, ValueKind::Integer(7));
        assert_eq!(
            document.root.set(&["a", "x", "2"], ValueKind::Integer(7), None),
            Err(MissingPart { part: "2" })
        );
    }

    #[test]
    fn every_syntax_error_has_its_location() {
        let mut diagnostics = Diagnostics::new();
        Document::parse("a = \nb = 1\nc = [1, \n", FileId(0), &mut diagnostics);
        assert!(diagnostics.len() >= 2, "{diagnostics:?}");
        assert!(diagnostics.iter().all(|d| d.span.is_some()));
    }
}
