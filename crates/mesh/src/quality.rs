//! Element quality from corner nodes: how far shells and solids are from their ideal shapes.
//!
//! - aspect: longest edge over shortest, 1 at best
//! - skew: largest difference of a corner angle of a face from 60° (triangle) or 90° (quadrilateral), in degrees
//! - Jacobian: smallest over the corners of det[e₁ e₂ e₃] / (|e₁||e₂||e₃|) with the edges eᵢ that leave the corner, over its
//!   value for the ideal shape; 1 at best, 0 or less for a collapsed or inside-out element. For shells, the edges of
//!   the corner and the element normal.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::element::SolidShape;
use crate::{ElementId, LinkMesh, NodeIndex};

/// The worst value of a measure, and the element that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The value.
    pub value: f64,
    /// The element.
    pub element: ElementId,
}

/// Quality of all elements of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeQuality {
    /// Name of the card.
    pub card: &'static str,
    /// Node places, mid-side ones included.
    pub node_count: usize,
    /// How many elements.
    pub count: usize,
    /// Longest edge over shortest.
    pub aspect: Worst,
    /// Difference of a corner angle from the ideal one, in degrees.
    pub skew_deg: Worst,
    /// Scaled Jacobian.
    pub jacobian: Worst,
}

/// The measures of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measures {
    aspect: f64,
    skew_deg: f64,
    jacobian: f64,
}

/// Quality of the shells and solids of a mesh, by card and number of nodes.
pub fn shape_quality(mesh: &LinkMesh) -> Vec<ShapeQuality> {
    let mut shapes = BTreeMap::new();
    for solid in &mesh.solids {
        let corners = corners(mesh, mesh.nodes_of_solid(solid), solid.shape.corner_count());
        let measures = measure_solid(solid.shape, &corners);
        note(&mut shapes, (solid.shape.card(), solid.shape.node_count()), solid.id, measures);
    }
    for shell in &mesh.shells {
        let corners = corners(mesh, mesh.nodes_of_shell(shell), shell.shape.corner_count());
        let measures = measure_shell(&corners[..shell.shape.corner_count()]);
        note(&mut shapes, (shell.shape.card(), shell.shape.node_count()), shell.id, measures);
    }
    shapes.into_values().collect()
}

fn corners(mesh: &LinkMesh, nodes: &[NodeIndex], count: usize) -> [Vector3<f64>; 8] {
    let mut corners = [Vector3::zeros(); 8];
    for (corner, node) in corners.iter_mut().zip(&nodes[..count]) {
        *corner = mesh.node(*node).position;
    }
    corners
}

fn note(
    shapes: &mut BTreeMap<(&'static str, usize), ShapeQuality>,
    (card, node_count): (&'static str, usize),
    element: ElementId,
    measures: Measures,
) {
    let first = |value| Worst { value, element };
    let shape = shapes.entry((card, node_count)).or_insert_with(|| ShapeQuality {
        card,
        node_count,
        count: 0,
        aspect: first(measures.aspect),
        skew_deg: first(measures.skew_deg),
        jacobian: first(measures.jacobian),
    });
    shape.count += 1;
    if measures.aspect > shape.aspect.value {
        shape.aspect = first(measures.aspect);
    }
    if measures.skew_deg > shape.skew_deg.value {
        shape.skew_deg = first(measures.skew_deg);
    }
    if measures.jacobian < shape.jacobian.value {
        shape.jacobian = first(measures.jacobian);
    }
}

/// Faces of a solid, each with its corners in turn around it.
fn faces(shape: SolidShape) -> &'static [&'static [usize]] {
    match shape {
        SolidShape::Tetra4 | SolidShape::Tetra10 => &[&[0, 1, 2], &[0, 1, 3], &[1, 2, 3], &[0, 2, 3]],
        SolidShape::Pyramid5 | SolidShape::Pyramid13 => {
            &[&[0, 1, 2, 3], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]]
        }
        SolidShape::Penta6 | SolidShape::Penta15 => {
            &[&[0, 1, 2], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]]
        }
        SolidShape::Hexa8 | SolidShape::Hexa20 => {
            &[&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
        }
    }
}

/// det / lengths of the edges at a corner of the ideal shape.
fn ideal_corner(shape: SolidShape) -> f64 {
    match shape {
        // All edges equal: 6V/L³ = 1/√2, and the height of the pyramid is L/√2.
        SolidShape::Tetra4 | SolidShape::Tetra10 | SolidShape::Pyramid5 | SolidShape::Pyramid13 => {
            std::f64::consts::FRAC_1_SQRT_2
        }
        // Equilateral triangle: sin 60°.
        SolidShape::Penta6 | SolidShape::Penta15 => SIN_60,
        SolidShape::Hexa8 | SolidShape::Hexa20 => 1.0,
    }
}

const SIN_60: f64 = 0.866_025_403_784_438_6;

fn measure_solid(shape: SolidShape, corners: &[Vector3<f64>; 8]) -> Measures {
    let mut edges = EdgeLengths::default();
    let mut skew_deg = 0.0_f64;
    for face in faces(shape) {
        let mut points = [Vector3::zeros(); 4];
        for (point, corner) in points.iter_mut().zip(*face) {
            *point = corners[*corner];
        }
        skew_deg = skew_deg.max(face_skew(&points[..face.len()], &mut edges));
    }
    let ideal = ideal_corner(shape);
    let jacobian = shape.corner_edges().iter().map(|[at, a, b, c]| {
        let [a, b, c] = [a, b, c].map(|other| corners[*other] - corners[*at]);
        ratio(a.dot(&b.cross(&c)), a.norm() * b.norm() * c.norm()) / ideal
    });
    Measures { aspect: edges.aspect(), skew_deg, jacobian: jacobian.fold(f64::INFINITY, f64::min) }
}

