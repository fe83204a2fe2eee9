//! CBUSH.

use nalgebra::Vector3;
use pliant_diag::Origin;

use crate::{CoordIndex, ElementId, NodeIndex, PropertyIndex};

/// A bushing between two grids, or between a grid and the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Bush {
    /// The user's number.
    pub id: ElementId,
    /// A property of kind Bush.
    pub property: PropertyIndex,
    /// GA, and GB where there is one.
    pub nodes: (NodeIndex, Option<NodeIndex>),
    /// Its axes.
    pub orientation: BushOrientation,
    /// Where between the grids it sits.
    pub location: BushLocation,
    /// Where it was given.
    pub source: Origin,
}

/// Axes of a [`Bush`].
#[derive(Clone, Debug, PartialEq)]
pub enum BushOrientation {
    /// CID: the axes of a coordinate system, at the element's location when cylindrical or spherical.
    Frame(CoordIndex),
    /// X1 X2 X3 in the basic frame: x along GA–GB, plane 1 holds the vector.
    Vector(Vector3<f64>),
    /// G0: the same with the vector from GA to G0.
    Node(NodeIndex),
    /// Nothing given: x along GA–GB, for axial and torsional stiffness only.
    Axial,
}

/// Location of a [`Bush`].
#[derive(Clone, Debug, PartialEq)]
pub enum BushLocation {
    /// S: the fraction of the way from GA to GB.
    Fraction(f64),
    /// OCID ≥ 0 and S1 S2 S3: a point in the basic frame.
    Point(Vector3<f64>),
}
