//! Properties by family: a PBAR 1 and a PSHELL 1 may live side by side, as Nastran keeps them in tables of
//! their own.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Diagnostics, Severity, Span};
use pliant_mesh::property::{Property, PropertyKind, ShellProperty, SolidIntegration, SolidProperty};
use pliant_mesh::{CoordIndex, MaterialId, MaterialIndex, PropertyId, PropertyIndex};

use super::Builder;
use crate::cards::Class;
use crate::typed::Reader;

/// Which elements a property is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    Rod,
    Tube,
    Bar,
    Beam,
    Shell,
    Shear,
    Solid,
    Spring,
    Bush,
    Mass,
    Damper,
    Viscous,
}

impl Family {
    /// All of them.
    const ALL: [Self; 12] = [
        Self::Rod,
        Self::Tube,
        Self::Bar,
        Self::Beam,
        Self::Shell,
        Self::Shear,
        Self::Solid,
        Self::Spring,
        Self::Bush,
        Self::Mass,
        Self::Damper,
        Self::Viscous,
    ];

    fn of(kind: &PropertyKind) -> Self {
        match kind {
            PropertyKind::Rod(..) => Self::Rod,
            PropertyKind::Tube(..) => Self::Tube,
            PropertyKind::Bar(..) => Self::Bar,
            PropertyKind::Beam(..) => Self::Beam,
            PropertyKind::Shell(_) | PropertyKind::Laminate(_) => Self::Shell,
            PropertyKind::Shear(..) => Self::Shear,
            PropertyKind::Solid(..) => Self::Solid,
            PropertyKind::Spring(_) => Self::Spring,
            PropertyKind::Bush(_) => Self::Bush,
            PropertyKind::Mass(_) => Self::Mass,
            PropertyKind::Damper(_) => Self::Damper,
            PropertyKind::Viscous(_) => Self::Viscous,
        }
    }

    /// The cards that make such a property.
    fn cards(self) -> &'static str {
        match self {
            Self::Rod => "PROD",
            Self::Tube => "PTUBE",
            Self::Bar => "PBAR or PBARL",
            Self::Beam => "PBEAM or PBEAML",
            Self::Shell => "PSHELL, PCOMP or PCOMPG",
            Self::Shear => "PSHEAR",
            Self::Solid => "PSOLID",
            Self::Spring => "PELAS",
            Self::Bush => "PBUSH",
            Self::Mass => "PMASS",
            Self::Damper => "PDAMP",
            Self::Viscous => "PVISC",
        }
    }
}

/// The card a property comes from.
fn property_card(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Bar(_, bar) if bar.section.is_some() => "PBARL",
        PropertyKind::Bar(..) => "PBAR",
        PropertyKind::Beam(_, beam) if beam.section.is_some() => "PBEAML",
        PropertyKind::Beam(..) => "PBEAM",
        PropertyKind::Shell(_) => "PSHELL",
        PropertyKind::Laminate(laminate) if laminate.global_plies => "PCOMPG",
        PropertyKind::Laminate(_) => "PCOMP",
        other => Family::of(other).cards(),
    }
}

/// Properties that are not in the deck: those made up from what the caller supplies, and those nothing can be
/// done about.
#[derive(Debug, Default)]
pub(super) struct Supplied {
    /// By the number of the group, 0 for the material of all others.
    materials: HashMap<usize, MaterialIndex>,
    made: HashMap<(Family, u32), (PropertyIndex, Span, usize)>,
    absent: HashMap<(Family, u32), (String, Span, usize)>,
}

/// Whether an element without a property may only draw an edge or face of a solid (see [`super::outline`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Outlines {
    /// It may not: the deck has no solids, or it has been found that the element lies on none.
    #[default]
    Unlikely,
    /// It may.
    Possible,
    /// The card that was read last may be one; it has not been read into the mesh.
    Found,
}

