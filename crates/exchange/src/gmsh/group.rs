//! Physical groups: properties of the elements of bodies, and named sets of nodes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use pliant_diag::{Diagnostic, Span};

use crate::draft::Draft;
use crate::shape::Shape;

/// Where an element belongs, as the file says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    /// Elementary entity: point, curve, surface or volume.
    pub(super) entity: u32,
    /// Physical group, where the element itself has it (version 2).
    pub(super) physical: Option<u32>,
}

#[derive(Default)]
pub(super) struct Groups {
    names: BTreeMap<(usize, u32), (Span, String)>,
    /// Physical groups by dimension and entity.
    entities: HashMap<(usize, u32), Vec<u32>>,
    /// Of the elements of the draft.
    pub(super) of_elements: Vec<Raw>,
}

/// What becomes one property: dimension, whether it is an entity without group, number.
type Key = (usize, bool, u32);

impl Groups {
    pub(super) fn name(&mut self, dimension: usize, tag: u32, at: Span, name: String) {
        self.names.insert((dimension, tag), (at, name));
    }

    pub(super) fn entity(&mut self, dimension: usize, entity: u32, physical: u32) {
        self.entities.entry((dimension, entity)).or_default().push(physical);
    }

    /// Gives every element its property, makes the sets, and takes out elements that are no structure.
    pub(super) fn settle(mut self, draft: &mut Draft, header: Span) {
        // In version 2 an element stands once for each group of its entity.
        for (element, raw) in draft.elements.iter().zip(&self.of_elements) {
            if let Some(physical) = raw.physical {
                let known = self.entities.entry((element.shape.dimension(), raw.entity)).or_default();
                if !known.contains(&physical) {
                    known.push(physical);
                }
            }
        }
        self.make_sets(draft, header);
        let on_others = draft.on_others();
        let mut kept = Vec::with_capacity(draft.elements.len());
        let mut keys: Vec<Key> = Vec::with_capacity(draft.elements.len());
        let mut seen: HashSet<(usize, Vec<u32>)> = HashSet::new();
        let mut long_line = None;
        for ((element, raw), on_other) in draft.elements.iter().zip(&self.of_elements).zip(&on_others) {
            let dimension = element.shape.dimension();
            let groups = self.entities.get(&(dimension, raw.entity)).map_or(&[][..], Vec::as_slice);
            let mut keep = !on_other && dimension > 0;
            if keep && raw.physical.is_some() && groups.len() > 1 {
                let mut nodes = draft.nodes_of(element).to_vec();
                nodes.sort_unstable();
                keep = seen.insert((dimension, nodes));
            }
            if keep && element.shape == Shape::Line3 {
                long_line.get_or_insert(element.at);
            }
            kept.push(keep);
            keys.push(match groups.first() {
                Some(group) => (dimension, false, *group),
                None => (dimension, true, raw.entity),
            });
        }
        if let Some(at) = long_line {
            let problem = Diagnostic::error("a line of 3 nodes cannot be a bar").at(at);
            draft.report(problem.hint("mesh curves that are bars with Mesh.ElementOrder = 1"));
        }
        let drawn = on_others.iter().filter(|on| **on).count();
        if drawn > 0 {
            let message =
                format!("{drawn} elements lie on points, edges or faces of others: they only make sets");
            draft.report(Diagnostic::note(message).at(header));
        }
        let numbers = numbers(keys.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(key, _)| *key));
        for (element, key) in draft.elements.iter_mut().zip(&keys) {
            element.property = numbers.get(key).copied().unwrap_or(0);
        }
        let mut flags = kept.iter();
        draft.elements.retain(|_| *flags.next().unwrap_or(&true));
        for ((dimension, is_entity, tag), number) in &numbers {
            if let (false, Some((at, name))) = (is_entity, self.names.get(&(*dimension, *tag))) {
                draft.property_names.insert(*number, (*at, name.clone()));
            }
        }
    }

    fn make_sets(&self, draft: &mut Draft, header: Span) {
        let mut members: BTreeMap<(usize, u32), BTreeSet<u32>> = BTreeMap::new();
        for (element, raw) in draft.elements.iter().zip(&self.of_elements) {
            let dimension = element.shape.dimension();
            if dimension == 3 {
                continue;
            }
            for group in self.entities.get(&(dimension, raw.entity)).into_iter().flatten() {
                if raw.physical.is_none_or(|own| own == *group) {
                    members.entry((dimension, *group)).or_default().extend(draft.nodes_of(element));
                }
            }
        }
        for ((dimension, tag), nodes) in members {
            match self.names.get(&(dimension, tag)) {
                Some((at, name)) => draft.add_to_set(name, *at, nodes),
                None => {
                    let kind = ["point", "curve", "surface"][dimension];
                    draft.add_to_set(&format!("{kind}-{tag}"), header, nodes);
                }
            }
        }
    }
}

/// A number for each key: its own where it is free, bodies first.
fn numbers(keys: impl Iterator<Item = Key>) -> BTreeMap<Key, u32> {
    let mut wanted: Vec<Key> = keys.collect::<BTreeSet<_>>().into_iter().collect();
    wanted.sort_by_key(|(dimension, is_entity, tag)| (std::cmp::Reverse(*dimension), *is_entity, *tag));
    let mut taken = BTreeSet::new();
    let mut next = wanted.iter().map(|(.., tag)| *tag).max().unwrap_or(0).saturating_add(1);
    let mut numbers = BTreeMap::new();
    for key in wanted {
        let free = key.2 > 0 && taken.insert(key.2);
        let number = if free { key.2 } else { next };
        next += u32::from(!free);
        numbers.insert(key, number);
    }
    numbers
}
