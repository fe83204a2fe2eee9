//! Source files and the way from a byte offset to line and column.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{FileId, Span};

/// Reads an input file. A FIFO or a device is refused: reading it may wait, or never end.
///
/// # Errors
/// What the system refuses, or something other than a regular file.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    let facts = fs::metadata(path)?;
    if facts.is_file() || facts.is_dir() {
        // The system's own words for a folder.
        fs::read(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
    }
}

/// A line and a column, both from 1. Columns count bytes, as fixed Nastran fields do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// One file as it was read.
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    bytes: Vec<u8>,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The path as the user or an INCLUDE named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Start offset of each line, found on first use: a file without diagnostics never pays for it.
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
            std::iter::once(0).chain(ends.map(|(i, _)| i as u32 + 1)).collect()
        })
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let starts = self.line_starts();
        let line = starts.partition_point(|s| *s <= offset);
        LineColumn { line: line as u32, column: offset - starts[line - 1] + 1 }
    }

    /// The text of a line (from 1) without its line end; bytes that are not UTF-8 show as `�`.
    pub fn line_text(&self, line: u32) -> String {
        let starts = self.line_starts();
        let first = starts[line as usize - 1] as usize;
        let end = starts.get(line as usize).map_or(self.bytes.len(), |s| *s as usize);
        let text = self.bytes[first..end].trim_ascii_end();
        String::from_utf8_lossy(text).into_owned()
    }
}

/// All files of a deck.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// No file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a file in. `None` when it is 4 GiB or larger, or the 65,536th: spans could not address it.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: Vec<u8>) -> Option<FileId> {
        let id = u16::try_from(self.files.len()).ok()?;
        u32::try_from(bytes.len()).ok()?;
        self.files.push(SourceFile { path: path.into(), bytes, line_starts: OnceLock::new() });
        Some(FileId(id))
    }

    /// A file.
    ///
    /// # Panics
    /// If `id` is not of this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were taken in.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u16), f))
    }

    /// Line and column where a span begins.
    pub fn line_column(&self, span: Span) -> LineColumn {
        self.file(span.file).line_column(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let mut map = SourceMap::new();
        let id = map.add("a.bdf", b"GRID,1\r\nGRID,2\n\nEND".to_vec()).unwrap();
        let at = |offset| map.file(id).line_column(offset);
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(5), LineColumn { line: 1, column: 6 });
        assert_eq!(at(8), LineColumn { line: 2, column: 1 });
        assert_eq!(at(16), LineColumn { line: 4, column: 1 });
        assert_eq!(at(19), LineColumn { line: 4, column: 4 }, "the end of the file is a place too");
        assert_eq!(map.file(id).line_text(1), "GRID,1");
        assert_eq!(map.file(id).line_text(3), "");
        assert_eq!(map.file(id).line_text(4), "END");
    }
}
