//! Fields as numbers and words, with complaints that name card, field number and field name.
//!
//! An integer where a real belongs is an error, as in Nastran: `1` for a thickness may be a slipped id.

use pliant_diag::{Diagnostic, Diagnostics, Severity, Span};
use pliant_mesh::{Component, Components};

use crate::field::{Field, Fields};
use crate::number::{parse_integer, parse_real};

/// Reads the fields of one card. Each method returns `None` after it has reported what is wrong, so that a
/// caller reads all fields first, gives up afterwards, and every problem of the card is reported.
#[derive(Debug)]
pub struct Reader<'r> {
    fields: Fields<'r>,
    diagnostics: &'r mut Diagnostics,
}

impl<'r> Reader<'r> {
    /// A reader that reports into `diagnostics`.
    pub fn new(fields: Fields<'r>, diagnostics: &'r mut Diagnostics) -> Self {
        Self { fields, diagnostics }
    }

    /// The fields themselves.
    pub fn fields(&self) -> Fields<'r> {
        self.fields
    }

    /// Name of the card.
    pub fn name(&self) -> &'r str {
        self.fields.name()
    }

    /// The card's first line.
    pub fn span(&self) -> Span {
        self.fields.card().span()
    }

    /// Number of slots up to the last that is not blank.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// True when all slots are blank.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// True when a slot is blank or beyond the end.
    pub(crate) fn is_blank(&self, slot: usize) -> bool {
        self.fields.get(slot).is_blank()
    }

    /// An id: an integer above 0.
    #[inline]
    pub fn id(&mut self, slot: usize, name: &str) -> Option<u32> {
        let field = self.fields.get(slot);
        match parse_integer(field.text).and_then(|value| u32::try_from(value).ok()) {
            Some(value) if value > 0 => Some(value),
            _ => self.bad_id(slot, name, field),
        }
    }

    /// An id, or `default` when blank.
    pub(crate) fn id_or(&mut self, slot: usize, name: &str, default: u32) -> Option<u32> {
        if self.is_blank(slot) { Some(default) } else { self.id(slot, name) }
    }

    /// An id where there is one. The outer `None` means that it was bad.
    pub(crate) fn optional_id(&mut self, slot: usize, name: &str) -> Option<Option<u32>> {
        if self.is_blank(slot) { Some(None) } else { self.id(slot, name).map(Some) }
    }

    /// An integer.
    #[inline]
    pub fn integer(&mut self, slot: usize, name: &str) -> Option<i64> {
        let field = self.fields.get(slot);
        match parse_integer(field.text) {
            Some(value) => Some(value),
            None => self.bad_integer(slot, name, field),
        }
    }

    /// An integer, or `default` when blank.
    #[inline]
    pub(crate) fn integer_or(&mut self, slot: usize, name: &str, default: i64) -> Option<i64> {
        if self.is_blank(slot) { Some(default) } else { self.integer(slot, name) }
    }

    /// An integer where there is one. The outer `None` means that it was bad.
    pub(crate) fn optional_integer(&mut self, slot: usize, name: &str) -> Option<Option<i64>> {
        if self.is_blank(slot) { Some(None) } else { self.integer(slot, name).map(Some) }
    }

    /// A real.
    #[inline]
    pub fn real(&mut self, slot: usize, name: &str) -> Option<f64> {
        let field = self.fields.get(slot);
        match parse_real(field.text) {
            Some(value) => Some(value),
            None => self.bad_real(slot, name, field),
        }
    }

    /// A real, or `default` when blank.
    #[inline]
    pub fn real_or(&mut self, slot: usize, name: &str, default: f64) -> Option<f64> {
        if self.is_blank(slot) { Some(default) } else { self.real(slot, name) }
    }

    /// A real where there is one. The outer `None` means that it was bad.
    pub(crate) fn optional_real(&mut self, slot: usize, name: &str) -> Option<Option<f64>> {
        if self.is_blank(slot) { Some(None) } else { self.real(slot, name).map(Some) }
    }

    /// A word in upper case.
    pub fn word(&mut self, slot: usize, name: &str) -> Option<String> {
        match self.optional_word(slot, name)? {
            Some(word) => Some(word),
            None => {
                self.error(slot, name, "expected a word, found nothing");
                None
            }
        }
    }

    /// A word in upper case where there is one. The outer `None` means that it was bad.
    pub fn optional_word(&mut self, slot: usize, name: &str) -> Option<Option<String>> {
        let field = self.fields.get(slot);
        match field.text {
            [] => Some(None),
            [first, ..] if first.is_ascii_alphabetic() && field.text.is_ascii() => {
                Some(Some(String::from_utf8_lossy(field.text).to_ascii_uppercase()))
            }
            _ => {
                self.error(slot, name, format!("expected a word, found `{}`", show(field)));
                None
            }
        }
    }

    /// True when the slot holds this word, in any case.
    pub(crate) fn is_word(&self, slot: usize, word: &str) -> bool {
        self.fields.get(slot).text.eq_ignore_ascii_case(word.as_bytes())
    }

    /// Components such as `123456`; blank and `0` are none of them.
    pub fn components(&mut self, slot: usize, name: &str) -> Option<Components> {
        let field = self.fields.get(slot);
        let mut components = Components::NONE;
        if matches!(field.text, [] | [b'0']) {
            return Some(components);
        }
        // Old decks space the digits out by component: `12 4 6`.
        for digit in field.text.iter().filter(|b| **b != b' ') {
            let component = (*digit as char).to_digit(10).and_then(Component::from_digit);
            match component {
                Some(component) if !components.contains(component) => components = components.with(component),
                Some(_) => {
                    let digit = *digit as char;
                    self.error(slot, name, format!("component {digit} is given twice in `{}`", show(field)));
                    return None;
                }
                None => {
                    self.error(
                        slot,
                        name,
                        format!("expected components among 1 to 6, found `{}`", show(field)),
                    );
                    return None;
                }
            }
        }
        Some(components)
    }

    /// Reports an error in a field.
    pub fn error(&mut self, slot: usize, name: &str, message: impl Into<String>) {
        self.report(self.problem(Severity::Error, slot, name, message));
    }

    /// Reports a warning in a field.
    pub fn warning(&mut self, slot: usize, name: &str, message: impl Into<String>) {
        self.report(self.problem(Severity::Warning, slot, name, message));
    }

    /// A diagnostic that points at a field; add hints and hand it to [`Self::report`].
    pub fn problem(
        &self,
        severity: Severity,
        slot: usize,
        name: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(severity, message)
            .at(self.fields.get(slot).span)
            .card(self.fields.label())
            .field(Fields::number(slot), name)
    }

    /// A diagnostic about the card as such.
    pub(crate) fn card_problem(&self, severity: Severity, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(severity, message).at(self.span()).card(self.fields.label())
    }

    /// Hands over a diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    #[cold]
    fn bad_id<T>(&mut self, slot: usize, name: &str, field: Field<'_>) -> Option<T> {
        match parse_integer(field.text) {
            Some(value) => {
                let message = if value > 0 {
                    format!("{value} is too large for an id")
                } else {
                    format!("expected an id above 0, found `{value}`")
                };
                self.error(slot, name, message);
                None
            }
            None => self.bad_integer(slot, name, field),
        }
    }

    #[cold]
    fn bad_integer<T>(&mut self, slot: usize, name: &str, field: Field<'_>) -> Option<T> {
        let mut problem = self.problem(
            Severity::Error,
            slot,
            name,
            format!("expected an integer, found {}", quoted(field)),
        );
        if let Some(value) = parse_real(field.text).filter(|v| v.fract() == 0.0 && v.abs() < 1e15) {
            let what = if is_grid_field(name) { "GRID ids" } else { "integers" };
            problem = problem.hint(format!("{what} have no decimal point; write `{value:.0}`"));
        }
        self.report(problem);
        None
    }

    /// The two sides of a comma with an integer before and digits behind it, with nothing between: `0,5`.
    /// The field may be either of them: in a line of columns the comma makes free fields of it, and blank
    /// fields do not count.
    fn decimal_comma(&self, slot: usize) -> Option<[String; 2]> {
        let pair = |first: usize| {
            let (integer, decimals) = (self.fields.get(first), self.fields.get(first + 1));
            let together = decimals.span.file == integer.span.file
                && decimals.span.start == integer.span.start + u32::from(integer.span.length) + 1;
            let digits = !decimals.is_blank() && decimals.text.iter().all(u8::is_ascii_digit);
            (together && digits && parse_integer(integer.text).is_some())
                .then(|| [show(integer), show(decimals)])
        };
        pair(slot).or_else(|| pair(slot.checked_sub(1)?))
    }

    #[cold]
    fn bad_real<T>(&mut self, slot: usize, name: &str, field: Field<'_>) -> Option<T> {
        let mut problem = self.problem(
            Severity::Error,
            slot,
            name,
            format!("expected a real number, found {}", quoted(field)),
        );
        if parse_integer(field.text).is_some() {
            problem = problem.hint(format!("real numbers need a decimal point; write `{}.`", show(field)));
        }
        if field.text.eq_ignore_ascii_case(b"RIGID") {
            problem =
                problem.hint("write a stiffness, or join the grids with RBE2 or RBAR in this direction");
        }
        if let Some([integer, decimals]) = self.decimal_comma(slot) {
            problem = problem.hint(format!(
                "if `{integer},{decimals}` is one number, write `{integer}.{decimals}`: a comma separates fields"
            ));
        }
        self.report(problem);
        None
    }
}

fn show(field: Field<'_>) -> String {
    String::from_utf8_lossy(field.text).into_owned()
}

fn quoted(field: Field<'_>) -> String {
    if field.is_blank() { "nothing".to_owned() } else { format!("`{}`", show(field)) }
}

/// `G1`, `GA`, `G`, `GRID`, `GO`, `GN`, …
fn is_grid_field(name: &str) -> bool {
    name.starts_with('G')
}

#[cfg(test)]
mod tests {
    use crate::{Options, deck_from_cards, read_cards_from};

    #[test]
    fn a_decimal_comma_gets_a_hint() {
        let free = "GRID,13,,0,5,0.,0.\n";
        // Columns, in which a comma makes the line free fields: the values are then separated by blanks.
        let columns = "GRID    13              0,5     0.      0.\n";
        for deck in [free, columns] {
            let cards = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!());
            let found = deck_from_cards(cards, &Options::default()).diagnostics;
            let hints: Vec<_> = found.iter().flat_map(|d| &d.hints).collect();
            let wanted = "if `0,5` is one number, write `0.5`: a comma separates fields";
            assert!(hints.iter().any(|hint| *hint == wanted), "{deck}{hints:?}");
        }
    }
}
