//! CTETRA, CHEXA, CPENTA and CPYRAM.
//!
//! One description per family ([`family::Family`]); stiffness, mass and loads follow from it. PSOLID's
//! choice: Default condenses internal modes into the linear hexahedron, wedge and pyramid (each family's file
//! says which) and integrates quadratic shapes fully; Full is the plain isoparametric element; Reduced uses
//! the smaller rule for quadratic shapes, and for linear ones the same element as Default, which is as free
//! of shear locking without the mechanisms of a reduced rule.

mod elasticity;
mod family;
mod frame;
mod gradients;
mod gram;
mod hexa;
mod internal;
mod lanes;
mod mass;
mod moments;
mod penta;
mod pressure;
mod pyramid;
mod quadrature;
mod stiffness;
mod stress;
mod table;
mod tetra;
mod thermal;
mod validity;

#[cfg(test)]
mod tests;

pub(crate) use moments::solid_masses;

use std::borrow::Cow;

use nalgebra::{DMatrix, DVector};
use pliant_diag::Diagnostic;
use pliant_mesh::element::{ElementRef, Solid, SolidShape};
use pliant_mesh::property::{PropertyKind, SolidIntegration, SolidProperty};
use pliant_mesh::{Component, LinkMesh, NodeIndex};

use self::elasticity::SolidMaterial;
use self::family::{Family, FamilyKind, MidNodes};
use self::gradients::{determinant, jacobian};
use self::table::{MAX_NODES, Purpose, Table, TablePoint};
use super::{Element, ElementContext, ElementDof, ElementStress, FacePressure, MassKind, element_error};

/// Row of a node that is left out.
const ABSENT: usize = usize::MAX;

/// A solid element.
#[derive(Clone)]
struct SolidElement {
    family: &'static Family,
    mids: MidNodes,
    /// Node of each slot of the card; absent ones are [`NodeIndex::NONE`].
    nodes: [NodeIndex; MAX_NODES],
    /// Basic position of each slot; zero for absent ones.
    x: [[f64; 3]; MAX_NODES],
    /// Slots in use: corners alone, or corners and all mid-side slots.
    slot_count: usize,
    dofs: Vec<ElementDof>,
    material: SolidMaterial,
    integration: SolidIntegration,
}

impl SolidElement {
    /// Positions of all slots.
    fn positions(&self) -> &[[f64; 3]] {
        &self.x[..self.slot_count]
    }

    /// Shape functions at the points that K is integrated with.
    fn stiffness_table(&self) -> Cow<'static, Table> {
        let purpose = match self.integration {
            SolidIntegration::Reduced if !self.mids.is_empty() => Purpose::Reduced,
            _ => Purpose::Stiffness,
        };
        table::table(self.family, self.mids, purpose)
    }

    /// True when its family's internal modes are condensed into K.
    fn has_internal_modes(&self) -> bool {
        self.mids.is_empty()
            && self.integration != SolidIntegration::Full
            && self.family.kind != FamilyKind::Tetra
    }

    /// First row of each slot in the matrices, [`ABSENT`] for a node left out.
    fn rows(&self) -> [usize; MAX_NODES] {
        let mut next = 0;
        std::array::from_fn(|slot| {
            if slot >= self.slot_count || !self.nodes[slot].is_some() {
                return ABSENT;
            }
            next += 3;
            next - 3
        })
    }
}

impl Element for SolidElement {
    fn dofs(&self) -> &[ElementDof] {
        &self.dofs
    }

    fn stiffness(&self) -> Option<DMatrix<f64>> {
        Some(stiffness::stiffness(self, &self.stiffness_table(), self.has_internal_modes()))
    }

    fn mass(&self, kind: MassKind) -> Option<DMatrix<f64>> {
        (self.material.density != 0.0).then(|| mass::mass(self, kind))
    }

    fn pressure_load(&self, pressure: &FacePressure) -> Option<DVector<f64>> {
        pressure::pressure_load(self, pressure)
    }

    fn thermal_load(&self, temperature: &dyn Fn(NodeIndex) -> f64) -> Option<DVector<f64>> {
        Some(thermal::thermal_load(self, temperature))
    }

    fn stress(&self, u: &DMatrix<f64>) -> Option<Vec<ElementStress>> {
        Some(stress::stress(self, u).into_iter().map(ElementStress::Solid).collect())
    }

    fn geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<Vec<DMatrix<f64>>> {
        Some(stress::geometric_stiffness(self, u))
    }

    fn nodal_geometric_stiffness(&self, u: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        Some(stress::nodal_geometric_stiffness(self, u))
    }
}