impl Builder {
    /// Takes a property in.
    pub(crate) fn add_property(&mut self, r: &Reader<'_>, id: u32, kind: PropertyKind) {
        self.mesh.properties.push(Property { id: PropertyId(id), kind, source: r.span().into() });
    }

    /// All properties are read: sorts them and drops twins.
    pub(super) fn finish_properties(&mut self, diagnostics: &mut Diagnostics) {
        let mut properties = std::mem::take(&mut self.mesh.properties);
        properties.sort_by_key(|p| (p.id, Family::of(&p.kind) as u8));
        super::duplicates::drop_twins(
            &mut properties,
            diagnostics,
            |a, b| a.id == b.id && Family::of(&a.kind) == Family::of(&b.kind),
            |p| (format!("{} {}", property_card(&p.kind), p.id), p.source),
        );
        let keys = properties.iter().map(|p| (Family::of(&p.kind), p.id.0));
        self.properties = keys.enumerate().map(|(row, key)| (key, PropertyIndex::from(row))).collect();
        self.mesh.properties = properties;
    }

    /// The property in a field, of one of the families an element can use; `default` (the element's own
    /// number) where the field is blank.
    #[inline]
    pub(crate) fn property(
        &mut self,
        r: &mut Reader<'_>,
        slot: usize,
        default: Option<u32>,
        families: &[Family],
    ) -> Option<PropertyIndex> {
        let id = match default {
            Some(default) => r.id_or(slot, "PID", default)?,
            None => r.id(slot, "PID")?,
        };
        if let Some((family, last, property)) = self.last_property
            && last == id
            && family == families[0]
        {
            return Some(property);
        }
        let found = families.iter().find_map(|family| self.properties.get(&(*family, id)).copied());
        if let Some(property) = found {
            self.last_property = Some((families[0], id, property));
        }
        found.or_else(|| self.absent_property(r, slot, id, families))
    }

    /// What a property id stands for when the deck has no property of that family with it.
    #[cold]
    fn absent_property(
        &mut self,
        r: &mut Reader<'_>,
        slot: usize,
        id: u32,
        families: &[Family],
    ) -> Option<PropertyIndex> {
        let family = families[0];
        if let Some((index, _, count)) = self.supplied.made.get_mut(&(family, id)) {
            *count += 1;
            return Some(*index);
        }
        if self.broken.contains(&(Class::Property, id)) {
            return None;
        }
        if self.foreign.contains_key(&(Class::Property, id)) {
            self.missing(r, slot, "PID", Class::Property, id, "property");
            return None;
        }
        let family_is_empty = !self.properties.keys().any(|(f, _)| families.contains(f));
        if self.outlines == Outlines::Possible
            && super::outline::may_be(r.name())
            && (family_is_empty || self.properties.contains_key(&(Family::Solid, id)))
        {
            self.outlines = Outlines::Found;
            return None;
        }
        let wrong = Family::ALL.iter().find_map(|other| self.properties.get(&(*other, id)));
        if let Some(wrong) = wrong {
            let found = &self.mesh.properties[wrong.index()];
            let message = format!(
                "property {id} is a {}, a {} needs {}",
                property_card(&found.kind),
                r.name(),
                family.cards()
            );
            r.error(slot, "PID", message);
            return None;
        }
        if let Some(kind) = self.supplied_kind(family, id) {
            let index = PropertyIndex::from(self.mesh.properties.len());
            self.mesh.properties.push(Property { id: PropertyId(id), kind, source: Default::default() });
            self.supplied.made.insert((family, id), (index, r.fields().get(slot).span, 1));
            return Some(index);
        }
        if family_is_empty {
            let first = (r.fields().label(), r.fields().get(slot).span, 0);
            self.supplied.absent.entry((family, id)).or_insert(first).2 += 1;
        } else {
            let known = self.known_ids(families);
            let problem = r
                .problem(Severity::Error, slot, "PID", format!("property {id} does not exist"))
                .hint(format!(
                    "a {} needs {}; those of the deck have the ids {known}",
                    r.name(),
                    family.cards()
                ));
            r.report(problem);
        }
        None
    }

