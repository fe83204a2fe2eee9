//! `pliant static DECK`: the linear static answer of a deck's own loads and constraints.

mod json;
mod text;

use std::io;

use pliant::statics::{StaticAnswer, static_answer};
use pliant_diag::Warned;
use pliant_fem::{Statics, statics};
use pliant_mesh::LinkMesh;

use super::Outcome;
use super::solve::{Answer, Input, ShapesFile, listed_grids};
use crate::Common;

/// Arguments of `pliant static`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Print every grid and element, not only those that move most, and the forces on every grid, not only on
    /// those with loads and supports
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    file: ShapesFile,
}

/// What was found.
struct Found {
    statics: Statics,
    answer: StaticAnswer,
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
    let solve = |mesh: &LinkMesh| {
        let Warned { output: statics, mut diagnostics } = statics(mesh)?;
        let listed = listed_grids(arguments.all);
        let Warned { output: answer, diagnostics: notes } = static_answer(mesh, &statics, listed)?;
        diagnostics.extend(notes);
        Ok(Warned { output: Found { statics, answer }, diagnostics })
    };
    let Arguments { input, file, .. } = arguments;
    let answer = Answer::read(input).will_write(file).solve(solve);
    let answer = answer.write(file, |_, found| found.answer.shapes.clone());
    answer.print(
        common,
        |out, answer| json::print(out, answer),
        |out, style, answer, found| text::print(out, style, &answer.deck.mesh, found, arguments.all),
    )
}
