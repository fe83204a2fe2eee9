//! Executive and case control: what stands above BEGIN BULK.

mod case;
mod command;
mod direct;
mod executive;
mod set;
mod statement;

use pliant_diag::{Diagnostics, SourceMap, Span};
use pliant_mesh::{CaseControl, NamedSet};

use crate::begin::{begins_with_word, is_begin};
use crate::card::Card;
use crate::line;
use crate::scan::SourceLine;

/// What stands above BEGIN BULK.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// SOL, TITLE and the subcases.
    pub case: CaseControl,
    /// SET n = …, those with integers.
    pub sets: Vec<NamedSet>,
    /// PARAM entries above BEGIN BULK; [`CardFile::fields`](crate::CardFile::fields) takes them apart like
    /// any card.
    pub parameters: Vec<Card>,
    /// AUTOSPC = word: in place of PARAM,AUTOSPC.
    pub(crate) autospc: Option<(String, Span)>,
    /// BCONTACT, BCSET and BGSET commands.
    pub(crate) contacts: Vec<(String, Span)>,
    /// Sets of SUPORT1 cards that a subcase selects.
    pub(crate) supports: Vec<u32>,
    /// The first TEMPERATURE command that makes materials depend on temperature.
    pub(crate) material_temperature: Option<Span>,
}

/// Reads the lines above BEGIN BULK.
pub(crate) fn parse(
    sources: &SourceMap,
    lines: &[SourceLine],
    control: &mut Control,
    diagnostics: &mut Diagnostics,
) {
    let text = |line: &SourceLine| line.1.text(sources.file(line.0).bytes());
    // A deck may have case control only; its statements are then not executive ones.
    let cend = lines.iter().position(|line| is_cend(text(line)));
    let (executive, case) = match cend {
        Some(cend) => (&lines[..cend], &lines[cend + 1..]),
        None => lines.split_at(lines.iter().take_while(|p| executive::is_statement(text(p))).count()),
    };
    executive::parse(sources, executive, control, diagnostics);
    case::parse(sources, case, control, diagnostics);
}

/// True for CEND.
pub(crate) fn is_cend(text: &[u8]) -> bool {
    begins_with_word(text, b"CEND")
}

/// True for a PARAM entry. (DMAP has a PARAM statement of its own, with slashes.)
pub(crate) fn is_parameter(text: &[u8]) -> bool {
    begins_with_word(text, b"PARAM") && !text.contains(&b'/')
}

/// True when `deck`, which begins with its first statement, has executive or case control. Else it is bulk
/// data from the first line on, as punch files and mesh generators write it.
pub(crate) fn begins_header(deck: &[u8]) -> bool {
    let mut position = 0;
    let mut is_first = true;
    while let Some((line, next)) = line::next_line(deck, position) {
        position = next;
        let text = line.text(deck).trim_ascii_start();
        match text.first().map(|b| b | 0x20) {
            Some(b'b') if is_begin(text) => return true,
            Some(b'c') if is_cend(text) => return true,
            Some(b's') if is_first && executive::is_statement(text) => return true,
            // GRID is no control statement: behind it, there is no header any more.
            Some(b'g') if begins_with_word(text, b"GRID") => return false,
            None | Some(b'$') => continue,
            _ => {}
        }
        is_first = false;
    }
    false
}
