//! The text of a deck under construction, with the origin of each card.

use std::fmt::Write as _;

use pliant_diag::Span;

/// A field of a card.
#[derive(Clone, Debug)]
pub(crate) enum Field {
    Blank,
    Integer(u32),
    Real(f64),
    Word(String),
}

impl From<u32> for Field {
    fn from(value: u32) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Field {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Field {
    fn from(value: &str) -> Self {
        if value.is_empty() { Self::Blank } else { Self::Word(value.to_owned()) }
    }
}

impl<T: Into<Field>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Blank, Into::into)
    }
}

/// A row of fields from anything that makes fields.
macro_rules! fields {
    ($($field:expr),* $(,)?) => { [$($crate::sheet::Field::from($field)),*] };
}
pub(crate) use fields;

/// What a name in a comment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameOf {
    Property,
    Material,
}

/// Bulk data in free fields: a card is one line, however many fields it has.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) text: String,
    pub(crate) pieces: Vec<(u32, Span)>,
}

impl Sheet {
    /// Says where what follows comes from.
    fn begin(&mut self, at: Span) {
        // A text beyond 4 GiB is refused by whoever reads it; its locations do not matter.
        let start = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        if self.pieces.last().is_none_or(|(_, last)| *last != at) {
            self.pieces.push((start, at));
        }
    }

    /// Writes a line of executive or case control.
    pub(crate) fn line(&mut self, at: Span, line: &str) {
        self.begin(at);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes a card.
    pub(crate) fn card(&mut self, at: Span, name: &str, fields: &[Field]) {
        self.begin(at);
        self.text.push_str(name);
        for field in fields {
            self.text.push(',');
            let text = &mut self.text;
            // Writing to a string cannot fail.
            let _ = match field {
                Field::Blank => Ok(()),
                Field::Integer(value) => write!(text, "{value}"),
                Field::Real(value) => {
                    text.push_str(&real(*value));
                    Ok(())
                }
                Field::Word(word) => write!(text, "{word}"),
            };
        }
        self.text.push('\n');
    }

    /// Writes a name as HyperMesh does.
    pub(crate) fn name(&mut self, at: Span, of: NameOf, id: u32, name: &str) {
        let kind = match of {
            NameOf::Property => "PROP",
            NameOf::Material => "MAT",
        };
        self.line(at, &format!("$HMNAME {kind} {id}\"{}\"", clean(name)));
    }

    /// Writes a set of numbers with its name.
    pub(crate) fn set(&mut self, at: Span, id: u32, name: &str, members: &[u32]) {
        self.line(at, &format!("$HMSET {id} 1 \"{}\"", clean(name)));
        let fields: Vec<Field> =
            std::iter::once(Field::Integer(id)).chain(members.iter().map(|id| Field::Integer(*id))).collect();
        self.card(at, "SET1", &fields);
    }
}

/// A real with all its bits, as Nastran reads it: always with a decimal point.
fn real(value: f64) -> String {
    let text = format!("{value:?}");
    if text.contains('.') { text } else { text.replacen('e', ".e", 1) }
}

/// A name that a comment can carry: on one line, without quotes.
fn clean(name: &str) -> String {
    name.chars()
        .map(|c| if c == '"' || c.is_control() { ' ' } else { c })
        .collect::<String>()
        .trim()
        .to_owned()
}
