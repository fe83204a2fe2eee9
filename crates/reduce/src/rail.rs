//! The rail of a link: where a sliding joint can grip it.
//!
//! Modes and constraint modes are smooth along a rail, and what holds a boom at one point of it bends it with a kink of
//! curvature there. The static part of what the basis misses is the residual flexibility of the rail (R. H. MacNeal, *A
//! hybrid method of component mode synthesis*, Computers & Structures 1 (1971) 581–601), here of the interior with all
//! interfaces fixed:
//!
//! ```text
//! F = T_r K_ii⁻¹ T_rᵀ − V_r K_q⁻¹ V_rᵀ        r the rail's components, q the coordinates that leave the interfaces alone
//! ```
//!
//! Nothing holds a boom at its link frame, so that it gets five more coordinates: it may move across the rail and turn as a rigid
//! body, small motions both, in a frame that slides along a straight line.

use faer::Mat;
use nalgebra::{DMatrix, Matrix6xX, Vector3};
use pliant_diag::{Diagnostic, Diagnostics, Span};
use pliant_link::{Coordinate, Rail, ReducedLink};
use pliant_mesh::{GridId, LinkMesh, NodeIndex};
use pliant_pipeline::link::RailTable;

use crate::ReduceError;
use crate::basis::{Basis, Column, FixedInterface};
use crate::shapes::{LinkFrame, NodalShapes, invariants, to_link_axes};
use crate::substructure::Substructure;

/// How far a grid may lie off the straight line of the rail, in parts of its length: decks are written with seven digits.
const STRAIGHT: f64 = 1e-5;

/// What the rail of a link is made from.
pub(crate) struct RailSource<'a> {
    pub(crate) mesh: &'a LinkMesh,
    pub(crate) frame: &'a LinkFrame,
    pub(crate) part: &'a Substructure,
    pub(crate) fixed: &'a FixedInterface,
    pub(crate) table: &'a RailTable,
    pub(crate) inboard: NodeIndex,
    pub(crate) outboard: Vec<NodeIndex>,
}

