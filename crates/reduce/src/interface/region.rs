//! Regions of a mesh: cylinders, planes, boxes, spheres.

use nalgebra::Vector3;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};

/// A region, in deck units and the basic frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub(crate) shape: RegionShape,
    /// How far a grid may be from it; 0 for a plane without a size, which takes that of the mesh.
    pub(crate) tolerance: f64,
}

/// The shape of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum RegionShape {
    /// The surface of a cylinder: a bearing hole or a shaft.
    Cylinder {
        /// Direction of its axis.
        axis: Vector3<f64>,
        /// A point on the axis.
        through: Vector3<f64>,
        /// Its radius.
        radius: f64,
        /// From where to where along the axis, measured from `through`; all of it when `None`.
        along: Option<[f64; 2]>,
    },
    /// A plane: a flange.
    Plane {
        /// Its normal.
        normal: Vector3<f64>,
        /// A point on it.
        through: Vector3<f64>,
        /// Only grids within this distance of `through`; all of them when `None`.
        radius: Option<f64>,
    },
    /// A box along the axes.
    Box {
        /// Lower corner.
        from: Vector3<f64>,
        /// Upper corner.
        to: Vector3<f64>,
    },
    /// A sphere.
    Sphere {
        /// Its centre.
        centre: Vector3<f64>,
        /// Its radius.
        radius: f64,
        /// True: only the surface. False: all grids inside.
        surface: bool,
    },
}

/// How far from a region a grid may be by default: a thousandth of the region's size. A chordal
/// mesh puts its corner grids on the true surface, so what is left is the rounding of the deck's fields.
const TOLERANCE: f64 = 1e-3;

impl Region {
    /// A region of this shape. A grid may be as far from it as `tolerance`, a thousandth of its size when
    /// `None`.
    pub fn new(mut shape: RegionShape, tolerance: Option<f64>) -> Self {
        let size = match &mut shape {
            RegionShape::Cylinder { axis, radius, along, .. } => {
                *axis = axis.normalize();
                *along = along.map(|[a, b]| [a.min(b), a.max(b)]);
                *radius
            }
            RegionShape::Plane { normal, radius, .. } => {
                *normal = normal.normalize();
                radius.unwrap_or(0.0)
            }
            RegionShape::Box { from, to } => (*to - *from).amax(),
            RegionShape::Sphere { radius, .. } => *radius,
        };
        Self { shape, tolerance: tolerance.unwrap_or(TOLERANCE * size) }
    }

    /// Distance of a point from the region; 0 inside a box or a full sphere.
    fn distance(&self, point: Vector3<f64>) -> f64 {
        match &self.shape {
            RegionShape::Cylinder { axis, through, radius, along } => {
                let from = point - through;
                let height = from.dot(axis);
                let beyond = along.map_or(0.0, |[a, b]| (a - height).max(height - b).max(0.0));
                ((from - axis * height).norm() - radius).abs().max(beyond)
            }
            RegionShape::Plane { normal, through, radius } => {
                let from = point - through;
                let beyond = radius.map_or(0.0, |radius| (from.norm() - radius).max(0.0));
                from.dot(normal).abs().max(beyond)
            }
            RegionShape::Box { from, to } => {
                (0..3).map(|k| (from[k] - point[k]).max(point[k] - to[k])).fold(0.0, f64::max)
            }
            RegionShape::Sphere { centre, radius, surface } => {
                let depth = (point - centre).norm() - radius;
                if *surface { depth.abs() } else { depth.max(0.0) }
            }
        }
    }

    /// The grids in the region, in mesh order.
    pub fn grids(&self, mesh: &LinkMesh) -> Vec<NodeIndex> {
        // A plane without a radius has no size of its own: the mesh lends it one.
        let tolerance = if self.tolerance > 0.0 { self.tolerance } else { TOLERANCE * extent(mesh) };
        let grids = mesh.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Grid);
        grids.filter(|(_, node)| self.distance(node.position) <= tolerance).map(|(i, _)| i.into()).collect()
    }

    /// The middle of the region: on the axis of a cylinder halfway between its outermost grids, the centre of
    /// a sphere or box, the mean of the grids on a plane.
    pub(super) fn middle(&self, mesh: &LinkMesh, grids: &[NodeIndex]) -> Vector3<f64> {
        match &self.shape {
            RegionShape::Cylinder { axis, through, .. } => {
                let heights = grids.iter().map(|n| (mesh.node(*n).position - through).dot(axis));
                let (low, high) = heights
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
                through + axis * (0.5 * (low + high))
            }
            RegionShape::Plane { .. } => super::mean(mesh, grids),
            RegionShape::Box { from, to } => (from + to) * 0.5,
            RegionShape::Sphere { centre, .. } => *centre,
        }
    }

    /// Why nothing was found: how far away the nearest grid is.
    pub(super) fn nearest_hint(&self, mesh: &LinkMesh) -> String {
        let grids = mesh.nodes.iter().filter(|node| node.kind == NodeKind::Grid);
        let nearest =
            grids.map(|node| (self.distance(node.position), node.id)).min_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            Some((distance, id)) => format!(
                "no grid lies there; the nearest is GRID {id}, {distance:.4e} deck units away (tolerance {:.1e})",
                self.tolerance
            ),
            None => "the deck has no grids".to_owned(),
        }
    }
}

/// Largest side of the mesh's bounding box.
fn extent(mesh: &LinkMesh) -> f64 {
    let grids = || mesh.nodes.iter().filter(|node| node.kind == NodeKind::Grid);
    let low = grids().fold(Vector3::repeat(f64::INFINITY), |low, node| low.inf(&node.position));
    let high = grids().fold(Vector3::repeat(f64::NEG_INFINITY), |high, node| high.sup(&node.position));
    (high - low).max()
}
