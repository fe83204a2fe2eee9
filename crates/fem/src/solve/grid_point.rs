//! The balance of forces at grid points, as GPFORCE of Nastran has it.

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, NodeIndex};
use rayon::prelude::*;

use super::{StaticSubcase, Statics};
use crate::assembly::direct_stiffness_product;
use crate::dof::matrix_to_displacement_axes;
use crate::element::{ElementContext, all_elements, build};

/// What acts on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GridForceOrigin {
    /// Applied loads, with the grid loads that stand for pressures, PLOAD1, gravity and temperatures.
    Applied,
    /// Single-point constraints.
    SinglePoint,
    /// MPC and rigid elements.
    MultiPoint,
    /// An element: the opposite of what the grid does to it.
    Element(ElementRef),
    /// DMIG matrices of the case (K2GG).
    Direct,
}

/// A force on a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridForce {
    /// The grid or scalar point.
    pub node: NodeIndex,
    /// What acts.
    pub origin: GridForceOrigin,
    /// Force and moment in the displacement frame of the grid; a scalar point has one, and zeros behind it.
    pub force: [f64; 6],
}

/// Forces on grids and how well they balance.
#[derive(Clone, Debug, Default)]
pub struct GridForces {
    /// Those on the grids that were asked for, grid by grid.
    pub forces: Vec<GridForce>,
    /// Sum of all forces on each of these grids: 0 but for rounding.
    pub totals: Vec<(NodeIndex, [f64; 6])>,
    /// Largest sum of forces on any grid of the mesh over the largest force on any, or over the largest
    /// moment divided by the size of the mesh, whichever is more: forces that are all rounding are no error.
    pub force_error: f64,
    /// The same of moments, over the largest moment or the largest force times the size of the mesh,
    /// whichever is more.
    pub moment_error: f64,
}

impl GridForces {
    /// Each grid that was asked for with its forces and their sum.
    pub fn by_grid(&self) -> impl Iterator<Item = (NodeIndex, &[GridForce], &[f64; 6])> {
        self.totals.iter().map(|(node, total)| {
            let first = self.forces.partition_point(|force| force.node < *node);
            let end = self.forces.partition_point(|force| force.node <= *node);
            (*node, &self.forces[first..end], total)
        })
    }
}

/// Elements whose matrices are in memory at one time.
const BATCH: usize = 256;

/// Forces on the grids that `wanted` names: f + q_s + q_m − Σ Kₑuₑ = 0 at each, with the loads f, the forces
/// q_s of single-point constraints, q_m of MPC and rigid elements, and Kₑuₑ of each element (Nastran's
/// GPFORCE). The balance is that of all grids.
///
/// # Errors
/// Elements that cannot be built.
pub fn grid_point_forces(
    mesh: &LinkMesh,
    statics: &Statics,
    subcase: &StaticSubcase,
    wanted: &dyn Fn(NodeIndex) -> bool,
) -> Result<GridForces, Diagnostics> {
    let dofs = &statics.dofs;
    let mut total = vec![0.0; dofs.count()];
    let mut largest = [0.0_f64; 2];
    let mut forces = Vec::new();
    let mut add = |node: NodeIndex, origin: GridForceOrigin, force: [f64; 6]| {
        for (sum, x) in total[dofs.rows_of(node)].iter_mut().zip(force) {
            *sum += x;
        }
        for (kind, part) in force.chunks_exact(3).enumerate() {
            largest[kind] = part.iter().fold(largest[kind], |largest, x| largest.max(x.abs()));
        }
        if wanted(node) {
            forces.push(GridForce { node, origin, force });
        }
    };
    let direct: Vec<f64> = direct_stiffness_product(mesh, dofs, &subcase.u)?.iter().map(|k| -k).collect();
    let vectors = [
        (GridForceOrigin::Applied, &subcase.applied),
        (GridForceOrigin::SinglePoint, &subcase.spc_forces),
        (GridForceOrigin::MultiPoint, &subcase.mpc_forces),
        (GridForceOrigin::Direct, &direct),
    ];
    for (origin, vector) in vectors {
        for node in (0..dofs.node_count()).map(NodeIndex::from) {
            let own = &vector[dofs.rows_of(node)];
            if own.iter().any(|x| *x != 0.0) {
                add(node, origin, six(own));
            }
        }
    }
    for batch in all_elements(mesh).chunks(BATCH) {
        let found: Vec<Result<Vec<GridForce>, Box<Diagnostic>>> =
            batch.par_iter().map(|which| on_grids(mesh, statics, &subcase.u, *which)).collect();
        for element in found {
            let element = element.map_err(|problem| Diagnostics::from_iter([*problem]))?;
            element.into_iter().for_each(|GridForce { node, origin, force }| add(node, origin, force));
        }
    }
    forces.sort_by_key(|force| (force.node, force.origin));
    let nodes = (0..dofs.node_count()).map(NodeIndex::from);
    let totals =
        nodes.clone().filter(|node| wanted(*node)).map(|node| (node, six(&total[dofs.rows_of(node)])));
    let worst = |kind: usize| {
        let of = |node: NodeIndex| six(&total[dofs.rows_of(node)])[3 * kind..3 * kind + 3].to_vec();
        nodes.clone().flat_map(of).fold(0.0_f64, |worst, x| worst.max(x.abs()))
    };
    let ratio = |error: f64, size: f64| if size > 0.0 { error / size } else { 0.0 };
    let extent = extent(mesh);
    Ok(GridForces {
        totals: totals.collect(),
        force_error: ratio(worst(0), largest[0].max(ratio(largest[1], extent))),
        moment_error: ratio(worst(1), largest[1].max(largest[0] * extent)),
        forces,
    })
}

/// What an element does to its grids: −Kₑuₑ, summed by grid.
fn on_grids(
    mesh: &LinkMesh,
    statics: &Statics,
    u: &[f64],
    which: ElementRef,
) -> Result<Vec<GridForce>, Box<Diagnostic>> {
    let element = build(ElementContext { mesh, extra_nsm: 0.0 }, which)?;
    let Some(mut K) = element.stiffness() else { return Ok(Vec::new()) };
    matrix_to_displacement_axes(mesh, element.as_ref(), &mut K);
    let rows = statics.dofs.rows_of_element(element.as_ref());
    let f = K * nalgebra::DVector::from_iterator(rows.len(), rows.iter().map(|row| u[*row as usize]));
    let mut found: Vec<GridForce> = Vec::new();
    for (dof, f) in element.dofs().iter().zip(&f) {
        let at = found.iter().position(|force| force.node == dof.node).unwrap_or_else(|| {
            let origin = GridForceOrigin::Element(which);
            found.push(GridForce { node: dof.node, origin, force: [0.0; 6] });
            found.len() - 1
        });
        found[at].force[dof.component.row()] -= f;
    }
    Ok(found)
}

fn six(own: &[f64]) -> [f64; 6] {
    std::array::from_fn(|k| own.get(k).copied().unwrap_or(0.0))
}

/// Diagonal of the box around the grids.
fn extent(mesh: &LinkMesh) -> f64 {
    let Some(first) = mesh.nodes.first() else { return 0.0 };
    let box_of = mesh.nodes.iter().fold((first.position, first.position), |(low, high), node| {
        (low.inf(&node.position), high.sup(&node.position))
    });
    (box_of.1 - box_of.0).norm()
}
