//! The rail of a link: where a sliding joint can grip it.
//!
//! Modes and constraint modes are smooth along a rail, and what holds a boom at one point of it bends it with
//! a kink of curvature there. The static part of what the basis misses is the residual flexibility of the
//! rail (R. H. MacNeal, *A hybrid method of component mode synthesis*, Computers & Structures 1 (1971)
//! 581–601), here of the interior with all interfaces fixed:
//!
//! ```text
//! F = T_r K_ii⁻¹ T_rᵀ − V_r K_q⁻¹ V_rᵀ        r the rail's components, q the coordinates that leave the interfaces alone
//! ```
//!
//! Nothing holds a boom at its link frame, so that it gets five more coordinates: it may move across the rail
//! and turn as a rigid body, small motions both, in a frame that slides along a straight line.

mod station;

use std::ops::RangeInclusive;

use faer::Mat;
use nalgebra::{DMatrix, Matrix6xX, Vector3, Vector6};
use pliant_diag::Diagnostic;
use pliant_link::{Coordinate, Rail, ReducedLink};
use pliant_mesh::element::Shell;
use pliant_mesh::{GridId, LinkMesh, NodeIndex, RigidKind};

use crate::ReduceError;
use crate::basis::{Basis, Column, FixedInterface};
use crate::nodal_mass::invariants;
use crate::request::{RailRequest, RailStations};
use crate::shapes::{LinkFrame, NodalShapes, to_link_axes};
use crate::substructure::Substructure;
use station::{Line, Station, stations};

/// What the rail of a link is made from.
pub(crate) struct RailSource<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
    pub(crate) request: &'a RailRequest,
    pub(crate) inboard: NodeIndex,
    pub(crate) outboard: Vec<NodeIndex>,
}

