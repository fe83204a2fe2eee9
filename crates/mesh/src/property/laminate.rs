//! PCOMP and PCOMPG.

use crate::MaterialIndex;

/// LAM: how the plies are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LaminateKind {
    /// Blank: all plies, all stiffness.
    #[default]
    General,
    /// SYM: the plies given are one half.
    Symmetric,
    /// MEM: membrane only.
    Membrane,
    /// BEND: bending only.
    Bending,
    /// SMEAR: stacking order ignored, D = A·t²/12.
    Smeared,
    /// SMCORE: smeared faces with a core (the last ply).
    SmearedCore,
}

/// A laminate.
#[derive(Clone, Debug, PartialEq)]
pub struct LaminateProperty {
    /// True for PCOMPG.
    pub global_plies: bool,
    /// Z0: from the reference plane to the bottom surface. `None`: −½ of the total thickness.
    pub bottom: Option<f64>,
    /// Mass per area.
    pub nsm: f64,
    /// SB: allowable interlaminar shear.
    pub shear_allowable: Option<f64>,
    /// FT: failure theory word, empty when blank.
    pub failure_theory: String,
    /// TREF.
    pub reference_temperature: f64,
    /// GE.
    pub structural_damping: f64,
    /// LAM.
    pub kind: LaminateKind,
    /// Plies as given, bottom first; half of them for a symmetric laminate.
    pub plies: Vec<Ply>,
}

impl LaminateProperty {
    /// Thickness of the entire laminate.
    pub fn thickness(&self) -> f64 {
        let given: f64 = self.plies.iter().map(|ply| ply.thickness).sum();
        if self.kind == LaminateKind::Symmetric { 2.0 * given } else { given }
    }

    /// Height of the bottom surface above the reference plane.
    pub fn bottom_height(&self) -> f64 {
        self.bottom.unwrap_or(-0.5 * self.thickness())
    }
}

/// One ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// GPLYID of a PCOMPG.
    pub id: Option<u32>,
    /// Material.
    pub material: MaterialIndex,
    /// Thickness.
    pub thickness: f64,
    /// Angle from the element's material axis, degrees.
    pub angle: f64,
    /// SOUT.
    pub stress_output: bool,
}
