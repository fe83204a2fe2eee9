//! The card scan: lines of the deck and its INCLUDEs, put together to cards.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pliant_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, Warned};
use pliant_mesh::Names;

use crate::begin;
use crate::card::{Card, CardName, Lines};
use crate::continuation::Group;
use crate::control::{self, Control};
use crate::include;
use crate::line::{self, Kind, Line};
use crate::names::{self, NameComment};
use crate::number::{parse_integer, parse_real};
use crate::read::{CardFile, Part};
use crate::replicate::{self, Generated};

/// A line and the file it is in.
pub(crate) type SourceLine = (FileId, Line);

/// A file as it is being read.
pub(crate) struct Loaded {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Rc<Vec<u8>>,
    /// How often it has been INCLUDEd.
    pub(crate) uses: u32,
    /// Lines with text beyond column 80: how many, and the first.
    overlong: Option<(u32, Span)>,
    /// Of the translation of a foreign file: where its pieces come from.
    pieces: Option<Vec<(u32, Span)>>,
}

/// Where reading goes on in a file.
pub(crate) struct Frame {
    pub(crate) file: FileId,
    position: usize,
}

/// Reads lines in the order of the deck, INCLUDEs in their place.
pub(crate) struct Scanner<'l> {
    pub(crate) load: &'l mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
    pub(crate) files: Vec<Loaded>,
    /// The files by their paths without detours.
    pub(crate) by_path: HashMap<PathBuf, usize>,
    pub(crate) stack: Vec<Frame>,
    /// INCLUDE statements so far.
    pub(crate) includes: u32,
    pub(crate) cards: Vec<Card>,
    parts: Vec<Part>,
    pub(crate) scattered: Vec<Vec<SourceLine>>,
    pub(crate) groups: Vec<Group>,
    /// Cards whose last line asks for a continuation that did not follow.
    pub(crate) asking: Vec<u32>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) section: Section,
    pub(crate) open: Open,
    /// Lines above BEGIN BULK.
    header: Vec<SourceLine>,
    header_parameters: Vec<Card>,
    /// Lines behind ENDDATA: how many, and the first.
    unread: Option<(u32, Span)>,
    /// Comments that carry names, each with the number of cards above it.
    names: Vec<(NameComment, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Before the first statement.
    Start,
    /// Executive control, up to CEND.
    Executive,
    /// Case control, up to BEGIN BULK.
    Case,
    Bulk,
    /// Behind ENDDATA.
    Ended,
}

/// What a continuation line that comes now continues.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open {
    /// Nothing: the beginning, or behind a line that has been complained about.
    Nothing,
    /// A line that has been complained about; its continuations go with it.
    Refused,
    /// The last card, whose last line so far is this. With `adjacent`, only comments can come between.
    Card { last: SourceLine, adjacent: bool },
    /// The last group of continuations that belong elsewhere.
    Group { last: SourceLine },
}

/// Why the scan of a file paused.
enum Pause {
    End,
    /// An INCLUDE statement begins at this line.
    Include(Line),
}

impl<'l> Scanner<'l> {
    pub(crate) fn new(load: &'l mut dyn FnMut(&Path) -> io::Result<Vec<u8>>) -> Self {
        Self {
            load,
            files: Vec::new(),
            by_path: HashMap::new(),
            stack: Vec::new(),
            includes: 0,
            cards: Vec::new(),
            parts: vec![Part { kind: "BULK".to_owned(), id: 0, span: None }],
            scattered: Vec::new(),
            groups: Vec::new(),
            asking: Vec::new(),
            diagnostics: Diagnostics::new(),
            section: Section::Start,
            open: Open::Nothing,
            header: Vec::new(),
            header_parameters: Vec::new(),
            unread: None,
            names: Vec::new(),
        }
    }

    /// Makes ready for another file of the same deck, which begins with its own header or with none.
    pub(crate) fn begin_file(&mut self) {
        self.section = Section::Start;
        self.open = Open::Nothing;
    }

    /// Reads the deck, or a foreign file as the deck that it is translated to.
    pub(crate) fn read(&mut self, path: &Path, bytes: Vec<u8>) {
        if bytes.trim_ascii_start().starts_with(b"ISO-10303-21") {
            let message = format!("{} is a STEP file, which has no mesh", path.display());
            let hint = "`pliant mesh` meshes it; in a pipeline file, `mesh` beside `deck` does";
            self.diagnostics.push(Diagnostic::error(message).hint(hint));
            return;
        }
        match pliant_exchange::format_of(path, &bytes) {
            Some(format) => self.read_foreign(format, path, bytes),
            None => self.read_bulk(path, bytes),
        }
    }

