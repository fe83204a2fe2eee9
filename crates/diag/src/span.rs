//! Locations in source files.

/// A file of a [`SourceMap`](crate::SourceMap).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u16);

/// A run of bytes in a source file: one field, or the first line of a card. Eight bytes, so that every
/// grid and element can keep the location it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Length in bytes, saturated at 65,535.
    pub length: u16,
    /// The file.
    pub file: FileId,
}

impl Span {
    /// The bytes `start..end` of `file`.
    ///
    /// # Panics
    /// If `start` lies beyond 4 GiB; [`SourceMap::add`](crate::SourceMap::add) refuses such files.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let start32 = u32::try_from(start).expect("invariant: source files are below 4 GiB");
        let length = u16::try_from(end.saturating_sub(start)).unwrap_or(u16::MAX);
        Self { start: start32, length, file }
    }
}

/// Where something came from. Two things are equal whatever their origins: the location is not part of what a
/// thing is, so `derive(PartialEq)` on a mesh compares meshes, not files.
#[derive(Clone, Copy, Default)]
pub struct Origin(pub Option<Span>);

impl From<Span> for Origin {
    fn from(span: Span) -> Self {
        Self(Some(span))
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl std::fmt::Debug for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Origin")
    }
}

/// A value that keeps the location it came from, for messages about it that come later. As with [`Origin`],
/// the location is no part of what the value is: values are compared, not locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its location.
    pub source: Origin,
}

impl<T> Located<T> {
    /// A value with its location.
    pub fn at(span: Option<Span>, value: T) -> Self {
        Self { value, source: Origin(span) }
    }

    /// Its location as a span.
    pub fn span(&self) -> Option<Span> {
        self.source.0
    }
}
