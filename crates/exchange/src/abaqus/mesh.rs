//! Nodes and elements: as they are read, and as they go to bulk data.

use pliant_diag::{Diagnostic, Span};

use super::block::fields;
use super::element_type::{Kind, kind};
use super::space::{Element, Space};
use super::{Block, Model, Result};
use crate::draft::{Detail, Node};
use crate::input::{id, real};
use crate::shape::{Order, bulk_slots};

impl Model<'_> {
    pub(super) fn nodes(&mut self, block: &Block, space: &mut Space) {
        let system = block.word("SYSTEM");
        let mut read = Vec::new();
        for line in self.files.rows[block.data.0..block.data.1].iter().map(|row| self.files.line(*row)) {
            let values = fields(&line);
            let number = values.first().copied().and_then(id);
            let mut x = [0.0; 3];
            let mut good = number.is_some();
            for (x, word) in x.iter_mut().zip(values.iter().skip(1)) {
                match real(word) {
                    Some(value) => *x = value,
                    // A coordinate that is left out is zero.
                    None => good &= word.is_empty(),
                }
            }
            match number {
                Some(number) if good => {
                    if system == "C" {
                        let (sin, cos) = x[1].to_radians().sin_cos();
                        x = [x[0] * cos, x[0] * sin, x[2]];
                    }
                    space.nodes.push(Node { id: number, position: x, at: line.span() });
                    read.push((None, number));
                }
                _ => self.draft.error(line.span(), "expected the number of a node and its coordinates"),
            }
        }
        if system == "S" {
            self.draft.report(*block.problem("spherical coordinates are not translated"));
        }
        if let Some(name) = block.parameter("NSET") {
            space.node_sets.entry(name.to_uppercase()).or_insert((block.at, Vec::new())).1.extend(read);
        }
    }

    pub(super) fn elements(&mut self, row: usize, space: &mut Space) -> Result<()> {
        let block = &self.blocks[row];
        let name = block.needed("TYPE")?;
        let kind = kind(&name).map_err(|why| {
            Box::new(block.problem(format!("elements of type {name} cannot be used")).hint(why))
        })?;
        let mut read = Vec::new();
        let mut numbers: Vec<u32> = Vec::new();
        let mut start: Option<Span> = None;
        let wanted = 1 + kind.node_count();
        for line in self.files.rows[block.data.0..block.data.1].iter().map(|row| self.files.line(*row)) {
            let at = *start.get_or_insert(line.span());
            let before = numbers.len();
            let values = fields(&line);
            numbers.extend(values.iter().filter_map(|word| id(word)));
            if numbers.len() != before + values.len() || numbers.len() > wanted {
                let message = format!("expected the number of an element and its {} nodes", wanted - 1);
                self.draft.error(line.span(), message);
                (start, numbers) = (None, Vec::new());
                continue;
            }
            if numbers.len() < wanted {
                continue;
            }
            let mut nodes = numbers[1..].to_vec();
            if let Some(shape) = kind.shape() {
                for (node, slot) in numbers[1..].iter().zip(bulk_slots(shape, Order::Rings)) {
                    nodes[slot] = *node;
                }
            }
            space.element_rows.insert(numbers[0], space.elements.len());
            space.elements.push(Element { id: numbers[0], kind, nodes, at, section: None, given: row });
            read.push((None, numbers[0]));
            (start, numbers) = (None, Vec::new());
        }
        if let Some(at) = start {
            self.draft.error(at, format!("expected the number of an element and its {} nodes", wanted - 1));
        }
        if matches!(kind, Kind::Surface(_)) {
            let message = format!("elements of type {name} have neither stiffness nor mass and are left out");
            self.draft.report(Diagnostic::note(message).at(block.at));
        }
        if let Some(name) = block.parameter("ELSET") {
            space.element_sets.entry(name.to_uppercase()).or_default().extend(read);
        }
        Ok(())
    }

    /// Nodes, elements and sets of a space.
    pub(super) fn take_over(&mut self, index: usize) {
        let space = std::mem::take(&mut self.spaces[index]);
        let shift = space.shift;
        for node in &space.nodes {
            self.draft.nodes.push(Node { id: node.id.saturating_add(shift), ..*node });
        }
        for element in &space.elements {
            let Some(shape) = element.kind.shape() else { continue };
            let nodes = element.nodes.iter().map(|node| node.saturating_add(shift));
            let property = match element.section {
                Some(section) => section as u32 + 1,
                None => self.bare_property(element.given),
            };
            self.draft.element(element.id.saturating_add(shift), shape, nodes, property, element.at);
            let detail = match element.section {
                Some(section) => self.detail(section, element.kind),
                None => Detail::Bare { plane: matches!(element.kind, Kind::Plane(_)) },
            };
            if let Some(last) = self.draft.elements.last_mut() {
                last.detail = detail;
            }
        }
        let prefix = if space.name.is_empty() { String::new() } else { format!("{}.", space.name) };
        let sets: Vec<_> = space.node_sets.iter().chain(&space.surfaces).collect();
        let mut named = Vec::new();
        for (name, (at, members)) in sets {
            let numbers: Vec<u32> = members
                .iter()
                .map(|(inner, id)| inner.map_or(shift, |k| self.spaces[k].shift).saturating_add(*id))
                .collect();
            named.push((format!("{prefix}{name}"), *at, numbers));
        }
        for (name, at, numbers) in named {
            self.draft.add_to_set(&name, at, numbers);
        }
        self.spaces[index] = Space { name: space.name, shift, ..Space::default() };
    }

    /// The number of a property that the file does not have: that of the element set, which names it.
    pub(super) fn bare_property(&mut self, row: usize) -> u32 {
        let block = &self.blocks[row];
        let name = block.word("ELSET");
        let known =
            self.draft.property_names.iter().find(|(_, (_, known))| !name.is_empty() && *known == name);
        let id = known.map_or(row as u32 + 1, |(id, _)| *id);
        if known.is_none() && !name.is_empty() {
            self.draft.property_names.insert(id, (block.at, name));
        }
        id
    }

    /// Takes out elements without section that lie on edges or faces of others.
    pub(super) fn drop_boundaries(&mut self) {
        let bare = |detail: Detail| matches!(detail, Detail::Bare { .. });
        if !self.draft.elements.iter().any(|element| bare(element.detail)) {
            return;
        }
        let on_others = self.draft.on_others();
        let mut dropped = 0;
        let mut plane = None;
        let mut flags = on_others.iter();
        let elements = &mut self.draft.elements;
        elements.retain(|element| {
            let drop = *flags.next().unwrap_or(&false) && bare(element.detail);
            dropped += usize::from(drop);
            if !drop && element.detail == (Detail::Bare { plane: true }) {
                plane.get_or_insert(element.at);
            }
            !drop
        });
        if let (true, Some(first)) = (dropped > 0, self.blocks.first()) {
            let message = format!("{dropped} elements lie on edges or faces of others: they only make sets");
            self.draft.report(Diagnostic::note(message).at(first.at));
        }
        if let Some(at) = plane {
            let message = "a link is three-dimensional: plane elements cannot be used";
            self.draft.error(at, message);
        }
    }

    pub(super) fn detail(&self, section: usize, kind: Kind) -> Detail {
        let block = &self.blocks[section];
        match kind {
            Kind::Truss => Detail::Rod,
            Kind::Beam => Detail::Towards(self.first_direction(block)),
            Kind::Shell(_) => self.shell_offset(block).map_or(Detail::None, Detail::Offset),
            _ => Detail::None,
        }
    }
}
