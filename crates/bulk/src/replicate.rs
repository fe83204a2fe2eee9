//! Replication: cards made from the card before them.
//!
//! ```text
//! GRID,101,17,1.0,10.5,,17,3456
//! =,*(1),=,*(0.2),==
//! =(3)
//! ```
//!
//! `=` repeats a field, `==` it and all behind it, `*n` or `*(n)` adds n to it; anything else replaces it.
//! `=n` or `=(n)` alone makes n more cards the same way. Here five GRIDs, 101 to 105.
//!
//! A card with a name may repeat fields of the card before it as well: `MAT1,2,==` is the MAT1 above it with
//! another number.

use memchr::{memchr, memchr_iter, memrchr};
use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::char;
use nom::combinator::{all_consuming, rest};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use pliant_diag::{Diagnostic, Diagnostics, FileId, Span};

use crate::card::{Card, Lines};
use crate::field::{Field, FieldBuffer};
use crate::number::{parse_integer, parse_real};
use crate::read::CardFile;

/// Most cards replication makes in one deck: `=(1000000000)` must not fill the memory.
const MOST_CARDS: usize = 100_000;
/// Most fields of these cards together.
const MOST_FIELDS: usize = 2_000_000;

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

    /// Takes a card in and returns its index.
    pub(crate) fn push(&mut self, fields: &[(Vec<u8>, Span)]) -> u32 {
        for (text, span) in fields {
            let start = self.text.len() as u32;
            self.text.extend_from_slice(text);
            self.fields.push(GeneratedField { start, length: text.len() as u32, span: *span });
        }
        self.ends.push(self.fields.len() as u32);
        (self.ends.len() - 1) as u32
    }
}

/// What a field of a replication card asks for.
#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Same,
    SameToTheEnd,
    Add(Vec<u8>),
    Put(Vec<u8>),
}

impl Rule {
    fn new(text: &[u8]) -> Self {
        match text {
            b"=" => Self::Same,
            b"==" => Self::SameToTheEnd,
            [b'*', ..] => match preceded(char('*'), argument).parse(text) {
                Ok((_, increment)) => Self::Add(increment.to_vec()),
                Err(_) => Self::Put(text.to_vec()),
            },
            _ => Self::Put(text.to_vec()),
        }
    }
}

/// `n` or `(n)`.
fn argument(text: &[u8]) -> IResult<&[u8], &[u8]> {
    all_consuming(alt((delimited(char('('), is_not("()"), char(')')), rest))).parse(text)
}

/// Up to the first blank or comma: a long count may reach beyond column 8.
fn first_word(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_start();
    let end = line.iter().position(|b| matches!(b, b' ' | b'\t' | b',' | b'$')).unwrap_or(line.len());
    &line[..end]
}

/// The n of `=n` or `=(n)` in field 1; `None` for a plain `=`.
fn repetitions(first_field: &[u8]) -> Option<Result<usize, ()>> {
    match preceded(char('='), argument).parse(first_field.trim_ascii()) {
        Ok((_, [])) | Err(_) => None,
        Ok((_, number)) => Some(parse_integer(number).and_then(|n| usize::try_from(n).ok()).ok_or(())),
    }
}

/// Puts the cards that replication makes in the place of the replication cards.
pub(crate) fn expand(file: &mut CardFile, diagnostics: &mut Diagnostics) {
    let repeating = Repeating::new(file);
    if repeating.is_empty() && !file.cards.iter().any(|card| card.name() == "=") {
        return;
    }
    let old = std::mem::take(&mut file.cards);
    let mut generated = Generated::default();
    let mut maker = Maker { file, generated: &mut generated, cards: Vec::with_capacity(old.len()), made: 0 };
    let mut rules: Vec<(Rule, Span)> = Vec::new();
    for card in old {
        if card.name() != "=" {
            let made = repeating.may_be_in(&card).then(|| maker.repeat(&card)).transpose();
            match made {
                Ok(made) => maker.cards.push(made.flatten().unwrap_or(card)),
                Err(problem) => {
                    diagnostics.push(problem.or_at(card.span()).card(card.name()));
                    maker.cards.push(card);
                }
            }
            rules.clear();
            continue;
        }
        if let Err(problem) = maker.replicate(&card, &mut rules) {
            diagnostics.push(problem.or_at(card.span()).card("="));
        }
    }
    file.cards = maker.cards;
    file.generated = generated;
}

/// Where `=` or `==` stand as words in the bulk data, by file, ascending: hardly any deck has them, and one
/// search of the text finds that out.
struct Repeating(Vec<Vec<u32>>);

