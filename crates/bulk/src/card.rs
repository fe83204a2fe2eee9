//! A card: its name and where its lines are.

use pliant_diag::{FileId, Span};

/// The name of a card in upper case, without the `*` of large fields; at most eight characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardName([u8; 8]);

impl CardName {
    /// From the text of field 1. Bytes that are not printable ASCII become `?`.
    pub(crate) fn new(text: &[u8]) -> Self {
        let mut name = [0; 8];
        for (to, from) in name.iter_mut().zip(text) {
            *to = if from.is_ascii_graphic() { from.to_ascii_uppercase() } else { b'?' };
        }
        Self(name)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|b| *b == 0).unwrap_or(8);
        std::str::from_utf8(&self.0[..length]).expect("invariant: names are ASCII")
    }
}

impl std::fmt::Debug for CardName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::fmt::Display for CardName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where the text of a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// From the first line to this offset of the same file; comments and blank lines may lie between.
    Run {
        /// Offset behind the last line.
        end: u32,
    },
    /// Scattered over the deck: an entry of `CardFile::scattered`.
    Scattered(u32),
    /// Made by a replication card: an entry of `CardFile::generated`.
    Generated(u32),
}

/// One card. Small, because a deck has millions; its fields are taken apart on demand by
/// [`CardFile::fields`](crate::CardFile::fields).
#[derive(Clone, Copy, Debug)]
pub struct Card {
    pub(crate) name: CardName,
    pub(crate) start: u32,
    pub(crate) lines: Lines,
    pub(crate) file: FileId,
    pub(crate) first_line_length: u16,
    pub(crate) part: u16,
}

impl Card {
    /// Its name, such as `CTETRA`.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Its first line.
    pub fn span(&self) -> Span {
        Span { start: self.start, length: self.first_line_length, file: self.file }
    }

    /// Which [`Part`](crate::Part) of the deck it belongs to; 0 is the main bulk data.
    pub fn part(&self) -> usize {
        usize::from(self.part)
    }
}
