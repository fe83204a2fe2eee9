//! Shapes of cells and the order of their nodes in each format.
//!
//! Corners are in the same order everywhere. Mid-side nodes are not: an order is the list of edges on which
//! they lie, and the order of bulk data ([`SolidShape::edges`]) is found edge by edge.

use pliant_mesh::element::SolidShape;

/// Shape of a cell, with all of its mid-side nodes or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shape {
    Point,
    Line2,
    Line3,
    Tria3,
    Tria6,
    Quad4,
    Quad8,
    Solid(SolidShape),
}

impl Shape {
    pub(crate) fn node_count(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line2 => 2,
            Self::Line3 | Self::Tria3 => 3,
            Self::Tria6 => 6,
            Self::Quad4 => 4,
            Self::Quad8 => 8,
            Self::Solid(solid) => solid.node_count(),
        }
    }

    pub(crate) fn corner_count(self) -> usize {
        match self {
            Self::Line3 => 2,
            Self::Tria6 => 3,
            Self::Quad8 => 4,
            Self::Solid(solid) => solid.corner_count(),
            _ => self.node_count(),
        }
    }

    /// 0 for a point to 3 for a solid.
    pub(crate) fn dimension(self) -> usize {
        match self {
            Self::Point => 0,
            Self::Line2 | Self::Line3 => 1,
            Self::Tria3 | Self::Tria6 | Self::Quad4 | Self::Quad8 => 2,
            Self::Solid(_) => 3,
        }
    }

    /// Pairs of corners that are joined by an edge, in the order of bulk data.
    pub(crate) fn edges(self) -> &'static [[usize; 2]] {
        match self {
            Self::Point => &[],
            Self::Line2 | Self::Line3 => &[[0, 1]],
            Self::Tria3 | Self::Tria6 => &[[0, 1], [1, 2], [2, 0]],
            Self::Quad4 | Self::Quad8 => &[[0, 1], [1, 2], [2, 3], [3, 0]],
            Self::Solid(solid) => solid.edges(),
        }
    }

    /// The card.
    pub(crate) fn card(self) -> &'static str {
        match self {
            Self::Point => "GRID",
            Self::Line2 | Self::Line3 => "CBAR",
            Self::Tria3 => "CTRIA3",
            Self::Tria6 => "CTRIA6",
            Self::Quad4 => "CQUAD4",
            Self::Quad8 => "CQUAD8",
            Self::Solid(solid) => solid.card(),
        }
    }

    /// The linear shape with the same corners.
    pub(crate) fn linear(self) -> Self {
        match self {
            Self::Line3 => Self::Line2,
            Self::Tria6 => Self::Tria3,
            Self::Quad8 => Self::Quad4,
            Self::Solid(SolidShape::Tetra10) => Self::Solid(SolidShape::Tetra4),
            Self::Solid(SolidShape::Pyramid13) => Self::Solid(SolidShape::Pyramid5),
            Self::Solid(SolidShape::Penta15) => Self::Solid(SolidShape::Penta6),
            Self::Solid(SolidShape::Hexa20) => Self::Solid(SolidShape::Hexa8),
            linear => linear,
        }
    }
}

/// In which order a format lists the nodes of a quadratic solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Corners, then the edges as Gmsh numbers them (Gmsh reference manual, "Node ordering").
    Gmsh,
    /// Corners, the edges of the bottom, those of the top, then the upright ones: Abaqus, Ansys and VTK.
    Rings,
    /// Around the bottom with corners and mid-side nodes in turn, the upright edges, around the top:
    /// universal files. Shells are so listed as well.
    Around,
}

/// The edges of the mid-side nodes of a quadratic solid; `None`: as bulk data has them.
fn edges_of(solid: SolidShape, order: Order) -> Option<&'static [[usize; 2]]> {
    Some(match (order, solid) {
        (Order::Gmsh, SolidShape::Tetra10) => &[[0, 1], [1, 2], [2, 0], [0, 3], [2, 3], [1, 3]],
        (Order::Gmsh, SolidShape::Pyramid13) => {
            &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 4], [2, 3], [2, 4], [3, 4]]
        }
        (Order::Gmsh, SolidShape::Penta15) => {
            &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]]
        }
        (Order::Gmsh, SolidShape::Hexa20) => {
            &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]]
        }
        (Order::Rings, SolidShape::Penta15) => {
            &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]]
        }
        (Order::Rings, SolidShape::Hexa20) => {
            &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]]
        }
        _ => return None,
    })
}

/// Slot of bulk data for each node of a shape as a format lists them.
pub(crate) fn bulk_slots(shape: Shape, order: Order) -> Vec<usize> {
    let corners = shape.corner_count();
    let slot_of = |edge: &[usize; 2]| {
        let same = |known: &[usize; 2]| known == edge || *known == [edge[1], edge[0]];
        corners + shape.edges().iter().position(same).expect("invariant: every order lists the same edges")
    };
    if shape.node_count() == corners {
        return (0..corners).collect();
    }
    if order == Order::Around {
        let rings: &[&[usize]] = match shape {
            Shape::Solid(SolidShape::Tetra10) => &[&[0, 1, 2]],
            Shape::Solid(SolidShape::Penta15) => &[&[0, 1, 2], &[3, 4, 5]],
            Shape::Solid(SolidShape::Hexa20) => &[&[0, 1, 2, 3], &[4, 5, 6, 7]],
            Shape::Solid(SolidShape::Pyramid13) => &[&[0, 1, 2, 3]],
            Shape::Tria6 => &[&[0, 1, 2]],
            _ => &[&[0, 1, 2, 3]],
        };
        let mut slots = Vec::new();
        for (k, ring) in rings.iter().enumerate() {
            if k == 1 {
                slots.extend((0..ring.len()).map(|i| slot_of(&[i, i + ring.len()])));
            }
            for (i, corner) in ring.iter().enumerate() {
                slots.extend([*corner, slot_of(&[*corner, ring[(i + 1) % ring.len()]])]);
            }
        }
        if let Shape::Solid(SolidShape::Tetra10 | SolidShape::Pyramid13) = shape {
            slots.extend((0..corners - 1).map(|corner| slot_of(&[corner, corners - 1])));
            slots.push(corners - 1);
        }
        return slots;
    }
    let edges = match shape {
        Shape::Solid(solid) => edges_of(solid, order),
        _ => None,
    };
    (0..corners).chain(edges.unwrap_or(shape.edges()).iter().map(slot_of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_lists_every_node_once() {
        let solids = [SolidShape::Tetra10, SolidShape::Pyramid13, SolidShape::Penta15, SolidShape::Hexa20];
        let shells = [Shape::Tria6, Shape::Quad8, Shape::Tria3];
        for shape in solids.map(Shape::Solid).into_iter().chain(shells) {
            for order in [Order::Gmsh, Order::Rings, Order::Around] {
                let mut slots = bulk_slots(shape, order);
                slots.sort_unstable();
                assert_eq!(slots, (0..shape.node_count()).collect::<Vec<_>>(), "{shape:?} {order:?}");
            }
        }
    }
}
