//! Cards that take a number twice.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::MaterialIndex;
use pliant_mesh::element::{ElementRef, Shell, Solid};

use super::Builder;
use super::lookup::law_card;

/// Keeps the first of each pair of neighbours that share a number. Identical ones are a note, different ones
/// an error.
pub(super) fn drop_twins<T: PartialEq>(
    sorted: &mut Vec<T>,
    diagnostics: &mut Diagnostics,
    same_number: impl Fn(&T, &T) -> bool,
    describe: impl Fn(&T) -> (String, Origin),
) {
    sorted.dedup_by(|next, kept| {
        if !same_number(next, kept) {
            return false;
        }
        let (card, at) = describe(next);
        let problem = if *next == *kept {
            Diagnostic::note("given twice, with the same content")
        } else {
            Diagnostic::error("this number is already taken, with other content")
                .hint("give one of the two another number or delete it")
        };
        let mut problem = problem.at(at.0).card(card);
        if let Some(span) = describe(kept).1.0 {
            problem = problem.related(span, "first given here");
        }
        diagnostics.push(problem);
        true
    });
}

impl Builder {
    /// All materials are read: sorts them and drops twins.
    pub(super) fn finish_materials(&mut self, diagnostics: &mut Diagnostics) {
        let mut materials = std::mem::take(&mut self.mesh.materials);
        materials.sort_by_key(|m| m.id);
        drop_twins(
            &mut materials,
            diagnostics,
            |a, b| a.id == b.id,
            |m| (format!("{} {}", law_card(&m.law), m.id), m.source),
        );
        let ids = materials.iter().map(|m| m.id.0);
        self.materials = ids.enumerate().map(|(row, id)| (id, MaterialIndex::from(row))).collect();
        self.mesh.materials = materials;
    }

    /// All elements are read: sorts their numbers and tells about those taken twice. Within a family that is
    /// an error (a note when identical, of which one is kept); between families Nastran takes it, and so do
    /// we, with a warning.
    pub(super) fn finish_elements(&mut self, diagnostics: &mut Diagnostics) {
        let twins = self.number_elements(diagnostics);
        if !twins.is_empty() {
            self.remove_elements(&twins);
            self.number_elements(&mut Diagnostics::new());
        }
        self.finish_rigids(diagnostics);
    }