fn measure_shell(corners: &[Vector3<f64>]) -> Measures {
    let mut edges = EdgeLengths::default();
    let skew_deg = face_skew(corners, &mut edges);
    let count = corners.len();
    // Area vector: of the triangle, or half the cross product of the diagonals.
    let normal = match corners {
        [a, b, c, d] => (c - a).cross(&(d - b)),
        [a, b, c, ..] => (b - a).cross(&(c - a)),
        _ => Vector3::zeros(),
    };
    let ideal = if count == 3 { SIN_60 } else { 1.0 };
    let jacobian = (0..count).map(|i| {
        let next = corners[(i + 1) % count] - corners[i];
        let previous = corners[(i + count - 1) % count] - corners[i];
        let scale = next.norm() * previous.norm() * normal.norm();
        ratio(next.cross(&previous).dot(&normal), scale) / ideal
    });
    Measures { aspect: edges.aspect(), skew_deg, jacobian: jacobian.fold(f64::INFINITY, f64::min) }
}

/// Largest difference of a corner angle from the ideal one, in degrees; takes the edges in on the way.
fn face_skew(points: &[Vector3<f64>], edges: &mut EdgeLengths) -> f64 {
    let count = points.len();
    let ideal = if count == 3 { 60.0 } else { 90.0 };
    let mut worst = 0.0_f64;
    for i in 0..count {
        let next = points[(i + 1) % count] - points[i];
        let previous = points[(i + count - 1) % count] - points[i];
        edges.take(next.norm());
        let cosine = ratio(next.dot(&previous), next.norm() * previous.norm());
        worst = worst.max((cosine.clamp(-1.0, 1.0).acos().to_degrees() - ideal).abs());
    }
    worst
}

struct EdgeLengths {
    shortest: f64,
    longest: f64,
}

impl Default for EdgeLengths {
    fn default() -> Self {
        Self { shortest: f64::INFINITY, longest: 0.0 }
    }
}

impl EdgeLengths {
    fn take(&mut self, length: f64) {
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
    }

    fn aspect(&self) -> f64 {
        self.longest / self.shortest
    }
}

/// `a / b`, and 0 where an edge has no length.
fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solid(shape: SolidShape, points: &[[f64; 3]]) -> Measures {
        let mut corners = [Vector3::zeros(); 8];
        for (corner, point) in corners.iter_mut().zip(points) {
            *corner = Vector3::from(*point);
        }
        measure_solid(shape, &corners)
    }

    /// Within rounding of a dozen operations on numbers around 1.
    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    fn ideal_shapes() -> Vec<(SolidShape, Vec<[f64; 3]>)> {
        let r3 = 3_f64.sqrt();
        let h = 0.5_f64.sqrt();
        vec![
            (SolidShape::Tetra4, vec![[1., 1., 1.], [-1., 1., -1.], [1., -1., -1.], [-1., -1., 1.]]),
            (
                SolidShape::Pyramid5,
                vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, h]],
            ),
            (
                SolidShape::Penta6,
                vec![
                    [0., 0., 0.],
                    [1., 0., 0.],
                    [0.5, r3 / 2., 0.],
                    [0., 0., 1.],
                    [1., 0., 1.],
                    [0.5, r3 / 2., 1.],
                ],
            ),
            (
                SolidShape::Hexa8,
                vec![
                    [0., 0., 0.],
                    [1., 0., 0.],
                    [1., 1., 0.],
                    [0., 1., 0.],
                    [0., 0., 1.],
                    [1., 0., 1.],
                    [1., 1., 1.],
                    [0., 1., 1.],
                ],
            ),
        ]
    }

    #[test]
    fn ideal_solids_are_perfect_and_their_mirror_images_inside_out() {
        for (shape, points) in ideal_shapes() {
            let m = solid(shape, &points);
            assert!(close(m.aspect, 1.0) && m.skew_deg < 1e-9, "{shape:?} {m:?}");
            assert!(close(m.jacobian, 1.0), "{shape:?} {m:?}");
            let mirrored: Vec<_> = points.iter().map(|p| [p[0], p[1], -p[2]]).collect();
            assert!(close(solid(shape, &mirrored).jacobian, -1.0), "{shape:?}");
        }
    }

    #[test]
    fn a_brick_of_1_2_10_has_aspect_10_and_no_skew() {
        let (shape, points) = ideal_shapes().pop().unwrap();
        let brick: Vec<_> = points.iter().map(|p| [p[0], 2.0 * p[1], 10.0 * p[2]]).collect();
        let m = solid(shape, &brick);
        assert!(close(m.aspect, 10.0) && close(m.skew_deg, 0.0) && close(m.jacobian, 1.0), "{m:?}");
    }

    #[test]
    fn a_rhombus_of_60_degrees_is_skewed_by_30() {
        let r3 = 3_f64.sqrt();
        let corners = [[0., 0., 0.], [1., 0., 0.], [1.5, r3 / 2., 0.], [0.5, r3 / 2., 0.]].map(Vector3::from);
        let m = measure_shell(&corners);
        assert!(close(m.aspect, 1.0) && (m.skew_deg - 30.0).abs() < 1e-9, "{m:?}");
        assert!(close(m.jacobian, SIN_60), "sin 60°: {m:?}");
    }
}
