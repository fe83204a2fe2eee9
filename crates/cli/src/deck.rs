//! How a command reads a deck: units, and what stands in for properties that a mesh generator left out.

use std::path::Path;

use pliant_bulk::{Deck, read_with};
use pliant_diag::Warned;
use pliant_pipeline::link::{MATERIALS, MaterialSpec};
use pliant_reduce::source::deck_options;

use crate::argument::{ArgumentError, positive};
use crate::units::{self, NamedUnits};

/// Options of the commands that read a deck.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DeckOptions {
    /// Units of the deck: si, mm-t-s, in-lbf-s, or metres, kilograms and seconds in one deck unit
    /// (0.001,1000,1)
    #[arg(long, default_value = "si", value_parser = units::parse)]
    pub(crate) units: NamedUnits,
    /// Material of solids, and with --thickness of shells, whose property is not in the deck: a name such as
    /// steel, or E,nu,rho in SI
    #[arg(long, value_parser = material)]
    material: Option<MaterialSpec>,
    /// Thickness of shells whose property is not in the deck, in deck units; needs --material
    #[arg(long, value_name = "T", value_parser = thickness, requires = "material")]
    thickness: Option<f64>,
}

impl DeckOptions {
    /// Reads a deck and what it includes.
    pub(crate) fn read(&self, path: &Path) -> Warned<Deck> {
        read_with(
            path,
            &deck_options(self.units.factors, self.material.map(pliant_machine::material), self.thickness),
        )
    }
}

/// A name of the library, or Young's modulus (Pa), Poisson's ratio and density (kg/m³): `210e9,0.3,7850`.
pub(crate) fn material(text: &str) -> Result<MaterialSpec, ArgumentError> {
    let name = text.to_ascii_lowercase();
    if let Some((_, spec)) = MATERIALS.iter().find(|(known, _)| *known == name) {
        return Ok(*spec);
    }
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([e, nu, rho]) => MaterialSpec::checked(*e, *nu, *rho).map_err(ArgumentError::Material),
        _ => {
            let names: Vec<_> = MATERIALS.iter().map(|(name, _)| *name).collect();
            let expected = format!("{}, or E,nu,rho in SI such as 210e9,0.3,7850", names.join(", "));
            Err(ArgumentError::Expected(expected))
        }
    }
}

fn thickness(text: &str) -> Result<f64, ArgumentError> {
    positive(text, "a thickness")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_by_name_and_by_value() {
        assert_eq!(material("Steel").unwrap(), MaterialSpec { e: 210e9, nu: 0.3, rho: 7850.0 });
        assert_eq!(material("70e9, 0.33, 2700").unwrap(), material("aluminium").unwrap());
        for bad in ["wood", "1,2", "-1,0.3,1", "1e9,0.5,1", "1e9,0.3,nan"] {
            assert!(material(bad).is_err(), "{bad}");
        }
        assert!(thickness("0").is_err() && thickness("2.5").is_ok());
    }
}
