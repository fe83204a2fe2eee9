//! `pliant static DECK`: the linear static answer of a deck's own loads and constraints.

mod json;
mod text;

use std::io;
use std::path::PathBuf;

use pliant_bulk::Deck;
use pliant_diag::Diagnostics;
use pliant_fem::{Statics, statics};

use super::Outcome;
use crate::Common;
use crate::deck::DeckOptions;
use crate::terminal::emit;

/// Arguments of `pliant static`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The deck (bulk data file); its INCLUDEs are read with it
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// Print every grid, not only those that move most
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    reading: DeckOptions,
}

/// The facts that the command prints.
struct Answer<'a> {
    arguments: &'a Arguments,
    deck: Deck,
    statics: Option<Statics>,
    diagnostics: Diagnostics,
}

impl Answer<'_> {
    /// The six components of a vector at a node; a scalar point has one, and zeros behind it.
    fn components(&self, vector: &[f64], node: usize) -> [f64; 6] {
        let mut six = [0.0; 6];
        if let Some(statics) = &self.statics {
            let rows = statics.dofs.rows_of(node.into());
            six[..rows.len()].copy_from_slice(&vector[rows]);
        }
        six
    }
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let read = arguments.reading.read(&arguments.deck);
    let mut answer = Answer { arguments, deck: read.output, statics: None, diagnostics: read.diagnostics };
    if !answer.diagnostics.has_errors() {
        match statics(&answer.deck.mesh) {
            Ok(found) => {
                answer.diagnostics.extend(found.diagnostics);
                answer.statics = Some(found.output);
            }
            Err(problems) => answer.diagnostics.extend(problems),
        }
    }
    emit(
        common,
        |out| json::print(out, &answer),
        |out, style| text::print(out, style, &answer, common.quiet),
    )?;
    Ok(if answer.statics.is_some() { Outcome::Good } else { Outcome::Bad })
}
