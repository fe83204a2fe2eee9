//! Strain gauges: what a gauge glued to a surface reads, from the motion of the grids around it.

use std::collections::HashMap;

use nalgebra::{Matrix2x3, Vector3};
use pliant_mesh::element::{Shell, Solid};
use pliant_mesh::property::PropertyKind;
use pliant_mesh::{LinkMesh, NodeIndex};

use super::Displaced;

/// A gauge in the deck's basic frame and length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauge {
    /// Where: the nearest shell or outer face of a solid takes it.
    pub position: Vector3<f64>,
    /// Along which it measures; its part in the surface counts.
    pub direction: Vector3<f64>,
    /// On the top (+z) of a shell, rather than on its bottom.
    pub top: bool,
}

/// Why a gauge cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GaugeError {
    /// The link has no surface.
    #[error("the link has neither shells nor solids to glue a gauge to")]
    NoSurface,
    /// The direction stands on the surface.
    #[error("its direction is that of the surface's normal")]
    Upright,
    /// No face is near.
    #[error(
        "no face of the mesh is nearer than its own width (`at` is in the coordinates and units of the deck; of a link in segments, `link` is the segment)"
    )]
    Away,
}

/// A face with the height of its surface above the grids.
struct Face {
    corners: Vec<NodeIndex>,
    height: f64,
}

/// Strain per unit of each coordinate.
///
/// ε = d·(∂u/∂x) d with u = t + θ × (h n) on a surface at height h above the grids, differentiated with the
/// bilinear (or linear) functions of the corners at the point nearest to the gauge.
pub(super) fn row(displaced: &Displaced<'_>, gauge: &Gauge) -> Result<Vec<f64>, GaugeError> {
    let mesh = displaced.mesh;
    let face = nearest(mesh, gauge)?;
    let x: Vec<Vector3<f64>> = face.corners.iter().map(|node| mesh.node(*node).position).collect();
    let (xi, eta) = project(&x, &gauge.position);
    let gradient = gradients(x.len(), xi, eta);
    let tangents: Matrix2x3<f64> = (0..x.len()).map(|i| gradient[i] * x[i].transpose()).sum();
    let (a, b) = (tangents.row(0).transpose(), tangents.row(1).transpose());
    let normal = a.cross(&b).normalize();
    let inside = gauge.direction - normal * normal.dot(&gauge.direction);
    if inside.norm() < 1e-6 * gauge.direction.norm() {
        return Err(GaugeError::Upright);
    }
    let d = inside.normalize();
    // d = p a + q b, so that ∂/∂d = p ∂/∂ξ + q ∂/∂η.
    let metric = tangents * tangents.transpose();
    let inverse = metric.try_inverse().ok_or(GaugeError::NoSurface)?;
    let along = inverse * (tangents * d);
    let strain = |j: usize| {
        let of_corner = |i: usize| {
            let [t, r] = displaced.node(face.corners[i], j).unwrap_or_default();
            let u = t + r.cross(&(normal * face.height));
            gradient[i].dot(&along) * d.dot(&u)
        };
        (0..x.len()).map(of_corner).sum()
    };
    Ok((0..displaced.shapes.columns.len()).map(strain).collect())
}

/// The face whose nearest point lies nearest to the gauge; of several that meet there, the one its direction
/// lies in best.
fn nearest(mesh: &LinkMesh, gauge: &Gauge) -> Result<Face, GaugeError> {
    let of_shells = mesh.shells.iter().map(|shell| {
        let corners = mesh.nodes_of_shell(shell)[..shell.shape.corner_count()].to_vec();
        let [bottom, top] = surfaces(mesh, shell);
        let offset = shell.offset.unwrap_or(0.0);
        Face { corners, height: offset + if gauge.top { top } else { bottom } }
    });
    let faces: Vec<Face> = of_shells.chain(outer_faces(mesh)).collect();
    // Distance, and how upright the direction stands.
    let look = |face: &Face| {
        let x: Vec<Vector3<f64>> = face.corners.iter().map(|node| mesh.node(*node).position).collect();
        let (xi, eta) = project(&x, &gauge.position);
        let on: Vector3<f64> = functions(x.len(), xi, eta).iter().zip(&x).map(|(N, x)| x * *N).sum();
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0])).normalize();
        let size = (x[2] - x[0]).norm();
        ((on - gauge.position).norm(), normal.dot(&gauge.direction.normalize()).abs(), size)
    };
    let seen: Vec<(f64, f64, f64)> = faces.iter().map(look).collect();
    let least = seen.iter().map(|(distance, ..)| *distance).fold(f64::INFINITY, f64::min);
    let meets = |(distance, _, size): &(f64, f64, f64)| distance - least <= 1e-6 * size;
    let best = faces.into_iter().zip(seen).filter(|(_, seen)| meets(seen));
    let (face, (distance, _, size)) =
        best.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).ok_or(GaugeError::NoSurface)?;
    // A plate's surface is half its thickness from its grids.
    if distance > size + face.height.abs() { Err(GaugeError::Away) } else { Ok(face) }
}

