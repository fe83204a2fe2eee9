//! `pliant buckling DECK`: load factors of linear buckling of a deck's own loads.

mod json;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use pliant_bulk::Deck;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::{Buckling, BucklingOptions, buckling};
use pliant_store::FileKind;
use pliant_store::results::{ModeQuantity, write_modes};

use super::{Outcome, refused_target, shapes};
use crate::Common;
use crate::deck::DeckOptions;
use crate::terminal::emit;

/// Arguments of `pliant buckling`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The deck (bulk data file); its INCLUDEs are read with it
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// This many of smallest magnitude (those of the deck's EIGRL, or 5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Write the shapes as a VTKHDF file for ParaView, one step for each load factor
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: DeckOptions,
}

/// The facts that the command prints.
struct Answer<'a> {
    arguments: &'a Arguments,
    deck: Deck,
    buckling: Option<Buckling>,
    diagnostics: Diagnostics,
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let read = arguments.reading.read(&arguments.deck);
    let mut answer = Answer { arguments, deck: read.output, buckling: None, diagnostics: read.diagnostics };
    answer.diagnostics.extend(refused_target(
        arguments.out.as_deref(),
        FileKind::Shapes,
        arguments.force,
        &answer.deck.sources,
    ));
    if !answer.diagnostics.has_errors() {
        let options = BucklingOptions { count: arguments.count.map(|n| n as usize) };
        match buckling(&answer.deck.mesh, options) {
            Ok(found) => {
                answer.diagnostics.extend(found.diagnostics);
                answer.buckling = Some(found.output);
            }
            Err(problems) => answer.diagnostics.extend(problems),
        }
    }
    if let Some(path) = &arguments.out {
        answer.write_shapes(path);
    }
    emit(
        common,
        |out| json::print(out, &answer),
        |out, style| text::print(out, style, &answer, common.quiet),
    )?;
    Ok(if answer.buckling.is_some() { Outcome::Good } else { Outcome::Bad })
}

impl Answer<'_> {
    /// All subcases, one after the other.
    fn write_shapes(&mut self, path: &Path) {
        let Some(buckling) = &self.buckling else { return };
        let all: Vec<Vec<f64>> = buckling.subcases.iter().flat_map(|s| s.shapes.iter().cloned()).collect();
        let factors: Vec<f64> = buckling.subcases.iter().flat_map(|s| s.factors.iter().copied()).collect();
        let shapes = shapes::of(&self.deck.mesh, &buckling.dofs, &all, ModeQuantity::LoadFactor, &factors);
        if let Err(error) = write_modes(path, &shapes) {
            self.diagnostics.push(Diagnostic::error(format!("the shapes cannot be written: {error}")));
            self.buckling = None;
        }
    }
}