    /// Fills the table of element numbers; returns those that repeat another of their family exactly.
    fn number_elements(&mut self, diagnostics: &mut Diagnostics) -> HashSet<ElementRef> {
        let mesh = &self.mesh;
        let mut elements: Vec<(u32, ElementRef)> = Vec::with_capacity(mesh.elements().count());
        elements.extend(mesh.elements().map(|element| (mesh.element_id(element).0, element)));
        if !elements.is_sorted_by_key(|(id, _)| *id) {
            elements.sort_by_key(|(id, _)| *id);
        }
        let mut twins = HashSet::new();
        for pair in elements.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (first, second) = (mesh.element_facts(pair[0].1), mesh.element_facts(pair[1].1));
            let same_family = discriminant(&pair[0].1) == discriminant(&pair[1].1);
            let problem = if same_family && self.superelements.any() && self.are_equal(pair[0].1, pair[1].1) {
                Diagnostic::error("given twice; in Nastran the elements of two superelements count both")
                    .hint("give one of the two another number or delete it")
            } else if same_family && self.are_equal(pair[0].1, pair[1].1) {
                twins.insert(pair[1].1);
                Diagnostic::note("given twice, with the same content; one is kept")
            } else if same_family {
                Diagnostic::error("this number is already taken by another element")
                    .hint("give one of the two another number or delete it")
            } else {
                Diagnostic::warning(format!("a {} has the same number", first.card))
            };
            let mut problem = problem.at(second.source.0).card(format!("{} {}", second.card, second.id));
            if let Some(span) = first.source.0 {
                problem = problem.related(span, "first given here");
            }
            diagnostics.push(problem);
        }
        self.elements = elements;
        twins
    }

    /// True when two elements of a family say the same.
    fn are_equal(&self, a: ElementRef, b: ElementRef) -> bool {
        let mesh = &self.mesh;
        match (a, b) {
            (ElementRef::Rod(a), ElementRef::Rod(b)) => mesh.rods[a as usize] == mesh.rods[b as usize],
            (ElementRef::Bar(a), ElementRef::Bar(b)) => mesh.bars[a as usize] == mesh.bars[b as usize],
            (ElementRef::Shell(a), ElementRef::Shell(b)) => {
                let (a, b) = (&mesh.shells[a as usize], &mesh.shells[b as usize]);
                mesh.nodes_of_shell(a) == mesh.nodes_of_shell(b)
                    && Shell { first_node: 0, ..a.clone() } == Shell { first_node: 0, ..b.clone() }
            }
            (ElementRef::ShearPanel(a), ElementRef::ShearPanel(b)) => {
                mesh.shear_panels[a as usize] == mesh.shear_panels[b as usize]
            }
            (ElementRef::Solid(a), ElementRef::Solid(b)) => {
                let (a, b) = (&mesh.solids[a as usize], &mesh.solids[b as usize]);
                mesh.nodes_of_solid(a) == mesh.nodes_of_solid(b)
                    && Solid { first_node: 0, ..a.clone() } == Solid { first_node: 0, ..b.clone() }
            }
            (ElementRef::Spring(a), ElementRef::Spring(b)) => {
                mesh.springs[a as usize] == mesh.springs[b as usize]
            }
            (ElementRef::Bush(a), ElementRef::Bush(b)) => mesh.bushes[a as usize] == mesh.bushes[b as usize],
            (ElementRef::ScalarMass(a), ElementRef::ScalarMass(b)) => {
                mesh.scalar_masses[a as usize] == mesh.scalar_masses[b as usize]
            }
            (ElementRef::PointMass(a), ElementRef::PointMass(b)) => {
                mesh.point_masses[a as usize] == mesh.point_masses[b as usize]
            }
            (ElementRef::Damper(a), ElementRef::Damper(b)) => {
                mesh.dampers[a as usize] == mesh.dampers[b as usize]
            }
            (ElementRef::ViscousRod(a), ElementRef::ViscousRod(b)) => {
                mesh.viscous_rods[a as usize] == mesh.viscous_rods[b as usize]
            }
            _ => false,
        }
    }

    /// Takes elements out. The node slots of solids and shells stay as they are: those of a removed one are
    /// not referred to.
    fn remove_elements(&mut self, out: &HashSet<ElementRef>) {
        fn keep<T>(elements: &mut Vec<T>, out: &HashSet<ElementRef>, family: fn(u32) -> ElementRef) {
            let mut row = 0;
            elements.retain(|_| {
                row += 1;
                !out.contains(&family(row - 1))
            });
        }
        let mesh = &mut self.mesh;
        keep(&mut mesh.rods, out, ElementRef::Rod);
        keep(&mut mesh.bars, out, ElementRef::Bar);
        keep(&mut mesh.shells, out, ElementRef::Shell);
        keep(&mut mesh.shear_panels, out, ElementRef::ShearPanel);
        keep(&mut mesh.solids, out, ElementRef::Solid);
        keep(&mut mesh.springs, out, ElementRef::Spring);
        keep(&mut mesh.bushes, out, ElementRef::Bush);
        keep(&mut mesh.scalar_masses, out, ElementRef::ScalarMass);
        keep(&mut mesh.point_masses, out, ElementRef::PointMass);
        keep(&mut mesh.dampers, out, ElementRef::Damper);
        keep(&mut mesh.viscous_rods, out, ElementRef::ViscousRod);
    }

    /// Rigid elements keep their order; a number taken twice is reported as for other elements.
    fn finish_rigids(&mut self, diagnostics: &mut Diagnostics) {
        let mut seen: HashMap<u32, usize> = HashMap::new();
        let mut twins = HashSet::new();
        for (row, rigid) in self.mesh.rigids.iter().enumerate() {
            let Some(first) = seen.get(&rigid.id.0) else {
                seen.insert(rigid.id.0, row);
                continue;
            };
            let first = &self.mesh.rigids[*first];
            let problem = if first == rigid {
                twins.insert(row);
                Diagnostic::note("given twice, with the same content; one is kept")
            } else {
                Diagnostic::error("this number is already taken by another rigid element")
                    .hint("give one of the two another number or delete it")
            };
            let mut problem = problem.at(rigid.source.0).card(format!("rigid element {}", rigid.id));
            if let Some(span) = first.source.0 {
                problem = problem.related(span, "first given here");
            }
            diagnostics.push(problem);
        }
        let mut row = 0;
        self.mesh.rigids.retain(|_| {
            row += 1;
            !twins.contains(&(row - 1))
        });
    }
}
