//! Units that do not fit the materials.
//!
//! Density ρ and speed of sound c = √(E/ρ) of engineering materials lie in a narrow region:
//!
//! | bound | the material nearest to it | source |
//! |---|---|---|
//! | ρ > 10 kg/m³ | expanded polystyrene EPS12, 11.2 kg/m³ | ASTM D6817, as geofoamusa.com prints it |
//! | ρ < 25,000 kg/m³ | osmium, 22,587 kg/m³ | Platinum Metals Review, as hypertextbook.com/facts/2007/KarmenHo.shtml cites it |
//! | c > 20 m/s | rubber, 40 to 150 m/s | engineeringtoolbox.com/sound-speed-solids-d_713.html |
//! | c < 20,000 m/s | beryllium, 12,870 m/s along a rod; fibres and diamond may have half as much again | CRC Handbook of Chemistry and Physics, Speed of sound in various media (hbcp.chemnetbase.com) |
//! | c < 8,000 m/s below 500 kg/m³ | wood along its grain, 5,000 m/s | engineeringtoolbox.com, as above |
//!
//! Factors of 1.1 to 2 lie between the bounds and the materials. Polyethylene, 920 m/s, to beryllium are what
//! structures are made of ([`Numbers::is_typical`]). `handbook_materials_are_possible` has the table of the
//! CRC Handbook. Every system of units moves ρ and c by factors of its own, so that numbers that fall outside
//! in one system mostly point to another.

use pliant_diag::Diagnostic;
use pliant_mesh::{LinkMesh, Material, MaterialLaw, Units};

use crate::density::mass_materials;

/// Standard gravity in m/s².
const GRAVITY: f64 = 9.806_65;

/// Modulus and density of a material.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    modulus: f64,
    density: f64,
}

impl Numbers {
    fn times(self, stress: f64, density: f64) -> Self {
        Self { modulus: self.modulus * stress, density: self.density * density }
    }

    fn speed_of_sound(self) -> f64 {
        (self.modulus / self.density).sqrt()
    }

    /// Could be a material, in SI.
    fn is_possible(self) -> bool {
        let fastest = if self.density < 500.0 { 8_000.0 } else { 20_000.0 };
        (10.0..25_000.0).contains(&self.density) && (20.0..fastest).contains(&self.speed_of_sound())
    }

    /// Has the speed of sound that steel, aluminium, titanium and magnesium share, 5,050 to 5,190 m/s along a
    /// rod (CRC Handbook, as above), with what alloys and rounded moduli add, and a density of theirs.
    fn is_structural_metal(self) -> bool {
        (1_700.0..8_500.0).contains(&self.density) && (4_800.0..5_400.0).contains(&self.speed_of_sound())
    }

    /// Is like what structures are made of, in SI: plastics, metals, composites, glass and ceramics.
    fn is_typical(self) -> bool {
        (850.0..22_000.0).contains(&self.density) && (850.0..15_000.0).contains(&self.speed_of_sound())
    }
}

/// How numbers of a deck may be meant.
struct Reading {
    words: &'static str,
    /// Pascals and kg/m³ in one unit of the deck.
    stress: f64,
    density: f64,
    advice: String,
}

/// Systems of units that fit together, then combinations that do not.
fn readings() -> Vec<Reading> {
    let system = |words, units: Units, key: &str, option: &str| Reading {
        words,
        stress: units.stress(),
        density: units.density(),
        advice: format!("write `units = {key}` in the link's table, or `--units {option}`"),
    };
    let other = |words, [length, mass, time]: [f64; 3]| {
        let key = format!("{{ length = {length}, mass = {mass}, time = {time} }}");
        system(words, Units { length, mass, time }, &key, &format!("{length},{mass},{time}"))
    };
    let named = |words, units, name: &str| system(words, units, &format!("\"{name}\""), name);
    let mixed =
        |words, stress, density, advice: &str| Reading { words, stress, density, advice: advice.to_owned() };
    let (mm, inch) = (Units::MM_T_S, Units::IN_LBF_S);
    vec![
        named("metres, kilograms and seconds (N, Pa)", Units::SI, "si"),
        named("millimetres, tonnes and seconds (N, MPa)", mm, "mm-t-s"),
        named("inches, pounds-force and seconds (psi, lbf·s²/in⁴)", inch, "in-lbf-s"),
        other("millimetres, kilograms and milliseconds (kN, GPa)", [1e-3, 1.0, 1e-3]),
        other("millimetres, kilograms and seconds (mN, kPa)", [1e-3, 1.0, 1.0]),
        other("millimetres, grams and milliseconds (N, MPa)", [1e-3, 1e-3, 1e-3]),
        other("centimetres, grams and seconds (dyn, dyn/cm²)", [1e-2, 1e-3, 1.0]),
        other("metres, tonnes and seconds (kN, kPa)", [1.0, 1e3, 1.0]),
        other("feet, slugs and seconds (lbf, lbf/ft²)", [0.3048, 14.593_903, 1.0]),
        mixed(
            "inches and pounds-force with a weight per volume (lbf/in³)",
            inch.stress(),
            inch.density() * 0.0254 / GRAVITY,
            "turn weight into mass with `PARAM,WTMASS,.00259` in the deck, and write `units = \"in-lbf-s\"`, or `--units in-lbf-s`",
        ),
        mixed(
            "millimetres and newtons with a weight per volume (N/mm³)",
            mm.stress(),
            mm.density() * 1e-3 / GRAVITY,
            "turn weight into mass with `PARAM,WTMASS,1.02-4` in the deck, and write `units = \"mm-t-s\"`, or `--units mm-t-s`",
        ),
        mixed(
            "metres and newtons with a weight per volume (N/m³)",
            1.0,
            1.0 / GRAVITY,
            "turn weight into mass with `PARAM,WTMASS,.102` in the deck",
        ),
        mixed(
            "a modulus in MPa beside a density in kg/mm³, which are inconsistent",
            1e6,
            1e9,
            "write RHO in t/mm³ (a thousandth of it) and `units = \"mm-t-s\"`, or `--units mm-t-s`",
        ),
        mixed(
            "a modulus in MPa beside a density in kg/m³, which are inconsistent",
            1e6,
            1.0,
            "for millimetres write RHO in t/mm³ and `units = \"mm-t-s\"`; for metres write E in Pa",
        ),
        mixed(
            "a modulus in MPa beside a density in g/cm³, which are inconsistent",
            1e6,
            1e3,
            "for millimetres write RHO in t/mm³ and `units = \"mm-t-s\"`; for metres write E in Pa and RHO in kg/m³",
        ),
        mixed(
            "a modulus in GPa beside a density in kg/m³, which are inconsistent",
            1e9,
            1.0,
            "write E in Pa",
        ),
        mixed(
            "a modulus in Pa beside a density in g/cm³, which are inconsistent",
            1.0,
            1e3,
            "write RHO in kg/m³ (a thousand times it)",
        ),
        mixed(
            "a modulus in Pa beside a density in g/mm³, which are inconsistent",
            1.0,
            1e6,
            "write RHO in kg/m³ for metres, or E in MPa and RHO in t/mm³ for millimetres",
        ),
        mixed(
            "a modulus in Pa beside a density in kg/mm³, which are inconsistent",
            1.0,
            1e9,
            "write RHO in kg/m³ for metres, or E in MPa and RHO in t/mm³ for millimetres",
        ),
        mixed(
            "a modulus in Pa beside a density in t/mm³, which are inconsistent",
            1.0,
            1e12,
            "write RHO in kg/m³ for metres, or E in MPa for millimetres",
        ),
        mixed(
            "a modulus in kgf/cm² beside a density in kg/cm³, which are inconsistent",
            GRAVITY * 1e4,
            1e6,
            "write E in Pa and RHO in kg/m³",
        ),
    ]
}

