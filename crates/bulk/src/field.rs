//! Fields: the lines of a card taken apart, in any mixture of small, large, free and tabbed lines.

use memchr::memchr_iter;
use pliant_diag::{FileId, Span};

use crate::card::{Card, Lines};
use crate::line::{self, Kind, Layout, Line};
use crate::read::CardFile;

/// One field of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Field<'a> {
    /// Its text without surrounding blanks.
    pub text: &'a [u8],
    /// Where it stands; for a blank one, where it would.
    pub span: Span,
}

impl Field<'_> {
    /// True when there is nothing in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Room for the fields of one card, used again for the next.
#[derive(Debug, Default)]
pub struct FieldBuffer<'a> {
    fields: Vec<Field<'a>>,
}

impl FieldBuffer<'_> {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The fields of a card. Slot 0 is field 2 of the quick reference guide, slot 8 is field 12 (the first of the
/// first continuation), and so on: each line has eight, a pair of large-field lines eight together.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'r> {
    card: &'r Card,
    fields: &'r [Field<'r>],
}

impl<'r> Fields<'r> {
    /// Name of the card in upper case, without `*`.
    pub fn name(&self) -> &'r str {
        self.card.name()
    }

    /// The card.
    pub fn card(&self) -> &'r Card {
        self.card
    }

    /// How many slots there are up to the last that is not blank.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// True when all are blank.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// A field; beyond the end a blank one that points at the card.
    #[inline]
    pub fn get(&self, slot: usize) -> Field<'r> {
        self.fields.get(slot).copied().unwrap_or(Field { text: b"", span: self.card.span() })
    }

    /// The fields up to the last that is not blank.
    pub fn iter(&self) -> impl Iterator<Item = Field<'r>> + use<'r> {
        self.fields.iter().copied()
    }

    /// Number of a slot in the quick reference guide: 0 to 7 are 2 to 9, 8 to 15 are 12 to 19.
    pub fn number(slot: usize) -> u32 {
        (slot / 8 * 10 + slot % 8 + 2) as u32
    }

    /// The card with its first field, such as `CTETRA 1207`: how diagnostics name it.
    pub fn label(&self) -> String {
        let first = self.get(0).text;
        match first {
            [] => self.name().to_owned(),
            _ => format!("{} {}", self.name(), String::from_utf8_lossy(first)),
        }
    }
}

impl CardFile {
    /// Takes a card apart. The buffer only saves allocations.
    pub fn fields<'a, 'r>(&'a self, card: &'r Card, buffer: &'r mut FieldBuffer<'a>) -> Fields<'r>
    where
        'a: 'r,
    {
        let fields = &mut buffer.fields;
        fields.clear();
        let mut splitter = Splitter { fields, line_end: 0 };
        match card.lines {
            Lines::Run { end } => {
                let bytes = self.sources.file(card.file).bytes();
                splitter.run(bytes, card.file, card.start as usize, end as usize);
            }
            Lines::Scattered(index) => {
                let lines = &self.scattered[index as usize];
                for (k, (file, line)) in lines.iter().enumerate() {
                    let next =
                        lines.get(k + 1).map(|(file, line)| line.text(self.sources.file(*file).bytes()));
                    splitter.line(self.sources.file(*file).bytes(), *file, *line, next);
                }
            }
            Lines::Generated(index) => fields.extend(self.generated.fields(index)),
        }
        let length = fields.iter().rposition(|f| !f.is_blank()).map_or(0, |last| last + 1);
        Fields { card, fields: &buffer.fields[..length] }
    }
}

/// Splits lines one after another, keeping count of slots.
struct Splitter<'a, 'b> {
    fields: &'b mut Vec<Field<'a>>,
    /// Where the slots of the next line begin.
    line_end: usize,
}

