//! Source files and the way from a byte offset to line and column.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{FileId, Span};

/// Most bytes of an input file that is read at once, a deck or an OP4 file: spans address 4 GiB.
pub const LARGEST_INPUT: u64 = u32::MAX as u64;
/// Most bytes of a table, a list of cases or a pipeline file.
pub const LARGEST_TABLE: u64 = 1 << 28;

/// Reads an input file of at most `limit` bytes. A FIFO or a device is refused, because reading it may wait
/// or never end. The size is compared with the limit before memory is allocated.
///
/// # Errors
/// What the system refuses, something other than a regular file, or a larger file.
pub fn read_input(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    let facts = fs::metadata(path)?;
    if !facts.is_file() && !facts.is_dir() {
        return refused("it is not a regular file".to_owned());
    }
    if facts.is_file() && facts.len() > limit {
        return refused(format!("it has {} bytes, at most {limit} are read", facts.len()));
    }
    // The system's own words for a folder. A file that grows meanwhile is read to the limit and not beyond.
    let mut bytes = Vec::with_capacity(if facts.is_file() { facts.len() as usize + 1 } else { 0 });
    fs::File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return refused(format!("it has more than {limit} bytes"));
    }
    Ok(bytes)
}

/// Reads an input file that is text, as [`read_input`] does.
///
/// # Errors
/// Those of [`read_input`], and bytes that are not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read_input(path, limit)?).map_err(not_text)
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
    /// Of a text that was translated from other files: where each piece of it comes from, ascending by the
    /// offset at which the piece begins.
    pieces: Option<Vec<(u32, Span)>>,
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
        let path = path.into();
        self.files.push(SourceFile { path, bytes, line_starts: OnceLock::new(), pieces: None });
        Some(FileId(id))
    }

    /// Takes in a text that was translated from files of this map. `pieces` tells where each piece of it
    /// comes from, ascending by the offset at which the piece begins. Locations in the text are shown as
    /// locations in the files. `None` as of [`SourceMap::add`].
    pub fn add_translation(
        &mut self,
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        pieces: Vec<(u32, Span)>,
    ) -> Option<FileId> {
        let id = self.add(path, bytes)?;
        self.files[usize::from(id.0)].pieces = Some(pieces);
        Some(id)
    }

    /// A span as it is shown to the user: one in a translated text is that of the file it was translated
    /// from.
    pub fn shown(&self, span: Span) -> Span {
        let Some(pieces) = &self.file(span.file).pieces else { return span };
        let behind = pieces.partition_point(|(start, _)| *start <= span.start);
        pieces.get(behind.saturating_sub(1)).map_or(span, |(_, original)| *original)
    }

    /// The files as they are on the disk, without translations of them.
    pub fn inputs(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files().filter(|(_, file)| file.pieces.is_none())
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

    /// Line and column where a span begins, as [`shown`](Self::shown).
    pub fn line_column(&self, span: Span) -> LineColumn {
        let span = self.shown(span);
        self.file(span.file).line_column(span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_the_limit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_input(&path, 5).unwrap(), b"12345");
        assert!(read_input(&path, 4).unwrap_err().to_string().contains("it has 5 bytes, at most 4"));
        assert!(read_input(folder.path(), 5).is_err(), "a folder is no file");
        assert!(
            read_input(Path::new("/dev/null"), 5).unwrap_err().to_string().contains("not a regular file")
        );
        fs::write(&path, b"\xff").unwrap();
        assert!(read_text(&path, 5).unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn a_translation_is_shown_where_it_comes_from() {
        let mut map = SourceMap::new();
        let original = map.add("a.inp", b"*NODE\n1, 0., 0.\n2, 1., 0.\n".to_vec()).unwrap();
        let pieces = vec![(0, Span::new(original, 6, 15)), (7, Span::new(original, 16, 25))];
        let text = map.add_translation("a.inp", b"GRID,1\nGRID,2\n".to_vec(), pieces).unwrap();
        let at = |start, end| map.line_column(Span::new(text, start, end)).line;
        assert_eq!((at(0, 4), at(5, 6), at(7, 11), at(12, 13)), (2, 2, 3, 3));
        assert_eq!(map.shown(Span::new(text, 12, 13)), Span::new(original, 16, 25));
        assert_eq!(map.inputs().count(), 1);
    }

    #[test]
    fn offsets_become_lines_and_columns() {
        let mut map = SourceMap::new();
        let id = map.add("a.bdf", b"GRID,1\r\nGRID,2\n\nEND".to_vec()).unwrap();
        let at = |offset| map.file(id).line_column(offset);
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(5), LineColumn { line: 1, column: 6 });
        assert_eq!(at(8), LineColumn { line: 2, column: 1 });
        assert_eq!(at(16), LineColumn { line: 4, column: 1 });
        assert_eq!(at(19), LineColumn { line: 4, column: 4 }, "the end of the file has a location too");
        assert_eq!(map.file(id).line_text(1), "GRID,1");
        assert_eq!(map.file(id).line_text(3), "");
        assert_eq!(map.file(id).line_text(4), "END");
    }
}
