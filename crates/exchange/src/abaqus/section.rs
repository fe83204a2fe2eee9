//! Sections: PSOLID, PROD, PSHELL, PBARL and PBAR. A section's number is that of its keyword in the file.

use pliant_diag::Diagnostic;

use super::block::{Block, fields};
use super::element_type::Kind;
use super::space::Space;
use super::{Model, Result};
use crate::input::real;
use crate::sheet::{Field, fields as card_fields};

impl Model<'_> {
    /// Notes the section of the elements of a set.
    pub(super) fn assign_section(&mut self, row: usize, space: &mut Space) -> Result<()> {
        let block = &self.blocks[row];
        let name = block.needed("ELSET")?;
        let elements = self.members(space, &name, false);
        let elements =
            elements.ok_or_else(|| block.problem(format!("there is no element set {name} up to here")))?;
        let (mut fits, mut plane) = (true, false);
        for (inner, id) in elements {
            if let (None, Some(element)) = (inner, space.element_rows.get(&id)) {
                let element = &mut space.elements[*element];
                fits &= match element.kind {
                    Kind::Solid(_) | Kind::Truss => block.name == "SOLID SECTION",
                    Kind::Shell(_) => block.name.starts_with("SHELL"),
                    Kind::Beam => block.name.starts_with("BEAM"),
                    Kind::Plane(_) => {
                        plane = true;
                        true
                    }
                    _ => true,
                };
                element.section = Some(row);
            }
        }
        if plane {
            return Err(block.problem("a link is three-dimensional: plane elements cannot be used"));
        }
        if fits { Ok(()) } else { Err(block.problem(format!("set {name} has elements of another family"))) }
    }

    pub(super) fn write_sections(&mut self) {
        let mut used: Vec<(usize, Vec<Kind>)> = Vec::new();
        for element in self.spaces.iter().flat_map(|space| &space.elements) {
            if let Some(row) = element.section {
                match used.iter_mut().rev().find(|(known, _)| *known == row) {
                    Some((_, kinds)) if kinds.contains(&element.kind) => {}
                    Some((_, kinds)) => kinds.push(element.kind),
                    None => used.push((row, vec![element.kind])),
                }
            }
        }
        used.sort_by_key(|(row, _)| *row);
        for (row, kinds) in used {
            if let Err(problem) = self.write_section(row, &kinds) {
                self.draft.report(*problem);
            }
        }
    }

    fn write_section(&mut self, row: usize, kinds: &[Kind]) -> Result<()> {
        let block = &self.blocks[row];
        let id = row as u32 + 1;
        let set = block.needed("ELSET")?;
        self.draft.property_names.insert(id, (block.at, set));
        match block.name.as_str() {
            "SOLID SECTION" => {
                let material = self.material(block)?;
                if block.parameter("COMPOSITE").is_some() {
                    return Err(block.problem("layered solids are not translated"));
                }
                if kinds.iter().any(|kind| matches!(kind, Kind::Solid(_))) {
                    self.card(block.at, "PSOLID", card_fields![id, material].to_vec());
                }
                if kinds.contains(&Kind::Truss) {
                    let area = self.numbers(block, 0)?.first().copied().unwrap_or(1.0);
                    self.card(block.at, "PROD", card_fields![id, material, area].to_vec());
                }
            }
            "SHELL SECTION" | "SHELL GENERAL SECTION" => {
                for refused in ["COMPOSITE", "NODAL THICKNESS", "SHELL THICKNESS", "STACK DIRECTION"] {
                    if block.parameter(refused).is_some() {
                        return Err(block.problem(format!("{refused} is not translated")));
                    }
                }
                let material = self.material(block)?;
                let Some(thickness) = self.numbers(block, 0)?.first().copied() else {
                    return Err(block.problem("expected the thickness"));
                };
                // Bending 1 and shear 5/6 of a homogeneous plate are the defaults of PSHELL.
                let row = card_fields![id, material, thickness, material, Field::Blank, material];
                self.card(block.at, "PSHELL", row.to_vec());
            }
            "BEAM SECTION" => {
                let material = self.material(block)?;
                self.shape(block, id, material)?;
            }
            _ => self.general_beam(block, id)?,
        }
        Ok(())
    }

    /// The numbers of a data line; none where there is no such line.
    fn numbers(&self, block: &Block, row: usize) -> Result<Vec<f64>> {
        let Some(line) = self.lines(block).nth(row) else { return Ok(Vec::new()) };
        let words = fields(&line);
        let read = |word: &&[u8]| if word.is_empty() { Some(0.0) } else { real(word) };
        let values: Option<Vec<f64>> = words.iter().map(read).collect();
        values.ok_or_else(|| Box::new(Diagnostic::error("expected numbers").at(line.span())))
    }

    /// PBARL. The first direction n1 of the section is y of the element, the second one z: of Abaqus' RECT, a
    /// lies along n1 and b along n2, while BAR has first the width along z, then the height along y.
    fn shape(&mut self, block: &Block, id: u32, material: u32) -> Result<()> {
        let kind = block.needed("SECTION")?;
        let d = self.numbers(block, 0)?;
        let (name, dimensions) = match (kind.as_str(), &d[..]) {
            ("RECT", [a, b, ..]) => ("BAR", vec![*b, *a]),
            ("CIRC", [r, ..]) => ("ROD", vec![*r]),
            ("PIPE" | "THICK PIPE", [r, t, ..]) => ("TUBE", vec![*r, r - t]),
            ("BOX", [a, b, t1, t2, t3, t4]) if t1 == t3 && t2 == t4 => ("BOX", vec![*b, *a, *t1, *t2]),
            ("BOX", [_, _, _, _, _, _]) => {
                return Err(block.problem("a box whose opposite walls differ is not translated"));
            }
            ("RECT" | "CIRC" | "PIPE" | "THICK PIPE" | "BOX", _) => {
                return Err(block.problem(format!("section {kind} has too few dimensions")));
            }
            _ => {
                let problem = block.problem(format!("section {kind} is not translated"));
                return Err(Box::new(
                    problem.hint("RECT, CIRC, PIPE and BOX are, and *BEAM GENERAL SECTION"),
                ));
            }
        };
        let mut row = card_fields![id, material, Field::Blank, name].to_vec();
        row.resize(8, Field::Blank);
        row.extend(dimensions.into_iter().map(Field::Real));
        self.card(block.at, "PBARL", row);
        Ok(())
    }

    /// A, I11, I12, I22, J; n1; E, G. I11 = ∫ x₂² dA is the moment about n1, so that I1 of PBAR, which bends
    /// in the plane of y = n1, is I22.
    fn general_beam(&mut self, block: &Block, id: u32) -> Result<()> {
        let elastic = self.numbers(block, 2)?;
        let [e, g, ..] = elastic[..] else {
            return Err(block.problem("expected E and G on the third data line"));
        };
        let density = block.parameter("DENSITY").and_then(|text| real(text.as_bytes()));
        let material = self.own_material(block.at, e, g, density);
        let kind = block.word("SECTION");
        if !matches!(kind.as_str(), "" | "GENERAL") {
            return self.shape(block, id, material);
        }
        let values = self.numbers(block, 0)?;
        let [area, i11, i12, i22, j, ..] = values[..] else {
            return Err(block.problem("expected A, I11, I12, I22 and J on the first data line"));
        };
        if i12 != 0.0 {
            return Err(block.problem("a section whose axes are not its principal ones is not translated"));
        }
        self.card(block.at, "PBAR", card_fields![id, material, area, i22, i11, j].to_vec());
        Ok(())
    }

    /// n1 of a beam section: (0, 0, −1) when it is not given.
    pub(super) fn first_direction(&self, block: &Block) -> [f64; 3] {
        match self.numbers(block, 1).ok().as_deref() {
            Some([x, y, z, ..]) => [*x, *y, *z],
            _ => [0.0, 0.0, -1.0],
        }
    }

    /// From the grids to the middle surface: OFFSET is from the middle surface to the grids, in thicknesses.
    pub(super) fn shell_offset(&self, block: &Block) -> Option<f64> {
        let offset = match block.word("OFFSET").as_str() {
            "" => return None,
            "SPOS" => 0.5,
            "SNEG" => -0.5,
            number => real(number.as_bytes())?,
        };
        let thickness = self.numbers(block, 0).ok()?.first().copied()?;
        (offset != 0.0).then_some(-offset * thickness)
    }
}
