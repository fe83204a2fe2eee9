//! Imported matrices on the same path as a mesh: a link with its shapes and its health.

use std::time::Instant;

use nalgebra::DMatrix;
use pliant_diag::{Diagnostic, Diagnostics, Warned};
use pliant_fem::dof::rigid_row;
use pliant_fem::element::MassKind;
use pliant_link::{Coordinate, ReducedLink};
use pliant_mesh::{Component, LinkMesh, Units};

use super::sid::{sid_link, sid_of};
use super::{ImportedMatrices, imported_link};
use crate::ReduceError;
use crate::completeness::Completeness;
use crate::damping::asked_damping;
use crate::health::Health;
use crate::interface::MeshInterface;
use crate::link::{Reduction, interfaces};
use crate::request::{BasisKind, DeckSource, ImportedSource, LinkRequest, LinkSource};
use crate::shapes::{LinkFrame, NodalShapes};

/// The link of a supplier's matrices. Its shapes know the interface grids only, and there is no mesh to
/// compare mass and frequencies with: those parts of its health are left at zero and empty.
///
/// # Errors
/// Matrices that do not fit the interfaces.
pub fn reduce_imported(
    request: &LinkRequest,
    mut mesh: LinkMesh,
    matrices: &ImportedMatrices,
) -> Result<Reduction, ReduceError> {
    let start = Instant::now();
    mesh.units = request.units;
    let interfaces =
        interfaces(&mut mesh, &request.interfaces, request.origin).map_err(ReduceError::Request)?;
    let frame = LinkFrame::new(&mesh, &interfaces[0]);
    let made = imported_link(&request.name, &mesh, matrices, &interfaces[0], &interfaces[1..])
        .map_err(ReduceError::Request)?;
    let rows = matrices.rows.len() - 6;
    let health =
        Health { mesh_dofs: rows, grounding: grounding(&mesh, &frame, matrices), ..Health::default() };
    complete(request, mesh, interfaces, made, health, start)
}

/// The link of standard input data; its nodes are the grids of the mesh. Its health is that of
/// [`reduce_imported`].
///
/// # Errors
/// Matrices that are missing, interfaces that are not nodes, units other than SI.
pub fn reduce_sid(
    request: &LinkRequest,
    mut mesh: LinkMesh,
    source: &ImportedSource,
) -> Result<Reduction, ReduceError> {
    let start = Instant::now();
    if request.units != Units::SI {
        let message = "standard input data is in SI: leave `units` out";
        let problem = Diagnostic::error(message).at(request.origin.0);
        return Err(ReduceError::Request([problem].into_iter().collect()));
    }
    let sid = sid_of(source).map_err(|problem| ReduceError::Request([*problem].into_iter().collect()))?;
    let interfaces =
        interfaces(&mut mesh, &request.interfaces, request.origin).map_err(ReduceError::Request)?;
    let located = |problems: Diagnostics| {
        let at = |problem: Diagnostic| problem.at(request.origin.0);
        ReduceError::Request(problems.into_iter().map(at).collect())
    };
    let made = sid_link(&request.name, &mesh, &sid, &interfaces[0], &interfaces[1..]).map_err(located)?;
    let health = Health { mesh_dofs: sid.modes.len(), ..Health::default() };
    complete(request, mesh, interfaces, made, health, start)
}

/// What both kinds of import share: damping, the shapes at the interfaces, the numbers of the link.
fn complete(
    request: &LinkRequest,
    mesh: LinkMesh,
    interfaces: Vec<MeshInterface>,
    made: Warned<ReducedLink>,
    health: Health,
    start: Instant,
) -> Result<Reduction, ReduceError> {
    let frame = LinkFrame::new(&mesh, &interfaces[0]);
    let Warned { output: mut link, mut diagnostics } = made;
    diagnostics.extend(unused_options(request));
    if let Some(damping) = &request.damping {
        link.D += asked_damping(damping, &link.K, &link.invariants.M_EE)?;
    }
    let modes = link.coordinates.iter().filter_map(|coordinate| match coordinate {
        Coordinate::Mode { freq_hz } => Some(*freq_hz),
        Coordinate::Interface { .. } => None,
    });
    let health = Health {
        coordinates: link.coordinate_count(),
        mass: link.invariants.mass(),
        completeness: Completeness::of_supplier(),
        modes_hz: modes.collect(),
        elapsed: start.elapsed(),
        ..health
    };
    let shapes = interface_shapes(&mesh, &frame, &interfaces, &link);
    Ok(Reduction { link, shapes, mesh, interfaces, health, diagnostics })
}

/// Options that choose how a mesh is reduced mean nothing here.
fn unused_options(request: &LinkRequest) -> Diagnostics {
    let deck = match &request.source {
        LinkSource::Imported(imported) => &imported.deck,
        _ => &DeckSource::default(),
    };
    let keys = [
        ("modes", request.modes.is_some()),
        ("basis", request.basis != BasisKind::CraigBampton),
        ("residual", request.residuals.is_some()),
        ("mass", request.mass != MassKind::Consistent),
        ("material", deck.material.is_some()),
        ("thickness", deck.thickness.is_some()),
        ("rail", request.rail.is_some()),
    ];
    let unused = keys.into_iter().filter(|(_, given)| *given);
    unused
        .map(|(key, _)| {
            Diagnostic::warning(format!("`{key}` has no effect: an imported link is reduced already"))
        })
        .collect()
}

/// Largest rᵀKr of the six rigid motions over Σ|r_i K_ij r_j|.
fn grounding(mesh: &LinkMesh, frame: &LinkFrame, matrices: &ImportedMatrices) -> f64 {
    let R = DMatrix::from_fn(matrices.rows.len(), 6, |i, motion| {
        let row = matrices.rows[i];
        let node = mesh.node_by_id(row.id).expect("invariant: imported_link has found every row");
        rigid_row(mesh, node, Component::from_row(row.component), frame.origin)[motion]
    });
    let relative = |motion: usize| {
        let r = R.column(motion);
        let term = |i: usize, j: usize| r[i] * matrices.K[(i, j)] * r[j];
        let pairs = || (0..r.len()).flat_map(|i| (0..r.len()).map(move |j| (i, j)));
        let energy: f64 = pairs().map(|(i, j)| term(i, j)).sum();
        let absolute: f64 = pairs().map(|(i, j)| term(i, j).abs()).sum();
        if absolute > 0.0 { energy.abs() / absolute } else { 0.0 }
    };
    (0..6).map(relative).fold(0.0, f64::max)
}

fn interface_shapes(
    mesh: &LinkMesh,
    frame: &LinkFrame,
    interfaces: &[MeshInterface],
    link: &ReducedLink,
) -> NodalShapes {
    let mut order: Vec<usize> = (0..interfaces.len()).collect();
    order.sort_by_key(|k| interfaces[*k].node);
    let nodes: Vec<_> = order.iter().map(|k| interfaces[*k].node).collect();
    let positions = nodes.iter().map(|node| frame.position(mesh.node(*node).position)).collect();
    // The inboard interface is the first and does not move.
    let moved = |k: usize, component: usize, j: usize| {
        k.checked_sub(1).map_or(0.0, |outboard| link.interfaces[outboard].V[(component, j)])
    };
    let column =
        |j: usize| order.iter().flat_map(|k| (0..6).map(move |component| moved(*k, component, j))).collect();
    NodalShapes { nodes, positions, columns: (0..link.coordinate_count()).map(column).collect() }
}
