//! Abaqus and CalculiX `.inp` (Abaqus Keywords Guide): parts, instances, sections, materials, sets, couplings.
//!
//! The keywords are read twice: once for nodes, elements, sets and surfaces of every part and instance, and
//! once, when all of them are known, for what joins and holds them ([`constraint`]) and what they are made of
//! ([`section`]).

mod block;
mod constraint;
mod element_type;
mod material;
mod section;
mod space;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use pliant_diag::{Diagnostic, FileId, Span};

use crate::Translation;
use crate::draft::{Detail, Draft, Node};
use crate::input::{id, real, text};
use crate::shape::{Order, Shape, bulk_slots};
use block::{Block, Files, fields};
use element_type::{Kind, face, kind};
use space::{Element, Member, Motion, Space};

pub(crate) fn translate(
    path: &Path,
    bytes: Vec<u8>,
    first: FileId,
    load: &mut dyn FnMut(&Path) -> io::Result<Vec<u8>>,
) -> Translation {
    let mut draft = Draft::default();
    let files = Files::read(path, bytes, first, load, &mut draft);
    let blocks = files.blocks(&mut draft);
    let mut model = Model {
        files: &files,
        blocks: &blocks,
        draft,
        spaces: vec![Space::default()],
        parts: HashMap::new(),
        copies: 1_000_000 + 32 * files.rows.len(),
        instanced: Vec::new(),
        current: Current::Model,
        materials: Vec::new(),
        unused: BTreeMap::new(),
        steps: 0,
        cards: Vec::new(),
        next_element: 1,
    };
    for row in 0..blocks.len() {
        if let Err(problem) = model.block(row) {
            model.draft.report(*problem);
        }
    }
    model.finish();
    let draft = model.draft;
    draft.finish(files.files)
}

/// Whose nodes and elements are read.
#[derive(Clone, Debug, PartialEq)]
enum Current {
    Model,
    Part(String),
    Instance(usize),
}

/// A card that is written behind the case control.
struct Card {
    at: Span,
    name: &'static str,
    fields: Vec<crate::sheet::Field>,
}

struct Model<'a> {
    files: &'a Files,
    blocks: &'a [Block],
    draft: Draft,
    /// The model itself, then the instances.
    spaces: Vec<Space>,
    parts: HashMap<String, Space>,
    /// How many more nodes and elements instances may copy: in proportion to the file.
    copies: usize,
    /// Parts that have an instance.
    instanced: Vec<String>,
    current: Current,
    materials: Vec<material::Material>,
    /// Keywords without effect: how often, and the first.
    unused: BTreeMap<String, (usize, Span)>,
    steps: usize,
    cards: Vec<Card>,
    /// The lowest number that no element has.
    next_element: u32,
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Keywords that join or change the structure in a way that is not translated, each with what to do.
const REFUSED: &[(&str, &str)] = &[
    ("TIE", "merge the nodes of the two meshes, or join them with *COUPLING"),
    ("CONTACT PAIR", "a link is linear: merge the nodes of parts that stay in contact"),
    ("CONTACT", "a link is linear: merge the nodes of parts that stay in contact"),
    ("EMBEDDED ELEMENT", "mesh the two bodies with common nodes"),
    ("SHELL TO SOLID COUPLING", "use *COUPLING with *KINEMATIC"),
    ("CONNECTOR SECTION", "put connectors into the pipeline file as joints or force elements"),
    ("SPRING", "put springs into the pipeline file as force elements"),
    ("DASHPOT", "put dampers into the pipeline file as force elements"),
    ("MEMBRANE SECTION", "use shells"),
    ("COHESIVE SECTION", "merge the nodes of the glued parts"),
    ("GASKET SECTION", "use solids"),
    ("NONSTRUCTURAL MASS", "use *MASS, or add the mass to the density"),
    ("TRANSFORM", "give constraints in global directions"),
    ("SYSTEM", "give coordinates in the global system"),
    ("SUBSTRUCTURE PROPERTY", "reduced matrices are read from DMIG or OP4"),
    ("MATRIX INPUT", "reduced matrices are read from DMIG or OP4"),
    ("PRE-TENSION SECTION", "a link is linear: leave the section out"),
    ("FASTENER", "use *COUPLING or *MPC"),
    ("NGEN", "let the preprocessor write all nodes"),
    ("NFILL", "let the preprocessor write all nodes"),
    ("NCOPY", "let the preprocessor write all nodes"),
    ("NMAP", "let the preprocessor write all nodes"),
    ("ELGEN", "let the preprocessor write all elements"),
    ("ELCOPY", "let the preprocessor write all elements"),
    ("CYCLIC SYMMETRY MODEL", "mesh the complete body"),
    ("MODEL CHANGE", "leave the elements out of the file"),
];

