//! Rows of shells.

use nalgebra::Vector3;
use pliant_fem::element::{PlyState, ShellForces, ply_states};
use pliant_mesh::LinkMesh;
use pliant_mesh::element::ElementRef;
use pliant_mesh::property::{LaminateProperty, PropertyKind, ShellProperty};

use super::{Column, Quantity, RowKind};

/// A plate at both faces, at its centre and at its corners, or a laminate in each ply at its centre, times
/// `scale`. `points`: the centre, then the corners.
pub(super) fn rows(
    mesh: &LinkMesh,
    which: ElementRef,
    points: &[ShellForces],
    quantity: Quantity,
    scale: f64,
) -> Option<Column> {
    let ElementRef::Shell(row) = which else { return None };
    match &mesh.properties[mesh.shells[row as usize].property.index()].kind {
        PropertyKind::Laminate(laminate) => plies(mesh, laminate, points.first()?, quantity, scale),
        PropertyKind::Shell(plate) => faces(plate, points, quantity, scale),
        _ => None,
    }
}

/// The bottom and top of each ply in its own axes.
fn plies(
    mesh: &LinkMesh,
    laminate: &LaminateProperty,
    centre: &ShellForces,
    quantity: Quantity,
    scale: f64,
) -> Option<Column> {
    let states = ply_states(mesh, laminate, centre)?;
    let of = |state: &PlyState| match quantity {
        Quantity::Stress => state.stress,
        Quantity::Strain => state.strain,
    };
    let rows = states.iter().flatten().flat_map(|state| <[f64; 3]>::from(of(state) * scale));
    Some((RowKind::Laminate { plies: states.len() }, rows.collect()))
}

/// Both faces of each point in element axes.
///
/// σ(z) = N/t + M z/I and ε(z) = ε + zκ with resultants and strain about the middle of the plate, at z = Z1
/// and Z2 of the property (∓t/2 where they are blank) and with its I = (12I/T³)·t³/12. `None` for a membrane
/// without thickness.
fn faces(plate: &ShellProperty, points: &[ShellForces], quantity: Quantity, scale: f64) -> Option<Column> {
    if points.is_empty() || points.iter().any(|point| point.thickness <= 0.0) {
        return None;
    }
    let at = |point: &ShellForces, face: usize| {
        let t = point.thickness;
        let z = plate.fibre_distances[face].unwrap_or([-0.5 * t, 0.5 * t][face]);
        // From the surface that M, ε and κ are about to the middle of the plate.
        let middle = point.offset - point.height;
        match quantity {
            Quantity::Stress => {
                let moment = point.moment - point.membrane * middle;
                let inertia = plate.bending_ratio * t.powi(3) / 12.0;
                let bent = if inertia > 0.0 { moment * (z / inertia) } else { Vector3::zeros() };
                point.membrane / t + bent
            }
            Quantity::Strain => point.strain + point.curvature * (middle + z),
        }
    };
    let rows = points.iter().flat_map(|point| [0, 1].map(|face| at(point, face)));
    let kind = RowKind::Shell { corners: points.len() - 1 };
    Some((kind, rows.flat_map(|s| <[f64; 3]>::from(s * scale)).collect()))
}