    fn read_foreign(&mut self, format: pliant_exchange::Format, path: &Path, bytes: Vec<u8>) {
        let first = u16::try_from(self.files.len()).ok().filter(|_| u32::try_from(bytes.len()).is_ok());
        let Some(first) = first else {
            let message = format!("{} is larger than 4 GiB, or one of too many files", path.display());
            self.diagnostics.push(Diagnostic::error(message));
            return;
        };
        let read = pliant_exchange::translate(format, path, bytes, FileId(first), self.load);
        self.diagnostics.extend(read.diagnostics);
        let loaded =
            |path, bytes| Loaded { path, bytes: Rc::new(bytes), uses: 1, overlong: None, pieces: None };
        self.files.extend(read.files.into_iter().map(|(path, bytes)| loaded(path, bytes)));
        let before = self.files.len();
        self.read_bulk(path, read.text.into_bytes());
        if let Some(file) = self.files.get_mut(before) {
            file.pieces = Some(read.pieces);
        }
    }

    fn read_bulk(&mut self, path: &Path, bytes: Vec<u8>) {
        // Enough for a deck of small-field elements without growing twice.
        self.cards.reserve(bytes.len() / 80);
        if let Err(diagnostic) = self.enter(path.to_owned(), bytes) {
            self.diagnostics.push(*diagnostic);
        }
        while let Some(Frame { file, position }) = self.stack.pop() {
            let bytes = Rc::clone(&self.files[usize::from(file.0)].bytes);
            match self.lines(&bytes, file, position) {
                Pause::End => {}
                Pause::Include(line) => {
                    let statement = include::parse(&bytes, line);
                    let next = statement.as_ref().map_or(line.end as usize, |s| s.end);
                    self.stack.push(Frame { file, position: next });
                    self.interrupt();
                    self.include(file, line, statement);
                }
            }
        }
        self.resolve_continuations();
    }

    /// Takes a file in and puts it on the stack.
    pub(crate) fn enter(&mut self, path: PathBuf, bytes: Vec<u8>) -> Result<(), Box<Diagnostic>> {
        let bytes = include::as_text(&path, bytes)?;
        let id = u16::try_from(self.files.len())
            .map_err(|_| Box::new(Diagnostic::error("the deck consists of more than 65,535 files")))?;
        let position = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        self.by_path.insert(include::normal(&path), self.files.len());
        self.files.push(Loaded { path, bytes: Rc::new(bytes), uses: 1, overlong: None, pieces: None });
        self.stack.push(Frame { file: FileId(id), position });
        Ok(())
    }

    /// Puts a file that was read before on the stack once more.
    pub(crate) fn enter_again(&mut self, index: usize) {
        self.files[index].uses += 1;
        let position = if self.files[index].bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        self.stack.push(Frame { file: FileId(index as u16), position });
    }

    fn lines(&mut self, bytes: &[u8], file: FileId, mut position: usize) -> Pause {
        while let Some((line, next)) = line::next_line(bytes, position) {
            let text = line.text(bytes);
            let kind = line::kind(text);
            if matches!(kind, Kind::Blank | Kind::Comment) {
                if let Some(name) = names::parse(text) {
                    self.names.push((name, self.cards.len()));
                }
                position = next;
                continue;
            }
            if self.section != Section::Bulk {
                if let Some(pause) = self.outside_bulk(bytes, file, line) {
                    return pause;
                }
                // Only a deck without header gets here; its first line is bulk data.
                if self.section != Section::Bulk || begin::is_begin(text) {
                    position = next;
                    continue;
                }
            }
            position = next;
            match kind {
                Kind::Card => {
                    if text.len() > 80 {
                        self.check_length(file, line, text);
                    }
                    match self.card(text, file, line) {
                        Some(pause) => return pause,
                        None => continue,
                    }
                }
                Kind::Continuation => {
                    if text.len() > 80 {
                        self.check_length(file, line, text);
                    }
                    self.continuation(bytes, file, line);
                }
                Kind::Replication => self.push_card(CardName::new(b"="), file, line),
                Kind::Deletion => self.deletion(file, line),
                Kind::Blank | Kind::Comment => {}
                Kind::Unreadable => {
                    self.diagnostics.push(
                        Diagnostic::error("this line is neither a card nor a continuation nor a comment")
                            .at(span_of(file, line))
                            .hint("a card begins with a letter, a continuation with `+`, `*`, `,` or eight blanks, a comment with `$`"),
                    );
                    self.close();
                    self.open = Open::Refused;
                }
            }
        }
        Pause::End
    }

