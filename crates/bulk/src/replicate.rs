//! Replication: cards that are made from the card before them.

use pliant_diag::Span;

use crate::field::Field;

/// Fields of cards that stand nowhere in the deck as they are.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    text: Vec<u8>,
    fields: Vec<GeneratedField>,
    /// End of each card's fields.
    ends: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct GeneratedField {
    start: u32,
    length: u32,
    span: Span,
}

impl Generated {
    /// The fields of a card.
    pub(crate) fn fields(&self, index: u32) -> impl Iterator<Item = Field<'_>> {
        let index = index as usize;
        let first = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        self.fields[first..self.ends[index] as usize].iter().map(|field| {
            let start = field.start as usize;
            Field { text: &self.text[start..start + field.length as usize], span: field.span }
        })
    }
}
