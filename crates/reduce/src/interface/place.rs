//! Places in a mesh: cylinders, planes, boxes, spheres.

use nalgebra::Vector3;
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_pipeline::link::InterfaceTable;

/// A place, in deck units and the basic frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    kind: PlaceKind,
    tolerance: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum PlaceKind {
    Cylinder { axis: Vector3<f64>, through: Vector3<f64>, radius: f64, along: Option<[f64; 2]> },
    Plane { normal: Vector3<f64>, through: Vector3<f64>, radius: Option<f64> },
    Box { from: Vector3<f64>, to: Vector3<f64> },
    Sphere { centre: Vector3<f64>, radius: f64, surface: bool },
}

/// How far from a place a grid may be when the file does not say: a thousandth of the place's size. A chordal
/// mesh puts its corner grids on the true surface, so what is left is the rounding of the deck's fields.
const TOLERANCE: f64 = 1e-3;

impl Place {
    /// The place of an interface table; `None` when it names grids instead.
    pub fn new(table: &InterfaceTable) -> Option<Self> {
        let unit = |direction: [f64; 3]| Vector3::from(direction).normalize();
        let (kind, size) = if let Some(c) = &table.cylinder {
            let kind = PlaceKind::Cylinder {
                axis: unit(c.axis.0),
                through: c.through.into(),
                radius: c.radius,
                along: c.along.map(|[a, b]| [a.min(b), a.max(b)]),
            };
            (kind, c.radius)
        } else if let Some(p) = &table.plane {
            let kind =
                PlaceKind::Plane { normal: unit(p.normal.0), through: p.through.into(), radius: p.radius };
            (kind, p.radius.unwrap_or(0.0))
        } else if let Some(b) = &table.box_ {
            let (from, to) = (Vector3::from(b.from), Vector3::from(b.to));
            (PlaceKind::Box { from, to }, (to - from).amax())
        } else {
            let s = table.sphere.as_ref()?;
            (PlaceKind::Sphere { centre: s.centre.into(), radius: s.radius, surface: s.surface }, s.radius)
        };
        Some(Self { kind, tolerance: table.tolerance.unwrap_or(TOLERANCE * size) })
    }

    /// Distance of a point from the place; 0 inside a box or a full sphere.
    fn distance(&self, point: Vector3<f64>) -> f64 {
        match &self.kind {
            PlaceKind::Cylinder { axis, through, radius, along } => {
                let from = point - through;
                let height = from.dot(axis);
                let beyond = along.map_or(0.0, |[a, b]| (a - height).max(height - b).max(0.0));
                ((from - axis * height).norm() - radius).abs().max(beyond)
            }
            PlaceKind::Plane { normal, through, radius } => {
                let from = point - through;
                let beyond = radius.map_or(0.0, |radius| (from.norm() - radius).max(0.0));
                from.dot(normal).abs().max(beyond)
            }
            PlaceKind::Box { from, to } => {
                (0..3).map(|k| (from[k] - point[k]).max(point[k] - to[k])).fold(0.0, f64::max)
            }
            PlaceKind::Sphere { centre, radius, surface } => {
                let depth = (point - centre).norm() - radius;
                if *surface { depth.abs() } else { depth.max(0.0) }
            }
        }
    }

    /// The grids on the place, in mesh order.
    pub fn grids(&self, mesh: &LinkMesh) -> Vec<NodeIndex> {
        // A plane without a radius has no size of its own: the mesh lends it one.
        let tolerance = if self.tolerance > 0.0 { self.tolerance } else { TOLERANCE * extent(mesh) };
        let grids = mesh.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Grid);
        grids.filter(|(_, node)| self.distance(node.position) <= tolerance).map(|(i, _)| i.into()).collect()
    }

    /// The middle of the place: on the axis of a cylinder halfway between its outermost grids, the centre of a
    /// sphere or box, the mean of the grids on a plane.
    pub(super) fn middle(&self, mesh: &LinkMesh, grids: &[NodeIndex]) -> Vector3<f64> {
        match &self.kind {
            PlaceKind::Cylinder { axis, through, .. } => {
                let heights = grids.iter().map(|n| (mesh.node(*n).position - through).dot(axis));
                let (low, high) = heights
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
                through + axis * (0.5 * (low + high))
            }
            PlaceKind::Plane { .. } => super::mean(mesh, grids),
            PlaceKind::Box { from, to } => (from + to) * 0.5,
            PlaceKind::Sphere { centre, .. } => *centre,
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
