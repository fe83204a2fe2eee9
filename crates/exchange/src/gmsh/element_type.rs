//! Types of elements by their numbers (Gmsh reference manual, "MSH file format").

use pliant_mesh::element::SolidShape;

use crate::shape::Shape;

/// A type of element.
pub(super) struct ElementType {
    pub(super) name: &'static str,
    pub(super) node_count: usize,
    /// `None`: bulk data has no such element.
    pub(super) shape: Option<Shape>,
}

pub(super) fn element_type(number: i64) -> Option<ElementType> {
    let solid = |shape| Some(Shape::Solid(shape));
    let (name, node_count, shape) = match number {
        1 => ("line", 2, Some(Shape::Line2)),
        2 => ("triangle", 3, Some(Shape::Tria3)),
        3 => ("quadrangle", 4, Some(Shape::Quad4)),
        4 => ("tetrahedron", 4, solid(SolidShape::Tetra4)),
        5 => ("hexahedron", 8, solid(SolidShape::Hexa8)),
        6 => ("prism", 6, solid(SolidShape::Penta6)),
        7 => ("pyramid", 5, solid(SolidShape::Pyramid5)),
        8 => ("line of 3 nodes", 3, Some(Shape::Line3)),
        9 => ("triangle of 6 nodes", 6, Some(Shape::Tria6)),
        10 => ("quadrangle of 9 nodes", 9, None),
        11 => ("tetrahedron of 10 nodes", 10, solid(SolidShape::Tetra10)),
        12 => ("hexahedron of 27 nodes", 27, None),
        13 => ("prism of 18 nodes", 18, None),
        14 => ("pyramid of 14 nodes", 14, None),
        15 => ("point", 1, Some(Shape::Point)),
        16 => ("quadrangle of 8 nodes", 8, Some(Shape::Quad8)),
        17 => ("hexahedron of 20 nodes", 20, solid(SolidShape::Hexa20)),
        18 => ("prism of 15 nodes", 15, solid(SolidShape::Penta15)),
        19 => ("pyramid of 13 nodes", 13, solid(SolidShape::Pyramid13)),
        20 => ("triangle of 9 nodes", 9, None),
        21 => ("triangle of 10 nodes", 10, None),
        22 => ("triangle of 12 nodes", 12, None),
        23 => ("triangle of 15 nodes", 15, None),
        26 => ("line of 4 nodes", 4, None),
        27 => ("line of 5 nodes", 5, None),
        28 => ("line of 6 nodes", 6, None),
        29 => ("tetrahedron of 20 nodes", 20, None),
        30 => ("tetrahedron of 35 nodes", 35, None),
        31 => ("tetrahedron of 56 nodes", 56, None),
        92 => ("hexahedron of 64 nodes", 64, None),
        93 => ("hexahedron of 125 nodes", 125, None),
        _ => return None,
    };
    Some(ElementType { name, node_count, shape })
}
