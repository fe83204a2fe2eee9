//! What joins, holds and loads the nodes: masses, equations, couplings, rigid bodies, supports, forces.

use pliant_diag::{Diagnostic, Span};

use super::block::{Block, fields};
use super::element_type::Kind;
use super::{Model, Result};
use crate::input::{id, real, text};
use crate::sheet::{Field, fields as card_fields};

impl Model<'_> {
    /// The second reading of a block.
    pub(super) fn later(&mut self, space: usize, row: usize) -> Result<()> {
        let block = &self.blocks[row];
        match block.name.as_str() {
            "MASS" => self.mass(space, block),
            "ROTARY INERTIA" => self.rotary_inertia(space, block),
            "EQUATION" => self.equation(space, block),
            "MPC" => self.mpc(space, block),
            "COUPLING" => self.coupling(space, row),
            "RIGID BODY" => self.rigid_body(space, block),
            "BOUNDARY" => self.boundary(space, block),
            _ => self.force(space, block),
        }
    }

    /// The numbers of nodes by a number or a set.
    fn node_numbers(&self, space: usize, word: &str, at: Span) -> Result<Vec<u32>> {
        let found = self.members(&self.spaces[space], word, true);
        let found = found.or_else(|| self.members(&self.spaces[0], word, true));
        match found {
            Some(members) => Ok(members.into_iter().map(|member| self.number(space, member)).collect()),
            None => Err(Box::new(Diagnostic::error(format!("there is no node or node set {word}")).at(at))),
        }
    }

    /// The only node of a number or a set.
    fn one_node(&self, space: usize, word: &str, at: Span) -> Result<u32> {
        match self.node_numbers(space, word, at)?[..] {
            [node] => Ok(node),
            ref nodes => {
                let message = format!("expected one node, found {} in {word}", nodes.len());
                Err(Box::new(Diagnostic::error(message).at(at)))
            }
        }
    }

    /// The data lines as words.
    fn texts(&self, block: &Block) -> Vec<(Span, Vec<String>)> {
        self.lines(block).map(|line| (line.span(), fields(&line).into_iter().map(text).collect())).collect()
    }

    fn new_element(&mut self) -> u32 {
        let id = self.next_element;
        self.next_element = id.saturating_add(1);
        id
    }

    /// Elements of a set as number, node and location, of one kind only.
    fn point_elements(&self, space: usize, block: &Block, kind: Kind) -> Result<Vec<(u32, u32, Span)>> {
        let name = block.needed("ELSET")?;
        let elements = self.members(&self.spaces[space], &name, false);
        let elements = elements.ok_or_else(|| block.problem(format!("there is no element set {name}")))?;
        let mut found = Vec::new();
        for member in elements {
            let of = &self.spaces[member.0.unwrap_or(space)];
            match of.element(member.1) {
                Some(element) if element.kind == kind => {
                    let node = element.nodes[0].saturating_add(of.shift);
                    found.push((self.number(space, member), node, element.at));
                }
                _ => return Err(block.problem(format!("set {name} has elements of another type"))),
            }
        }
        Ok(found)
    }

    fn first_numbers(&self, block: &Block) -> Result<Vec<f64>> {
        let Some(line) = self.lines(block).next() else { return Err(block.problem("there is no data line")) };
        let values: Option<Vec<f64>> = fields(&line).into_iter().map(real).collect();
        values
            .filter(|values| !values.is_empty())
            .ok_or_else(|| Box::new(Diagnostic::error("expected numbers").at(line.span())))
    }

    fn mass(&mut self, space: usize, block: &Block) -> Result<()> {
        let mass = self.first_numbers(block)?[0];
        for (id, node, at) in self.point_elements(space, block, Kind::Mass)? {
            self.card(at, "CONM2", card_fields![id, node, Field::Blank, mass].to_vec());
        }
        Ok(())
    }

    /// I11, I22, I33; products of inertia are refused, because their sign is not agreed on.
    fn rotary_inertia(&mut self, space: usize, block: &Block) -> Result<()> {
        let values = self.first_numbers(block)?;
        if values.iter().skip(3).any(|product| *product != 0.0) {
            return Err(block.problem("products of inertia are not translated: give a CONM2 in bulk data"));
        }
        let of = |k: usize| values.get(k).copied().unwrap_or(0.0);
        for (id, node, at) in self.point_elements(space, block, Kind::RotaryInertia)? {
            let mut row = card_fields![id, node, Field::Blank, 0.0].to_vec();
            row.resize(8, Field::Blank);
            row.extend([of(0), 0.0, of(1), 0.0, 0.0, of(2)].map(Field::Real));
            self.card(at, "CONM2", row);
        }
        Ok(())
    }

    /// Σ aᵢ uᵢ = 0; the first degree of freedom is eliminated.
    fn equation(&mut self, space: usize, block: &Block) -> Result<()> {
        let rows = self.texts(block);
        let mut rows = rows.into_iter();
        while let Some((at, head)) = rows.next() {
            let Some(count) =
                head.first().and_then(|word| word.parse::<usize>().ok()).filter(|count| *count > 1)
            else {
                return Err(Box::new(Diagnostic::error("expected the number of terms, at least 2").at(at)));
            };
            let mut words: Vec<String> = Vec::new();
            while words.len() / 3 < count {
                let Some((_, more)) = rows.next() else {
                    return Err(Box::new(Diagnostic::error(format!("expected {count} terms")).at(at)));
                };
                words.extend(more);
            }
            let mut terms = Vec::new();
            for term in words.chunks_exact(3).take(count) {
                let nodes = self.node_numbers(space, &term[0], at)?;
                let component = term[1].parse::<u32>().ok().filter(|c| (1..=6).contains(c));
                let (Some(component), Some(factor)) = (component, real(term[2].as_bytes())) else {
                    let message = "a term is a node, a component from 1 to 6 and a factor";
                    return Err(Box::new(Diagnostic::error(message).at(at)));
                };
                terms.push((nodes, component, factor));
            }
            // Sets stand for one equation for each of their nodes; a single node takes part in each.
            let many = terms.iter().map(|(nodes, ..)| nodes.len()).max().unwrap_or(0);
            if terms.iter().any(|(nodes, ..)| nodes.len() != many && nodes.len() != 1) {
                return Err(Box::new(Diagnostic::error("the sets have different numbers of nodes").at(at)));
            }
            for k in 0..many {
                let each =
                    terms.iter().map(|(nodes, c, factor)| (nodes[k.min(nodes.len() - 1)], *c, *factor));
                let each: Vec<_> = each.collect();
                self.write_mpc(at, &each);
            }
        }
        Ok(())
    }

    /// MPC: two terms on the first line, from field 2 of the next ones on again two each.
    fn write_mpc(&mut self, at: Span, terms: &[(u32, u32, f64)]) {
        let mut row = vec![Field::Integer(1)];
        for (k, (node, component, factor)) in terms.iter().enumerate() {
            if k > 0 && k % 2 == 0 {
                row.extend([Field::Blank, Field::Blank]);
            }
            row.extend(card_fields![*node, *component, *factor]);
        }
        self.card(at, "MPC", row);
    }

    fn mpc(&mut self, space: usize, block: &Block) -> Result<()> {
        let rows = self.texts(block);
        for (at, words) in rows {
            let [kind, a, b] = &words[..] else {
                return Err(Box::new(Diagnostic::error("expected a type and two nodes or node sets").at(at)));
            };
            let (a, b) = (self.node_numbers(space, a, at)?, self.node_numbers(space, b, at)?);
            if a.len() != b.len() && b.len() != 1 {
                return Err(Box::new(Diagnostic::error("the sets have different numbers of nodes").at(at)));
            }
            let components = match kind.to_uppercase().as_str() {
                "BEAM" => "123456",
                "PIN" => "123",
                other => {
                    let problem = Diagnostic::error(format!("type {other} of *MPC is not translated")).at(at);
                    return Err(Box::new(problem.hint("BEAM and PIN are; write others as *EQUATION")));
                }
            };
            for (k, dependent) in a.iter().enumerate() {
                let independent = b[k.min(b.len() - 1)];
                let id = self.new_element();
                let row = card_fields![id, independent, components, *dependent];
                self.card(at, "RBE2", row.to_vec());
            }
        }
        Ok(())
    }

    fn coupling(&mut self, space: usize, row: usize) -> Result<()> {
        let block = &self.blocks[row];
        if block.parameter("ORIENTATION").is_some() {
            return Err(block.problem("components in a system of their own are not translated"));
        }
        let reference = self.one_node(space, &block.needed("REF NODE")?, block.at)?;
        let surface = block.needed("SURFACE")?;
        let mut nodes = self.node_numbers(space, &surface, block.at)?;
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|node| *node != reference);
        if block.parameter("INFLUENCE RADIUS").is_some() {
            return Err(
                block.problem("INFLUENCE RADIUS is not translated: all nodes of the surface would be tied")
            );
        }
        let Some(kind) = self
            .blocks
            .get(row + 1)
            .filter(|next| matches!(next.name.as_str(), "KINEMATIC" | "DISTRIBUTING"))
        else {
            return Err(block.problem("expected *KINEMATIC or *DISTRIBUTING below it"));
        };
        let components = self.components(kind)?;
        let id = self.new_element();
        if kind.name == "KINEMATIC" {
            let mut row = card_fields![id, reference, components.as_str()].to_vec();
            row.extend(nodes.into_iter().map(Field::Integer));
            self.card(block.at, "RBE2", row);
        } else {
            if components != "123456" {
                return Err(kind.problem("a distributing coupling of some components is not translated"));
            }
            let mut row = card_fields![id, Field::Blank, reference, "123456", 1.0, "123"].to_vec();
            row.extend(nodes.into_iter().map(Field::Integer));
            self.card(block.at, "RBE3", row);
            let message =
                "the nodes of a distributing coupling get equal weights, not those of the areas around them";
            self.draft.report(Diagnostic::note(message).at(kind.at));
        }
        Ok(())
    }

    /// Ranges of components, one on each line; all when there is none.
    fn components(&self, block: &Block) -> Result<String> {
        let mut found = std::collections::BTreeSet::new();
        for line in self.lines(block) {
            let words = fields(&line);
            let first = words.first().and_then(|word| id(word));
            let last = words.get(1).and_then(|word| id(word)).or(first);
            match (first, last) {
                (Some(first), Some(last)) if first <= last && last <= 6 => found.extend(first..=last),
                _ => {
                    return Err(Box::new(
                        Diagnostic::error("expected components from 1 to 6").at(line.span()),
                    ));
                }
            }
        }
        if found.is_empty() {
            found.extend(1..=6);
        }
        Ok(found.iter().map(u32::to_string).collect())
    }

    fn rigid_body(&mut self, space: usize, block: &Block) -> Result<()> {
        let reference = self.one_node(space, &block.needed("REF NODE")?, block.at)?;
        if block.parameter("ISOTHERMAL").is_some() || block.word("POSITION") == "CENTER OF MASS" {
            return Err(block.problem("a reference node that moves to the centre of mass is not translated"));
        }
        let mut tied: Vec<(&str, Vec<u32>)> = Vec::new();
        if let Some(name) = block.parameter("ELSET") {
            let members = self.nodes_of_elements(block, &self.spaces[space], &name.to_uppercase())?;
            let nodes = members.into_iter().map(|member| self.number(space, member)).collect();
            tied.push(("123456", nodes));
        }
        for (parameter, components) in [("TIE NSET", "123456"), ("PIN NSET", "123")] {
            if let Some(name) = block.parameter(parameter) {
                tied.push((components, self.node_numbers(space, name, block.at)?));
            }
        }
        if tied.is_empty() {
            return Err(block.problem("expected ELSET, TIE NSET or PIN NSET"));
        }
        for (components, mut nodes) in tied {
            nodes.sort_unstable();
            nodes.dedup();
            nodes.retain(|node| *node != reference);
            let id = self.new_element();
            let mut row = card_fields![id, reference, components].to_vec();
            row.extend(nodes.into_iter().map(Field::Integer));
            self.card(block.at, "RBE2", row);
        }
        Ok(())
    }

    fn boundary(&mut self, space: usize, block: &Block) -> Result<()> {
        let rows = self.texts(block);
        for (at, words) in rows {
            let Some(name) = words.first() else { continue };
            let nodes = self.node_numbers(space, name, at)?;
            let kind = words.get(1).map(|word| word.to_uppercase()).unwrap_or_default();
            let components = match kind.as_str() {
                "ENCASTRE" => "123456".to_owned(),
                "PINNED" => "123".to_owned(),
                "XSYMM" => "156".to_owned(),
                "YSYMM" => "246".to_owned(),
                "ZSYMM" => "345".to_owned(),
                "XASYMM" => "234".to_owned(),
                "YASYMM" => "135".to_owned(),
                "ZASYMM" => "126".to_owned(),
                _ => {
                    let first = kind.parse::<u32>().ok();
                    let last = match words.get(2) {
                        Some(word) if !word.is_empty() => word.parse::<u32>().ok(),
                        _ => first,
                    };
                    match (first, last) {
                        (Some(first), Some(last))
                            if (1..=6).contains(&first) && first <= last && last <= 6 =>
                        {
                            (first..=last).map(|component| component.to_string()).collect()
                        }
                        _ => {
                            return Err(Box::new(
                                Diagnostic::error("expected components from 1 to 6").at(at),
                            ));
                        }
                    }
                }
            };
            if words.get(3).and_then(|word| real(word.as_bytes())).is_some_and(|value| value != 0.0) {
                return Err(Box::new(
                    Diagnostic::error("a prescribed displacement is not translated").at(at),
                ));
            }
            let mut row = card_fields![1, components.as_str()].to_vec();
            row.extend(nodes.into_iter().map(Field::Integer));
            self.card(at, "SPC1", row);
        }
        Ok(())
    }

    fn force(&mut self, space: usize, block: &Block) -> Result<()> {
        let rows = self.texts(block);
        for (at, words) in rows {
            let component =
                words.get(1).and_then(|word| word.parse::<usize>().ok()).filter(|c| (1..=6).contains(c));
            let value = words.get(2).and_then(|word| real(word.as_bytes()));
            let (Some(name), Some(component), Some(value)) = (words.first(), component, value) else {
                let message = "expected a node or node set, a component from 1 to 6 and a value";
                return Err(Box::new(Diagnostic::error(message).at(at)));
            };
            let mut direction = [0.0; 3];
            direction[(component - 1) % 3] = 1.0;
            let card = if component > 3 { "MOMENT" } else { "FORCE" };
            for node in self.node_numbers(space, name, at)? {
                let [x, y, z] = direction;
                self.card(at, card, card_fields![1, node, 0, value, x, y, z].to_vec());
            }
        }
        Ok(())
    }
}
