//! Materials in their own axes, deck units.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use pliant_diag::Origin;

use crate::{CoordIndex, MaterialId};

/// A MAT1, MAT2, MAT8 or MAT9.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The user's number.
    pub id: MaterialId,
    /// Mass density (before WTMASS).
    pub density: f64,
    /// Reference temperature.
    pub reference_temperature: f64,
    /// Structural damping coefficient GE.
    pub structural_damping: f64,
    /// Allowables in tension, compression and shear where given (ST, SC, SS), for reports only.
    pub allowables: [Option<f64>; 3],
    /// Frame of the stress limits (MCSID), kept for the writer.
    pub stress_frame: Option<CoordIndex>,
    /// The elastic law.
    pub law: MaterialLaw,
    /// Where it was defined.
    pub source: Origin,
}

/// The elastic law.
#[derive(Clone, Debug, PartialEq)]
pub enum MaterialLaw {
    /// MAT1. E, G and ν as Nastran completes them when one is left out; all three given need not satisfy
    /// E = 2G(1+ν).
    Isotropic {
        /// Young's modulus E.
        youngs_modulus: f64,
        /// Shear modulus G.
        shear_modulus: f64,
        /// Poisson's ratio ν.
        poisson_ratio: f64,
        /// Thermal expansion coefficient.
        thermal_expansion: f64,
    },
    /// MAT2: [σx σy τxy] = G [εx εy γxy] in the material axes of a shell.
    Anisotropic2d {
        /// Symmetric 3×3 G.
        stiffness: Matrix3<f64>,
        /// A1, A2, A12.
        thermal_expansion: Vector3<f64>,
    },
    /// MAT8: orthotropic in the material axes of a shell.
    Orthotropic2d {
        /// E1.
        e1: f64,
        /// E2.
        e2: f64,
        /// ν12.
        nu12: f64,
        /// In-plane shear G12.
        g12: f64,
        /// Transverse shear G1Z; `None` means rigid in transverse shear.
        g1z: Option<f64>,
        /// Transverse shear G2Z; `None` means rigid in transverse shear.
        g2z: Option<f64>,
        /// A1, A2.
        thermal_expansion: [f64; 2],
        /// XT, XC, YT, YC, S where given.
        strengths: [Option<f64>; 5],
    },
    /// MAT9: [σx σy σz τxy τyz τzx] = G [εx εy εz γxy γyz γzx] in the material frame of a solid.
    Anisotropic3d {
        /// Symmetric 6×6 G.
        stiffness: Box<Matrix6<f64>>,
        /// A1 to A6.
        thermal_expansion: Vector6<f64>,
    },
}
