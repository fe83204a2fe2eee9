//! One card as text: small field where all numbers fit exactly, else large field.

use super::number::real;

/// A field to be written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Blank,
    Integer(i64),
    Real(f64),
    Word(String),
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Integer(i64::from(value))
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        if value.is_empty() { Self::Blank } else { Self::Word(value.to_owned()) }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Blank, Into::into)
    }
}

impl From<pliant_mesh::Components> for Value {
    fn from(value: pliant_mesh::Components) -> Self {
        Self::from(value.to_string().as_str())
    }
}

impl From<pliant_mesh::Component> for Value {
    fn from(value: pliant_mesh::Component) -> Self {
        Self::from(value.digit())
    }
}

/// A row of fields from anything that makes fields.
macro_rules! fields {
    ($($field:expr),* $(,)?) => { [$($crate::write::card::Value::from($field)),*] };
}
pub(super) use fields;

/// Bulk data under construction.
#[derive(Debug, Default)]
pub(super) struct Text(pub(super) String);

impl Text {
    /// Writes a line as it is.
    pub(super) fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Writes a card; blank fields at its end are left out.
    pub(super) fn card(&mut self, name: &str, fields: &[Value]) {
        let used = fields.iter().rposition(|f| *f != Value::Blank).map_or(0, |last| last + 1);
        let fields = &fields[..used];
        let small: Option<Vec<String>> = fields.iter().map(|field| in_columns(field, 8, false)).collect();
        match small {
            Some(columns) => self.lines(name, "+", &columns, 8, 8),
            None => {
                let columns: Vec<String> =
                    fields.iter().map(|field| in_columns(field, 16, true).unwrap_or_default()).collect();
                self.lines(&format!("{name}*"), "*", &columns, 4, 16);
            }
        }
    }

    fn lines(&mut self, name: &str, continuation: &str, columns: &[String], per_line: usize, width: usize) {
        let chunks: Vec<&[String]> = columns.chunks(per_line).collect();
        if chunks.is_empty() {
            self.line(name);
        }
        for (k, chunk) in chunks.iter().enumerate() {
            let first = if k == 0 { name } else { continuation };
            let mut line = format!("{first:<8}");
            for column in *chunk {
                line.push_str(&format!("{column:<width$}"));
            }
            // The mark that the card goes on, in column 73, as preprocessors write it.
            if k + 1 < chunks.len() {
                line = format!("{line:<72}{continuation}");
            }
            self.line(line.trim_end());
        }
    }
}

/// The text of a field; `None` when it does not fit, or only rounded and `rounded` is false.
fn in_columns(field: &Value, width: usize, rounded: bool) -> Option<String> {
    match field {
        Value::Blank => Some(String::new()),
        Value::Integer(value) => Some(value.to_string()).filter(|text| text.len() <= width),
        Value::Word(word) => Some(word.clone()).filter(|text| text.len() <= width || rounded),
        Value::Real(value) => {
            let (text, exact) = real(*value, width);
            (exact || rounded).then_some(text)
        }
    }
}
