//! What is inside an element whose nodes have moved: section forces, resultants, strain, stress.
//!
//! One evaluation serves stress recovery and geometric stiffness
//! ([`Element::stress`](super::Element::stress),
//! [`Element::geometric_stiffness`](super::Element::geometric_stiffness)). Everything is linear in the
//! displacements, and free of temperatures: strain is that of the displacements, initial strains are not
//! taken off.

use nalgebra::{Matrix3, Vector3, Vector6};

/// Stress of one element under one displacement.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementStress {
    /// Bars, beams, rods.
    Line(LineForces),
    /// Shells, at the centre and then, but for flat triangles, at each corner.
    Shell(Vec<ShellForces>),
    /// Solids, at the points where they are integrated.
    Solid(Vec<SolidStress>),
}

/// Forces in the sections of a line element.
#[derive(Clone, Debug, PartialEq)]
pub struct LineForces {
    /// Element axes as columns in the basic frame: x from end A to end B, y in plane 1.
    pub axes: Matrix3<f64>,
    /// ξ = x/L of the section, and N, V1, V2, T, M1, M2 there: forces along x, y, z of the part beyond on the
    /// part before, torque, and the moments M1 = EI1 θz′ and M2 = −EI2 θy′ about the neutral axis. Ends A and
    /// B.
    pub sections: Vec<(f64, Vector6<f64>)>,
}

/// Resultants of a shell at a point, per length.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellForces {
    /// Position in the basic frame, on the surface of the grids.
    pub position: Vector3<f64>,
    /// Axes of the components below as columns in the basic frame; the third is the normal.
    pub axes: Matrix3<f64>,
    /// From the first axis to the x axis of the material (radians).
    pub material_angle: f64,
    /// Membrane forces Nx, Ny, Nxy.
    pub membrane: Vector3<f64>,
    /// Moments Mx, My, Mxy about the surface of `height`: the stress at z above it is N/t + M z/I, I = t³/12
    /// of a uniform plate.
    pub moment: Vector3<f64>,
    /// Strain of that surface: εx, εy, γxy.
    pub strain: Vector3<f64>,
    /// Its curvature κx, κy, κxy: the strain at z above it is ε + zκ.
    pub curvature: Vector3<f64>,
    /// Height of that surface above the grids, along the normal.
    pub height: f64,
    /// Height of the property's own reference surface (z = 0 of a PSHELL or PCOMP) above the grids: ZOFFS.
    pub offset: f64,
    /// Thickness here; zero when the property is a laminate, which has its own.
    pub thickness: f64,
}

/// Strain and stress of a solid at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidStress {
    /// Position in the basic frame.
    pub position: Vector3<f64>,
    /// Volume the point stands for.
    pub volume: f64,
    /// εx, εy, εz, γxy, γyz, γzx in the basic frame; γ = 2ε.
    pub strain: Vector6<f64>,
    /// σx, σy, σz, τxy, τyz, τzx in the basic frame.
    pub stress: Vector6<f64>,
}
