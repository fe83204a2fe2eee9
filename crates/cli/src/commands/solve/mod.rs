//! What commands that solve a deck share: they read it, solve, write shapes where asked, and print one
//! answer, with the stress and the forces on grids where it is static.

mod json;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pliant::statics::ListedGrids;
use pliant_bulk::Deck;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::LinkMesh;
use pliant_store::results::{ModeShapes, write_modes};
use pliant_store::{FileKind, Output};

pub(super) use json::{forces_of, stress_of};
pub(super) use text::{SHOWN, forces_text, stress_text};

use super::Outcome;
use crate::Common;
use crate::deck::DeckOptions;
use crate::render;
use crate::terminal::{Out, Style, emit};

/// A deck and how it is read.
#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// The deck (bulk data file); its INCLUDEs are read with it
    #[arg(value_name = "DECK")]
    pub(super) deck: PathBuf,
    #[command(flatten)]
    pub(super) reading: DeckOptions,
}

/// The file of shapes.
#[derive(Debug, clap::Args)]
pub(super) struct ShapesFile {
    /// Write the shapes as a VTKHDF file for ParaView, one step for each shape
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file of another kind that Pliant wrote; other files are never replaced
    #[arg(long)]
    force: bool,
}

/// The grids whose forces are printed and stored.
pub(super) fn listed_grids(all: bool) -> ListedGrids {
    if all { ListedGrids::All } else { ListedGrids::Loaded }
}

/// Pascals in the deck's unit of stress: what is printed is in units of the deck, as displacements are.
fn pressure(mesh: &LinkMesh) -> f64 {
    let units = mesh.units;
    units.mass / (units.length * units.time * units.time)
}

/// The facts that a command prints.
pub(super) struct Answer<'a, S> {
    pub(super) path: &'a Path,
    pub(super) deck: Deck,
    /// None when there is no answer; the diagnostics say why.
    pub(super) found: Option<S>,
    pub(super) diagnostics: Diagnostics,
}

impl<'a, S> Answer<'a, S> {
    /// Reads a deck that is not solved yet.
    pub(super) fn read(input: &'a Input) -> Self {
        let Warned { output: deck, diagnostics } = input.reading.read(&input.deck);
        Self { path: &input.deck, deck, found: None, diagnostics }
    }

    /// Reports a file of shapes that may not be written, before anything is solved.
    pub(super) fn will_write(mut self, file: &ShapesFile) -> Self {
        if let Some(path) = &file.out {
            let target = Output { path, kind: FileKind::Shapes, force: file.force };
            self.diagnostics.extend(pliant::refused_target(target, &self.deck.sources));
        }
        self
    }

    /// Solves, unless there are errors.
    pub(super) fn solve(mut self, solve: impl FnOnce(&LinkMesh) -> Result<Warned<S>, Diagnostics>) -> Self {
        if self.diagnostics.has_errors() {
            return self;
        }
        match solve(&self.deck.mesh) {
            Ok(solved) => {
                self.diagnostics.extend(solved.diagnostics);
                self.found = Some(solved.output);
            }
            Err(problems) => self.diagnostics.extend(problems),
        }
        self
    }

    /// Writes the shapes where asked; an answer whose shapes cannot be written is none.
    pub(super) fn write(
        mut self,
        file: &ShapesFile,
        shapes: impl FnOnce(&LinkMesh, &S) -> ModeShapes,
    ) -> Self {
        if let (Some(path), Some(found)) = (&file.out, &self.found)
            && let Err(error) = write_modes(path, &shapes(&self.deck.mesh, found))
        {
            self.diagnostics.push(Diagnostic::error(format!("the shapes cannot be written: {error}")));
            self.found = None;
        }
        self
    }

    /// Prints the answer.
    pub(super) fn print(
        &self,
        common: &Common,
        to_machines: impl FnOnce(&mut Out<'_>, &Self) -> io::Result<()>,
        to_people: impl FnOnce(&mut Out<'_>, Style, &Self, &S) -> io::Result<()>,
    ) -> io::Result<Outcome> {
        let people = |out: &mut Out<'_>, style: Style| {
            render::diagnostics(out, style, &self.deck.sources, &self.diagnostics, common.quiet)?;
            let Some(found) = &self.found else { return Ok(()) };
            if !common.quiet {
                let name = self.path.display().to_string();
                writeln!(out, "{} {}", style.green("✓"), style.bold(&name))?;
            }
            to_people(out, style, self, found)
        };
        emit(common, |out| to_machines(out, self), people)?;
        Ok(if self.found.is_some() { Outcome::Good } else { Outcome::Bad })
    }
}