impl Repeating {
    fn new(file: &CardFile) -> Self {
        let mut first_card = vec![u32::MAX; file.sources.files().count()];
        for card in &file.cards {
            let first = &mut first_card[usize::from(card.file.0)];
            *first = (*first).min(card.start);
        }
        let of_file = |(index, first): (usize, &u32)| {
            let bytes = file.sources.file(FileId(index as u16)).bytes();
            let from = (*first as usize).min(bytes.len());
            let found = memchr_iter(b'=', &bytes[from..]).map(|at| from + at);
            found.filter(|at| is_word(bytes, *at)).map(|at| at as u32).collect()
        };
        Self(first_card.iter().enumerate().map(of_file).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    fn may_be_in(&self, card: &Card) -> bool {
        let here = &self.0[usize::from(card.file.0)];
        match card.lines {
            Lines::Run { end } => {
                let next = here.partition_point(|at| *at < card.start);
                here.get(next).is_some_and(|at| *at < end)
            }
            Lines::Scattered(_) => !here.is_empty(),
            Lines::Generated(_) => false,
        }
    }
}

/// True when the `=` at an offset is the end of a field `=` or `==`, and not in a comment.
fn is_word(bytes: &[u8], at: usize) -> bool {
    let ends_field =
        |b: Option<&u8>| b.is_none_or(|b| matches!(b, b',' | b' ' | b'\t' | b'\r' | b'\n' | b'$'));
    let start = if at > 0 && bytes[at - 1] == b'=' { at - 1 } else { at };
    let line = memrchr(b'\n', &bytes[..start]).map_or(0, |newline| newline + 1);
    start > line
        && ends_field(bytes.get(at + 1))
        && ends_field(bytes.get(start - 1))
        && memchr(b'$', &bytes[line..start]).is_none()
}

struct Maker<'f> {
    file: &'f CardFile,
    generated: &'f mut Generated,
    cards: Vec<Card>,
    made: usize,
}

impl Maker<'_> {
    /// One replication card, with the rules of the one before it.
    fn replicate(&mut self, card: &Card, rules: &mut Vec<(Rule, Span)>) -> Result<(), Box<Diagnostic>> {
        let Some(model) = self.cards.last().copied() else {
            return Err(Diagnostic::boxed("there is no card before it to repeat"));
        };
        let line = self.file.sources.file(card.file).bytes();
        let line = &line[card.start as usize..][..usize::from(card.first_line_length)];
        let count = match repetitions(first_word(line)) {
            None => {
                let mut buffer = FieldBuffer::new();
                let fields = self.file.fields(card, &mut buffer);
                *rules = fields.iter().map(|field| (Rule::new(field.text), field.span)).collect();
                1
            }
            Some(Ok(count)) if rules.is_empty() => {
                return Err(Diagnostic::boxed(format!(
                    "repeats {count} times, but no replication card stands before it"
                )));
            }
            Some(Ok(count)) => count,
            Some(Err(())) => return Err(Diagnostic::boxed("expected a count, as in `=(3)`")),
        };
        if count > MOST_CARDS - self.made {
            return Err(Diagnostic::boxed(format!(
                "asks for {count} cards; replication makes {MOST_CARDS} at most in one deck"
            )));
        }
        let fields = self.fields_of(&model);
        let each = fields.len().max(rules.len()).max(1);
        if count > (MOST_FIELDS - self.generated.fields.len().min(MOST_FIELDS)) / each {
            return Err(Diagnostic::boxed(format!("makes more than {MOST_FIELDS} fields")));
        }
        for step in 1..=count {
            let fields = apply(rules, &fields, step, card.span())?;
            let index = self.generated.push(&fields);
            self.cards.push(Card { lines: Lines::Generated(index), name: model.name, ..*card });
        }
        self.made += count;
        Ok(())
    }

    /// A card with a name that repeats fields of the card before it; `None` when it repeats none.
    fn repeat(&mut self, card: &Card) -> Result<Option<Card>, Box<Diagnostic>> {
        // DEQATN holds formulas.
        let own = self.fields_of(card);
        if card.name() == "DEQATN" || !own.iter().any(|(text, _)| matches!(text.as_slice(), b"=" | b"==")) {
            return Ok(None);
        }
        let Some(model) = self.cards.last().copied() else {
            return Err(Diagnostic::boxed("repeats fields of the card before it, but there is none"));
        };
        if model.name != card.name {
            return Err(Diagnostic::boxed(format!(
                "repeats fields of the card before it, which is a {}",
                model.name()
            )));
        }
        let rules: Vec<(Rule, Span)> = own.iter().map(|(text, span)| (Rule::new(text), *span)).collect();
        let fields = apply(&rules, &self.fields_of(&model), 1, card.span())?;
        let index = self.generated.push(&fields);
        Ok(Some(Card { lines: Lines::Generated(index), ..*card }))
    }

    fn fields_of(&self, card: &Card) -> Vec<(Vec<u8>, Span)> {
        let own = |field: Field<'_>| (field.text.to_vec(), field.span);
        match card.lines {
            Lines::Generated(index) => self.generated.fields(index).map(own).collect(),
            _ => {
                let mut buffer = FieldBuffer::new();
                self.file.fields(card, &mut buffer).iter().map(own).collect()
            }
        }
    }
}

