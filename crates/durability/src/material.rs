//! Published data of materials.

use crate::curve::{Below, CurveError, SnCurve};

/// Groups of materials in the tables of FKM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialGroup {
    /// Wrought steel.
    Steel,
    /// Cast steel (GS).
    CastSteel,
    /// Nodular cast iron (GJS).
    NodularIron,
    /// Malleable cast iron (GJM).
    MalleableIron,
    /// Grey cast iron (GJL).
    GreyIron,
    /// Wrought aluminium alloys.
    WroughtAluminium,
    /// Cast aluminium alloys.
    CastAluminium,
}

impl MaterialGroup {
    /// a_R and R_m,N,min (Pa) of the roughness factor: FKM, Analytical Strength Assessment, as tabulated at
    /// quadco.engineering ("Surface roughness factor KR") and in pyLife 2.3.1, `fkm_linear/constants.py`.
    pub(crate) fn roughness_constants(self) -> (f64, f64) {
        match self {
            Self::Steel => (0.22, 400e6),
            Self::CastSteel => (0.20, 400e6),
            Self::NodularIron => (0.16, 400e6),
            Self::MalleableIron => (0.12, 350e6),
            Self::GreyIron => (0.06, 100e6),
            Self::WroughtAluminium => (0.22, 133e6),
            Self::CastAluminium => (0.20, 133e6),
        }
    }

    /// The sensitivity to mean stress M = a_M R_m/GPa + b_M of normal stress at a tensile strength (Pa); not
    /// below 0. FKM, Analytical Strength Assessment, 2012; constants as in pyLife 2.3.1,
    /// `fkm_linear/constants.py`.
    pub fn mean_sensitivity(self, ultimate: f64) -> f64 {
        let (a, b) = match self {
            Self::Steel => (0.35, -0.1),
            Self::CastSteel => (0.35, 0.05),
            Self::NodularIron => (0.35, 0.08),
            Self::MalleableIron => (0.35, 0.13),
            Self::GreyIron => (0.0, 0.5),
            Self::WroughtAluminium => (1.0, -0.04),
            Self::CastAluminium => (1.0, 0.2),
        };
        (a * ultimate * 1e-9 + b).max(0.0)
    }
}

/// A material of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Name.
    pub name: &'static str,
    /// Group; none where FKM has no constants for it.
    pub group: Option<MaterialGroup>,
    /// Yield stress (Pa).
    pub yield_stress: f64,
    /// Tensile strength R_m (Pa).
    pub ultimate: f64,
    /// True fracture strength (Pa).
    pub fracture: f64,
    /// A of S_a = A N^B (Pa).
    coefficient: f64,
    /// B.
    exponent: f64,
    /// Where the numbers are from.
    pub source: &'static str,
}

const DOWLING: &str = "N. E. Dowling, Mechanical Behavior of Materials, table 9.1: unnotched axial specimens, \
                       R = −1, half of them survive";

const fn dowling(
    name: &'static str,
    group: Option<MaterialGroup>,
    [yield_stress, ultimate, fracture, coefficient, exponent]: [f64; 5],
) -> Material {
    Material {
        name,
        group,
        yield_stress: yield_stress * 1e6,
        ultimate: ultimate * 1e6,
        fracture: fracture * 1e6,
        coefficient: coefficient * 1e6,
        exponent,
        source: DOWLING,
    }
}

/// The library: strengths (MPa), A (MPa) and B as printed.
pub const MATERIALS: &[Material] = &[
    dowling("SAE 1015", Some(MaterialGroup::Steel), [228.0, 415.0, 726.0, 927.0, -0.138]),
    dowling("Man-Ten", Some(MaterialGroup::Steel), [322.0, 557.0, 990.0, 1006.0, -0.115]),
    dowling("RQC-100", Some(MaterialGroup::Steel), [683.0, 758.0, 1186.0, 897.0, -0.0648]),
    dowling("SAE 4142", Some(MaterialGroup::Steel), [1584.0, 1757.0, 1998.0, 1837.0, -0.0762]),
    dowling("AISI 4340", Some(MaterialGroup::Steel), [1103.0, 1172.0, 1634.0, 1643.0, -0.0977]),
    dowling("2024-T4", Some(MaterialGroup::WroughtAluminium), [303.0, 476.0, 631.0, 839.0, -0.102]),
    dowling("Ti-6Al-4V", None, [1185.0, 1233.0, 1717.0, 1889.0, -0.104]),
];

impl Material {
    /// The material of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        MATERIALS.iter().find(|material| material.name == name)
    }

    /// Its curve S_a = A N^B at R = −1, up to the cycles of a knee, and what comes below it; without a knee
    /// the line goes on.
    ///
    /// # Errors
    /// A knee that makes no curve.
    pub fn curve(&self, knee: Option<f64>, below: Below) -> Result<SnCurve, CurveError> {
        let slope = Some(-1.0 / self.exponent);
        match knee {
            None => SnCurve::new(vec![(1.0, self.coefficient)], slope, Below::Same, -1.0),
            Some(knee) => {
                let amplitude = self.coefficient * knee.powf(self.exponent);
                SnCurve::new(vec![(knee, amplitude)], slope, below, -1.0)
            }
        }
    }
}