impl Model<'_> {
    /// The first reading of a block.
    fn block(&mut self, row: usize) -> Result<()> {
        let block = &self.blocks[row];
        match block.name.as_str() {
            "PART" => {
                let name = block.needed("NAME")?;
                self.parts.insert(name.clone(), Space { name: name.clone(), ..Space::default() });
                self.current = Current::Part(name);
            }
            "INSTANCE" => self.instance(block)?,
            "END PART" | "END INSTANCE" | "ASSEMBLY" | "END ASSEMBLY" => self.current = Current::Model,
            "NODE" => self.with_space(|model, space| model.nodes(block, space)),
            "ELEMENT" => self.try_with_space(|model, space| model.elements(row, space))?,
            "NSET" => self.try_with_space(|model, space| model.node_set(block, space))?,
            "ELSET" => self.try_with_space(|model, space| model.element_set(block, space))?,
            "SURFACE" => self.try_with_space(|model, space| model.surface(block, space))?,
            "SOLID SECTION"
            | "SHELL SECTION"
            | "SHELL GENERAL SECTION"
            | "BEAM SECTION"
            | "BEAM GENERAL SECTION" => {
                self.try_with_space(|model, space| model.assign_section(row, space))?;
            }
            "MASS" | "ROTARY INERTIA" | "EQUATION" | "MPC" | "COUPLING" | "RIGID BODY" | "BOUNDARY"
            | "CLOAD" => {
                if self.steps > 1 {
                    self.unused.entry(format!("{} of later steps", block.name)).or_insert((0, block.at)).0 +=
                        1;
                } else {
                    self.with_space(|_, space| space.later.push(row));
                }
            }
            "KINEMATIC" | "DISTRIBUTING" | "HEADING" | "END STEP" | "INCLUDE" => {}
            "STEP" => self.steps += 1,
            "MATERIAL" => self.new_material(block)?,
            "ELASTIC" | "DENSITY" | "EXPANSION" => self.material_data(block)?,
            name => {
                if let Some((_, hint)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                    let problem = block.problem("changes the structure in a way that is not translated");
                    return Err(Box::new(problem.hint(*hint)));
                }
                self.unused.entry(name.to_owned()).or_insert((0, block.at)).0 += 1;
            }
        }
        Ok(())
    }

    /// Reads into the space of the part, instance or model that is open.
    fn with_space<T>(&mut self, read: impl FnOnce(&mut Self, &mut Space) -> T) -> T {
        let mut space = match &self.current {
            Current::Model => std::mem::take(&mut self.spaces[0]),
            Current::Instance(index) => std::mem::take(&mut self.spaces[*index]),
            Current::Part(name) => self.parts.remove(name).unwrap_or_default(),
        };
        let result = read(self, &mut space);
        match &self.current {
            Current::Model => self.spaces[0] = space,
            Current::Instance(index) => self.spaces[*index] = space,
            Current::Part(name) => {
                self.parts.insert(name.clone(), space);
            }
        }
        result
    }

    fn try_with_space(&mut self, read: impl FnOnce(&mut Self, &mut Space) -> Result<()>) -> Result<()> {
        self.with_space(read)
    }

    fn instance(&mut self, block: &Block) -> Result<()> {
        let (name, part) = (block.needed("NAME")?, block.needed("PART")?);
        let Some(template) = self.parts.get(&part) else {
            return Err(block.problem(format!("there is no part {part}")));
        };
        let mut space = Space { name: name.clone(), ..template.clone() };
        self.instanced.push(part.clone());
        // A line of a few bytes makes a copy of the entire part.
        let size = space.nodes.len() + space.elements.len();
        match self.copies.checked_sub(size) {
            Some(left) => self.copies = left,
            None => {
                let message = format!("this instance of {part} makes the assembly far larger than its file");
                return Err(Box::new(
                    block.problem(message).hint("write the mesh of each instance by itself"),
                ));
            }
        }
        let mut rows = Vec::new();
        for line in self.lines(block) {
            let row: Option<Vec<f64>> = fields(&line).into_iter().map(real).collect();
            rows.push(row.ok_or_else(|| {
                Box::new(Diagnostic::error("expected numbers of a translation or a rotation").at(line.span()))
            })?);
        }
        if !rows.is_empty() {
            let motion = Motion::of(&rows).ok_or_else(|| {
                block.problem("expected a translation (3 numbers), then two points and an angle (7 numbers)")
            })?;
            for node in &mut space.nodes {
                node.position = motion.apply(node.position);
            }
        }
        if self.spaces.iter().any(|known| known.name == name) {
            return Err(block.problem(format!("there are two instances {name}")));
        }
        self.spaces.push(space);
        self.current = Current::Instance(self.spaces.len() - 1);
        Ok(())
    }

    /// The data lines of a block.
    fn lines(&self, block: &Block) -> impl Iterator<Item = crate::input::Line<'_>> + use<'_> {
        let files = self.files;
        files.rows[block.data.0..block.data.1].iter().map(move |row| files.line(*row))
    }

    fn nodes(&mut self, block: &Block, space: &mut Space) {
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

    fn elements(&mut self, row: usize, space: &mut Space) -> Result<()> {
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

    /// The index of an instance.
    fn space_named(&self, name: &str) -> Option<usize> {
        self.spaces.iter().position(|space| !space.name.is_empty() && space.name == name)
    }

    /// Nodes or elements by a number, a set, or either with an instance before it.
    fn members(&self, space: &Space, word: &str, nodes: bool) -> Option<Vec<Member>> {
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
    fn set_members(&mut self, block: &Block, space: &Space, nodes: bool) -> Result<Vec<Member>> {
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

    fn node_set(&mut self, block: &Block, space: &mut Space) -> Result<()> {
        let name = block.needed("NSET")?;
        let mut members = self.set_members(block, space, true)?;
        if let Some(elements) = block.parameter("ELSET") {
            members.extend(self.nodes_of_elements(block, space, &elements.to_uppercase())?);
        }
        space.node_sets.entry(name).or_insert((block.at, Vec::new())).1.extend(members);
        Ok(())
    }

    fn element_set(&mut self, block: &Block, space: &mut Space) -> Result<()> {
        let name = block.needed("ELSET")?;
        let members = self.set_members(block, space, false)?;
        space.element_sets.entry(name).or_default().extend(members);
        Ok(())
    }

    /// All nodes of the elements of a set.
    fn nodes_of_elements(&self, block: &Block, space: &Space, name: &str) -> Result<Vec<Member>> {
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

    fn surface(&mut self, block: &Block, space: &mut Space) -> Result<()> {
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

    /// The number that a member has in the link.
    fn number(&self, space: usize, (inner, id): Member) -> u32 {
        self.spaces[inner.unwrap_or(space)].shift.saturating_add(id)
    }

    /// Shifts the numbers of instances that others have already.
    fn shift_instances(&mut self) {
        let mut taken = [std::collections::HashSet::new(), std::collections::HashSet::new()];
        for index in 0..self.spaces.len() {
            let space = &self.spaces[index];
            let own = [
                space.nodes.iter().map(|node| node.id).collect::<Vec<_>>(),
                space.elements.iter().map(|element| element.id).collect(),
            ];
            let meets = own.iter().zip(&taken).any(|(own, taken)| own.iter().any(|id| taken.contains(id)));
            let highest = taken.iter().flatten().copied().max().unwrap_or(0);
            let mut shift = 0;
            if meets {
                let most = own.iter().flatten().copied().max().unwrap_or(0);
                let step = 10_u32.saturating_pow(most.checked_ilog10().unwrap_or(0) + 1);
                shift = (highest / step + 1).saturating_mul(step);
                let message =
                    format!("nodes and elements of instance {} are numbered from {shift} on", space.name);
                let at = space.nodes.first().map(|node| node.at);
                self.draft.report(Diagnostic::note(message).at(at));
            }
            self.spaces[index].shift = shift;
            for (own, taken) in own.iter().zip(&mut taken) {
                taken.extend(own.iter().map(|id| id.saturating_add(shift)));
            }
        }
        let highest = taken[1].iter().copied().max().unwrap_or(0);
        self.next_element = highest.saturating_add(1);
    }

    /// The second reading: everything is known.
    fn finish(&mut self) {
        let mut idle: Vec<(&String, Option<Span>)> = self
            .parts
            .iter()
            .filter(|(name, _)| !self.instanced.contains(name))
            .map(|(name, part)| (name, part.nodes.first().map(|node| node.at)))
            .collect();
        idle.sort();
        let idle: Vec<Diagnostic> = idle
            .into_iter()
            .map(|(name, at)| {
                let message = format!("part {name} has no *INSTANCE in the *ASSEMBLY: it is not in the link");
                let severity = if self.instanced.is_empty() {
                    pliant_diag::Severity::Error
                } else {
                    pliant_diag::Severity::Warning
                };
                Diagnostic::new(severity, message).at(at)
            })
            .collect();
        idle.into_iter().for_each(|problem| self.draft.report(problem));
        self.shift_instances();
        self.write_materials();
        self.write_sections();
        for index in 0..self.spaces.len() {
            for row in self.spaces[index].later.clone() {
                if let Err(problem) = self.later(index, row) {
                    self.draft.report(*problem);
                }
            }
        }
        for index in 0..self.spaces.len() {
            self.take_over(index);
        }
        self.drop_boundaries();
        self.write_cards();
        let listed: Vec<String> = self
            .unused
            .iter()
            .map(|(name, (count, _))| match count {
                1 => format!("*{name}"),
                _ => format!("*{name} ({count} times)"),
            })
            .collect();
        if let Some((_, at)) = self.unused.values().next() {
            let message = format!("keywords without effect on the link: {}", listed.join(", "));
            self.draft.report(Diagnostic::note(message).at(*at));
        }
    }

    /// Nodes, elements and sets of a space.
    fn take_over(&mut self, index: usize) {
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
    fn bare_property(&mut self, row: usize) -> u32 {
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
    fn drop_boundaries(&mut self) {
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

    fn detail(&self, section: usize, kind: Kind) -> Detail {
        let block = &self.blocks[section];
        match kind {
            Kind::Truss => Detail::Rod,
            Kind::Beam => Detail::Towards(self.first_direction(block)),
            Kind::Shell(_) => self.shell_offset(block).map_or(Detail::None, Detail::Offset),
            _ => Detail::None,
        }
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