impl RailSource<'_> {
    /// Adds the rigid motions of a boom to its link and its shapes, and makes its rail.
    ///
    /// # Errors
    /// Grids that do not exist, have no rotations, or do not lie on a straight line; a basis without constraint modes.
    pub(crate) fn add_to(
        &self,
        link: &mut ReducedLink,
        basis: &Basis,
        shapes: &mut NodalShapes,
    ) -> Result<Rail, ReduceError> {
        let refuse = |message: String| refused(message, self.table.source.0);
        let nodes = self.nodes()?;
        let at = |node: &NodeIndex| self.frame.position(self.mesh.node(*node).position);
        let points: Vec<Vector3<f64>> = nodes.iter().map(at).collect();
        let (first, last) = (points[0], points[points.len() - 1]);
        let length = (last - first).norm();
        let Some(direction) = (last - first).try_normalize(0.0) else {
            return refuse("the rail begins and ends at the same place".to_owned());
        };
        let foot = first - direction * direction.dot(&first);
        let stations: Vec<f64> = points.iter().map(|point| direction.dot(point)).collect();
        for (i, (point, station)) in points.iter().zip(&stations).enumerate() {
            let grid = self.mesh.node(nodes[i]).id;
            if (point - foot - direction * *station).norm() > STRAIGHT * length {
                return refuse(format!("GRID {grid} does not lie on the straight line of the rail"));
            }
            if i > 0 && *station <= stations[i - 1] {
                return refuse(format!("GRID {grid} does not come after the one before it along the rail"));
            }
        }
        // A grip cannot be on an interface, where the link has no flexibility of its own, but the rail may begin and end there.
        let mut open = nodes.iter().zip(&stations).filter(|(node, _)| !self.is_held(node)).map(|(_, x)| *x);
        let first = open.next().unwrap_or(f64::NAN);
        let last = open.next_back().unwrap_or(f64::NAN);
        let (from, to) = (self.table.from.unwrap_or(first), self.table.to.unwrap_or(last));
        if !(stations[0] <= from && from < to && to <= stations[stations.len() - 1]) {
            let message = "`from` and `to` must lie on the rail, in this order";
            return refuse(format!(
                "the rail goes from {:.6} m to {:.6} m: {message}",
                stations[0],
                stations[stations.len() - 1]
            ));
        }
        self.add_rigid_motions(foot + direction * (0.5 * (from + to)), direction, link, shapes);
        let V: Vec<Matrix6xX<f64>> = nodes.iter().map(|node| rows_of(shapes, *node)).collect();
        let F = self.flexibility(&nodes)? - self.kept(basis, &V, link)?;
        Ok(Rail { foot, direction, stations, range: (from, to), V, F: (&F + F.transpose()) * 0.5 })
    }

    /// True for the grids of interfaces.
    fn is_held(&self, node: &NodeIndex) -> bool {
        *node == self.inboard || self.outboard.contains(node)
    }

    /// Translations across the rail and rotations about its middle become coordinates without stiffness.
    fn add_rigid_motions(
        &self,
        middle: Vector3<f64>,
        direction: Vector3<f64>,
        link: &mut ReducedLink,
        shapes: &mut NodalShapes,
    ) {
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
            interface.V = rows_of(shapes, *node);
        }
    }

    /// The grids of the rail: those of the table, or all of a beam.
    fn nodes(&self) -> Result<Vec<NodeIndex>, ReduceError> {
        let span = self.table.source.0;
        let mut nodes = Vec::new();
        if let Some(grids) = &self.table.grids {
            for id in grids {
                match self.mesh.node_by_id(GridId(*id)) {
                    Some(node) => nodes.push(node),
                    None => return refused(format!("there is no GRID {id} for the rail"), span),
                }
            }
        } else {
            nodes.extend(self.mesh.bars.iter().take(1).map(|bar| bar.nodes[0]));
            nodes.extend(self.mesh.bars.iter().map(|bar| bar.nodes[1]));
        }
        if nodes.len() < 4 {
            return refused(format!("a rail needs four grids or more, this one has {}", nodes.len()), span);
        }
        Ok(nodes)
    }

    /// Displacements of the rail under unit loads on it with all interfaces fixed (SI, link axes).
    fn flexibility(&self, nodes: &[NodeIndex]) -> Result<DMatrix<f64>, ReduceError> {
        let (part, units) = (self.part, &self.frame.units);
        let (interior, m) = (&self.fixed.interior, 6 * nodes.len());
        let mut X = Mat::zeros(interior.len(), m);
        for (k, node) in nodes.iter().enumerate() {
            let dofs = part.system.dofs.rows_of(*node);
            for axis in 0..6 {
                let mut unit = [Vector3::zeros(); 2];
                unit[axis / 3][axis % 3] = 1.0;
                let mut load = vec![0.0; part.system.dofs.count()];
                // `write_deck` divides translations by the unit of length; loads are not lengths.
                self.frame.write_deck(
                    self.mesh,
                    *node,
                    unit[0] * units.length,
                    unit[1],
                    &mut load[dofs.clone()],
                );
                let free = part.constraints.reduce(&load);
                for (i, row) in interior.iter().enumerate() {
                    X[(i, 6 * k + axis)] = free[*row];
                }
            }
        }
        self.fixed.factor.solve_in_place(X.as_mut());
        let nothing = vec![0.0; part.constraints.fixed.len()];
        let mut F = DMatrix::zeros(m, m);
        for k in 0..m {
            let mut free = vec![0.0; part.free_count()];
            for (i, row) in interior.iter().enumerate() {
                free[*row] = X[(i, k)];
            }
            let u =
                to_link_axes(self.mesh, self.frame, part, nodes, &part.constraints.expand(&free, &nothing));
            let moment = if k % 6 < 3 { 1.0 } else { units.length };
            let force = units.mass * units.length / (units.time * units.time) * moment;
            F.set_column(k, &(nalgebra::DVector::from_vec(u) / force));
        }
        let loose = (0..m).find(|k| F[(*k, *k)] <= 0.0 && !self.is_held(&nodes[k / 6]));
        if let Some(k) = loose {
            let id = self.mesh.node(nodes[k / 6]).id;
            let message = format!("GRID {id} of the rail has no flexibility in component {}", k % 6 + 1);
            let hint = "a rail needs grids with rotations that can move: of beams or shells, or the centres of spiders (RBE3)";
            let problem = Diagnostic::error(message).at(self.table.source.0).hint(hint);
            return Err(ReduceError::Request([problem].into_iter().collect()));
        }
        Ok(F)
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
        let size = |j: usize, rows: &[usize]| rows.iter().map(|i| basis.V[(*i, j)].abs()).fold(0.0, f64::max);
        // Modes leave the interfaces alone to the last digit, residual vectors up to the rounding of a solve.
        let moves = |j: &usize| size(*j, &self.fixed.boundary) > 1e-6 * size(*j, &self.fixed.interior);
        if boundary != self.fixed.boundary.len() || modes.iter().any(moves) {
            let message = "a rail needs `basis = \"craig-bampton\"` or `\"guyan\"`".to_owned();
            return refused(message, self.table.source.0);
        }
        let V_q = DMatrix::from_fn(6 * V.len(), modes.len(), |i, j| V[i / 6][(i % 6, modes[j])]);
        let K_q = DMatrix::from_fn(modes.len(), modes.len(), |i, j| link.K[(modes[i], modes[j])]);
        let factor = K_q.cholesky().ok_or(ReduceError::LooseInterface)?;
        Ok(&V_q * factor.solve(&V_q.transpose()))
    }
}

/// Rows of V at a node.
pub(crate) fn rows_of(shapes: &NodalShapes, node: NodeIndex) -> Matrix6xX<f64> {
    let place = shapes.nodes.binary_search(&node).expect("invariant: a grid of the mesh");
    Matrix6xX::from_fn(shapes.columns.len(), |i, j| shapes.columns[j][6 * place + i])
}

fn refused<T>(message: String, span: Option<Span>) -> Result<T, ReduceError> {
    let problems: Diagnostics = [Diagnostic::error(message).at(span)].into_iter().collect();
    Err(ReduceError::Request(problems))
}
