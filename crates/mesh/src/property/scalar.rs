//! PELAS, PBUSH, PMASS, PDAMP and PVISC.

/// PELAS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringProperty {
    /// K.
    pub stiffness: f64,
    /// GE.
    pub structural_damping: f64,
    /// S.
    pub stress_coefficient: f64,
}

/// PBUSH.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BushProperty {
    /// K1 to K6.
    pub stiffness: [f64; 6],
    /// B1 to B6.
    pub damping: [f64; 6],
    /// GE1 to GE6.
    pub structural_damping: [f64; 6],
    /// SA, ST, EA, ET.
    pub stress_coefficients: [f64; 4],
    /// M.
    pub mass: f64,
}

/// PMASS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperty {
    /// M.
    pub mass: f64,
}

/// PDAMP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DamperProperty {
    /// B.
    pub damping: f64,
}

/// PVISC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousProperty {
    /// CE: axial.
    pub axial: f64,
    /// CR: torsional.
    pub torsional: f64,
}
