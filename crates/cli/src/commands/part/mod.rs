//! `pliant inspect` and `pliant mesh`: what a STEP file contains, and its mesh as a deck.

mod inspect;
mod mesh;

use std::path::Path;

use pliant_cad::{Gmsh, LengthUnit, is_step};
use pliant_diag::{Diagnostic, LARGEST_INPUT, read_input};

use crate::units::NamedUnits;

pub(crate) use inspect::Arguments as InspectArguments;
pub(crate) use inspect::run as inspect;
pub(crate) use mesh::Arguments as MeshArguments;
pub(crate) use mesh::run as mesh;

/// A STEP file, the program for it and the unit of its coordinates.
fn opened(path: &Path, units: &NamedUnits) -> Result<(Vec<u8>, Gmsh, LengthUnit), Box<Diagnostic>> {
    let bytes = read_input(path, LARGEST_INPUT)
        .map_err(|error| Diagnostic::boxed(format!("cannot read {}: {error}", path.display())))?;
    if !is_step(&bytes) {
        let problem = Diagnostic::error(format!("{} is not a STEP file (ISO 10303-21)", path.display()));
        return Err(Box::new(problem.hint("`pliant check` reads decks and meshes")));
    }
    let unit = LengthUnit::of(units.factors.length).ok_or_else(|| {
        Diagnostic::boxed(format!("a STEP file is read in m, mm or inch, found --units {}", units.name))
    })?;
    Ok((bytes, Gmsh::find()?, unit))
}