    /// A statement above BEGIN BULK or behind ENDDATA.
    fn outside_bulk(&mut self, bytes: &[u8], file: FileId, line: Line) -> Option<Pause> {
        let text = line.text(bytes);
        if self.section == Section::Ended {
            let first = self.unread.map_or(span_of(file, line), |u| u.1);
            self.unread = Some((self.unread.map_or(1, |u| u.0 + 1), first));
            return None;
        }
        if include::is_include(text) {
            return Some(Pause::Include(line));
        }
        if self.section == Section::Start {
            let here = &bytes[line.start as usize..];
            self.section = if control::begins_header(here) { Section::Executive } else { Section::Bulk };
            if self.section == Section::Bulk {
                return None;
            }
        }
        if begin::is_begin(text) {
            self.section = Section::Bulk;
            self.parts[0].span = Some(span_of(file, line));
            self.begin_part(text, file, line);
        } else if control::is_parameter(text) {
            self.header_parameters.push(new_card(CardName::new(b"PARAM"), file, line, 0));
        } else {
            if control::is_cend(text) {
                self.section = Section::Case;
            }
            self.header.push((file, line));
        }
        None
    }

    /// A line that begins with a letter.
    #[inline]
    fn card(&mut self, text: &[u8], file: FileId, line: Line) -> Option<Pause> {
        let text = text.trim_ascii_start();
        match text[0] | 0x20 {
            b'e' if begin::is_end(text) => {
                self.close();
                self.section = Section::Ended;
                self.open = Open::Nothing;
                return None;
            }
            b'b' if begin::is_begin(text) => {
                self.begin_part(text, file, line);
                return None;
            }
            b'i' if include::is_include(text) => return Some(Pause::Include(line)),
            _ => {}
        }
        let start = &text[..text.len().min(8)];
        let end = start.iter().position(|b| matches!(b, b',' | b'*' | b' ' | b'\t' | b'$'));
        let end = end.unwrap_or(start.len());
        let indent = (line.end - line.start) as usize - text.len();
        if start[end..start.len().saturating_sub(indent).max(end)].iter().any(|b| *b != b' ') {
            self.check_name_field(text, end, file, line);
        }
        self.push_card(CardName::new(&text[..end]), file, line);
        None
    }

    /// Field 1 holds more than a name; commas, tabs and `*` behind the name are as they should be.
    #[cold]
    fn check_name_field(&mut self, text: &[u8], name_end: usize, file: FileId, line: Line) {
        let field = line::first_field(text);
        let rest = field.get(name_end..).unwrap_or_default().trim_ascii();
        // In free fields blanks separate values as commas do.
        let is_value =
            |(_, word): &(usize, &[u8])| parse_integer(word).is_some() || parse_real(word).is_some();
        let are_values = line::layout(text).1 == line::Layout::Free
            && !rest.is_empty()
            && line::blank_separated(rest).iter().all(is_value);
        if !are_values && !matches!(rest, [] | [b'*']) {
            let name = CardName::new(&text[..name_end]);
            self.diagnostics.push(
                Diagnostic::error(format!("field 1 holds `{}`", String::from_utf8_lossy(field)))
                    .at(span_of(file, line))
                    .card(name.as_str())
                    .hint("fixed fields are eight columns wide; put commas between fields that are not"),
            );
        }
    }

    #[inline]
    fn push_card(&mut self, name: CardName, file: FileId, line: Line) {
        self.close();
        self.cards.push(new_card(name, file, line, (self.parts.len() - 1) as u16));
        self.open = Open::Card { last: (file, line), adjacent: true };
    }

    fn deletion(&mut self, file: FileId, line: Line) {
        self.push_card(CardName::new(b"/"), file, line);
        self.diagnostics.push(
            Diagnostic::warning(
                "deletes cards from the bulk data of an earlier run; nothing in this deck is deleted",
            )
            .at(span_of(file, line))
            .card("/"),
        );
    }

    /// The open card gets no more lines from here: remember it when it asks for one.
    #[inline]
    pub(crate) fn close(&mut self) {
        if let Open::Card { last, .. } = self.open
            && last.1.end - last.1.start > 72
            && line::marks_continuation(self.text(last))
        {
            self.asking.push((self.cards.len() - 1) as u32);
        }
    }

    /// An INCLUDE stands between the open card and whatever comes.
    fn interrupt(&mut self) {
        if let Open::Card { adjacent, .. } = &mut self.open {
            *adjacent = false;
        }
    }

