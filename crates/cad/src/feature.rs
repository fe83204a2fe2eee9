//! Planes and cylinders of a part, found in the triangles of its faces.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;

use crate::fit::{Axis, cylinder, direction_across, plane};
use crate::msh::{Cell, Mesh, opposite, sorted};

/// A hole, or a round pin: a cylinder that goes all the way round.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    /// `H1` and so on for holes, `S1` and so on for shafts.
    pub name: String,
    /// Faces of the part.
    pub faces: Vec<u32>,
    /// True when the material lies around it.
    pub is_hole: bool,
    /// Unit vector; its largest component is positive.
    pub axis: [f64; 3],
    /// On the axis, in the middle of its length.
    pub centre: [f64; 3],
    /// Radius.
    pub radius: f64,
    /// Length along the axis.
    pub depth: f64,
}

/// A plane face.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// `P1` and so on.
    pub name: String,
    /// Face of the part.
    pub faces: Vec<u32>,
    /// Away from the material.
    pub normal: [f64; 3],
    /// Centre of its area.
    pub centre: [f64; 3],
    /// Area.
    pub area: f64,
}

/// Faces with one axis and radius belong together when the axes differ by less than this part of the radius.
const SAME: f64 = 1e-4;
/// A cylinder goes all the way round when no gap between its nodes is wider than this (rad): nodes of the
/// coarse mesh are a twelfth of a turn apart.
const WIDEST_GAP: f64 = PI / 2.5;

/// A face of the part with its triangles.
struct Face {
    tag: u32,
    nodes: BTreeSet<u32>,
    /// Outward normals with the lengths of their areas, and the middles of their triangles.
    normals: Vec<(Vector3<f64>, Vector3<f64>)>,
}

impl Face {
    fn new(
        mesh: &Mesh,
        sides: &HashMap<[u32; 3], Vec<usize>>,
        tag: u32,
        triangles: &[&Cell<3>],
    ) -> Option<Self> {
        let mut face = Self { tag, nodes: BTreeSet::new(), normals: Vec::new() };
        for triangle in triangles {
            // A face between two solids is no surface of the part.
            let [tetrahedron] = sides.get(&sorted(triangle.corners))?.as_slice() else { return None };
            let inner = opposite(&mesh.tetrahedra[*tetrahedron].corners, &triangle.corners);
            let middle = triangle.corners.iter().map(|node| mesh.at(*node)).sum::<Vector3<f64>>() / 3.0;
            face.normals.push((mesh.normal_from(&triangle.corners, inner), middle));
            face.nodes.extend(triangle.corners);
        }
        Some(face)
    }

    fn area(&self) -> f64 {
        self.normals.iter().map(|(normal, _)| normal.norm()).sum()
    }
}

/// One or more faces on a cylinder.
struct Round {
    axis: Axis,
    is_hole: bool,
    faces: Vec<u32>,
    nodes: BTreeSet<u32>,
}

impl Round {
    fn belongs(&self, other: &Self) -> bool {
        let near = SAME * self.axis.radius;
        self.is_hole == other.is_hole
            && (self.axis.radius - other.axis.radius).abs() <= near
            && self.axis.direction.cross(&other.axis.direction).norm() <= SAME
            && self.axis.across(&other.axis.point).norm() <= near
            && !self.nodes.is_disjoint(&other.nodes)
    }

    fn named(&self, mesh: &Mesh, name: String) -> Option<Cylinder> {
        let mut direction = self.axis.direction;
        if direction[direction.iamax()] < 0.0 {
            direction = -direction;
        }
        let (e1, points) = (direction_across(&direction), self.nodes.iter().map(|node| mesh.at(*node)));
        let points: Vec<_> = points.collect();
        let e2 = direction.cross(&e1);
        let mut angles: Vec<f64> =
            points.iter().map(|x| self.axis.across(x)).map(|d| d.dot(&e2).atan2(d.dot(&e1))).collect();
        angles.sort_by(f64::total_cmp);
        let first = angles.first().map(|first| first + TAU);
        let gaps = angles.windows(2).map(|pair| pair[1] - pair[0]);
        let widest = gaps.chain(first.iter().zip(angles.last()).map(|(a, b)| a - b)).fold(0.0, f64::max);
        if widest > WIDEST_GAP {
            return None;
        }
        let along = points.iter().map(|x| direction.dot(&(x - self.axis.point)));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), z| (a.min(z), b.max(z)));
        let centre = self.axis.point + direction * (0.5 * (low + high));
        let clean = |v: Vector3<f64>| {
            <[f64; 3]>::from(v.map(|x| if x.abs() < 1e-9 * self.axis.radius { 0.0 } else { x }))
        };
        Some(Cylinder {
            name,
            faces: self.faces.clone(),
            is_hole: self.is_hole,
            axis: direction.map(|x| if x.abs() < 1e-9 { 0.0 } else { x }).into(),
            centre: clean(centre),
            radius: self.axis.radius,
            depth: high - low,
        })
    }
}

/// All cylinders that go round, and all planes, in the order of their faces.
pub(crate) fn features(mesh: &Mesh) -> (Vec<Cylinder>, Vec<Plane>) {
    let sides = mesh.sides();
    let faces = mesh.by_face();
    let faces = faces.iter().filter_map(|(tag, triangles)| Face::new(mesh, &sides, *tag, triangles));
    let (mut rounds, mut planes): (Vec<Round>, Vec<Plane>) = (Vec::new(), Vec::new());
    for face in faces {
        let points: Vec<_> = face.nodes.iter().map(|node| mesh.at(*node)).collect();
        let sum: Vector3<f64> = face.normals.iter().map(|(normal, _)| *normal).sum();
        let area = face.area();
        // Normals of a plane add up to its area.
        let flat = if sum.norm() > 0.999 * area { plane(&points, sum) } else { None };
        if let Some(normal) = flat {
            let centre =
                face.normals.iter().map(|(n, middle)| middle * n.norm()).sum::<Vector3<f64>>() / area;
            let name = format!("P{}", planes.len() + 1);
            planes.push(Plane {
                name,
                faces: vec![face.tag],
                normal: normal.into(),
                centre: centre.into(),
                area,
            });
            continue;
        }
        let normals: Vec<_> = face.normals.iter().map(|(normal, _)| *normal).collect();
        let Some(axis) = cylinder(&points, &normals) else { continue };
        // Outward of the material means towards the axis for a hole.
        let outward: f64 = face.normals.iter().map(|(normal, middle)| normal.dot(&axis.across(middle))).sum();
        let mut round = Round { axis, is_hole: outward < 0.0, faces: vec![face.tag], nodes: face.nodes };
        // Modellers cut a cylinder into halves or more; each may touch several that were found before.
        while let Some(index) = rounds.iter().position(|other| other.belongs(&round)) {
            let mut other = rounds.remove(index);
            other.faces.append(&mut round.faces);
            other.nodes.append(&mut round.nodes);
            round = other;
        }
        rounds.push(round);
    }
    rounds.iter_mut().for_each(|round| round.faces.sort_unstable());
    rounds.sort_by_key(|round| round.faces[0]);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut cylinders = Vec::new();
    for round in &rounds {
        let letter = if round.is_hole { "H" } else { "S" };
        let count = counts.entry(letter).or_default();
        if let Some(cylinder) = round.named(mesh, format!("{letter}{}", *count + 1)) {
            *count += 1;
            cylinders.push(cylinder);
        }
    }
    (cylinders, planes)
}
