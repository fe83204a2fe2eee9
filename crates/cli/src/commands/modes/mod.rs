//! `pliant modes DECK`: natural frequencies of a deck.

mod json;
mod text;

use std::io;

use pliant::export::mode_shapes;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_fem::element::MassKind;
use pliant_fem::{MassProperties, Modes, ModesOptions, mass_properties, modes};
use pliant_mesh::{Components, GridId, LinkMesh};
use pliant_store::results::ModeQuantity;

use super::Outcome;
use super::solve::{Answer, Input, ShapesFile};
use crate::Common;
use crate::argument::{ArgumentError, positive};

/// Arguments of `pliant modes`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Modes of the free structure: the deck's SPC set, ASET, BSET and OMIT are left out
    #[arg(long)]
    free: bool,
    /// Modes with all six components of these grids held, instead of the deck's SPC set
    #[arg(long, value_name = "GRID", value_delimiter = ',')]
    clamp: Vec<u32>,
    /// Number of modes, the lowest (10 when neither the deck nor --below says otherwise)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// All modes below this frequency (Hz)
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    below: Option<f64>,
    /// Mass matrix; by default lumped, or coupled where PARAM,COUPMASS asks for it
    #[arg(long, value_enum, value_name = "KIND")]
    mass: Option<MassChoice>,
    #[command(flatten)]
    file: ShapesFile,
}

/// `--mass`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum MassChoice {
    /// Nastran's default
    Lumped,
    /// Nastran's PARAM,COUPMASS,1
    Coupled,
    /// With the shape functions of the elements and rotary inertia
    Consistent,
}

fn frequency(text: &str) -> Result<f64, ArgumentError> {
    positive(text, "a frequency")
}

/// What was found.
struct Found {
    modes: Modes,
    mass: MassProperties,
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let solve = |mesh: &LinkMesh| {
        let mut found = modes(mesh, &options(mesh, arguments)?)?;
        found.diagnostics.extend(other_methods(mesh));
        let Warned { output: modes, diagnostics } = found;
        Ok(Warned { output: Found { modes, mass: mass_properties(mesh).output }, diagnostics })
    };
    let shapes = |mesh: &LinkMesh, Found { modes, .. }: &Found| {
        mode_shapes(mesh, &modes.dofs, &modes.shapes, ModeQuantity::Frequency, &modes.frequencies_hz)
    };
    let Arguments { input, file, .. } = arguments;
    let answer = Answer::read(input).will_write(file).solve(solve).write(file, shapes);
    let units = &input.reading.units;
    answer.print(
        common,
        |out, answer| json::print(out, answer, units.factors.mass),
        |out, style, _, found| text::print(out, style, found, units.mass, common.quiet),
    )
}

/// A note when the deck asks for more than one set of modes: the first is found.
fn other_methods(mesh: &LinkMesh) -> Option<Diagnostic> {
    let mut asking = mesh.case_control.subcases.iter().filter(|s| s.method.is_some());
    let (first, more) = (asking.next()?, asking.count());
    (more > 0).then(|| {
        Diagnostic::note(format!(
            "the modes are those of subcase {}; {more} more with a METHOD are not computed",
            first.id
        ))
        .at(first.source.0)
    })
}

/// What the deck asks for, changed by what the user asks for.
fn options(mesh: &LinkMesh, arguments: &Arguments) -> Result<ModesOptions, Diagnostics> {
    let mut options = ModesOptions::of_deck(mesh)?;
    if arguments.free || !arguments.clamp.is_empty() {
        options = options.free();
    }
    let mut problems = Diagnostics::new();
    for id in &arguments.clamp {
        match mesh.node_by_id(GridId(*id)) {
            Some(node) => options.constraints.clamped.push((node, Components::ALL)),
            None => problems.push(Diagnostic::error(format!("--clamp {id}: the deck has no GRID {id}"))),
        }
    }
    if arguments.count.is_some() || arguments.below.is_some() {
        options.count = arguments.count.map(|n| n as usize);
        options.below_hz = arguments.below;
        options.above_hz = None;
    }
    options.assembly.mass = match arguments.mass {
        Some(MassChoice::Lumped) => MassKind::Lumped,
        Some(MassChoice::Coupled) => MassKind::Coupled,
        Some(MassChoice::Consistent) => MassKind::Consistent,
        None => options.assembly.mass,
    };
    if problems.is_empty() { Ok(options) } else { Err(problems) }
}
