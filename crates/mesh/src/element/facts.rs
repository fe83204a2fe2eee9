//! What every element has, whatever its family.

use pliant_diag::Origin;

use super::{ElementRef, PointMassKind, RodSection, ScalarConnection, ScalarValue};
use crate::property::PropertyKind;
use crate::{ElementId, LinkMesh, PropertyIndex};

/// Card, number and location of an element, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementFacts {
    /// The card's name.
    pub card: &'static str,
    /// The user's number.
    pub id: ElementId,
    /// Where it was given.
    pub source: Origin,
}

impl LinkMesh {
    /// All elements with stiffness, mass or damping, family by family. Rigid and plot elements are not among
    /// them.
    pub fn elements(&self) -> impl Iterator<Item = ElementRef> + use<> {
        let rows = |count: usize, family: fn(u32) -> ElementRef| (0..count as u32).map(family);
        rows(self.rods.len(), ElementRef::Rod)
            .chain(rows(self.bars.len(), ElementRef::Bar))
            .chain(rows(self.shells.len(), ElementRef::Shell))
            .chain(rows(self.shear_panels.len(), ElementRef::ShearPanel))
            .chain(rows(self.solids.len(), ElementRef::Solid))
            .chain(rows(self.springs.len(), ElementRef::Spring))
            .chain(rows(self.bushes.len(), ElementRef::Bush))
            .chain(rows(self.scalar_masses.len(), ElementRef::ScalarMass))
            .chain(rows(self.point_masses.len(), ElementRef::PointMass))
            .chain(rows(self.dampers.len(), ElementRef::Damper))
            .chain(rows(self.viscous_rods.len(), ElementRef::ViscousRod))
    }

    /// Number of an element.
    ///
    /// # Panics
    /// If `element` is not of this mesh.
    #[inline]
    pub fn element_id(&self, element: ElementRef) -> ElementId {
        match element {
            ElementRef::Solid(row) => self.solids[row as usize].id,
            ElementRef::Shell(row) => self.shells[row as usize].id,
            _ => self.element_facts(element).id,
        }
    }

    /// Card, number and location of an element.
    ///
    /// # Panics
    /// If `element` is not of this mesh.
    pub fn element_facts(&self, element: ElementRef) -> ElementFacts {
        let facts = |card, id, source| ElementFacts { card, id, source };
        match element {
            ElementRef::Rod(row) => {
                let rod = &self.rods[row as usize];
                let card = match rod.section {
                    RodSection::Own(..) => "CONROD",
                    RodSection::Property(p) => match self.properties[p.index()].kind {
                        PropertyKind::Tube(..) => "CTUBE",
                        _ => "CROD",
                    },
                };
                facts(card, rod.id, rod.source)
            }
            ElementRef::Bar(row) => {
                let bar = &self.bars[row as usize];
                facts(bar.kind.card(), bar.id, bar.source)
            }
            ElementRef::Shell(row) => {
                let shell = &self.shells[row as usize];
                facts(shell.shape.card(), shell.id, shell.source)
            }
            ElementRef::ShearPanel(row) => {
                let panel = &self.shear_panels[row as usize];
                facts("CSHEAR", panel.id, panel.source)
            }
            ElementRef::Solid(row) => {
                let solid = &self.solids[row as usize];
                facts(solid.shape.card(), solid.id, solid.source)
            }
            ElementRef::Spring(row) => {
                let spring = &self.springs[row as usize];
                facts(
                    self.scalar_card(
                        &["CELAS1", "CELAS2", "CELAS3", "CELAS4"],
                        spring.stiffness,
                        spring.ends,
                    ),
                    spring.id,
                    spring.source,
                )
            }
            ElementRef::Bush(row) => {
                let bush = &self.bushes[row as usize];
                facts("CBUSH", bush.id, bush.source)
            }
            ElementRef::ScalarMass(row) => {
                let mass = &self.scalar_masses[row as usize];
                facts(
                    self.scalar_card(&["CMASS1", "CMASS2", "CMASS3", "CMASS4"], mass.mass, mass.ends),
                    mass.id,
                    mass.source,
                )
            }
            ElementRef::PointMass(row) => {
                let mass = &self.point_masses[row as usize];
                let card = match mass.kind {
                    PointMassKind::Body { .. } => "CONM2",
                    PointMassKind::Matrix(_) => "CONM1",
                };
                facts(card, mass.id, mass.source)
            }
            ElementRef::Damper(row) => {
                let damper = &self.dampers[row as usize];
                facts(
                    self.scalar_card(&["CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4"], damper.damping, damper.ends),
                    damper.id,
                    damper.source,
                )
            }
            ElementRef::ViscousRod(row) => {
                let rod = &self.viscous_rods[row as usize];
                facts("CVISC", rod.id, rod.source)
            }
        }
    }

    /// The property of an element, where it has one.
    ///
    /// # Panics
    /// If `element` is not of this mesh.
    pub fn element_property(&self, element: ElementRef) -> Option<PropertyIndex> {
        let scalar = |value: ScalarValue| match value {
            ScalarValue::Property(property) => Some(property),
            ScalarValue::Own(_) => None,
        };
        match element {
            ElementRef::Rod(row) => match self.rods[row as usize].section {
                RodSection::Property(property) => Some(property),
                RodSection::Own(..) => None,
            },
            ElementRef::Bar(row) => Some(self.bars[row as usize].property),
            ElementRef::Shell(row) => Some(self.shells[row as usize].property),
            ElementRef::ShearPanel(row) => Some(self.shear_panels[row as usize].property),
            ElementRef::Solid(row) => Some(self.solids[row as usize].property),
            ElementRef::Spring(row) => scalar(self.springs[row as usize].stiffness),
            ElementRef::Bush(row) => Some(self.bushes[row as usize].property),
            ElementRef::ScalarMass(row) => scalar(self.scalar_masses[row as usize].mass),
            ElementRef::PointMass(_) => None,
            ElementRef::Damper(row) => scalar(self.dampers[row as usize].damping),
            ElementRef::ViscousRod(row) => Some(self.viscous_rods[row as usize].property),
        }
    }

    /// True when an element with stiffness has an end on the ground.
    ///
    /// # Panics
    /// If `element` is not of this mesh.
    pub(crate) fn is_grounded(&self, element: ElementRef) -> bool {
        match element {
            ElementRef::Spring(row) => self.springs[row as usize].ends.contains(&ScalarConnection::Ground),
            ElementRef::Bush(row) => self.bushes[row as usize].nodes.1.is_none(),
            _ => false,
        }
    }

    /// The card of a scalar element, of the four its family has: with property or own value, and the same
    /// between scalar points only.
    pub fn scalar_card(
        &self,
        cards: &[&'static str; 4],
        value: ScalarValue,
        ends: [ScalarConnection; 2],
    ) -> &'static str {
        let only_points = ends.iter().all(|end| match end {
            ScalarConnection::Ground => true,
            ScalarConnection::Dof(node, _) => self.node(*node).component_count() == 1,
        });
        match (value, only_points) {
            (ScalarValue::Property(_), false) => cards[0],
            (ScalarValue::Own(_), false) => cards[1],
            (ScalarValue::Property(_), true) => cards[2],
            (ScalarValue::Own(_), true) => cards[3],
        }
    }
}
