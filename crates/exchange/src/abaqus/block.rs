//! A file and what it includes as blocks: a keyword with its parameters and its data lines.

use std::io;
use std::path::{Path, PathBuf};

use pliant_diag::{Diagnostic, FileId, Span};

use crate::draft::Draft;
use crate::input::{Line, Lines, text};

/// Files within files.
const MOST_DEPTH: usize = 16;
/// All files together.
const MOST_FILES: usize = 1000;

/// A line by its location: file of the translation, offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    file: u16,
    start: u32,
    end: u32,
}

/// The files of an input with its lines in order; comments are not among them.
pub(super) struct Files {
    pub(super) files: Vec<(PathBuf, Vec<u8>)>,
    pub(super) rows: Vec<Row>,
    first: FileId,
}

impl Files {
    /// Reads a file and what it includes.
    pub(super) fn read(
        path: &Path,
        bytes: Vec<u8>,
        first: FileId,
        load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        draft: &mut Draft,
    ) -> Self {
        let mut files = Self { files: Vec::new(), rows: Vec::new(), first };
        files.take(path.to_owned(), bytes, load, draft, 0);
        files
    }

    fn id(&self, file: usize) -> FileId {
        FileId(self.first.0.saturating_add(file as u16))
    }

    fn take(
        &mut self,
        path: PathBuf,
        bytes: Vec<u8>,
        load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        draft: &mut Draft,
        depth: usize,
    ) {
        let file = self.files.len();
        self.files.push((path.clone(), Vec::new()));
        for line in Lines::new(&bytes, self.id(file)) {
            let words = line.text.trim_ascii();
            if words.is_empty() || words.starts_with(b"**") {
                continue;
            }
            if words.len() > 8 && words[..8].eq_ignore_ascii_case(b"*INCLUDE") {
                self.include(&line, &path, load, draft, depth);
                continue;
            }
            let start = line.start as u32;
            self.rows.push(Row { file: file as u16, start, end: start + line.text.len() as u32 });
        }
        self.files[file].1 = bytes;
    }

    fn include(
        &mut self,
        line: &Line<'_>,
        from: &Path,
        load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
        draft: &mut Draft,
        depth: usize,
    ) {
        let statement = text(line.text);
        let named = statement.split(',').find_map(|part| {
            let (key, value) = part.split_once('=')?;
            key.trim()
                .eq_ignore_ascii_case("INPUT")
                .then(|| value.trim().trim_matches('"').replace('\\', "/"))
        });
        let Some(named) = named else {
            return draft.error(line.span(), "*INCLUDE needs INPUT=file");
        };
        if depth >= MOST_DEPTH || self.files.len() >= MOST_FILES {
            return draft.error(line.span(), format!("`{named}` is included too deep or too often"));
        }
        let path = from.parent().unwrap_or(Path::new("")).join(&named);
        match load(&path) {
            Ok(bytes) if u32::try_from(bytes.len()).is_ok() => self.take(path, bytes, load, draft, depth + 1),
            Ok(_) => draft.error(line.span(), format!("{} is larger than 4 GiB", path.display())),
            Err(error) => draft.error(line.span(), format!("cannot read {}: {error}", path.display())),
        }
    }

    /// A row as a line.
    pub(super) fn line(&self, row: Row) -> Line<'_> {
        let (start, end) = (row.start as usize, row.end as usize);
        let file = usize::from(row.file);
        Line { text: &self.files[file].1[start..end], start, file: self.id(file) }
    }

    /// The blocks in their order.
    pub(super) fn blocks(&self, draft: &mut Draft) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut row = 0;
        while row < self.rows.len() {
            let line = self.line(self.rows[row]);
            row += 1;
            if !line.text.trim_ascii_start().starts_with(b"*") {
                match blocks.last_mut() {
                    Some(block) => block.data.1 = row,
                    None => draft.error(line.span(), "data before the first keyword"),
                }
                continue;
            }
            let mut words = text(line.text);
            while words.ends_with(',') && row < self.rows.len() {
                let more = self.line(self.rows[row]);
                if more.text.trim_ascii_start().starts_with(b"*") {
                    break;
                }
                words.push_str(&text(more.text));
                row += 1;
            }
            blocks.push(Block::new(&words, line.span(), row));
        }
        blocks
    }
}

/// A keyword with its parameters and its data lines.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// In capitals, single blanks, without the asterisk.
    pub(super) name: String,
    /// Names in capitals; values as they are.
    parameters: Vec<(String, String)>,
    pub(super) at: Span,
    /// First row of the data and the one behind the last.
    pub(super) data: (usize, usize),
}

impl Block {
    fn new(words: &str, at: Span, row: usize) -> Self {
        let mut parts = words.split(',');
        let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        let name = tidy(parts.next().unwrap_or_default().trim_start().trim_start_matches('*'));
        let parameters =
            parts.filter(|part| !part.trim().is_empty()).map(|part| match part.split_once('=') {
                Some((key, value)) => (tidy(key), value.trim().trim_matches('"').to_owned()),
                None => (tidy(part), String::new()),
            });
        Self { name, parameters: parameters.collect(), at, data: (row, row) }
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter in capitals; empty when it is not given.
    pub(super) fn word(&self, name: &str) -> String {
        self.parameter(name).unwrap_or_default().to_uppercase()
    }

    /// The value of a parameter that must be given.
    pub(super) fn needed(&self, name: &str) -> Result<String, Box<Diagnostic>> {
        match self.parameter(name).filter(|value| !value.is_empty()) {
            Some(value) => Ok(value.to_uppercase()),
            None => Err(self.problem(format!("*{} needs {name}=…", self.name))),
        }
    }

    /// An error at the keyword.
    pub(super) fn problem(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(message).at(self.at).card(format!("*{}", self.name)))
    }
}

/// The fields of a data line, without blanks; an empty one behind a trailing comma is left out.
pub(super) fn fields<'a>(line: &Line<'a>) -> Vec<&'a [u8]> {
    let mut fields: Vec<&[u8]> = line.text.split(|b| *b == b',').map(<[u8]>::trim_ascii).collect();
    if fields.last().is_some_and(|last| last.is_empty()) {
        fields.pop();
    }
    fields
}
