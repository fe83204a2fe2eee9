//! Numbers of a `.msh` file, text or binary.

use pliant_diag::{Diagnostic, FileId, Span};

/// Where reading stands.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) position: usize,
    pub(super) file: FileId,
    pub(super) binary: bool,
    /// Where a binary file says what it is: it has no lines to point at.
    pub(super) header: Span,
}

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl<'a> Source<'a> {
    /// The rest of the line, without blanks, and its location.
    pub(super) fn line(&mut self) -> Option<(&'a [u8], Span)> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let start = self.position;
        self.position += length + 1;
        let text = &rest[..length];
        let lead = text.len() - text.trim_ascii_start().len();
        Some((
            text.trim_ascii(),
            Span::new(self.file, start + lead, start + text.trim_ascii_end().len().max(lead)),
        ))
    }

    fn word(&mut self) -> Option<(&'a [u8], usize)> {
        let rest = self.bytes.get(self.position..)?;
        let lead = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let word = &rest[lead..];
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        let start = self.position + lead;
        self.position = start + length;
        Some((&word[..length], start))
    }

    fn raw<const N: usize>(&mut self) -> Result<[u8; N]> {
        let end = self.position.saturating_add(N);
        let bytes = self.bytes.get(self.position..end).and_then(|bytes| <[u8; N]>::try_from(bytes).ok());
        self.position = end;
        bytes.ok_or_else(|| self.ended())
    }

    fn ended(&self) -> Box<Diagnostic> {
        let at = if self.binary { self.header } else { self.here(self.bytes.len()) };
        Box::new(
            Diagnostic::error("the file ends within a section")
                .at(at)
                .hint("it may be cut off: write it again"),
        )
    }

    /// A location of this file; the header of a binary one.
    pub(super) fn here(&self, start: usize) -> Span {
        if self.binary {
            return self.header;
        }
        let start = start.min(self.bytes.len());
        Span::new(self.file, start, self.position.clamp(start, self.bytes.len()))
    }

    /// Where the next number begins.
    pub(super) fn mark(&self) -> usize {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        self.position + rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0)
    }

    fn text_integer(&mut self) -> Result<i64> {
        let Some((word, start)) = self.word() else { return Err(self.ended()) };
        crate::input::integer(word).ok_or_else(|| {
            let found = crate::input::text(word);
            Box::new(Diagnostic::error(format!("expected an integer, found `{found}`")).at(Span::new(
                self.file,
                start,
                start + word.len(),
            )))
        })
    }

    /// A C `int`.
    pub(super) fn int(&mut self) -> Result<i64> {
        if self.binary { Ok(i32::from_le_bytes(self.raw()?).into()) } else { self.text_integer() }
    }

    /// A C `size_t`.
    pub(super) fn size(&mut self) -> Result<i64> {
        if self.binary { Ok(i64::from_le_bytes(self.raw()?)) } else { self.text_integer() }
    }

    /// A count; more than the file has bytes is refused, so that memory is bounded by the file.
    pub(super) fn count(&mut self, wide: bool) -> Result<usize> {
        let start = self.mark();
        let count = if wide { self.size()? } else { self.int()? };
        usize::try_from(count).ok().filter(|count| *count <= self.bytes.len()).ok_or_else(|| {
            let message = format!("a count of {count} is impossible in a file of {} bytes", self.bytes.len());
            Box::new(Diagnostic::error(message).at(self.here(start)))
        })
    }

    /// The number of a node or an element.
    pub(super) fn id(&mut self, wide: bool) -> Result<u32> {
        let start = self.mark();
        let id = if wide { self.size()? } else { self.int()? };
        u32::try_from(id).ok().filter(|id| (1..=i32::MAX as u32).contains(id)).ok_or_else(|| {
            let message =
                format!("a number of a node or an element must be from 1 to 2147483647, found {id}");
            Box::new(Diagnostic::error(message).at(self.here(start)))
        })
    }

    /// A C `double`.
    pub(super) fn real(&mut self) -> Result<f64> {
        let start = self.mark();
        let value = if self.binary {
            Some(f64::from_le_bytes(self.raw()?)).filter(|value| value.is_finite())
        } else {
            let Some((word, _)) = self.word() else { return Err(self.ended()) };
            crate::input::real(word)
        };
        value.ok_or_else(|| Box::new(Diagnostic::error("expected a finite number").at(self.here(start))))
    }
}
