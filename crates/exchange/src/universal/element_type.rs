//! Types of elements by their numbers ("FE descriptor id").

use pliant_mesh::element::SolidShape;

use crate::shape::Shape;

pub(super) enum Kind {
    Shape(Shape),
    Unusable,
}

pub(super) fn kind(number: i64, nodes: usize) -> Kind {
    let shape = match number {
        // Rod, linear and tapered beam.
        11 | 21 | 23 => Shape::Line2,
        22 | 24 => Shape::Line3,
        // Plane stress, plane strain, membrane and thin shell have the same nodes; only shells are structure.
        91 => Shape::Tria3,
        92 => Shape::Tria6,
        94 => Shape::Quad4,
        95 => Shape::Quad8,
        // Plane elements, which Gmsh and Salome write for the faces of bodies.
        41 | 51 | 61 | 71 | 74 => Shape::Tria3,
        42 | 52 | 62 | 72 => Shape::Tria6,
        44 | 54 | 64 => Shape::Quad4,
        45 | 55 | 65 => Shape::Quad8,
        111 => Shape::Solid(SolidShape::Tetra4),
        118 => Shape::Solid(SolidShape::Tetra10),
        112 => Shape::Solid(SolidShape::Penta6),
        113 => Shape::Solid(SolidShape::Penta15),
        115 => Shape::Solid(SolidShape::Hexa8),
        116 => Shape::Solid(SolidShape::Hexa20),
        161 => Shape::Point,
        _ => return Kind::Unusable,
    };
    if shape.node_count() == nodes { Kind::Shape(shape) } else { Kind::Unusable }
}
