//! Rows of shells.

use nalgebra::Vector3;
use pliant_fem::element::{ShellForces, ply_stress};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::{LaminateProperty, PropertyKind};

use super::StressKind;

/// Stress of a plate at both faces, or of a laminate in each ply.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    points: &[ShellForces],
    pressure: f64,
) -> Option<(StressKind, Vec<f64>)> {
    let ElementRef::Shell(row) = which else { return None };
    match &mesh.properties[mesh.shells[row as usize].property.index()].kind {
        PropertyKind::Laminate(laminate) => plies(mesh, laminate, points, pressure),
        _ => faces(points, pressure),
    }
}

/// Stress at the bottom and top of each ply in its own axes, in the middle of the element: the mean of its points.
fn plies(
    mesh: &LinkMesh,
    laminate: &LaminateProperty,
    points: &[ShellForces],
    pressure: f64,
) -> Option<(StressKind, Vec<f64>)> {
    let all: Vec<_> = points.iter().map(|point| ply_stress(mesh, laminate, point)).collect::<Option<_>>()?;
    let plies = all.first()?.len();
    let scale = pressure / points.len() as f64;
    let mean = |ply: usize, face: usize| all.iter().map(|of| of[ply][face]).sum::<Vector3<f64>>() * scale;
    let faces = (0..plies).flat_map(|ply| [mean(ply, 0), mean(ply, 1)]);
    Some((StressKind::Laminate { plies }, faces.flat_map(|s| [s.x, s.y, s.z]).collect()))
}

/// Stress at both faces in the middle of the element, in element axes: the mean of its points.
///
/// σ(∓t/2) = N/t ∓ 6M/t² with the resultants about the middle of the plate. `None` for a membrane
/// without thickness.
fn faces(points: &[ShellForces], pressure: f64) -> Option<(StressKind, Vec<f64>)> {
    if points.is_empty() || points.iter().any(|point| point.thickness <= 0.0) {
        return None;
    }
    let (mut bottom, mut top) = (Vector3::zeros(), Vector3::zeros());
    for point in points {
        let t = point.thickness;
        // From the surface that M is about to the middle of the plate.
        let middle = point.offset - point.height;
        let moment = point.moment - point.membrane * middle;
        let (membrane, bending) = (point.membrane / t, moment * (6.0 / (t * t)));
        bottom += membrane - bending;
        top += membrane + bending;
    }
    let scale = pressure / points.len() as f64;
    Some((StressKind::Shell, bottom.iter().chain(top.iter()).map(|s| s * scale).collect()))
}
