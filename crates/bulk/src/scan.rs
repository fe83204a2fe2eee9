//! The card scan: lines of the deck and its INCLUDEs, put together to cards.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pliant_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, Warned};

use crate::card::{Card, CardName, Lines};
use crate::control::Control;
use crate::line::{self, Kind, Line};
use crate::read::{CardFile, Part};
use crate::replicate::Generated;

/// A place of a line.
pub(crate) type LinePlace = (FileId, Line);

/// Reads lines in the order of the deck, INCLUDEs in their place.
pub(crate) struct Scanner<'l> {
    load: &'l mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
    files: Vec<(PathBuf, Rc<Vec<u8>>)>,
    cards: Vec<Card>,
    parts: Vec<Part>,
    scattered: Vec<Vec<LinePlace>>,
    diagnostics: Diagnostics,
    section: Section,
    open: Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Executive and case control, up to BEGIN BULK.
    Header,
    Bulk,
    /// Behind ENDDATA.
    Ended,
}

/// What a continuation line that comes now continues.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// Nothing: the beginning, or behind a line that has been complained about.
    Nothing,
    /// The last card, whose last line so far is this.
    Card(LinePlace),
}

impl<'l> Scanner<'l> {
    pub(crate) fn new(load: &'l mut dyn FnMut(&Path) -> io::Result<Vec<u8>>) -> Self {
        Self {
            load,
            files: Vec::new(),
            cards: Vec::new(),
            parts: vec![Part { kind: "BULK".to_owned(), id: 0, span: None }],
            scattered: Vec::new(),
            diagnostics: Diagnostics::new(),
            section: Section::Header,
            open: Open::Nothing,
        }
    }

    /// Reads the deck.
    pub(crate) fn read(&mut self, path: &Path, bytes: Vec<u8>) {
        let bytes = Rc::new(bytes);
        self.files.push((path.to_owned(), Rc::clone(&bytes)));
        let has_header = memchr::memmem::find(&bytes, b"BEGIN").is_some();
        self.section = if has_header { Section::Header } else { Section::Bulk };
        self.cards.reserve(bytes.len() / 100);
        self.lines(&bytes, FileId(0), 0);
    }

    fn lines(&mut self, bytes: &[u8], file: FileId, mut position: usize) {
        while let Some((line, next)) = line::next_line(bytes, position) {
            position = next;
            let text = line.text(bytes);
            match self.section {
                Section::Header => {
                    if first_word_is(text, b"BEGIN") {
                        self.section = Section::Bulk;
                    }
                }
                Section::Bulk => match line::kind(text) {
                    Kind::Blank | Kind::Comment => {}
                    Kind::Card => self.card(text, file, line),
                    Kind::Continuation => self.continuation(bytes, file, line),
                    Kind::Replication | Kind::Deletion | Kind::Unreadable => {
                        self.diagnostics.push(
                            Diagnostic::error("neither a card, a continuation nor a comment")
                                .at(span_of(file, line)),
                        );
                        self.open = Open::Nothing;
                    }
                },
                Section::Ended => {}
            }
        }
    }

    fn card(&mut self, text: &[u8], file: FileId, line: Line) {
        if first_word_is(text, b"ENDDATA") {
            self.section = Section::Ended;
            return;
        }
        let text = text.trim_ascii_start();
        let end = text.iter().take(8).position(|b| matches!(b, b',' | b'*' | b' ' | b'\t' | b'$'));
        let name = CardName::new(&text[..end.unwrap_or(text.len().min(8))]);
        self.cards.push(Card {
            name,
            start: line.start,
            lines: Lines::Run { end: line.end },
            file,
            first_line_length: u16::try_from(line.end - line.start).unwrap_or(u16::MAX),
            part: (self.parts.len() - 1) as u16,
        });
        self.open = Open::Card((file, line));
    }

    fn continuation(&mut self, _bytes: &[u8], file: FileId, line: Line) {
        match self.open {
            Open::Nothing => {
                self.diagnostics
                    .push(Diagnostic::error("continuation without a card before it").at(span_of(file, line)));
            }
            Open::Card(_) => {
                if let Some(card) = self.cards.last_mut() {
                    card.lines = Lines::Run { end: line.end };
                }
                self.open = Open::Card((file, line));
            }
        }
    }

    /// What was read.
    pub(crate) fn finish(self) -> Warned<CardFile> {
        let mut sources = SourceMap::new();
        for (path, bytes) in self.files {
            let bytes = Rc::try_unwrap(bytes).expect("invariant: no line is being read any more");
            sources.add(path, bytes).expect("invariant: sizes were checked when the file was loaded");
        }
        let output = CardFile {
            sources,
            control: Control::default(),
            cards: self.cards,
            parts: self.parts,
            scattered: self.scattered,
            generated: Generated::default(),
        };
        Warned { output, diagnostics: self.diagnostics }
    }
}

fn span_of(file: FileId, line: Line) -> Span {
    Span::new(file, line.start as usize, line.end as usize)
}

/// True when the line begins with a word, in any case.
fn first_word_is(text: &[u8], word: &[u8]) -> bool {
    text.trim_ascii_start().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}
