//! `pliant modes DECK`: natural frequencies of a deck.

mod json;
mod text;

use std::io;
use std::path::PathBuf;

use pliant_bulk::Deck;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::element::MassKind;
use pliant_fem::{MassProperties, Modes, ModesOptions, mass_properties, modes};
use pliant_mesh::{Components, GridId, LinkMesh};
use pliant_store::FileKind;
use pliant_store::results::{ModeQuantity, write_modes};

use super::{Outcome, refused_target, shapes};
use crate::Common;
use crate::argument::{ArgumentError, positive};
use crate::deck::DeckOptions;
use crate::terminal::emit;

/// Arguments of `pliant modes`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The deck (bulk data file); its INCLUDEs are read with it
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// Modes of the free structure: the deck's SPC set, ASET, BSET and OMIT are left out
    #[arg(long)]
    free: bool,
    /// Modes with all six components of these grids held, instead of the deck's SPC set
    #[arg(long, value_name = "GRID", value_delimiter = ',')]
    clamp: Vec<u32>,
    /// This many of the lowest (10 when neither the deck nor --below says otherwise)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// All below this frequency
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    below: Option<f64>,
    /// Mass matrix; by default lumped, or coupled where PARAM,COUPMASS asks for it
    #[arg(long, value_enum, value_name = "KIND")]
    mass: Option<MassChoice>,
    /// Write the shapes as a VTKHDF file for ParaView, one step for each mode
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file of another kind that Pliant wrote; a file of others is never replaced
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: DeckOptions,
}

/// `--mass`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum MassChoice {
    /// Nastran's default
    Lumped,
    /// Nastran's PARAM,COUPMASS,1
    Coupled,
    /// With the elements' own shape functions and rotary inertia
    Consistent,
}

fn frequency(text: &str) -> Result<f64, ArgumentError> {
    positive(text, "a frequency")
}

/// The facts that the command prints.
struct Answer<'a> {
    arguments: &'a Arguments,
    deck: Deck,
    mass: Option<MassProperties>,
    modes: Option<Modes>,
    diagnostics: Diagnostics,
}

/// Reads, solves, prints.
pub(crate) fn run(arguments: &Arguments, common: &Common) -> io::Result<Outcome> {
    let read = arguments.reading.read(&arguments.deck);
    let mut answer =
        Answer { arguments, deck: read.output, mass: None, modes: None, diagnostics: read.diagnostics };
    answer.diagnostics.extend(refused_target(
        arguments.out.as_deref(),
        FileKind::Shapes,
        arguments.force,
        &answer.deck.sources,
    ));
    if !answer.diagnostics.has_errors() {
        answer.solve();
    }
    if let (Some(path), Some(modes)) = (&arguments.out, &answer.modes)
        && let Err(error) = write_modes(
            path,
            &shapes::of(
                &answer.deck.mesh,
                &modes.dofs,
                &modes.shapes,
                ModeQuantity::Frequency,
                &modes.frequencies_hz,
            ),
        )
    {
        answer.diagnostics.push(Diagnostic::error(format!("the shapes cannot be written: {error}")));
        answer.modes = None;
    }
    emit(
        common,
        |out| json::print(out, &answer),
        |out, style| text::print(out, style, &answer, common.quiet),
    )?;
    Ok(if answer.modes.is_some() { Outcome::Good } else { Outcome::Bad })
}

impl Answer<'_> {
    fn solve(&mut self) {
        let mesh = &self.deck.mesh;
        self.diagnostics.extend(other_methods(mesh));
        let found = options(mesh, self.arguments).and_then(|options| modes(mesh, &options));
        match found {
            Ok(found) => {
                self.diagnostics.extend(found.diagnostics);
                self.modes = Some(found.output);
                self.mass = Some(mass_properties(mesh).output);
            }
            Err(problems) => self.diagnostics.extend(problems),
        }
    }
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
            None => problems.push(Diagnostic::error(format!("--clamp {id}: the deck has no grid {id}"))),
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