/// The fields of the card `step` steps after the model.
fn apply(
    rules: &[(Rule, Span)],
    model: &[(Vec<u8>, Span)],
    step: usize,
    card: Span,
) -> Result<Vec<(Vec<u8>, Span)>, Box<Diagnostic>> {
    let mut fields = Vec::new();
    let nothing = (Vec::new(), card);
    for (slot, (rule, span)) in rules.iter().enumerate() {
        let before = &model.get(slot).unwrap_or(&nothing).0;
        match rule {
            Rule::Same => fields.push((before.clone(), *span)),
            Rule::SameToTheEnd => {
                fields.extend(model.iter().skip(slot).map(|(text, _)| (text.clone(), *span)));
                break;
            }
            Rule::Add(increment) => {
                fields.push((add(before, increment, step).map_err(|problem| problem.at(*span))?, *span))
            }
            Rule::Put(text) => fields.push((text.clone(), *span)),
        }
    }
    Ok(fields)
}

/// `before` + `step`·`increment`, an integer or real as they are.
fn add(before: &[u8], increment: &[u8], step: usize) -> Result<Vec<u8>, Box<Diagnostic>> {
    let step_number = step as i64;
    if let (Some(value), Some(by)) = (parse_integer(before), parse_integer(increment)) {
        let sum = by.checked_mul(step_number).and_then(|by| value.checked_add(by));
        return sum
            .map(|sum| sum.to_string().into_bytes())
            .ok_or_else(|| Diagnostic::boxed("the sum with the increment exceeds the largest integer"));
    }
    if let (Some(value), Some(by)) = (parse_real(before), parse_real(increment)) {
        return Ok(format!("{:?}", value + by * step as f64).into_bytes());
    }
    Err(Diagnostic::boxed(format!(
        "cannot add `{}` to `{}`: both must be integers or both real",
        String::from_utf8_lossy(increment),
        String::from_utf8_lossy(before)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_cards_from;

    fn cards(deck: &str) -> (Vec<String>, Vec<String>) {
        let read = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!());
        let mut buffer = FieldBuffer::new();
        let mut cards = Vec::new();
        for card in &read.output.cards {
            let fields = read.output.fields(card, &mut buffer);
            let texts: Vec<_> = fields.iter().map(|f| String::from_utf8_lossy(f.text).into_owned()).collect();
            cards.push(format!("{},{}", card.name(), texts.join(",")));
        }
        (cards, read.diagnostics.iter().map(|d| d.headline()).collect())
    }

    #[test]
    fn five_grids_from_three_lines() {
        // By hand: 101 as written, one by the second line, three more by the third, x in steps of 0.2.
        let (cards, problems) = cards("GRID,101,17,1.0,10.5,,17,3456\n=,*(1),=,*(0.2),==$\n=(3)\n");
        assert_eq!(problems, [""; 0]);
        assert_eq!(cards.len(), 5);
        assert_eq!(cards[1], "GRID,102,17,1.2,10.5,,17,3456");
        assert_eq!(cards[4], "GRID,105,17,1.8,10.5,,17,3456");
    }

    #[test]
    fn fixed_fields_and_continuations() {
        let deck = "CHEXA   1       7       1       2       3       4       5       6       +A\n\
                    +A      7       8\n\
                    =       *1      ==\n=2\n";
        let (cards, problems) = cards(deck);
        assert_eq!(problems, [""; 0]);
        assert_eq!(cards[3], "CHEXA,4,7,1,2,3,4,5,6,7,8");
    }

    #[test]
    fn a_named_card_repeats_fields_of_the_card_before_it() {
        let deck = "MAT1,1,2.+11,,.3,7800.\nMAT1,2,==\nMAT1    3       7.+10   ==\nMAT1,4,=,,=\n$ = ==\nGRID,1,,1.\n";
        let (cards, problems) = cards(deck);
        assert_eq!(problems, [""; 0]);
        assert_eq!(cards[1], "MAT1,2,2.+11,,.3,7800.");
        assert_eq!(cards[2], "MAT1,3,7.+10,,.3,7800.");
        assert_eq!(cards[3], "MAT1,4,7.+10,,.3");
        assert_eq!(cards[4], "GRID,1,,1.");
    }

    #[test]
    fn what_cannot_be_made_is_said() {
        assert_eq!(cards("MAT1,1,==\n").1, ["MAT1: repeats fields of the card before it, but there is none"]);
        assert_eq!(
            cards("GRID,1\nMAT1,1,==\n").1,
            ["MAT1: repeats fields of the card before it, which is a GRID"]
        );
        assert_eq!(cards("=,*1\n").1, ["=: there is no card before it to repeat"]);
        assert_eq!(
            cards("GRID,1\n=(3)\n").1,
            ["=: repeats 3 times, but no replication card stands before it"]
        );
        let too_many = cards("GRID,1\n=,*1\n=(1000000000)\n");
        assert_eq!(too_many.0.len(), 2);
        assert_eq!(
            too_many.1,
            ["=: asks for 1000000000 cards; replication makes 100000 at most in one deck"]
        );
        assert_eq!(
            cards("GRID,1\n=,*1.5\n").1,
            ["=: cannot add `1.5` to `1`: both must be integers or both real"]
        );
    }
}
