//! Rows of shells.

use nalgebra::Vector3;
use pliant_fem::element::{PlyState, ShellForces, ply_states};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::{LaminateProperty, PropertyKind};

use super::{Column, Quantity, RowKind};

/// A plate at both faces, or a laminate in each ply, times `scale`.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    points: &[ShellForces],
    quantity: Quantity,
    scale: f64,
) -> Option<Column> {
    let ElementRef::Shell(row) = which else { return None };
    // In the middle of the element: the mean of its points.
    let scale = scale / points.len() as f64;
    match &mesh.properties[mesh.shells[row as usize].property.index()].kind {
        PropertyKind::Laminate(laminate) => plies(mesh, laminate, points, quantity, scale),
        _ => faces(points, quantity, scale),
    }
}

/// The bottom and top of each ply in its own axes, summed over the points.
fn plies(
    mesh: &LinkMesh,
    laminate: &LaminateProperty,
    points: &[ShellForces],
    quantity: Quantity,
    scale: f64,
) -> Option<Column> {
    let all: Vec<_> = points.iter().map(|point| ply_states(mesh, laminate, point)).collect::<Option<_>>()?;
    let plies = all.first()?.len();
    let of = |state: &PlyState| match quantity {
        Quantity::Stress => state.stress,
        Quantity::Strain => state.strain,
    };
    let sum = |ply: usize, face: usize| all.iter().map(|at| of(&at[ply][face])).sum::<Vector3<f64>>() * scale;
    let faces = (0..plies).flat_map(|ply| [sum(ply, 0), sum(ply, 1)]);
    Some((RowKind::Laminate { plies }, faces.flat_map(|s| [s.x, s.y, s.z]).collect()))
}

/// Both faces in element axes, summed over the points.
///
/// σ(∓t/2) = N/t ∓ 6M/t² and ε(∓t/2) = ε ∓ κt/2 with resultants and strain about the middle of the plate.
/// `None` for a membrane without thickness.
fn faces(points: &[ShellForces], quantity: Quantity, scale: f64) -> Option<Column> {
    if points.is_empty() || points.iter().any(|point| point.thickness <= 0.0) {
        return None;
    }
    let (mut bottom, mut top) = (Vector3::zeros(), Vector3::zeros());
    for point in points {
        let t = point.thickness;
        // From the surface that M, ε and κ are about to the middle of the plate.
        let middle = point.offset - point.height;
        let (even, bending) = match quantity {
            Quantity::Stress => {
                let moment = point.moment - point.membrane * middle;
                (point.membrane / t, moment * (6.0 / (t * t)))
            }
            Quantity::Strain => (point.strain + point.curvature * middle, point.curvature * (0.5 * t)),
        };
        bottom += even - bending;
        top += even + bending;
    }
    Some((RowKind::Shell, bottom.iter().chain(top.iter()).map(|s| s * scale).collect()))
}
