//! Materials without density, which leave a structure without the mass that its modes need.

use std::collections::BTreeSet;

use pliant_diag::Diagnostic;
use pliant_mesh::element::RodSection;
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, MaterialIndex, PropertyIndex};

/// Materials that give elements their mass.
pub(crate) fn mass_materials(mesh: &LinkMesh) -> BTreeSet<MaterialIndex> {
    let mut properties: BTreeSet<PropertyIndex> = BTreeSet::new();
    let mut materials = BTreeSet::new();
    for rod in &mesh.rods {
        match rod.section {
            RodSection::Property(p) => drop(properties.insert(p)),
            RodSection::Own(m, _) => drop(materials.insert(m)),
        }
    }
    properties.extend(mesh.bars.iter().map(|b| b.property));
    properties.extend(mesh.shells.iter().map(|s| s.property));
    properties.extend(mesh.shear_panels.iter().map(|s| s.property));
    properties.extend(mesh.solids.iter().map(|s| s.property));
    for property in properties {
        match &mesh.properties[property.index()].kind {
            PropertyKind::Rod(m, _)
            | PropertyKind::Tube(m, _)
            | PropertyKind::Bar(m, _)
            | PropertyKind::Beam(m, _)
            | PropertyKind::Shear(m, _)
            | PropertyKind::Solid(m, _) => drop(materials.insert(*m)),
            PropertyKind::Shell(shell) => materials.extend(shell.membrane.or(shell.bending)),
            PropertyKind::Laminate(laminate) => materials.extend(laminate.plies.iter().map(|p| p.material)),
            _ => {}
        }
    }
    materials
}

fn without_density(mesh: &LinkMesh) -> impl Iterator<Item = &pliant_mesh::Material> {
    mass_materials(mesh).into_iter().map(|m| &mesh.materials[m.index()]).filter(|m| m.density == 0.0)
}

/// A warning for each material that gives its elements stiffness but no mass.
pub(crate) fn massless_materials(mesh: &LinkMesh) -> Vec<Diagnostic> {
    without_density(mesh)
        .map(|material| {
            Diagnostic::warning("zero density: its elements have stiffness but no mass of their own")
                .card(format!("MAT {}", material.id))
                .at(material.source.0)
        })
        .collect()
}

/// The error of a structure without any mass.
pub fn massless_structure(mesh: &LinkMesh) -> Diagnostic {
    let mut names = Vec::new();
    let mut problem = Diagnostic::error("");
    for material in without_density(mesh) {
        names.push(material.id.to_string());
        problem.span = problem.span.or(material.source.0);
        problem.card.get_or_insert_with(|| format!("MAT {}", material.id));
    }
    problem.message = if names.is_empty() {
        "the structure has no mass, so it has no natural frequencies".to_owned()
    } else {
        format!("the structure has no mass: zero density (RHO) of material {}", names.join(", "))
    };
    problem.hint("give RHO on the material cards, or masses (CONM2, NSM)")
}
