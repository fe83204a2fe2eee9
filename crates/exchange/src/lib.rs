//! Meshes of other preprocessors as Nastran bulk data, and meshes written in their formats.
//!
//! A foreign file is translated to the text of a deck: one way leads from there to a
//! [`LinkMesh`](pliant_mesh::LinkMesh), with one set of checks, and overrides, sets and materials work as
//! they do for bulk data. The translation knows for each of its cards which line of the foreign file it comes
//! from ([`Translation::pieces`]), so that every later message is about that line. Numbers keep all their
//! bits.
//!
//! One folder per format. What a format says and a link cannot use is refused or noted, never left out in
//! silence.

mod abaqus;
mod ansys;
mod draft;
mod gmsh;
mod input;
mod shape;
mod sheet;
mod sid;
mod universal;
mod write;

use std::io;
use std::path::{Path, PathBuf};

use pliant_diag::{Diagnostics, FileId, Span};

pub use sid::{Sid, SidNode, Taylor};
pub use write::{Target, write};

/// A format that is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Gmsh `.msh`, versions 2 and 4.
    Gmsh,
    /// Abaqus and CalculiX `.inp`.
    Abaqus,
    /// Ansys `.cdb`.
    Ansys,
    /// Universal file `.unv`.
    Universal,
    /// Standard input data of a flexible body: its nodes are grids, its matrices [`Sid`].
    Sid,
}

/// How far into a file its format is looked for.
const HEAD: usize = 4096;

/// The format of a file, by its content and then by the ending of its name; `None` for bulk data.
pub fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let lines = || head.split(|b| *b == b'\n').map(|line| line.trim_ascii());
    if lines().any(|line| line == b"$MeshFormat") {
        return Some(Format::Gmsh);
    }
    if sid::begins(head) {
        return Some(Format::Sid);
    }
    let first = lines().find(|line| !line.is_empty()).unwrap_or_default();
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    // A line of bulk data that begins so would continue a card, and there is none before the first.
    if matches!(first, [b'*', b'*', ..])
        || matches!(first, [b'*', letter, ..] if letter.is_ascii_alphabetic())
    {
        return Some(Format::Abaqus);
    }
    if first == b"-1" {
        return Some(Format::Universal);
    }
    let is_ansys = |line: &[u8]| {
        let upper = line.to_ascii_uppercase();
        [&b"/PREP7"[..], b"/COM,ANSYS", b"NBLOCK,", b"/BATCH"].iter().any(|word| upper.starts_with(word))
    };
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    match extension.as_ref().and_then(|e| e.to_str()) {
        Some("msh") => Some(Format::Gmsh),
        Some("cdb") => Some(Format::Ansys),
        Some("unv") => Some(Format::Universal),
        _ => lines().any(is_ansys).then_some(Format::Ansys),
    }
}

/// A foreign file as the text of a deck.
#[derive(Debug, Default)]
pub struct Translation {
    /// The files it was read from, with their content: the file itself, then those it includes.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Bulk data in free fields, with names in comments as HyperMesh writes them.
    pub text: String,
    /// Where each piece of the text comes from, ascending by the offset at which it begins.
    pub pieces: Vec<(u32, Span)>,
    /// Everything that was found, with locations in `files`.
    pub diagnostics: Diagnostics,
}

/// Translates a foreign file. `first` is the number that the file has among the sources of the caller; files
/// that it includes, which `load` brings, follow it.
pub fn translate(
    format: Format,
    path: &Path,
    bytes: Vec<u8>,
    first: FileId,
    load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
) -> Translation {
    match format {
        Format::Gmsh => gmsh::translate(path, bytes, first),
        Format::Abaqus => abaqus::translate(path, bytes, first, load),
        Format::Ansys => ansys::translate(path, bytes, first),
        Format::Universal => universal::translate(path, bytes, first),
        Format::Sid => sid::translate(path, bytes, first),
    }
}
