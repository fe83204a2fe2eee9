//! A mesh in other formats. Numbers are written with all their bits.
//!
//! Gmsh, universal files and VTK hold a mesh and no structure: nodes, cells, sets. Abaqus and Ansys hold the
//! structure too; what of it they cannot hold is refused, element by element.

mod abaqus;
mod ansys;
mod cells;
mod gmsh;
mod structure;
mod universal;
mod vtu;

use std::path::Path;

use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_mesh::LinkMesh;

use cells::Cells;

/// A format that a mesh is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Gmsh `.msh`, version 2.2, text.
    Gmsh,
    /// Abaqus `.inp`.
    Abaqus,
    /// Ansys `.cdb`.
    Ansys,
    /// Universal file `.unv`.
    Universal,
    /// VTK `.vtu`, text.
    Vtu,
}

impl Target {
    /// The endings of names that are known, for messages.
    pub const ENDINGS: &str = ".msh, .inp, .cdb, .unv, .vtu";

    /// By the ending of a name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "msh" => Some(Self::Gmsh),
            "inp" => Some(Self::Abaqus),
            "cdb" => Some(Self::Ansys),
            "unv" => Some(Self::Universal),
            "vtu" => Some(Self::Vtu),
            _ => None,
        }
    }
}

/// A mesh in a format. The text is to be used only when no error was reported.
pub fn write(mesh: &LinkMesh, target: Target) -> Warned<String> {
    let mut diagnostics = Diagnostics::new();
    let cells = Cells::of(mesh, &mut diagnostics);
    let output = match target {
        Target::Gmsh => gmsh::write(mesh, &cells),
        Target::Abaqus => abaqus::write(mesh, &cells, &mut diagnostics),
        Target::Ansys => ansys::write(mesh, &cells, &mut diagnostics),
        Target::Universal => universal::write(mesh, &cells),
        Target::Vtu => vtu::write(mesh, &cells),
    };
    if matches!(target, Target::Gmsh | Target::Universal | Target::Vtu) {
        diagnostics.extend(cells::not_of_meshes(mesh));
    }
    Warned { output, diagnostics }
}

/// An error about a thing of the mesh that a format cannot hold.
fn refusal(what: String, format: &str) -> Diagnostic {
    Diagnostic::error(format!("{what} cannot be written for {format}"))
}