    /// BEGIN SUPER=n inside the bulk data begins a part; it is kept as a card, too.
    fn begin_part(&mut self, text: &[u8], file: FileId, line: Line) {
        match begin::parse(text) {
            Some(begin::Begin { kind, id }) => {
                if kind == "BULK" {
                    return;
                }
                if self.parts.len() > usize::from(u16::MAX) {
                    self.diagnostics
                        .push(Diagnostic::error("more than 65,535 parts").at(span_of(file, line)));
                    return;
                }
                self.parts.push(Part { kind, id, span: Some(span_of(file, line)) });
                self.push_card(CardName::new(b"BEGIN"), file, line);
            }
            None => {
                self.diagnostics.push(
                    Diagnostic::error("expected the section that begins here")
                        .at(span_of(file, line))
                        .card("BEGIN")
                        .hint("write `BEGIN BULK` or `BEGIN SUPER=n`"),
                );
            }
        }
    }

    #[cold]
    fn check_length(&mut self, file: FileId, line: Line, text: &[u8]) {
        let (text, layout) = line::layout(text);
        let start = match layout {
            line::Layout::Free => return,
            line::Layout::Columns => 80,
            line::Layout::Tabs => line::columns_with_tabs(text, 80, usize::MAX - 80).0,
        };
        let rest = text.get(start..).unwrap_or_default();
        if rest.trim_ascii().is_empty() {
            return;
        }
        let end = line.start as usize + text.len();
        let overlong = &mut self.files[usize::from(file.0)].overlong;
        let first = overlong.map_or(Span::new(file, line.start as usize + start, end), |o| o.1);
        *overlong = Some((overlong.map_or(1, |o| o.0 + 1), first));
    }

    /// The text of a line.
    pub(crate) fn text(&self, (file, line): SourceLine) -> &[u8] {
        line.text(&self.files[usize::from(file.0)].bytes)
    }

    /// What was read.
    pub(crate) fn finish(mut self) -> Warned<CardFile> {
        self.say_what_was_left_out();
        let mut sources = SourceMap::new();
        for file in self.files {
            let bytes = Rc::try_unwrap(file.bytes).expect("invariant: no line is being read any more");
            let added = match file.pieces {
                Some(pieces) => sources.add_translation(file.path, bytes, pieces),
                None => sources.add(file.path, bytes),
            };
            added.expect("invariant: sizes were checked when the file was loaded");
        }
        let mut control = Control { parameters: self.header_parameters, ..Control::default() };
        let mut about_control = Diagnostics::new();
        control::parse(&sources, &self.header, &mut control, &mut about_control);
        // Without BEGIN BULK every card would be an unknown command; the one error is enough.
        if !matches!(self.section, Section::Executive | Section::Case) {
            self.diagnostics.extend(about_control);
        }
        let mut output = CardFile {
            sources,
            control,
            cards: self.cards,
            names: Names::default(),
            parts: self.parts,
            scattered: self.scattered,
            generated: Generated::default(),
        };
        output.names = names::collect(&output, self.names);
        replicate::expand(&mut output, &mut self.diagnostics);
        Warned { output, diagnostics: self.diagnostics }
    }

    fn say_what_was_left_out(&mut self) {
        for file in &self.files {
            if let Some((count, span)) = file.overlong {
                let lines = if count == 1 { "one line".to_owned() } else { format!("{count} lines") };
                let message = format!("text beyond column 80 in {lines} is not read");
                self.diagnostics.push(Diagnostic::warning(message).at(span));
            }
        }
        if let Some((count, span)) = self.unread {
            let lines = if count == 1 { "one line".to_owned() } else { format!("{count} lines") };
            self.diagnostics.push(Diagnostic::warning(format!("not read: {lines} after ENDDATA")).at(span));
        }
        match self.section {
            Section::Executive | Section::Case => self.diagnostics.push(
                Diagnostic::error("there is no BEGIN BULK: no card was read")
                    .at(self.header.last().map(|(file, line)| span_of(*file, *line)))
                    .hint("put `BEGIN BULK` above the first card"),
            ),
            Section::Start if !self.diagnostics.has_errors() => {
                self.diagnostics.push(Diagnostic::error("the deck is empty"));
            }
            _ => {}
        }
    }
}

fn new_card(name: CardName, file: FileId, line: Line, part: u16) -> Card {
    Card {
        name,
        start: line.start,
        lines: Lines::Run { end: line.end },
        file,
        first_line_length: u16::try_from(line.end - line.start).unwrap_or(u16::MAX),
        part,
    }
}

/// The span of a line.
pub(crate) fn span_of(file: FileId, line: Line) -> Span {
    Span::new(file, line.start as usize, line.end as usize)
}