/// A message when the materials of a mesh cannot be read in its units: a warning that names a reading in
/// which more of them are like those of structures, or that there is none. `None` when they can, or no
/// material has both stiffness and density.
pub(super) fn unit_warning(mesh: &LinkMesh) -> Option<Diagnostic> {
    let wtmass = mesh.wtmass();
    let materials: Vec<(&Material, Numbers)> = mass_materials(mesh)
        .into_iter()
        .map(|index| &mesh.materials[index.index()])
        .map(|material| {
            (material, Numbers { modulus: modulus(&material.law), density: material.density * wtmass })
        })
        .filter(|(_, numbers)| numbers.modulus > 0.0 && numbers.density > 0.0)
        .collect();
    let (stress, density) = (mesh.units.stress(), mesh.units.density());
    let (worst, numbers) = materials.iter().find(|(_, n)| !n.times(stress, density).is_possible())?;
    let possible = materials.iter().filter(|(_, n)| n.times(stress, density).is_possible()).count();
    let typical = |reading: &Reading| {
        materials.iter().filter(|(_, n)| n.times(reading.stress, reading.density).is_typical()).count()
    };
    let readings = readings();
    let metals = |reading: &Reading| {
        materials
            .iter()
            .filter(|(_, n)| n.times(reading.stress, reading.density).is_structural_metal())
            .count()
    };
    // Typical materials first, then common metals; the first of equals: systems before combinations that do
    // not fit.
    let best = readings.iter().rev().max_by_key(|reading| (typical(reading), metals(reading)));
    let best = best.filter(|reading| typical(reading) > possible && 2 * typical(reading) >= materials.len());
    let si = numbers.times(stress, density);
    let message = format!(
        "E = {:.4e} and density {:.4e} in {} give {:.3e} kg/m³ and a speed of sound √(E/ρ) of {:.3e} m/s",
        numbers.modulus,
        numbers.density,
        name(mesh.units),
        si.density,
        si.speed_of_sound(),
    );
    let card = format!("MAT {}", worst.id);
    match best {
        Some(reading) => Some(
            Diagnostic::warning(format!(
                "{message}, which no material has; the deck looks like {}",
                reading.words
            ))
            .card(card)
            .at(worst.source.0)
            .hint(reading.advice.clone()),
        ),
        None if possible == 0 => Some(
            Diagnostic::warning(format!("{message}, which no engineering material has"))
                .card(card)
                .at(worst.source.0)
                .hint("check the units of the deck"),
        ),
        None => None,
    }
}

fn name(units: Units) -> String {
    let named = ["si", "mm-t-s", "in-lbf-s"].into_iter().find(|name| Units::named(name) == Some(units));
    match named {
        Some("si") => "SI units".to_owned(),
        Some(name) => format!("units of {name}"),
        None => format!("units of {} m, {} kg and {} s", units.length, units.mass, units.time),
    }
}

/// Stiffness along the first axis.
fn modulus(law: &MaterialLaw) -> f64 {
    match law {
        MaterialLaw::Isotropic { youngs_modulus, .. } => *youngs_modulus,
        MaterialLaw::Orthotropic2d { e1, .. } => *e1,
        MaterialLaw::Anisotropic2d { stiffness, .. } => stiffness[(0, 0)],
        MaterialLaw::Anisotropic3d { stiffness, .. } => stiffness[(0, 0)],
    }
}
