//! The balance of forces at grids: for the terminal in units of the deck and displacement frames, for files
//! in SI and the basic frame.

use nalgebra::{Matrix3, Vector3};
use pliant_diag::Diagnostics;
use pliant_fem::Statics;
use pliant_fem::dof::displacement_triad;
use pliant_fem::solve::{GridForce, GridForceOrigin, GridForces, StaticSubcase, grid_point_forces};
use pliant_mesh::{LinkMesh, NodeIndex, NodeKind};
use pliant_store::results::{GridForceRow, PointField};

/// Grids whose forces are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedGrids {
    /// All.
    All,
    /// Those on which a load, a single-point constraint, an MPC or a rigid element acts.
    Loaded,
}

/// Forces on grids in each subcase, in units of the deck and displacement frames.
pub(super) fn all(
    mesh: &LinkMesh,
    found: &Statics,
    listed: ListedGrids,
) -> Result<Vec<GridForces>, Diagnostics> {
    let of_subcase = |subcase: &StaticSubcase| {
        let vectors = [&subcase.applied, &subcase.spc_forces, &subcase.mpc_forces];
        let acts = |node: NodeIndex| {
            let own = found.dofs.rows_of(node);
            vectors.iter().any(|vector| vector[own.clone()].iter().any(|force| *force != 0.0))
        };
        grid_point_forces(mesh, found, subcase, &|node| listed == ListedGrids::All || acts(node))
    };
    found.subcases.iter().map(of_subcase).collect()
}

/// What acts, in a word: `applied`, `SPC`, `MPC`, `CBAR 12`, `K2GG`.
pub fn force_origin(mesh: &LinkMesh, origin: GridForceOrigin) -> String {
    match origin {
        GridForceOrigin::Applied => "applied".to_owned(),
        GridForceOrigin::SinglePoint => "SPC".to_owned(),
        GridForceOrigin::MultiPoint => "MPC".to_owned(),
        GridForceOrigin::Direct => "K2GG".to_owned(),
        GridForceOrigin::Element(which) => {
            let facts = mesh.element_facts(which);
            format!("{} {}", facts.card, facts.id)
        }
    }
}

/// The same forces for files, in SI and the basic frame.
pub(super) fn rows(mesh: &LinkMesh, found: &Statics, forces: &[GridForces]) -> Vec<GridForceRow> {
    let of_subcase = |(subcase, forces): (&StaticSubcase, &GridForces)| -> Vec<GridForceRow> {
        let row = |force: &GridForce| {
            let [newtons, newton_metres] = basic(mesh, force.node, &force.force);
            GridForceRow {
                subcase: subcase.id,
                grid: mesh.node(force.node).id.0,
                origin: force_origin(mesh, force.origin),
                force: newtons,
                moment: newton_metres,
            }
        };
        forces.forces.iter().map(row).collect()
    };
    found.subcases.iter().zip(forces).flat_map(of_subcase).collect()
}

/// Newtons and newton metres of a unit of the deck.
fn units(mesh: &LinkMesh) -> [f64; 2] {
    let units = mesh.units;
    let force = units.mass * units.length / (units.time * units.time);
    [force, force * units.length]
}

/// Force and moment in the basic frame, SI.
fn basic(mesh: &LinkMesh, node: NodeIndex, six: &[f64]) -> [[f64; 3]; 2] {
    let triad = displacement_triad(mesh, node).unwrap_or_else(Matrix3::identity);
    let [force, moment] = units(mesh);
    let of =
        |first: usize, unit: f64| (triad * Vector3::from_column_slice(&six[first..first + 3]) * unit).into();
    [of(0, force), of(3, moment)]
}

/// Loads and constraint forces of the drawn grids as vectors, for arrows in ParaView.
pub(super) fn of_points(mesh: &LinkMesh, found: &Statics) -> Vec<PointField> {
    let grids =
        || (0..mesh.nodes.len()).map(NodeIndex::from).filter(|n| mesh.node(*n).kind == NodeKind::Grid);
    let field = |name: &'static str, what: &'static str, of: fn(&StaticSubcase) -> &Vec<f64>| {
        let vector = |subcase: &StaticSubcase| -> Vec<f32> {
            let force = |node| basic(mesh, node, &of(subcase)[found.dofs.rows_of(node)])[0].map(|x| x as f32);
            grids().flat_map(force).collect()
        };
        PointField { name, units: "N", what, values: found.subcases.iter().flat_map(vector).collect() }
    };
    vec![
        field("applied_force", "loads on the grids", |subcase| &subcase.applied),
        field("spc_force", "forces of single-point constraints", |subcase| &subcase.spc_forces),
        field("mpc_force", "forces of MPC and rigid elements", |subcase| &subcase.mpc_forces),
    ]
}
