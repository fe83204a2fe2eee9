//! The mesh of a deck link: fields overridden, what a mesh generator left out supplied.

use pliant_bulk::{CardFile, Deck, DefaultProperties, FieldOverride, Options, deck_from_cards};
use pliant_diag::{Diagnostic, Diagnostics, Origin, Warned};
use pliant_mesh::{Material, MaterialId, MaterialLaw, Units};
use pliant_pipeline::link::{LinkTable, MaterialSpec};
use pliant_pipeline::schema::NumberOrWord;

/// Puts the overrides of a link into its cards. The problems have their places in the pipeline file.
pub fn override_cards(cards: &mut CardFile, table: &LinkTable) -> Diagnostics {
    let mut problems = Diagnostics::new();
    for (name, value) in &table.override_.entries {
        let text = match value {
            NumberOrWord::Number(number) => nastran_real(*number),
            NumberOrWord::Word(word) => word.clone(),
        };
        // One by one, so that an override that fits no card is told at its own line.
        match FieldOverride::parse(&name.value, &text) {
            Ok(field) => {
                let unused = cards.override_fields(std::slice::from_ref(&field));
                problems.extend(unused.into_iter().map(|problem| problem.at(name.span())));
            }
            Err(why) => problems.push(Diagnostic::error(why).at(name.span())),
        }
    }
    problems
}

/// The mesh of a link's cards, with the material and thickness that its table supplies. The problems have their places
/// in the deck.
pub fn deck_mesh(cards: Warned<CardFile>, table: &LinkTable) -> Warned<Deck> {
    deck_from_cards(cards, &deck_options(table.units.0, table.material, table.thickness))
}

/// How a deck is read whose mesh generator left out the properties: the material stands in for those of solids, with a thickness (deck
/// units) also for those of shells.
pub fn deck_options(units: Units, material: Option<MaterialSpec>, thickness: Option<f64>) -> Options {
    let material = material.map(|spec| deck_material(spec, units));
    Options { units, default_properties: DefaultProperties { material, thickness } }
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
