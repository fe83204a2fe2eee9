//! Which file builds which element: one line per family.

use pliant_diag::{Diagnostic, Origin};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::{BarKind, ElementRef, RodSection};
use pliant_mesh::property::PropertyKind;

use super::shell::ShellJoints;
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
        // CELAS1–4
        ElementRef::Spring(_) => lumped::build_spring,
        // CBUSH
        ElementRef::Bush(_) => lumped::build_bush,
        // CMASS1–4
        ElementRef::ScalarMass(_) => lumped::build_scalar_mass,
        // CONM1, CONM2
        ElementRef::PointMass(_) => lumped::build_point_mass,
        // CDAMP1–4
        ElementRef::Damper(_) => lumped::build_damper,
        // CVISC
        ElementRef::ViscousRod(_) => line::build_viscous_rod,
    }
}

/// Builds one element of the mesh.
///
/// # Errors
/// A diagnostic with the place of the card when the element is bad or its family is not supported.
pub fn build(context: ElementContext<'_>, which: ElementRef) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    builder(which)(context, which)
}

/// [`build`] for the stiffness of the whole mesh, whose joints of shells are known: see [`ShellJoints`].
///
/// # Errors
/// As [`build`].
pub fn build_among(
    context: ElementContext<'_>,
    which: ElementRef,
    joints: &ShellJoints,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    match which {
        ElementRef::Shell(_) => super::shell::build_among(context, which, joints),
        _ => build(context, which),
    }
}

/// Every element of the mesh, family by family, each family in its own order. The order fixes the order of
/// summation in assembly, and so the last bits of the result.
pub fn all_elements(mesh: &LinkMesh) -> Vec<ElementRef> {
    fn rows(count: usize, make: fn(u32) -> ElementRef) -> impl Iterator<Item = ElementRef> {
        let count = u32::try_from(count).expect("invariant: a mesh has fewer than 2³² parts of a kind");
        (0..count).map(make)
    }
    rows(mesh.rods.len(), ElementRef::Rod)
        .chain(rows(mesh.bars.len(), ElementRef::Bar))
        .chain(rows(mesh.shells.len(), ElementRef::Shell))
        .chain(rows(mesh.shear_panels.len(), ElementRef::ShearPanel))
        .chain(rows(mesh.solids.len(), ElementRef::Solid))
        .chain(rows(mesh.springs.len(), ElementRef::Spring))
        .chain(rows(mesh.bushes.len(), ElementRef::Bush))
        .chain(rows(mesh.scalar_masses.len(), ElementRef::ScalarMass))
        .chain(rows(mesh.point_masses.len(), ElementRef::PointMass))
        .chain(rows(mesh.dampers.len(), ElementRef::Damper))
        .chain(rows(mesh.viscous_rods.len(), ElementRef::ViscousRod))
        .collect()
}

/// The card of an element for messages, such as `CBAR 12`, and the place it came from.
pub fn card_of(mesh: &LinkMesh, which: ElementRef) -> (String, Origin) {
    let (name, id, source) = match which {
        ElementRef::Rod(i) => {
            let rod = &mesh.rods[i as usize];
            let name = match rod.section {
                RodSection::Own(..) => "CONROD",
                RodSection::Property(p) => match mesh.properties[p.index()].kind {
                    PropertyKind::Tube(..) => "CTUBE",
                    _ => "CROD",
                },
            };
            (name, rod.id, rod.source)
        }
        ElementRef::Bar(i) => {
            let bar = &mesh.bars[i as usize];
            let name = match bar.kind {
                BarKind::Bar => "CBAR",
                BarKind::Beam => "CBEAM",
            };
            (name, bar.id, bar.source)
        }
        ElementRef::Shell(i) => {
            let shell = &mesh.shells[i as usize];
            (shell.shape.card(), shell.id, shell.source)
        }
        ElementRef::ShearPanel(i) => {
            ("CSHEAR", mesh.shear_panels[i as usize].id, mesh.shear_panels[i as usize].source)
        }
        ElementRef::Solid(i) => {
            let solid = &mesh.solids[i as usize];
            (solid.shape.card(), solid.id, solid.source)
        }
        ElementRef::Spring(i) => ("CELAS", mesh.springs[i as usize].id, mesh.springs[i as usize].source),
        ElementRef::Bush(i) => ("CBUSH", mesh.bushes[i as usize].id, mesh.bushes[i as usize].source),
        ElementRef::ScalarMass(i) => {
            ("CMASS", mesh.scalar_masses[i as usize].id, mesh.scalar_masses[i as usize].source)
        }
        ElementRef::PointMass(i) => {
            ("CONM", mesh.point_masses[i as usize].id, mesh.point_masses[i as usize].source)
        }
        ElementRef::Damper(i) => ("CDAMP", mesh.dampers[i as usize].id, mesh.dampers[i as usize].source),
        ElementRef::ViscousRod(i) => {
            ("CVISC", mesh.viscous_rods[i as usize].id, mesh.viscous_rods[i as usize].source)
        }
    };
    (format!("{name} {id}"), source)
}

/// An error about an element, with its card and place; helpers for element files.
pub fn element_error(mesh: &LinkMesh, which: ElementRef, message: impl Into<String>) -> Box<Diagnostic> {
    let (card, source) = card_of(mesh, which);
    Box::new(Diagnostic::error(message).card(card).at(source.0))
}
