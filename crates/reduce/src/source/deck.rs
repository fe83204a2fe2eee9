//! The mesh of a deck link: its files read as one, fields overridden, what a mesh generator left out supplied.

use std::path::PathBuf;

use pliant_bulk::{Deck, DefaultProperties, FieldOverride, Options, deck_from_cards, read_cards_of};
use pliant_diag::{Diagnostic, Origin, Warned};
use pliant_mesh::{Material, MaterialId, MaterialLaw, Units};
use pliant_pipeline::link::{LinkTable, MaterialSpec};
use pliant_pipeline::schema::NumberOrWord;

/// Reads the decks of a link. `paths` are resolved already.
pub fn deck_mesh(paths: &[PathBuf], table: &LinkTable) -> Warned<Deck> {
    let units = table.units.0;
    let material = table.material.map(|spec| deck_material(spec, units));
    let options =
        Options { units, default_properties: DefaultProperties { material, thickness: table.thickness } };
    let mut cards = read_cards_of(paths);
    let mut problems = Vec::new();
    let mut overrides = Vec::new();
    for (name, value) in &table.override_.entries {
        let text = match value {
            NumberOrWord::Number(number) => nastran_real(*number),
            NumberOrWord::Word(word) => word.clone(),
        };
        match FieldOverride::parse(&name.value, &text) {
            Ok(field) => overrides.push(field),
            Err(why) => problems.push(Diagnostic::error(why).at(name.span())),
        }
    }
    cards.diagnostics.extend(cards.output.override_fields(&overrides));
    cards.diagnostics.extend(problems);
    deck_from_cards(cards, &options)
}

/// A real number as Nastran reads it: always with a decimal point.
fn nastran_real(number: f64) -> String {
    let text = format!("{number:?}");
    if text.contains('.') { text } else { text.replacen('e', ".e", 1) }
}

fn deck_material(spec: MaterialSpec, units: Units) -> Material {
    let e = spec.e / units.stress();
    Material {
        id: MaterialId(1),
        density: spec.rho / units.density(),
        reference_temperature: 0.0,
        structural_damping: 0.0,
        allowables: [None; 3],
        stress_frame: None,
        law: MaterialLaw::Isotropic {
            youngs_modulus: e,
            shear_modulus: e / (2.0 * (1.0 + spec.nu)),
            poisson_ratio: spec.nu,
            thermal_expansion: 0.0,
        },
        source: Origin::default(),
    }
}
