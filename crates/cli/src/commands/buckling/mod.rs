//! `pliant buckling DECK`: load factors of linear buckling of a deck's own loads.

mod json;
mod text;

use std::io;

use pliant::export::mode_shapes;
use pliant_fem::{Buckling, BucklingOptions, buckling};
use pliant_mesh::LinkMesh;
use pliant_store::results::{ModeQuantity, ModeShapes};

use super::Outcome;
use super::solve::{Answer, Input, ShapesFile};
use crate::Common;

/// Arguments of `pliant buckling`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Number of factors, those of smallest magnitude (as the deck's EIGRL asks, or 5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    #[command(flatten)]
    file: ShapesFile,
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let options = BucklingOptions { count: arguments.count.map(|n| n as usize) };
    let solve = |mesh: &LinkMesh| buckling(mesh, options);
    let Arguments { input, file, .. } = arguments;
    let answer = Answer::read(input).will_write(file).solve(solve).write(file, all_shapes);
    answer.print(
        common,
        |out, answer| json::print(out, answer),
        |out, style, _, found| text::print(out, style, found, common.quiet),
    )
}

/// Of all subcases, one after the other.
fn all_shapes(mesh: &LinkMesh, buckling: &Buckling) -> ModeShapes {
    let all: Vec<Vec<f64>> = buckling.subcases.iter().flat_map(|s| s.shapes.iter().cloned()).collect();
    let factors: Vec<f64> = buckling.subcases.iter().flat_map(|s| s.factors.iter().copied()).collect();
    mode_shapes(mesh, &buckling.dofs, &all, ModeQuantity::LoadFactor, &factors)
}
