//! Reading a deck and its INCLUDEs into cards.

use std::io;
use std::path::Path;

use pliant_diag::{Diagnostic, FileId, SourceMap, Span, Warned};
use pliant_mesh::Names;

use crate::card::Card;
use crate::control::Control;
use crate::line::Line;
use crate::replicate::Generated;
use crate::scan::Scanner;

/// A deck as cards, in the order they stand, with the text they came from.
#[derive(Debug, Default)]
pub struct CardFile {
    /// The deck and its INCLUDEs.
    pub sources: SourceMap,
    /// Executive and case control.
    pub control: Control,
    /// The bulk data cards. Comments, INCLUDE, BEGIN and ENDDATA are not among them.
    pub cards: Vec<Card>,
    /// The main bulk data, then the parts that begin with BEGIN SUPER=n and the like.
    pub parts: Vec<Part>,
    /// Names that comments give to properties, materials and sets.
    pub names: Names,
    pub(crate) scattered: Vec<Vec<(FileId, Line)>>,
    pub(crate) generated: Generated,
}

/// A section of bulk data: the main one, or what follows BEGIN SUPER=n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What was begun, such as `BULK` or `SUPER`.
    pub kind: String,
    /// Its number; 0 for the main bulk data.
    pub id: u32,
    /// Where it begins; `None` for a deck without header.
    pub span: Option<Span>,
}

/// Reads a deck and all its INCLUDEs from disk.
pub fn read_cards(path: impl AsRef<Path>) -> Warned<CardFile> {
    read_cards_of(&[path.as_ref()])
}

/// Reads several decks with all their INCLUDEs as one: each may have its own header, BEGIN BULK and ENDDATA.
pub fn read_cards_of(paths: &[impl AsRef<Path>]) -> Warned<CardFile> {
    let mut load = |path: &Path| pliant_diag::read_input(path, pliant_diag::LARGEST_INPUT);
    let mut scanner = Scanner::new(&mut load);
    for path in paths {
        let path = path.as_ref();
        match pliant_diag::read_input(path, pliant_diag::LARGEST_INPUT) {
            Ok(bytes) => {
                scanner.begin_file();
                scanner.read(path, bytes);
            }
            Err(error) => {
                let problem = Diagnostic::error(format!("cannot read {}: {error}", path.display()));
                scanner.diagnostics.push(problem);
            }
        }
    }
    scanner.finish()
}

/// Reads a deck that is in memory; `load` brings the files it INCLUDEs. `path` is where the deck is, or would
/// be.
pub fn read_cards_from(
    path: impl AsRef<Path>,
    bytes: Vec<u8>,
    load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
) -> Warned<CardFile> {
    let mut scanner = Scanner::new(load);
    scanner.read(path.as_ref(), bytes);
    scanner.finish()
}
