//! `pliant buckling DECK`: load factors of linear buckling of a deck's own loads.

mod json;
mod text;

use std::io;

use pliant::statics::{StaticAnswer, buckling_shapes, static_answer};
use pliant_diag::Warned;
use pliant_fem::{Buckling, BucklingOptions, buckling};
use pliant_mesh::LinkMesh;

use super::Outcome;
use super::solve::{Answer, Input, ShapesFile, listed_grids};
use crate::Common;

/// Arguments of `pliant buckling`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Number of factors, those of smallest magnitude (as the deck's EIGRL asks, or 5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Print the stress of every element under the loads, not only the largest, and the forces on every grid
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    file: ShapesFile,
}

/// What was found: load factors, and stress and forces under the loads themselves.
struct Found {
    buckling: Buckling,
    preload: StaticAnswer,
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let options = BucklingOptions { count: arguments.count.map(|n| n as usize) };
    let solve = |mesh: &LinkMesh| {
        let Warned { output: buckling, mut diagnostics } = buckling(mesh, options)?;
        let listed = listed_grids(arguments.all);
        let Warned { output: preload, diagnostics: notes } = static_answer(mesh, &buckling.preload, listed)?;
        diagnostics.extend(notes);
        Ok(Warned { output: Found { buckling, preload }, diagnostics })
    };
    let Arguments { input, file, .. } = arguments;
    let shapes = |mesh: &LinkMesh, found: &Found| buckling_shapes(mesh, &found.buckling, &found.preload);
    let answer = Answer::read(input).will_write(file).solve(solve).write(file, shapes);
    answer.print(
        common,
        |out, answer| json::print(out, answer),
        |out, style, answer, found| {
            text::print(out, style, &answer.deck.mesh, found, common.quiet, arguments.all)
        },
    )
}
