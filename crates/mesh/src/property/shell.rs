//! PSHELL, PSHEAR and PSOLID.

use crate::{CoordIndex, MaterialIndex};

/// PSHELL. A missing material means that the corresponding stiffness is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellProperty {
    /// MID1: membrane.
    pub membrane: Option<MaterialIndex>,
    /// T; `None` when every element gives its own corner thicknesses.
    pub thickness: Option<f64>,
    /// MID2: bending. `None` without `plane_strain`: membrane only.
    pub bending: Option<MaterialIndex>,
    /// MID2 = −1.
    pub plane_strain: bool,
    /// 12I/T³, 1 for a homogeneous plate.
    pub bending_ratio: f64,
    /// MID3: transverse shear. `None`: rigid in transverse shear.
    pub shear: Option<MaterialIndex>,
    /// TS/T, 5/6 for a homogeneous plate.
    pub shear_ratio: f64,
    /// Mass per area.
    pub nsm: f64,
    /// Z1, Z2: stress recovery distances; `None` means ∓T/2.
    pub fibre_distances: [Option<f64>; 2],
    /// MID4: membrane–bending coupling.
    pub coupling: Option<MaterialIndex>,
}

/// PSHEAR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShearProperty {
    /// T.
    pub thickness: f64,
    /// Mass per area.
    pub nsm: f64,
    /// F1: effectiveness for extension along G1–G2 and G3–G4.
    pub f1: f64,
    /// F2: effectiveness for extension along G2–G3 and G1–G4.
    pub f2: f64,
}

/// How a linear solid is integrated (PSOLID's IN and ISOP).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SolidIntegration {
    /// The default: bubble functions or assumed strain, free of locking.
    #[default]
    Default,
    /// Standard isoparametric, full integration.
    Full,
    /// Reduced shear integration.
    Reduced,
}

/// PSOLID.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidProperty {
    /// CORDM: material frame; `None` (−1): the element frame.
    pub material_frame: Option<CoordIndex>,
    /// Resolved meaning of IN and ISOP.
    pub integration: SolidIntegration,
    /// IN, STRESS, ISOP, FCTN as on the card, kept for the writer.
    pub card_fields: [String; 4],
}