impl RailSource<'_> {
    /// Adds the rigid motions of a boom to its link and its shapes, and makes its rail.
    ///
    /// # Errors
    /// Grids that do not exist or do not lie on a straight line; sections with too few of them; a basis
    /// without constraint modes.
    pub(crate) fn add_to(
        &self,
        link: &mut ReducedLink,
        basis: &Basis,
        shapes: &mut NodalShapes,
    ) -> Result<Rail, ReduceError> {
        let (Line { foot, direction }, stations) = stations(self)?;
        let flexibility = self.flexibility(&stations);
        let open = self.open(&stations, &flexibility)?;
        let positions: Vec<f64> = stations.iter().map(|station| station.at).collect();
        let from = self.request.from.unwrap_or(positions[*open.start()]);
        let to = self.request.to.unwrap_or(positions[*open.end()]);
        let (first, last) = (positions[0], positions[positions.len() - 1]);
        if !(first <= from && from < to && to <= last) {
            let message = "`from` and `to` must lie on the rail, in this order";
            let message = format!("the rail goes from {first:.6} m to {last:.6} m: {message}");
            return Err(self.refusal(Diagnostic::error(message)));
        }
        self.add_rigid_motions(0.5 * (from + to), direction, link, shapes);
        let V: Vec<Matrix6xX<f64>> = stations.iter().map(|station| station.rows(shapes)).collect();
        let F = flexibility - self.kept(basis, &V, link)?;
        Ok(Rail { foot, direction, stations: positions, range: (from, to), V, F: (&F + F.transpose()) * 0.5 })
    }

    /// A word about a rail of grids on walls: each is held alone, and what gives way is the wall around it.
    pub(crate) fn about_walls(&self) -> Option<Diagnostic> {
        let mesh = self.mesh;
        let is_on_wall = |node: &NodeIndex| {
            let holds =
                |kind: &RigidKind| !matches!(kind, RigidKind::Rbe3 { .. }) && kind.nodes().contains(node);
            let in_shell = |shell: &Shell| mesh.nodes_of_shell(shell).contains(node);
            !mesh.rigids.iter().any(|rigid| holds(&rigid.kind)) && mesh.shells.iter().any(in_shell)
        };
        let RailStations::Grids(grids) = &self.request.stations else { return None };
        let grids = grids.iter();
        let node = grids.filter_map(|id| mesh.node_by_id(GridId(*id))).find(is_on_wall)?;
        let message = format!(
            "GRID {} of the rail is on a wall of shells and is held alone there: the wall around it gives way, the more the finer its mesh",
            mesh.node(node).id
        );
        let hint = "`line` and `stations` hold entire sections of the boom; so do centres of spiders (RBE3) as `grids`";
        Some(Diagnostic::warning(message).at(mesh.node(node).source.0).hint(hint))
    }

    /// An error at the location of the request.
    fn refusal(&self, problem: Diagnostic) -> ReduceError {
        ReduceError::Request([problem.at(self.request.origin.0)].into_iter().collect())
    }

    /// The stations between those that move with the interfaces: a grip cannot be where the link has no
    /// flexibility of its own, but the rail may begin and end there.
    fn open(&self, stations: &[Station], F: &DMatrix<f64>) -> Result<RangeInclusive<usize>, ReduceError> {
        let own = |k: usize, c: usize| F[(6 * k + c, 6 * k + c)];
        let largest = |c: usize| (0..stations.len()).map(|k| own(k, c)).fold(0.0, f64::max);
        let largest: [f64; 6] = std::array::from_fn(largest);
        // What a solve's rounding leaves of zero is less.
        let gives = |k: usize, c: usize| own(k, c) > 1e-9 * largest[c];
        let moves = |k: &usize| (0..6).any(|c| gives(*k, c));
        let first = (0..stations.len()).find(moves).unwrap_or(0);
        let last = (0..stations.len()).rfind(moves).unwrap_or(0);
        let stiff = (first..=last).find_map(|k| (0..6).find(|c| !gives(k, *c)).map(|c| (k, c + 1)));
        if let Some((k, component)) = stiff {
            let message =
                format!("{} of the rail has no flexibility in component {component}", stations[k].name);
            let hint = "the stations of a rail must have translations and rotations: grids of beams or shells, or the centres of spiders (RBE3)";
            return Err(self.refusal(Diagnostic::error(message).hint(hint)));
        }
        Ok(first..=last)
    }

    /// Translations across the rail and rotations become coordinates without stiffness. The axes of rotation
    /// are beside the `middle` of the rail, on the line along it through the link frame: whatever turns, the
    /// inner end keeps its position along the rail, so that the drive acts on it. About a rail beside that
    /// line the drive would act along the rail, and bend the boom by its arm.
    fn add_rigid_motions(
        &self,
        middle: f64,
        direction: Vector3<f64>,
        link: &mut ReducedLink,
        shapes: &mut NodalShapes,
    ) {
        let middle = direction * middle;
        let side = direction.cross(&Vector3::ith(direction.iamin(), 1.0)).normalize();
        let across = [side, direction.cross(&side)].map(|t| (t, Vector3::zeros()));
        let turns = (0..3).map(|k| (Vector3::zeros(), Vector3::ith(k, 1.0)));
        for (translation, rotation) in across.into_iter().chain(turns) {
            let motion = |x: &Vector3<f64>| {
                let u = translation + rotation.cross(&(x - middle));
                [u.x, u.y, u.z, rotation.x, rotation.y, rotation.z]
            };
            shapes.columns.push(shapes.positions.iter().flat_map(motion).collect());
            link.coordinates.push(Coordinate::Mode { freq_hz: 0.0 });
        }
        let n = link.coordinate_count();
        for A in [&mut link.K, &mut link.D] {
            *A = std::mem::take(A).resize(n, n, 0.0);
        }
        link.invariants = invariants(self.mesh, self.frame, self.part, shapes);
        for (interface, node) in link.interfaces.iter_mut().zip(&self.outboard) {
            interface.V = shapes.rows(*node);
        }
    }

    /// Displacements of the rail under unit loads on it with all interfaces fixed (SI, link axes).
    fn flexibility(&self, stations: &[Station]) -> DMatrix<f64> {
        let (part, units) = (self.part, &self.frame.units);
        let (interior, m) = (&self.fixed.interior, 6 * stations.len());
        let unit_force = units.mass * units.length / (units.time * units.time);
        let mut X = Mat::zeros(interior.len(), m);
        for (k, station) in stations.iter().enumerate() {
            for axis in 0..6 {
                let mut load = vec![0.0; part.dofs.count()];
                for (node, W) in &station.members {
                    let row = W.row(axis).transpose() / unit_force;
                    // `write_deck` divides translations by the unit of length, which forces do not have and
                    // moments do.
                    let force = row.fixed_rows::<3>(0) * units.length;
                    let moment = row.fixed_rows::<3>(3) / units.length;
                    let rows = part.dofs.rows_of(*node);
                    self.frame.write_deck(self.mesh, *node, force, moment, &mut load[rows]);
                }
                let free = part.constraints.reduce(&load);
                for (i, row) in interior.iter().enumerate() {
                    X[(i, 6 * k + axis)] = free[*row];
                }
            }
        }
        self.fixed.factor.solve_in_place(X.as_mut());
        let nothing = vec![0.0; part.constraints.fixed.len()];
        let mut F = DMatrix::zeros(m, m);
        for column in 0..m {
            let mut free = vec![0.0; part.free_count()];
            for (i, row) in interior.iter().enumerate() {
                free[*row] = X[(i, column)];
            }
            let u = part.constraints.expand(&free, &nothing);
            let of = |node| {
                let triads = self.frame.triads(self.mesh, &[node]);
                Vector6::from_vec(to_link_axes(self.frame, part, &[node], &triads, &u))
            };
            for (k, station) in stations.iter().enumerate() {
                F.fixed_view_mut::<6, 1>(6 * k, column).copy_from(&station.motion(of));
            }
        }
        F
    }

    /// The part of that flexibility which the coordinates have.
    fn kept(
        &self,
        basis: &Basis,
        V: &[Matrix6xX<f64>],
        link: &ReducedLink,
    ) -> Result<DMatrix<f64>, ReduceError> {
        let boundary = basis.columns.iter().filter(|c| matches!(c, Column::Boundary(_))).count();
        let modes: Vec<usize> =
            (0..basis.columns.len()).filter(|j| !matches!(basis.columns[*j], Column::Boundary(_))).collect();
        let size =
            |j: usize, rows: &[usize]| rows.iter().map(|i| basis.column(j)[*i].abs()).fold(0.0, f64::max);
        // Modes leave the interfaces alone to the last digit, residual vectors up to the rounding of a solve.
        let moves = |j: &usize| size(*j, &self.fixed.boundary) > 1e-6 * size(*j, &self.fixed.interior);
        if boundary != self.fixed.boundary.len() || modes.iter().any(moves) {
            let message = "a rail needs `basis = \"craig-bampton\"` or `\"guyan\"`";
            return Err(self.refusal(Diagnostic::error(message)));
        }
        let V_q = DMatrix::from_fn(6 * V.len(), modes.len(), |i, j| V[i / 6][(i % 6, modes[j])]);
        let K_q = DMatrix::from_fn(modes.len(), modes.len(), |i, j| link.K[(modes[i], modes[j])]);
        let factor = K_q.cholesky().ok_or(ReduceError::LooseInterface)?;
        Ok(&V_q * factor.solve(&V_q.transpose()))
    }
}