/// The family of a shape.
fn family_of(shape: SolidShape) -> &'static Family {
    match shape {
        SolidShape::Tetra4 | SolidShape::Tetra10 => &tetra::TETRA,
        SolidShape::Hexa8 | SolidShape::Hexa20 => &hexa::HEXA,
        SolidShape::Penta6 | SolidShape::Penta15 => &penta::PENTA,
        SolidShape::Pyramid5 | SolidShape::Pyramid13 => &pyramid::PYRAMID,
    }
}

/// Corners of each face of a solid, as node slots of its card from 0, turning about the outward normal by the
/// right-hand rule.
pub fn solid_faces(shape: SolidShape) -> &'static [&'static [usize]] {
    family_of(shape).faces
}

/// Corners at the ends of each edge of a solid, in the order of its mid-side nodes on the card.
pub(crate) fn solid_edges(shape: SolidShape) -> &'static [[usize; 2]] {
    family_of(shape).edges
}

/// Volume of a solid; negative when it is inside out.
pub(crate) fn solid_volume(mesh: &LinkMesh, solid: &Solid) -> f64 {
    let family = family_of(solid.shape);
    let (nodes, mids) = node_slots(mesh.nodes_of_solid(solid), family);
    let x = positions_of(mesh, &nodes);
    let table = table::table(family, mids, Purpose::Mass);
    let slots = slot_count(family, mids);
    let volume = |p: &TablePoint| p.weight * determinant(&jacobian(&p.gradient, &x[..slots]));
    table.points.iter().map(volume).sum()
}

/// Builds a solid.
///
/// # Errors
/// A diagnostic when it is inside out or collapsed (naming the corner), uses a grid twice, or has no usable
/// material.
pub(super) fn build(
    context: ElementContext<'_>,
    which: ElementRef,
) -> Result<Box<dyn Element>, Box<Diagnostic>> {
    let mesh = context.mesh;
    let ElementRef::Solid(row) = which else {
        unreachable!("invariant: the registry calls the builder of the element's own family")
    };
    let solid = &mesh.solids[row as usize];
    let PropertyKind::Solid(material, property) = &mesh.properties[solid.property.index()].kind else {
        let id = mesh.properties[solid.property.index()].id;
        return Err(element_error(mesh, which, format!("property {id} is not a PSOLID")));
    };
    let family = family_of(solid.shape);
    let (nodes, mids) = node_slots(mesh.nodes_of_solid(solid), family);
    let slot_count = slot_count(family, mids);
    let x = positions_of(mesh, &nodes);
    let present = || nodes[..slot_count].iter().filter(|n| n.is_some());
    let dofs = present()
        .flat_map(|n| (0..3).map(|c| ElementDof { node: *n, component: Component::from_row(c) }))
        .collect();
    let material = &mesh.materials[material.index()];
    validity::check(mesh, which, family, mids, &nodes[..slot_count], &x[..slot_count])?;
    let axes = || frame::material_axes(mesh, property, family, &x);
    let material = elasticity::solid_material(mesh, which, material, axes)?;
    Ok(Box::new(SolidElement {
        family,
        mids,
        nodes,
        x,
        slot_count,
        dofs,
        material,
        integration: integration_of(property),
    }))
}

/// PSOLID's choice. IN = 3 (THREE) with a blank ISOP asks for reduced shear on the full set of points: MSC's
/// default for 20 nodes, which is the full rule here; only IN = 2 (TWO) is the smaller one.
fn integration_of(property: &SolidProperty) -> SolidIntegration {
    let three = matches!(property.card_fields[0].trim(), "3" | "THREE");
    if three && property.integration == SolidIntegration::Reduced {
        SolidIntegration::Default
    } else {
        property.integration
    }
}

/// The nodes by slot, and which mid-side nodes there are.
fn node_slots(card: &[NodeIndex], family: &Family) -> ([NodeIndex; MAX_NODES], MidNodes) {
    let mut nodes = [NodeIndex::NONE; MAX_NODES];
    nodes[..card.len()].copy_from_slice(card);
    let corners = family.corners.len();
    let mut mids = MidNodes::default();
    for edge in 0..family.edges.len() {
        if nodes[corners + edge].is_some() {
            mids.0 |= 1 << edge;
        }
    }
    (nodes, mids)
}

/// Slots in use: corners alone, or corners and all mid-side slots.
fn slot_count(family: &Family, mids: MidNodes) -> usize {
    if mids.is_empty() { family.corners.len() } else { family.corners.len() + family.edges.len() }
}

/// Basic position of each slot; zero for absent nodes.
fn positions_of(mesh: &LinkMesh, nodes: &[NodeIndex; MAX_NODES]) -> [[f64; 3]; MAX_NODES] {
    nodes.map(|n| if n.is_some() { mesh.node(n).position.into() } else { [0.0; 3] })
}
