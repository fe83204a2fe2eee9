//! PROD, PTUBE, PBAR, PBARL, PBEAM and PBEAML.

use super::Section;

/// PROD, or the section of a CONROD.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct RodProperty {
    /// A.
    pub area: f64,
    /// J.
    pub torsion_constant: f64,
    /// C: torsional stress per moment is C/J.
    pub stress_coefficient: f64,
    /// Mass per length.
    pub nsm: f64,
}

/// PTUBE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeProperty {
    /// Outer diameter at end A and at end B.
    pub outer_diameter: [f64; 2],
    /// Wall thickness; 0 means a solid circle.
    pub thickness: f64,
    /// Mass per length.
    pub nsm: f64,
}

/// PBAR or PBARL: one section, neutral axis and shear centre coincide.
#[derive(Clone, Debug, PartialEq)]
pub struct BarProperty {
    /// A.
    pub area: f64,
    /// I1: for bending in plane 1 (element x–y).
    pub i1: f64,
    /// I2: for bending in plane 2 (element x–z).
    pub i2: f64,
    /// I12.
    pub i12: f64,
    /// J.
    pub torsion_constant: f64,
    /// Mass per length.
    pub nsm: f64,
    /// K1: shear area over A in plane 1; `None` means no shear flexibility.
    pub k1: Option<f64>,
    /// K2: the same in plane 2.
    pub k2: Option<f64>,
    /// Stress points C, D, E, F as (y, z) in element axes.
    pub stress_points: [[f64; 2]; 4],
    /// The PBARL section the numbers came from.
    pub section: Option<Section>,
}

/// PBEAM or PBEAML.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamProperty {
    /// Sections along the beam, ascending in x/L; first at 0, last at 1.
    pub stations: Vec<BeamStation>,
    /// K1: shear area over A in plane 1; `None` means no shear flexibility (PBEAM's K = 0).
    pub k1: Option<f64>,
    /// K2: the same in plane 2.
    pub k2: Option<f64>,
    /// S1, S2: shear relief from taper.
    pub shear_relief: [f64; 2],
    /// NSI(A), NSI(B): rotary inertia of the non-structural mass per length.
    pub nsi: [f64; 2],
    /// CW(A), CW(B): warping coefficients; kept, not used.
    pub warping: [f64; 2],
    /// M1, M2 at A and B: (y, z) of the non-structural mass centre from the shear centre.
    pub nsm_offset: [[f64; 2]; 2],
    /// N1, N2 at A and B: (y, z) of the neutral axis from the shear centre.
    pub neutral_axis: [[f64; 2]; 2],
    /// The PBEAML section (its dimensions stand at each station).
    pub section: Option<Section>,
}

/// Section of a beam at one station.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamStation {
    /// x/L.
    pub position: f64,
    /// SO: whether stresses are wanted here.
    pub stress_output: bool,
    /// A.
    pub area: f64,
    /// I1: bending in plane 1.
    pub i1: f64,
    /// I2: bending in plane 2.
    pub i2: f64,
    /// I12.
    pub i12: f64,
    /// J.
    pub torsion_constant: f64,
    /// Mass per length.
    pub nsm: f64,
    /// Stress points C, D, E, F as (y, z).
    pub stress_points: [[f64; 2]; 4],
    /// PBEAML dimensions here; empty for PBEAM.
    pub dimensions: Vec<f64>,
}
