//! Element quality from corner nodes: how far shells and solids are from their ideal shapes.
//!
//! - aspect: longest edge over shortest, 1 at best
//! - skew: largest difference of a corner angle of a face from 60° (triangle) or 90° (quadrilateral), in
//!   degrees
//! - Jacobian: smallest over the corners of det[e₁ e₂ e₃] / (|e₁||e₂||e₃|) with the edges eᵢ that leave the
//!   corner, over its value for the ideal shape; 1 at best, 0 or less for a collapsed or inside-out element.
//!   For shells, the edges of the corner and the element normal.
//!
//! Every edge is normalised once; angles and Jacobians are products of the unit edges.

use std::sync::OnceLock;

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
    /// Node slots, mid-side ones included.
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
    let mut shapes = Vec::new();
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
    shapes.sort_by_key(|shape| (shape.card, shape.node_count));
    shapes
}

#[inline]
fn corners(mesh: &LinkMesh, nodes: &[NodeIndex], count: usize) -> [Vector3<f64>; 8] {
    let mut corners = [Vector3::zeros(); 8];
    for (corner, node) in corners.iter_mut().zip(&nodes[..count]) {
        *corner = mesh.node(*node).position;
    }
    corners
}

#[inline]
fn note(
    shapes: &mut Vec<ShapeQuality>,
    (card, node_count): (&'static str, usize),
    element: ElementId,
    measures: Measures,
) {
    let first = |value| Worst { value, element };
    let known = shapes.iter().rposition(|shape| shape.node_count == node_count && shape.card == card);
    let index = known.unwrap_or_else(|| {
        shapes.push(ShapeQuality {
            card,
            node_count,
            count: 0,
            aspect: first(measures.aspect),
            skew_deg: first(measures.skew_deg),
            jacobian: first(measures.jacobian),
        });
        shapes.len() - 1
    });
    let shape = &mut shapes[index];
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

/// Which edges of a solid meet where, by their rows in [`SolidShape::edges`]. Signs turn them so that they
/// leave the corner.
struct Meetings {
    edges: &'static [[usize; 2]],
    /// Angles of triangles, then of quadrilaterals: two edges, and the product of their signs.
    angles: [Vec<(usize, usize, f64)>; 2],
    /// Corners: three edges, and the product of their signs over the ideal determinant.
    corners: Vec<([usize; 3], f64)>,
}

impl Meetings {
    fn of(shape: SolidShape) -> &'static Self {
        static ALL: [OnceLock<Meetings>; 4] = [const { OnceLock::new() }; 4];
        let row = match shape {
            SolidShape::Tetra4 | SolidShape::Tetra10 => 0,
            SolidShape::Pyramid5 | SolidShape::Pyramid13 => 1,
            SolidShape::Penta6 | SolidShape::Penta15 => 2,
            SolidShape::Hexa8 | SolidShape::Hexa20 => 3,
        };
        ALL[row].get_or_init(|| Self::new(shape))
    }

    fn new(shape: SolidShape) -> Self {
        let edges = shape.edges();
        let leaving = |from: usize, to: usize| {
            let row = edges.iter().position(|[a, b]| [*a, *b] == [from, to] || [*b, *a] == [from, to]);
            let row = row.expect("invariant: neighbours on a face are the ends of an edge");
            (row, if edges[row][0] == from { 1.0 } else { -1.0 })
        };
        let mut angles = [Vec::new(), Vec::new()];
        for face in shape.faces() {
            let count = face.len();
            for i in 0..count {
                let (a, sign_a) = leaving(face[i], face[(i + 1) % count]);
                let (b, sign_b) = leaving(face[i], face[(i + count - 1) % count]);
                angles[count - 3].push((a, b, sign_a * sign_b));
            }
        }
        let corner = |[at, a, b, c]: &[usize; 4]| {
            let [(a, sign_a), (b, sign_b), (c, sign_c)] = [a, b, c].map(|other| leaving(*at, *other));
            ([a, b, c], sign_a * sign_b * sign_c / ideal_corner(shape))
        };
        let corners = shape.corner_edges().iter().map(corner).collect();
        Self { edges, angles, corners }
    }
}

/// Most edges of a shape.
const MAX_EDGES: usize = 12;

fn measure_solid(shape: SolidShape, corners: &[Vector3<f64>; 8]) -> Measures {
    let meetings = Meetings::of(shape);
    let mut lengths = EdgeLengths::default();
    let mut unit = [Vector3::zeros(); MAX_EDGES];
    for (unit, [a, b]) in unit.iter_mut().zip(meetings.edges) {
        *unit = lengths.unit(corners[*b] - corners[*a]);
    }
    let mut skew_deg = 0.0_f64;
    for (angles, ideal) in meetings.angles.iter().zip(IDEAL_ANGLES) {
        let cosines = angles.iter().map(|(a, b, sign)| sign * unit[*a].dot(&unit[*b]));
        skew_deg = skew_deg.max(skew(cosines, ideal));
    }
    let jacobian =
        meetings.corners.iter().map(|([a, b, c], scale)| scale * unit[*a].dot(&unit[*b].cross(&unit[*c])));
    Measures { aspect: lengths.aspect(), skew_deg, jacobian: jacobian.fold(f64::INFINITY, f64::min) }
}

fn measure_shell(corners: &[Vector3<f64>]) -> Measures {
    let count = corners.len();
    let mut lengths = EdgeLengths::default();
    let mut unit = [Vector3::zeros(); 4];
    for i in 0..count {
        unit[i] = lengths.unit(corners[(i + 1) % count] - corners[i]);
    }
    // Of the triangle, or the cross product of the diagonals.
    let normal = match corners {
        [a, b, c, d] => (c - a).cross(&(d - b)),
        [a, b, c, ..] => (b - a).cross(&(c - a)),
        _ => Vector3::zeros(),
    };
    let normal = normal * ratio(1.0, normal.norm());
    let previous = |i: usize| -unit[(i + count - 1) % count];
    let skew_deg = skew((0..count).map(|i| unit[i].dot(&previous(i))), IDEAL_ANGLES[count - 3]);
    let ideal = if count == 3 { SIN_60 } else { 1.0 };
    let jacobian = (0..count).map(|i| unit[i].cross(&previous(i)).dot(&normal) / ideal);
    Measures { aspect: lengths.aspect(), skew_deg, jacobian: jacobian.fold(f64::INFINITY, f64::min) }
}

/// Angles of an equilateral triangle and a square, in degrees.
const IDEAL_ANGLES: [f64; 2] = [60.0, 90.0];

/// Largest difference of an angle from the ideal one, both in degrees: that of the smallest or the largest
/// angle.
#[inline]
fn skew(cosines: impl Iterator<Item = f64>, ideal: f64) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for cosine in cosines {
        low = low.min(cosine);
        high = high.max(cosine);
    }
    if low > high {
        return 0.0;
    }
    let angle = |cosine: f64| cosine.clamp(-1.0, 1.0).acos().to_degrees();
    (angle(low) - ideal).abs().max((angle(high) - ideal).abs())
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
    /// The unit vector along an edge, zero where it has no length; takes the length in.
    #[inline]
    fn unit(&mut self, edge: Vector3<f64>) -> Vector3<f64> {
        let length = edge.norm();
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
        edge * ratio(1.0, length)
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
