//! A uniform section with its material, and what can be wrong with a beam made of it.

use nalgebra::Vector3;

use super::frame::{FrameError, LineFrame};

/// Section and material of a uniform beam whose neutral axis and shear centre coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BeamSection {
    /// A.
    pub area: f64,
    /// I1: bending in plane 1 (element x–y).
    pub i1: f64,
    /// I2: bending in plane 2 (element x–z).
    pub i2: f64,
    /// J.
    pub torsion_constant: f64,
    /// Shear area over A in planes 1 and 2; `None`: rigid in shear.
    pub shear_factors: [Option<f64>; 2],
    /// E.
    pub youngs_modulus: f64,
    /// G.
    pub shear_modulus: f64,
    /// ρ.
    pub density: f64,
}

/// Why a beam cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BeamError {
    /// Its ends coincide.
    NoLength,
    /// The orientation vector is zero or lies along the beam.
    VectorAlongAxis,
    /// The section is impossible; the text says how.
    Section(String),
}

impl std::fmt::Display for BeamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoLength => f.write_str(FrameError::NoLength.message()),
            Self::VectorAlongAxis => f.write_str(FrameError::VectorAlongAxis.message()),
            Self::Section(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for BeamError {}

/// The frame of a beam without offsets.
///
/// # Errors
/// When the ends coincide, or the vector does not span a plane with the axis.
pub(super) fn beam_frame(
    positions: [Vector3<f64>; 2],
    orientation: Vector3<f64>,
) -> Result<LineFrame, BeamError> {
    LineFrame::new(positions, [Vector3::zeros(); 2], orientation).map_err(|error| match error {
        FrameError::NoLength => BeamError::NoLength,
        FrameError::VectorAlongAxis => BeamError::VectorAlongAxis,
    })
}