/// The faces of solids that no two of them share.
fn outer_faces(mesh: &LinkMesh) -> impl Iterator<Item = Face> {
    let corners = |solid: &Solid| {
        let nodes = mesh.nodes_of_solid(solid);
        let face = |face: &&[usize]| face.iter().map(|corner| nodes[*corner]).collect::<Vec<_>>();
        pliant_fem::element::solid_faces(solid.shape).iter().map(face).collect::<Vec<_>>()
    };
    let mut owners: HashMap<Vec<NodeIndex>, usize> = HashMap::new();
    let faces: Vec<(Vec<NodeIndex>, Vec<NodeIndex>)> = mesh
        .solids
        .iter()
        .flat_map(corners)
        .map(|corners| {
            let mut sorted = corners.clone();
            sorted.sort_unstable();
            (sorted, corners)
        })
        .collect();
    faces.iter().for_each(|(sorted, _)| *owners.entry(sorted.clone()).or_default() += 1);
    let outer = faces.into_iter().filter(move |(sorted, _)| owners.get(sorted) == Some(&1));
    outer.map(|(_, corners)| Face { corners, height: 0.0 })
}

/// Heights of the bottom and top of a shell above its reference surface, by the mean thickness of its
/// corners; one that is blank has that of the property.
fn surfaces(mesh: &LinkMesh, shell: &Shell) -> [f64; 2] {
    match &mesh.properties[shell.property.index()].kind {
        PropertyKind::Laminate(laminate) => {
            let bottom = laminate.bottom_height();
            [bottom, bottom + laminate.thickness()]
        }
        PropertyKind::Shell(property) => {
            let corners = &shell.corner_thickness[..shell.shape.corner_count()];
            let sum: f64 = corners.iter().map(|own| own.or(property.thickness).unwrap_or(0.0)).sum();
            let half = 0.5 * sum / corners.len() as f64;
            [-half, half]
        }
        _ => [0.0; 2],
    }
}

/// Corner functions at reference coordinates: linear on 0..1 for three, bilinear on −1..1 for four.
fn functions(corners: usize, xi: f64, eta: f64) -> Vec<f64> {
    if corners == 3 {
        return vec![1.0 - xi - eta, xi, eta];
    }
    SIGNS.iter().map(|[a, b]| 0.25 * (1.0 + a * xi) * (1.0 + b * eta)).collect()
}

const SIGNS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// Their derivatives.
fn gradients(corners: usize, xi: f64, eta: f64) -> Vec<nalgebra::Vector2<f64>> {
    use nalgebra::Vector2;
    if corners == 3 {
        return vec![Vector2::new(-1.0, -1.0), Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0)];
    }
    let of = |[a, b]: &[f64; 2]| Vector2::new(0.25 * a * (1.0 + b * eta), 0.25 * b * (1.0 + a * xi));
    SIGNS.iter().map(of).collect()
}

/// Reference coordinates of the point of a face nearest to `p`, by Gauss and Newton's iteration held inside
/// the face.
fn project(x: &[Vector3<f64>], p: &Vector3<f64>) -> (f64, f64) {
    let (mut xi, mut eta) = if x.len() == 3 { (1.0 / 3.0, 1.0 / 3.0) } else { (0.0, 0.0) };
    for _ in 0..12 {
        let at: Vector3<f64> = functions(x.len(), xi, eta).iter().zip(x).map(|(N, x)| x * *N).sum();
        let tangents: Matrix2x3<f64> =
            gradients(x.len(), xi, eta).iter().zip(x).map(|(g, x)| g * x.transpose()).sum();
        let Some(inverse) = (tangents * tangents.transpose()).try_inverse() else { break };
        let step = inverse * (tangents * (p - at));
        (xi, eta) = (xi + step.x, eta + step.y);
        if x.len() == 3 {
            (xi, eta) = (xi.clamp(0.0, 1.0), eta.clamp(0.0, 1.0));
            let over = (xi + eta - 1.0).max(0.0);
            (xi, eta) = (xi - 0.5 * over, eta - 0.5 * over);
        } else {
            (xi, eta) = (xi.clamp(-1.0, 1.0), eta.clamp(-1.0, 1.0));
        }
    }
    (xi, eta)
}
