//! Notches and surfaces.

use crate::material::MaterialGroup;

/// By what a notch that the mesh does not have raises the stress.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Notch {
    /// No notch, or one that the mesh has.
    #[default]
    None,
    /// The fatigue notch factor K_f.
    Given(f64),
    /// K_f = 1 + (K_t − 1)/(1 + a/r) (R. E. Peterson).
    Peterson {
        /// Theoretical factor K_t.
        theoretical: f64,
        /// Radius r of the notch (m).
        radius: f64,
        /// Length a of the material (m).
        length: f64,
    },
    /// K_f = 1 + (K_t − 1)/(1 + √(a/r)) (H. Neuber).
    Neuber {
        /// Theoretical factor K_t.
        theoretical: f64,
        /// Radius r of the notch (m).
        radius: f64,
        /// Length a of the material (m).
        length: f64,
    },
}

impl Notch {
    /// K_f.
    fn factor(self) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Given(factor) => factor,
            Self::Peterson { theoretical, radius, length } => {
                1.0 + (theoretical - 1.0) / (1.0 + length / radius)
            }
            Self::Neuber { theoretical, radius, length } => {
                1.0 + (theoretical - 1.0) / (1.0 + (length / radius).sqrt())
            }
        }
    }
}

/// What stands between the stress of the mesh and that of the specimens of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// Notch.
    pub notch: Notch,
    /// Factor K_R of the surface, at most 1.
    pub surface: f64,
    /// Any other factor on stress, as that of safety or size; 1 for none.
    pub stress: f64,
}

impl Default for Factors {
    fn default() -> Self {
        Self { notch: Notch::None, surface: 1.0, stress: 1.0 }
    }
}

impl Factors {
    /// The factor on the stress of the mesh, amplitude and mean alike: K_f of the notch times that on
    /// stress.
    pub(crate) fn on_stress(&self) -> f64 {
        self.notch.factor() * self.stress
    }

    /// The factor on the equivalent amplitude: 1 + (1/K_R − 1)/K_f, so that both together are the design
    /// factor K_f + 1/K_R − 1 of FKM (Analytical Strength Assessment, 2012, 4.3.1.1): a rough surface costs
    /// less in a notch.
    pub(crate) fn on_amplitude(&self) -> f64 {
        1.0 + (1.0 / self.surface - 1.0) / self.notch.factor()
    }
}

/// K_R = 1 − a_R log₁₀(R_z/µm) log₁₀(2R_m/R_m,N,min), at most 1, with the constants of the group of material
/// (FKM, Analytical Strength Assessment; R_z of at least 1 µm, below which the surface counts as polished).
pub fn roughness_factor(group: MaterialGroup, roughness: f64, ultimate: f64) -> f64 {
    let (slope, least) = group.roughness_constants();
    let (micrometres, strength) = (roughness * 1e6, 2.0 * ultimate / least);
    1.0 - slope * micrometres.log10().max(0.0) * strength.log10().max(0.0)
}
