//! *MATERIAL with *ELASTIC, *DENSITY and *EXPANSION: MAT1.

use pliant_diag::{Diagnostic, Span};

use super::block::{Block, fields};
use super::{Card, Model, Result};
use crate::input::real;
use crate::sheet::{Field, NameOf, fields as card_fields};

#[derive(Clone, Debug)]
pub(super) struct Material {
    /// In capitals.
    pub(super) name: String,
    pub(super) at: Span,
    /// Young's modulus and Poisson's ratio.
    elastic: Option<[f64; 2]>,
    density: Option<f64>,
    expansion: Option<f64>,
    /// Shear modulus of a general section, in place of Poisson's ratio.
    shear: Option<f64>,
}

impl Model<'_> {
    pub(super) fn new_material(&mut self, block: &Block) -> Result<()> {
        let name = block.needed("NAME")?;
        if let Some(known) = self.materials.iter().find(|known| known.name == name) {
            return Err(Box::new(
                block.problem(format!("there are two materials {name}")).related(known.at, "the first"),
            ));
        }
        self.materials.push(Material {
            name,
            at: block.at,
            elastic: None,
            density: None,
            expansion: None,
            shear: None,
        });
        Ok(())
    }

    /// A material that a general section brings with it; its number.
    pub(super) fn own_material(&mut self, at: Span, e: f64, g: f64, density: Option<f64>) -> u32 {
        let name = format!("SECTION-{}", self.materials.len() + 1);
        let shear = Some(g);
        self.materials.push(Material { name, at, elastic: Some([e, 0.0]), density, expansion: None, shear });
        self.write_material(self.materials.len() - 1);
        self.materials.len() as u32
    }

    /// Data of the material that is open.
    pub(super) fn material_data(&mut self, block: &Block) -> Result<()> {
        let kind = block.word("TYPE");
        if block.name == "ELASTIC" && !matches!(kind.as_str(), "" | "ISO" | "ISOTROPIC") {
            let problem = block.problem(format!("elasticity of type {kind} is not translated"));
            return Err(Box::new(
                problem.hint("isotropic materials are; give others as MAT8 or MAT9 in bulk data"),
            ));
        }
        if block.name == "EXPANSION" && !matches!(kind.as_str(), "" | "ISO") {
            self.draft.report(Diagnostic::note("expansion that is not isotropic is not used").at(block.at));
            return Ok(());
        }
        let rows: Vec<_> = self
            .lines(block)
            .map(|line| (line.span(), fields(&line).into_iter().map(real).collect::<Option<Vec<f64>>>()))
            .collect();
        if rows.len() > 1 {
            let message = "data that depend on temperature: those of the first line are used";
            self.draft.report(Diagnostic::warning(message).at(block.at).card(format!("*{}", block.name)));
        }
        let Some((at, values)) = rows.first() else {
            return Err(block.problem("there is no data line"));
        };
        let Some(values) = values.as_ref().filter(|values| !values.is_empty()) else {
            return Err(Box::new(Diagnostic::error("expected numbers").at(*at)));
        };
        let Some(material) = self.materials.last_mut() else {
            return Err(block.problem("there is no *MATERIAL above it"));
        };
        match block.name.as_str() {
            "ELASTIC" => match values[..] {
                [e, nu, ..] => material.elastic = Some([e, nu]),
                _ => {
                    let message = "expected Young's modulus and Poisson's ratio";
                    return Err(Box::new(Diagnostic::error(message).at(*at)));
                }
            },
            "DENSITY" => material.density = Some(values[0]),
            _ => material.expansion = Some(values[0]),
        }
        Ok(())
    }

    pub(super) fn write_materials(&mut self) {
        for row in 0..self.materials.len() {
            self.write_material(row);
        }
    }

    fn write_material(&mut self, row: usize) {
        let material = self.materials[row].clone();
        // Without *ELASTIC the material has no card; a section that names it is reported.
        let Some([e, nu]) = material.elastic else { return };
        let id = row as u32 + 1;
        let (g, nu) = match material.shear {
            Some(g) => (Some(g), None),
            None => (None, Some(nu)),
        };
        self.draft.sheet.name(material.at, NameOf::Material, id, &material.name);
        let fields = card_fields![id, e, g, nu, material.density, material.expansion];
        self.cards.push(Card { at: material.at, name: "MAT1", fields: fields.to_vec() });
    }

    /// The number of a material with elasticity.
    pub(super) fn material(&self, block: &Block) -> Result<u32> {
        let name = block.needed("MATERIAL")?;
        let Some(row) = self.materials.iter().position(|material| material.name == name) else {
            let known: Vec<&str> = self.materials.iter().map(|material| material.name.as_str()).collect();
            let problem = block.problem(format!("there is no material {name}"));
            return Err(Box::new(problem.hint(format!("the materials are {}", known.join(", ")))));
        };
        if self.materials[row].elastic.is_none() {
            return Err(block.problem(format!("material {name} has no *ELASTIC")));
        }
        Ok(row as u32 + 1)
    }

    /// The cards that were collected, below the case control that selects their sets.
    pub(super) fn write_cards(&mut self) {
        let has = |name: &str| self.cards.iter().any(|card| card.name == name);
        let (spc, mpc) = (has("SPC1"), has("MPC"));
        let load = has("FORCE") || has("MOMENT");
        let sheet = std::mem::take(&mut self.draft.sheet);
        let new = &mut self.draft.sheet;
        if let (true, Some(first)) = (spc || mpc || load, self.cards.first()) {
            let at = first.at;
            new.line(at, "SOL 101");
            new.line(at, "CEND");
            for (given, line) in [(spc, "SPC = 1"), (mpc, "MPC = 1"), (load, "LOAD = 1")] {
                if given {
                    new.line(at, line);
                }
            }
            new.line(at, "BEGIN BULK");
        }
        let shift = new.text.len() as u32;
        new.text.push_str(&sheet.text);
        new.pieces.extend(sheet.pieces.iter().map(|(start, at)| (start + shift, *at)));
        for card in &self.cards {
            new.card(card.at, card.name, &card.fields);
        }
    }

    /// Keeps a card.
    pub(super) fn card(&mut self, at: Span, name: &'static str, fields: Vec<Field>) {
        self.cards.push(Card { at, name, fields });
    }
}
