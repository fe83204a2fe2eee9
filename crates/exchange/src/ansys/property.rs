//! Materials, sections and real constants: MAT1, PSOLID, PSHELL, PBARL, PROD.

use pliant_diag::{Diagnostic, Span};

use super::element::Kind;
use super::{Model, RawElement, Result};
use crate::sheet::{Field, fields};

/// SECTYPE with its data.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// SHELL or BEAM.
    pub(super) kind: String,
    /// RECT and the like.
    pub(super) shape: String,
    pub(super) at: Span,
    pub(super) rows: Vec<Vec<f64>>,
    /// SECOFFSET.
    pub(super) offset: String,
}

impl Model {
    /// Writes a property, and its material when it is the first one.
    pub(super) fn property(&mut self, id: u32, kind: Kind, number: u32, element: &RawElement) -> Result<()> {
        let at = element.at;
        let name = format!(
            "mat{}-type{}-real{}-sec{}",
            element.material, element.kind, element.real, element.section
        );
        self.draft.property_names.insert(id, (at, name));
        if kind == Kind::Shell && self.key_options.get(&(element.kind, 1)).is_some_and(|option| *option != 0)
        {
            return Err(Box::new(
                Diagnostic::error("a shell without bending, KEYOPT(1), is not translated").at(at),
            ));
        }
        let section = self.sections.get(&element.section).cloned();
        let real = self.reals.get(&element.real).cloned().unwrap_or_default();
        let material = match (kind, &section) {
            // The material of a shell section stands in its layer.
            (Kind::Shell, Some(section)) if section.kind == "SHELL" => match section.rows.as_slice() {
                [row] => row.get(1).map_or(element.material, |number| *number as u32),
                _ => {
                    let message = "a shell section of several layers is not translated";
                    return Err(Box::new(Diagnostic::error(message).at(section.at)));
                }
            },
            _ => element.material,
        };
        if kind == Kind::Solid && !self.materials.contains_key(&material) {
            // A bare mesh: the property is given beside it.
            return Ok(());
        }
        self.material_card(material, at)?;
        match (kind, section) {
            (Kind::Solid, _) => self.card(at, "PSOLID", fields![id, material].to_vec()),
            (Kind::Shell, section) => {
                let thickness = match section.filter(|section| section.kind == "SHELL") {
                    Some(section) => section.rows[0].first().copied(),
                    None => real.first().copied(),
                };
                let Some(thickness) = thickness else {
                    let message = format!("shell {} has neither section nor real constants", element.id);
                    return Err(Box::new(Diagnostic::error(message).at(at)));
                };
                let row = fields![id, material, thickness, material, Field::Blank, material];
                self.card(at, "PSHELL", row.to_vec());
            }
            (Kind::Rod, section) => {
                let area = section.and_then(|s| s.rows.first()?.first().copied()).or(real.first().copied());
                let Some(area) = area else {
                    let message = format!("LINK{number} {} has no area", element.id);
                    return Err(Box::new(Diagnostic::error(message).at(at)));
                };
                self.card(at, "PROD", fields![id, material, area].to_vec());
            }
            (_, Some(section)) if section.kind == "BEAM" => self.beam(id, material, &section)?,
            _ => {
                let message = format!("beam {} has no section of type BEAM", element.id);
                return Err(Box::new(Diagnostic::error(message).at(at)));
            }
        }
        Ok(())
    }

    /// PBARL. RECT has its width B along y and its height H along z; BAR has first the width along z.
    fn beam(&mut self, id: u32, material: u32, section: &Section) -> Result<()> {
        let refuse =
            |message: String| Err(Box::new(Diagnostic::error(message).at(section.at).card("SECTYPE")));
        if !matches!(section.offset.as_str(), "" | "CENT" | "ORIGIN" | "SHRC") {
            return refuse(format!("SECOFFSET,{} of a beam is not translated", section.offset));
        }
        let d = section.rows.first().cloned().unwrap_or_default();
        let (name, dimensions) = match (section.shape.as_str(), &d[..]) {
            ("RECT", [b, h, ..]) => ("BAR", vec![*h, *b]),
            ("CSOLID", [r, ..]) => ("ROD", vec![*r]),
            ("CTUBE", [inner, outer, ..]) => ("TUBE", vec![*outer, *inner]),
            ("HREC", [w1, w2, t1, t2, t3, t4, ..]) if t1 == t2 && t3 == t4 => {
                ("BOX", vec![*w2, *w1, *t1, *t3])
            }
            (shape, _) => {
                return refuse(format!(
                    "a beam section {shape} with {} dimensions is not translated",
                    d.len()
                ));
            }
        };
        let mut row = fields![id, material, Field::Blank, name].to_vec();
        row.resize(8, Field::Blank);
        row.extend(dimensions.into_iter().map(Field::Real));
        self.card(section.at, "PBARL", row);
        Ok(())
    }

    /// From the grids to the middle surface: a shell whose grids lie on its top has it half a thickness
    /// below.
    pub(super) fn shell_offset(&self, element: &RawElement) -> Option<f64> {
        let section = self.sections.get(&element.section)?;
        let sign = match section.offset.as_str() {
            "TOP" => -0.5,
            "BOT" => 0.5,
            _ => return None,
        };
        Some(sign * section.rows.first()?.first()?)
    }

    fn material_card(&mut self, number: u32, at: Span) -> Result<()> {
        let refuse = |message: String, at: Span| Err(Box::new(Diagnostic::error(message).at(at)));
        let Some((given, values)) = self.materials.get(&number).cloned() else {
            return refuse(format!("material {number} does not exist"), at);
        };
        let of = |label: &str| values.get(label).copied();
        let differs = |others: [&str; 2], first: Option<f64>| {
            others.iter().any(|label| of(label).is_some_and(|value| Some(value) != first))
        };
        if differs(["EY", "EZ"], of("EX")) || differs(["GYZ", "GXZ"], of("GXY").or(of("GYZ"))) {
            return refuse(format!("material {number} is orthotropic: that is not translated"), given);
        }
        let (Some(e), nu, g) = (of("EX"), of("PRXY").or(of("NUXY")), of("GXY")) else {
            return refuse(format!("material {number} has no EX"), given);
        };
        if self
            .cards
            .iter()
            .any(|card| card.name == "MAT1" && matches!(card.fields[0], Field::Integer(id) if id == number))
        {
            return Ok(());
        }
        // Ansys takes a Poisson's ratio of 0.3 where neither it nor GXY is given.
        let nu = if nu.is_none() && g.is_none() { Some(0.3) } else { nu };
        let row = fields![number, e, g, nu, of("DENS"), of("ALPX").or(of("CTEX"))];
        self.card(given, "MAT1", row.to_vec());
        Ok(())
    }
}
