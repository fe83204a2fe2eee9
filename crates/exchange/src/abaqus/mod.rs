//! Abaqus and CalculiX `.inp` (Abaqus Keywords Guide): parts, instances, sections, materials, sets,
//! couplings.
//!
//! The keywords are read twice: once for nodes, elements, sets and surfaces of every part and instance, and
//! once, when all of them are known, for what joins and holds them ([`constraint`]) and what they are made of
//! ([`section`]).

mod block;
mod constraint;
mod element_type;
mod material;
mod mesh;
mod section;
mod set;
mod space;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use pliant_diag::{Diagnostic, FileId, Span};

use crate::Translation;
use crate::draft::Draft;
use crate::input::real;
use block::{Block, Files, fields};
use space::{Member, Motion, Space};

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
}
