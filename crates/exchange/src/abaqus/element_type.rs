//! Element types by their names, and the faces of solids by theirs.

use pliant_mesh::element::SolidShape;

use crate::shape::Shape;

/// What is done with elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Solid(SolidShape),
    Shell(Shape),
    /// B31, B33, PIPE31.
    Beam,
    /// T3D2.
    Truss,
    /// MASS.
    Mass,
    /// ROTARYI.
    RotaryInertia,
    /// R3D3, R3D4 and RB3D2: they only name nodes of a rigid body.
    Rigid(usize),
    /// Without stiffness and mass: they only carry surfaces.
    Surface(usize),
    /// A plane element: a face of a solid, as Gmsh writes it, or nothing that a link can use.
    Plane(Shape),
}

impl Kind {
    pub(super) fn node_count(self) -> usize {
        match self {
            Self::Solid(solid) => solid.node_count(),
            Self::Shell(shape) | Self::Plane(shape) => shape.node_count(),
            Self::Beam | Self::Truss => 2,
            Self::Mass | Self::RotaryInertia => 1,
            Self::Rigid(count) | Self::Surface(count) => count,
        }
    }

    pub(super) fn shape(self) -> Option<Shape> {
        match self {
            Self::Solid(solid) => Some(Shape::Solid(solid)),
            Self::Shell(shape) | Self::Plane(shape) => Some(shape),
            Self::Beam | Self::Truss => Some(Shape::Line2),
            _ => None,
        }
    }
}

/// The kind of a type in capitals.
///
/// # Errors
/// Why elements of the type cannot be used.
pub(super) fn kind(name: &str) -> Result<Kind, &'static str> {
    if let Some(rest) = name.strip_prefix("C3D") {
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let options = &rest[digits.len()..];
        // Hybrid, reduced, incompatible, modified, improved stress: other formulations of the same solid.
        if !options.chars().all(|c| "RIHMS".contains(c)) {
            return Err("elements with temperatures, pores or voltages have no counterpart");
        }
        return Ok(Kind::Solid(match digits {
            "4" => SolidShape::Tetra4,
            "5" => SolidShape::Pyramid5,
            "6" => SolidShape::Penta6,
            "8" => SolidShape::Hexa8,
            "10" => SolidShape::Tetra10,
            "15" => SolidShape::Penta15,
            "20" => SolidShape::Hexa20,
            _ => return Err("bulk data has no such solid"),
        }));
    }
    Ok(match name {
        "S3" | "S3R" | "S3RS" | "STRI3" => Kind::Shell(Shape::Tria3),
        "S4" | "S4R" | "S4RS" | "S4RSW" | "S4R5" | "S4S" => Kind::Shell(Shape::Quad4),
        "S6" | "STRI65" => Kind::Shell(Shape::Tria6),
        "S8" | "S8R" | "S8R5" => Kind::Shell(Shape::Quad8),
        "B31" | "B31H" | "B33" | "B33H" | "PIPE31" | "PIPE31H" => Kind::Beam,
        "T3D2" => Kind::Truss,
        "MASS" => Kind::Mass,
        "ROTARYI" => Kind::RotaryInertia,
        "R3D3" => Kind::Rigid(3),
        "R3D4" => Kind::Rigid(4),
        "RB3D2" => Kind::Rigid(2),
        "SFM3D3" => Kind::Surface(3),
        "SFM3D4" | "SFM3D4R" => Kind::Surface(4),
        "SFM3D6" => Kind::Surface(6),
        "SFM3D8" | "SFM3D8R" => Kind::Surface(8),
        "B32" | "B32H" | "B32R" | "PIPE32" | "T3D3" => {
            return Err("bulk data has no line of three nodes: mesh it with B31 or T3D2");
        }
        "CPS3" | "CPE3" => Kind::Plane(Shape::Tria3),
        "CPS4" | "CPS4R" | "CPE4" | "CPE4R" => Kind::Plane(Shape::Quad4),
        "CPS6" | "CPE6" => Kind::Plane(Shape::Tria6),
        "CPS8" | "CPS8R" | "CPE8" | "CPE8R" => Kind::Plane(Shape::Quad8),
        _ if name.starts_with("CP") || name.starts_with("CAX") || name.starts_with("SAX") => {
            return Err("a link is three-dimensional: plane and axisymmetric elements cannot be used");
        }
        _ if name.starts_with("SC") => return Err("continuum shells have no counterpart: mesh with solids"),
        _ if name.starts_with("SPRING") || name.starts_with("DASHPOT") || name.starts_with("CONN") => {
            return Err("put springs, dampers and connectors into the pipeline file");
        }
        _ => return Err("it has no counterpart"),
    })
}

/// Corners of a face of a solid by its number, from 1 (Abaqus Elements Guide, "Solid elements"; CalculiX
/// numbers the faces in the same way).
pub(super) fn face(solid: SolidShape, number: usize) -> Option<&'static [usize]> {
    let faces: &[&[usize]] = match solid {
        SolidShape::Tetra4 | SolidShape::Tetra10 => &[&[0, 1, 2], &[0, 3, 1], &[1, 3, 2], &[2, 3, 0]],
        SolidShape::Penta6 | SolidShape::Penta15 => {
            &[&[0, 1, 2], &[3, 5, 4], &[0, 3, 4, 1], &[1, 4, 5, 2], &[2, 5, 3, 0]]
        }
        SolidShape::Hexa8 | SolidShape::Hexa20 => {
            &[&[0, 1, 2, 3], &[4, 7, 6, 5], &[0, 4, 5, 1], &[1, 5, 6, 2], &[2, 6, 7, 3], &[3, 7, 4, 0]]
        }
        SolidShape::Pyramid5 | SolidShape::Pyramid13 => {
            &[&[0, 1, 2, 3], &[0, 4, 1], &[1, 4, 2], &[2, 4, 3], &[3, 4, 0]]
        }
    };
    faces.get(number.checked_sub(1)?).copied()
}