    /// The first few numbers of the properties of some families.
    fn known_ids(&self, families: &[Family]) -> String {
        let mut ids: Vec<u32> =
            self.properties.keys().filter(|(f, _)| families.contains(f)).map(|(_, id)| *id).collect();
        ids.sort_unstable();
        let more = if ids.len() > 8 { ", …" } else { "" };
        let first: Vec<String> = ids.iter().take(8).map(u32::to_string).collect();
        format!("{}{more}", first.join(", "))
    }

    /// A property made from what the caller supplies.
    fn supplied_kind(&mut self, family: Family, id: u32) -> Option<PropertyKind> {
        let defaults = &self.default_properties;
        let name = self.mesh.names.properties.get(&id);
        let is_named = |given: &String| {
            *given == id.to_string() || name.is_some_and(|name| name.eq_ignore_ascii_case(given))
        };
        let group = defaults.groups.iter().position(|group| is_named(&group.name));
        let (number, material, thickness) = match group.map(|k| (k + 1, &defaults.groups[k])) {
            Some((number, group)) => (number, group.material.clone(), group.thickness.or(defaults.thickness)),
            None => (0, defaults.material.clone()?, defaults.thickness),
        };
        if !(family == Family::Solid || family == Family::Shell && thickness.is_some()) {
            return None;
        }
        let index = match self.supplied.materials.get(&number).copied() {
            Some(index) => index,
            None => {
                let id = self.mesh.materials.iter().map(|m| m.id.0 + 1).max().unwrap_or(1);
                self.mesh.materials.push(pliant_mesh::Material { id: MaterialId(id), ..material });
                let index = MaterialIndex::from(self.mesh.materials.len() - 1);
                self.supplied.materials.insert(number, index);
                index
            }
        };
        Some(match family {
            Family::Shell => PropertyKind::Shell(Box::new(ShellProperty {
                membrane: Some(index),
                thickness,
                bending: Some(index),
                plane_strain: false,
                bending_ratio: 1.0,
                shear: Some(index),
                shear_ratio: crate::cards::SHEAR_RATIO,
                nsm: 0.0,
                fibre_distances: [None, None],
                coupling: None,
            })),
            _ => PropertyKind::Solid(
                index,
                SolidProperty {
                    material_frame: Some(CoordIndex::BASIC),
                    integration: SolidIntegration::Default,
                    card_fields: Default::default(),
                },
            ),
        })
    }

    /// All elements are read: tells once for each property that is not in the deck how many elements want it.
    pub(super) fn report_absent_properties(&self, diagnostics: &mut Diagnostics) {
        for ((family, id), (card, span, count)) in &self.supplied.absent {
            let others = match count {
                1 => String::new(),
                _ => format!(" (and {} more elements refer to it)", count - 1),
            };
            let hint = match family {
                Family::Solid => {
                    "add the property to the deck, or give a material: `material` of the link, or `--material`"
                }
                Family::Shell => {
                    "add the property to the deck, or give material and thickness: `material` and `thickness` of the link, or `--material` and `--thickness`"
                }
                _ => "add the property to the deck",
            };
            let message =
                format!("property {id} does not exist; the deck has no {} at all{others}", family.cards());
            let problem = Diagnostic::error(message).at(*span).card(card).field(3, "PID");
            diagnostics.push(problem.hint(hint));
        }
        for ((_, id), (_, span, count)) in &self.supplied.made {
            let elements = if *count == 1 { "element" } else { "elements" };
            diagnostics.push(
                Diagnostic::note(format!(
                    "property {id} is not in the deck: {count} {elements} take the material given beside it"
                ))
                .at(*span),
            );
        }
    }
}
