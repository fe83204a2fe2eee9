//! Lines of a foreign file, words and numbers in them.

use pliant_diag::{FileId, Span};

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
    pub(crate) file: FileId,
}

impl<'a> Line<'a> {
    /// Its location, without blanks around it.
    pub(crate) fn span(&self) -> Span {
        let lead = self.text.len() - self.text.trim_ascii_start().len();
        Span::new(self.file, self.start + lead, self.start + self.text.trim_ascii_end().len().max(lead))
    }

    /// Its text in UTF-8.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    /// A column of fixed width, without blanks; empty where the line is shorter.
    pub(crate) fn column(&self, first: usize, width: usize) -> &'a [u8] {
        let end = (first + width).min(self.text.len());
        self.text.get(first.min(end)..end).unwrap_or_default().trim_ascii()
    }
}

/// Lines of a file, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) position: usize,
    pub(crate) file: FileId,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(bytes: &'a [u8], file: FileId) -> Self {
        let position = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, position, file }
    }

    /// The line that comes next, which stays to be read.
    pub(crate) fn peek(&self) -> Option<Line<'a>> {
        self.clone().next()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let start = self.position;
        self.position = start + length + 1;
        let text = &rest[..length];
        Some(Line { text: text.strip_suffix(b"\r").unwrap_or(text), start, file: self.file })
    }
}

/// A finite real; the exponent may begin with D as Fortran writes it.
pub(crate) fn real(word: &[u8]) -> Option<f64> {
    let word = word.trim_ascii();
    let word = word.strip_prefix(b"+").unwrap_or(word);
    let value: Option<f64> = if word.iter().any(|b| matches!(b, b'D' | b'd')) {
        let word: Vec<u8> = word.iter().map(|b| if matches!(b, b'D' | b'd') { b'E' } else { *b }).collect();
        fast_float2::parse(word).ok()
    } else {
        fast_float2::parse(word).ok()
    };
    value.filter(|value| value.is_finite())
}

/// An integer.
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word.trim_ascii()).ok()?.parse().ok()
}

/// The number of a node, an element or a property: from 1 to 2³¹ − 1.
pub(crate) fn id(word: &[u8]) -> Option<u32> {
    u32::try_from(integer(word)?).ok().filter(|id| (1..=i32::MAX as u32).contains(id))
}

/// Text for messages and names.
pub(crate) fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).trim().to_owned()
}
