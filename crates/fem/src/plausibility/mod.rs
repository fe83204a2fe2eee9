//! Input that can be computed and is probably not what was meant.
//!
//! Nothing here is an error: the answer is defined. `check` and the reduction of a link report the same list.

mod membrane;
mod pieces;
mod units;
mod values;

pub use pieces::separate_pieces;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::LinkMesh;

use crate::density::massless_materials;
use crate::tetra4::tetra4_warning;

/// Everything about a mesh and its units that looks wrong: materials without density, units, inertia that no
/// body has, negative springs, plates with an odd bending stiffness, and elements that are too stiff in
/// bending.
pub fn implausible(mesh: &LinkMesh) -> Diagnostics {
    let mut found = Diagnostics::new();
    found.extend(massless_materials(mesh));
    found.extend(units::unit_warning(mesh));
    found.extend(values::impossible_point_masses(mesh));
    found.extend(values::negative_scalars(mesh));
    found.extend(values::odd_plates(mesh));
    found.extend(tetra4_warning(mesh));
    found.extend(membrane::membrane_warnings(mesh));
    found
}

/// A warning with the card and location of an element.
fn element_warning(
    mesh: &LinkMesh,
    which: pliant_mesh::element::ElementRef,
    message: impl Into<String>,
) -> Diagnostic {
    let facts = mesh.element_facts(which);
    Diagnostic::warning(message).card(format!("{} {}", facts.card, facts.id)).at(facts.source.0)
}

#[cfg(test)]
mod tests;