impl<'a> Splitter<'a, '_> {
    /// The lines of `bytes[start..end]`, comments and blank lines left out.
    fn run(&mut self, bytes: &'a [u8], file: FileId, start: usize, end: usize) {
        let bytes = &bytes[..end];
        // The first line is the card, whatever it looks like.
        let Some((mut line, mut position)) = line::next_line(bytes, start) else { return };
        while let Some((next, behind)) = line::next_line(bytes, position) {
            position = behind;
            if !matches!(line::kind(next.text(bytes)), Kind::Blank | Kind::Comment) {
                self.line(bytes, file, line, Some(next.text(bytes)));
                line = next;
            }
        }
        self.line(bytes, file, line, None);
    }

    /// One line; `next` is the one that continues it.
    fn line(&mut self, bytes: &'a [u8], file: FileId, line: Line, next: Option<&[u8]>) {
        let (text, layout) = line::layout(line.text(bytes));
        let at = LineText { text, start: line.start as usize, file };
        let large = match layout {
            Layout::Columns => line::is_large(&text[..text.len().min(8)]),
            _ => line::is_large(line::first_field(text)),
        };
        if !large {
            // A large-field line without its second half: that half is blank.
            self.line_end = self.line_end.next_multiple_of(8);
        }
        self.fields.resize(self.line_end, Field { text: b"", span: at.end() });
        let (count, width) = if large { (4, 16) } else { (8, 8) };
        match layout {
            Layout::Columns => {
                let end = text.len().min(72);
                let mut first = 8;
                while first < end {
                    match text.get(first..first + 8) {
                        Some(field) if width == 8 => self.fields.push(at.small_field(first, field)),
                        _ => self.fields.push(at.field(first, (first + width).min(end))),
                    }
                    first += width;
                }
            }
            Layout::Tabs => {
                for i in 0..count {
                    let (first, end) = line::columns_with_tabs(text, 8 + i * width, width);
                    self.fields.push(at.field(first, end));
                }
            }
            Layout::Free => self.free(at, count, next),
        }
        let used = (self.fields.len() - self.line_end).max(1).next_multiple_of(count);
        self.line_end += used;
    }

    /// Commas, and blanks between values. More data than a line has slots simply go on counting; the mark of
    /// a continuation behind the last slot is no datum.
    fn free(&mut self, at: LineText<'a>, count: usize, next: Option<&[u8]>) {
        let mut commas = memchr_iter(b',', at.text).peekable();
        let mut index = self.behind_name(at, commas.peek().copied());
        while let Some(comma) = commas.next() {
            let end = commas.peek().copied().unwrap_or(at.text.len());
            let field = at.field(comma + 1, end);
            let is_mark = || {
                let own = next.map_or(b"".as_slice(), line::own_id);
                line::is_continuation_mark(field.text) || !own.is_empty() && line::asks_for(at.text, own)
            };
            if index == count && commas.peek().is_none() && is_mark() {
                break;
            }
            index += self.items(at, field);
        }
    }

    /// Values between the name of a card and its first comma: `GRID 2,,1.,0.,0.`.
    fn behind_name(&mut self, at: LineText<'a>, comma: Option<usize>) -> usize {
        let head = &at.text[..comma.unwrap_or(at.text.len())];
        let name = head.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(head.len());
        let is_card = head.get(name).is_some_and(u8::is_ascii_alphabetic);
        let blank = head[name..].iter().position(u8::is_ascii_whitespace);
        match blank.filter(|_| is_card).map(|blank| at.field(name + blank, head.len())) {
            Some(field) if !field.is_blank() => self.items(at, field),
            _ => 0,
        }
    }

    /// The values of one item between commas; returns how many.
    fn items(&mut self, at: LineText<'a>, field: Field<'a>) -> usize {
        let before = self.fields.len();
        if !field.text.iter().any(u8::is_ascii_whitespace) {
            self.fields.push(field);
            return 1;
        }
        for (offset, text) in line::blank_separated(field.text) {
            let start = field.span.start as usize + offset;
            self.fields.push(Field { text, span: Span::new(at.file, start, start + text.len()) });
        }
        self.fields.len() - before
    }
}

/// A line and where it is.
#[derive(Clone, Copy)]
struct LineText<'a> {
    text: &'a [u8],
    start: usize,
    file: FileId,
}

impl<'a> LineText<'a> {
    /// A complete field of eight columns without tabs: the blanks around it are found eight bytes at once.
    #[inline]
    fn small_field(&self, first: usize, field: &'a [u8]) -> Field<'a> {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let bytes: [u8; 8] = field.try_into().expect("invariant: a small field has eight bytes");
        let other_than_blank = u64::from_le_bytes(bytes) ^ 0x2020_2020_2020_2020;
        // The top bit of each byte that is not a blank.
        let mask = (((other_than_blank & LOW) + LOW) | other_than_blank) & !LOW;
        // A blank field gives 0 and 0, without a branch.
        let start = mask.trailing_zeros() as usize / 8 % 8;
        let end = 8 - mask.leading_zeros() as usize / 8;
        let span = Span::new(self.file, self.start + first + start, self.start + first + end);
        Field { text: &field[start..end], span }
    }

    #[inline]
    fn field(&self, first: usize, end: usize) -> Field<'a> {
        let column = first;
        let mut first = first;
        let mut stop = end;
        while first < stop && self.text[first].is_ascii_whitespace() {
            first += 1;
        }
        if first == stop {
            // Blank: the span is where something would stand.
            let at = self.start + column.min(self.text.len());
            return Field { text: b"", span: Span::new(self.file, at, at) };
        }
        while self.text[stop - 1].is_ascii_whitespace() {
            stop -= 1;
        }
        let span = Span::new(self.file, self.start + first, self.start + stop);
        Field { text: &self.text[first..stop], span }
    }

    fn end(&self) -> Span {
        Span::new(self.file, self.start + self.text.len(), self.start + self.text.len())
    }
}
