//! Which file builds which element: one line per family.

use pliant_diag::{Diagnostic, Origin};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;

use super::{BuildElement, Element, ElementContext};
use super::{line, lumped};

/// The function that builds elements of a family.
fn builder(which: ElementRef) -> BuildElement {
    match which {
        // CROD, CTUBE, CONROD
        ElementRef::Rod(_) => line::build_rod,
        // CBAR, CBEAM
        ElementRef::Bar(_) => line::build_bar,
        // CQUAD4, CTRIA3 and their cousins
        ElementRef::Shell(_) => super::shell::build,
        // CSHEAR
        ElementRef::ShearPanel(_) => super::shear_panel::build,
        // CTETRA, CPYRAM, CPENTA, CHEXA
        ElementRef::Solid(_) => super::solid::build,
        // CELAS1–4, CMASS1–4, CDAMP1–4
        ElementRef::Spring(_) | ElementRef::ScalarMass(_) | ElementRef::Damper(_) => lumped::build_scalar,
        // CBUSH
        ElementRef::Bush(_) => lumped::build_bush,
        // CONM1, CONM2
        ElementRef::PointMass(_) => lumped::build_point_mass,
        // CVISC
        ElementRef::ViscousRod(_) => line::build_viscous_rod,
    }
}

/// Builds one element of the mesh.
///
/// # Errors
/// A diagnostic with the location of the card when the element is bad or its family is not supported.
pub fn build(context: ElementContext<'_>, which: ElementRef) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    builder(which)(context, which)
}

/// Every element of the mesh, family by family, each family in its own order. The order fixes the order of
/// summation in assembly, and so the last bits of the result.
pub fn all_elements(mesh: &LinkMesh) -> Vec<ElementRef> {
    mesh.elements().collect()
}

/// The card of an element for messages, such as `CBAR 12`, and the location it came from.
pub(crate) fn card_of(mesh: &LinkMesh, which: ElementRef) -> (String, Origin) {
    let facts = mesh.element_facts(which);
    (format!("{} {}", facts.card, facts.id), facts.source)
}

/// An error about an element, with its card and location; helpers for element files.
pub(crate) fn element_error(
    mesh: &LinkMesh,
    which: ElementRef,
    message: impl Into<String>,
) -> Box<Diagnostic> {
    let (card, source) = card_of(mesh, which);
    Box::new(Diagnostic::error(message).card(card).at(source.0))
}

/// A problem of an element with the card and location of the element.
pub(crate) fn in_element(
    mesh: &LinkMesh,
    which: ElementRef,
    mut problem: Box<Diagnostic>,
) -> Box<Diagnostic> {
    let (card, source) = card_of(mesh, which);
    problem.card = Some(card);
    problem.span = problem.span.or(source.0);
    problem
}
