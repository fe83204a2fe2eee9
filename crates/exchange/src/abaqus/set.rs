//! Sets and surfaces, and members of them by name.

use pliant_diag::Diagnostic;

use super::block::fields;
use super::element_type::{Kind, face};
use super::space::{Element, Member, Space};
use super::{Block, Model, Result};
use crate::input::{id, text};
use crate::shape::Shape;

impl Model<'_> {
    /// The index of an instance.
    pub(super) fn space_named(&self, name: &str) -> Option<usize> {
        self.spaces.iter().position(|space| !space.name.is_empty() && space.name == name)
    }

    /// Nodes or elements by a number, a set, or either with an instance before it.
    pub(super) fn members(&self, space: &Space, word: &str, nodes: bool) -> Option<Vec<Member>> {
        let own = |space: &Space, word: &str| -> Option<Vec<Member>> {
            if let Some(number) = id(word.as_bytes()) {
                return Some(vec![(None, number)]);
            }
            if nodes {
                let found = space.node_sets.get(word).or_else(|| space.surfaces.get(word));
                found.map(|(_, members)| members.clone())
            } else {
                space.element_sets.get(word).cloned()
            }
        };
        let word = word.trim_matches('"').to_uppercase();
        if let Some(found) = own(space, &word) {
            return Some(found);
        }
        let (instance, rest) = word.split_once('.')?;
        let index = self.space_named(instance)?;
        let found = own(&self.spaces[index], rest)?;
        Some(found.into_iter().map(|(inner, id)| (inner.or(Some(index)), id)).collect())
    }

    /// The data of *NSET and *ELSET.
    pub(super) fn set_members(&mut self, block: &Block, space: &Space, nodes: bool) -> Result<Vec<Member>> {
        let instance = match block.parameter("INSTANCE") {
            None => None,
            Some(name) => Some(
                self.space_named(&name.to_uppercase())
                    .ok_or_else(|| block.problem(format!("there is no instance {name}")))?,
            ),
        };
        let mut members = Vec::new();
        // A set that is named again adds nothing, and sets of sets would double with each line.
        let mut named = std::collections::HashSet::new();
        for line in self.files.rows[block.data.0..block.data.1].iter().map(|row| self.files.line(*row)) {
            let values = fields(&line);
            if block.parameter("GENERATE").is_some() {
                let numbers: Option<Vec<u32>> = values.iter().map(|word| id(word)).collect();
                match numbers.as_deref() {
                    Some([a, b, rest @ ..]) if a <= b && rest.len() <= 1 => {
                        let step = rest.first().copied().unwrap_or(1);
                        // Of a range only what exists counts: it may name far more than there is.
                        let of = instance.map_or(space, |index| &self.spaces[index]);
                        let in_range = |id: &u32| (a..=b).contains(&id) && (*id - *a).is_multiple_of(step);
                        let ids: Vec<u32> = if nodes {
                            of.nodes.iter().map(|node| node.id).filter(in_range).collect()
                        } else {
                            of.elements.iter().map(|element| element.id).filter(in_range).collect()
                        };
                        members.extend(ids.into_iter().map(|id| (instance, id)));
                    }
                    _ => self.draft.error(line.span(), "expected first, last and step"),
                }
                continue;
            }
            for word in values.iter().filter(|word| !word.is_empty()) {
                let word = text(word);
                if !named.insert(word.clone()) {
                    continue;
                }
                let of = instance.map_or(space, |index| &self.spaces[index]);
                match self.members(of, &word, nodes) {
                    Some(found) => {
                        members.extend(found.into_iter().map(|(inner, id)| (inner.or(instance), id)));
                    }
                    None => {
                        let what = if nodes { "node" } else { "element" };
                        self.draft.error(line.span(), format!("there is no {what} set {word} up to here"));
                    }
                }
            }
        }
        members.sort_unstable();
        members.dedup();
        Ok(members)
    }

    pub(super) fn node_set(&mut self, block: &Block, space: &mut Space) -> Result<()> {
        let name = block.needed("NSET")?;
        let mut members = self.set_members(block, space, true)?;
        if let Some(elements) = block.parameter("ELSET") {
            members.extend(self.nodes_of_elements(block, space, &elements.to_uppercase())?);
        }
        space.node_sets.entry(name).or_insert((block.at, Vec::new())).1.extend(members);
        Ok(())
    }

    pub(super) fn element_set(&mut self, block: &Block, space: &mut Space) -> Result<()> {
        let name = block.needed("ELSET")?;
        let members = self.set_members(block, space, false)?;
        space.element_sets.entry(name).or_default().extend(members);
        Ok(())
    }

    /// All nodes of the elements of a set.
    pub(super) fn nodes_of_elements(&self, block: &Block, space: &Space, name: &str) -> Result<Vec<Member>> {
        let elements = self.members(space, name, false);
        let elements = elements.ok_or_else(|| block.problem(format!("there is no element set {name}")))?;
        let mut nodes: Vec<Member> = Vec::new();
        for (inner, id) in elements {
            let of = inner.map_or(space, |index| &self.spaces[index]);
            nodes.extend(of.element(id).into_iter().flat_map(|e| e.nodes.iter().map(|node| (inner, *node))));
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    pub(super) fn surface(&mut self, block: &Block, space: &mut Space) -> Result<()> {
        let name = block.needed("NAME")?;
        let of_nodes = block.word("TYPE") == "NODE";
        let mut found: Vec<Member> = Vec::new();
        for line in self.files.rows[block.data.0..block.data.1].iter().map(|row| self.files.line(*row)) {
            let values = fields(&line);
            let Some(word) = values.first().map(|word| text(word)) else { continue };
            if of_nodes {
                match self.members(space, &word, true) {
                    Some(nodes) => found.extend(nodes),
                    None => self.draft.error(line.span(), format!("there is no node set {word} up to here")),
                }
                continue;
            }
            let Some(elements) = self.members(space, &word, false) else {
                self.draft.error(line.span(), format!("there is no element set {word} up to here"));
                continue;
            };
            let side = values.get(1).map(|word| text(word).to_uppercase()).unwrap_or_default();
            for (inner, id) in elements {
                let of = inner.map_or(&*space, |index| &self.spaces[index]);
                let Some(element) = of.element(id) else { continue };
                match nodes_on(element, &side) {
                    Some(nodes) => found.extend(nodes.into_iter().map(|node| (inner, node))),
                    None => {
                        let message = format!("element {id} has no face `{side}`");
                        let hint = "faces of solids are S1 to S6, those of shells SPOS and SNEG";
                        self.draft.report(Diagnostic::error(message).at(line.span()).hint(hint));
                        break;
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        space.surfaces.insert(name, (block.at, found));
        Ok(())
    }
}

/// Nodes of an element on one of its sides, mid-side nodes included.
fn nodes_on(element: &Element, side: &str) -> Option<Vec<u32>> {
    match element.kind {
        Kind::Solid(solid) => {
            let corners = face(solid, side.strip_prefix('S')?.parse().ok()?)?;
            let mut nodes: Vec<u32> = corners.iter().map(|corner| element.nodes[*corner]).collect();
            if solid.node_count() > solid.corner_count() {
                let on = |edge: &[usize; 2]| corners.contains(&edge[0]) && corners.contains(&edge[1]);
                let edges = Shape::Solid(solid).edges().iter().enumerate().filter(|(_, edge)| on(edge));
                nodes.extend(edges.map(|(k, _)| element.nodes[solid.corner_count() + k]));
            }
            Some(nodes)
        }
        Kind::Shell(_) | Kind::Rigid(_) | Kind::Surface(_) | Kind::Plane(_)
            if matches!(side, "SPOS" | "SNEG" | "") =>
        {
            Some(element.nodes.clone())
        }
        _ => None,
    }
}
