//! `pliant static DECK`: the linear static answer of a deck's own loads and constraints.

mod json;
mod text;

use std::io;

use pliant_fem::{Statics, statics};

use super::Outcome;
use super::solve::{Answer, Input};
use crate::Common;

/// Arguments of `pliant static`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Print every grid, not only those that move most
    #[arg(long)]
    all: bool,
}

/// The six components of a vector at a node; a scalar point has one, and zeros behind it.
fn components(statics: &Statics, vector: &[f64], node: usize) -> [f64; 6] {
    let mut six = [0.0; 6];
    let rows = statics.dofs.rows_of(node.into());
    six[..rows.len()].copy_from_slice(&vector[rows]);
    six
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    Answer::read(&arguments.input).solve(statics).print(
        common,
        |out, answer| json::print(out, answer),
        |out, style, answer, found| text::print(out, style, &answer.deck.mesh, found, arguments.all),
    )
}
