//! `material`: a name of the library, or values.

use serde_json::json;

use crate::schema::{Context, FromValue, TypeDoc, read_word};
use crate::{Value, ValueKind, table};

table! {
    /// An isotropic material in SI.
    ///
    /// ```toml
    /// [links.arm]
    /// beam = { length = 1, section = { rod = 0.02 }, material = { e = 7.1e10, nu = 0.33, rho = 2770 } }
    /// ```
    pub struct MaterialTable {
        /// Young's modulus (Pa).
        e: f64;
        /// Poisson's ratio.
        nu: f64;
        /// Density (kg/m³).
        rho: f64;
    }
}

table! {
    /// What stands in for a property that a deck leaves out.
    ///
    /// ```toml
    /// [links.arm]
    /// deck    = "arm.bdf"
    /// inboard = 1
    /// groups  = { web = { material = "steel", thickness = 4.0 }, flange = { material = "aluminium" } }
    /// ```
    pub struct GroupTable {
        /// A name of the library, or values.
        material: MaterialSpec;
        /// Thickness of its shells, in deck units.
        thickness: Option<f64>;
    }
}

/// A material in SI: Young's modulus (Pa), Poisson's ratio, density (kg/m³).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialSpec {
    /// Young's modulus (Pa).
    pub e: f64,
    /// Poisson's ratio.
    pub nu: f64,
    /// Density (kg/m³).
    pub rho: f64,
}

/// The library: room-temperature handbook values, rounded as design offices use them.
pub const MATERIALS: &[(&str, MaterialSpec)] = &[
    ("steel", MaterialSpec { e: 210e9, nu: 0.3, rho: 7850.0 }),
    ("stainless-steel", MaterialSpec { e: 200e9, nu: 0.3, rho: 7900.0 }),
    ("cast-iron", MaterialSpec { e: 110e9, nu: 0.26, rho: 7200.0 }),
    ("ductile-iron", MaterialSpec { e: 170e9, nu: 0.28, rho: 7100.0 }),
    ("aluminium", MaterialSpec { e: 70e9, nu: 0.33, rho: 2700.0 }),
    ("titanium", MaterialSpec { e: 114e9, nu: 0.34, rho: 4430.0 }),
    ("magnesium", MaterialSpec { e: 45e9, nu: 0.35, rho: 1800.0 }),
];

impl MaterialSpec {
    /// A material of these values.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn checked(e: f64, nu: f64, rho: f64) -> Result<Self, String> {
        let is_sound = e > 0.0 && rho >= 0.0 && nu > -1.0 && nu < 0.5 && e.is_finite() && rho.is_finite();
        is_sound.then_some(Self { e, nu, rho }).ok_or_else(|| {
            format!(
                "a material needs e > 0, -1 < nu < 0.5 and rho ≥ 0, found e = {e}, nu = {nu} and rho = {rho}"
            )
        })
    }
}

impl FromValue for MaterialSpec {
    fn from_value(value: &Value, context: &mut Context<'_>) -> Option<Self> {
        if !matches!(value.kind, ValueKind::Table(_)) {
            return read_word(value, MATERIALS, context);
        }
        let table = MaterialTable::from_value(value, context)?;
        match Self::checked(table.e, table.nu, table.rho) {
            Ok(spec) => Some(spec),
            Err(message) => {
                context.error(value.span, message);
                None
            }
        }
    }

    fn doc() -> TypeDoc {
        let table = MaterialTable::doc();
        let words: Vec<_> = MATERIALS.iter().map(|(word, _)| *word).collect();
        let shown: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
        TypeDoc {
            words: format!("{}, or {}", shown.join(", "), table.words),
            json: json!({ "anyOf": [{ "type": "string", "enum": words }, table.json] }),
            tables: table.tables,
        }
    }
}
