//! The mesh of a deck link: fields overridden, what a mesh generator left out supplied.

use pliant_bulk::{CardFile, Deck, DefaultGroup, DefaultProperties, FieldOverride, Options, deck_from_cards};
use pliant_diag::{Diagnostic, Diagnostics, Located, Origin, Warned};
use pliant_mesh::{Material, MaterialId, MaterialLaw, Names, Units};

use crate::request::{DeckSource, IsotropicMaterial, OverrideValue};

/// Puts the overrides of a deck into its cards. The problems have the locations where they are asked for.
pub fn override_cards(cards: &mut CardFile, deck: &DeckSource) -> Diagnostics {
    let mut problems = Diagnostics::new();
    for (name, value) in &deck.overrides {
        let text = match value {
            OverrideValue::Number(number) => nastran_real(*number),
            OverrideValue::Text(text) => text.clone(),
        };
        // One by one, so that an override that fits no card is reported at its own line.
        match FieldOverride::parse(&name.value, &text, &cards.names) {
            Ok(field) => {
                let unused = cards.override_fields(std::slice::from_ref(&field));
                problems.extend(unused.into_iter().map(|problem| problem.at(name.span())));
            }
            Err(problem) => problems.push(problem.at(name.span())),
        }
    }
    problems.extend(unknown_groups(cards, deck));
    problems
}

/// Groups that no name of a property in the deck fits; a number may be that of any property.
fn unknown_groups(cards: &CardFile, deck: &DeckSource) -> Diagnostics {
    let known = &cards.names.properties;
    let is_known = |name: &str| name.parse::<u32>().is_ok() || Names::number_of(known, name).is_some();
    let unknown = deck.groups.iter().filter(|(name, _)| !is_known(&name.value));
    let complain = |name: &Located<String>| {
        let problem = Diagnostic::error(format!("the deck has no group `{}`", name.value)).at(name.span());
        match known.values().map(String::as_str).collect::<Vec<_>>().join(", ") {
            list if list.is_empty() => problem.hint("it names no properties: give the number of one"),
            list => problem.hint(format!("its groups are {list}")),
        }
    };
    unknown.map(|(name, _)| complain(name)).collect()
}

/// The mesh of a deck's cards, with the material and thickness that are given for it. The problems have their
/// locations in the deck.
pub fn deck_mesh(cards: Warned<CardFile>, deck: &DeckSource, units: Units) -> Warned<Deck> {
    let mut options = deck_options(units, deck.material, deck.thickness);
    options.default_properties.groups = deck
        .groups
        .iter()
        .map(|(name, group)| DefaultGroup {
            name: name.value.clone(),
            material: deck_material(group.material, units),
            thickness: group.thickness,
        })
        .collect();
    deck_from_cards(cards, &options)
}

/// How a deck is read whose mesh generator left out the properties: the material stands in for those of
/// solids, with a thickness (deck units) also for those of shells.
pub fn deck_options(units: Units, material: Option<IsotropicMaterial>, thickness: Option<f64>) -> Options {
    let material = material.map(|spec| deck_material(spec, units));
    Options { units, default_properties: DefaultProperties { material, thickness, groups: Vec::new() } }
}

/// A real number as Nastran reads it: always with a decimal point.
fn nastran_real(number: f64) -> String {
    let text = format!("{number:?}");
    if text.contains('.') { text } else { text.replacen('e', ".e", 1) }
}

fn deck_material(spec: IsotropicMaterial, units: Units) -> Material {
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
