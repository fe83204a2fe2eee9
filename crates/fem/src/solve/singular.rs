//! A singular pivot as grid, component and likely cause.

use faer::Mat;
use nalgebra_sparse::CscMatrix;
use pliant_diag::Diagnostic;
use pliant_mesh::{LinkMesh, NodeIndex};
use pliant_sparse::{Factor, FactorError, FactorParams, Ordering, OrderingMethod, Symbolic};

use crate::System;
use crate::constraint::{Constraints, DofState};
use crate::dof::DofMap;

/// The matrix that could not be factorised, with the components of its rows.
pub(super) struct Failed<'a> {
    pub(super) mesh: &'a LinkMesh,
    pub(super) system: &'a System,
    pub(super) constraints: &'a Constraints,
    /// The stiffness, or what modes factorise: K − σM.
    pub(super) A: &'a CscMatrix<f64>,
    pub(super) rows: &'a [usize],
    /// True for K − σM, where what is singular has neither stiffness nor mass.
    pub(super) with_mass: bool,
}

impl Failed<'_> {
    /// What the failure means for the structure.
    pub(super) fn explain(&self, error: &FactorError) -> Diagnostic {
        match error {
            FactorError::Singular { row, moving_rows, .. } => self.singular(*row, moving_rows),
            FactorError::NotDefinite { row, pivot_ratio } => match softest_motion(self.A) {
                // Rounding decides the sign of a pivot that should be zero.
                Some(moving) => self.singular(moving[0], &moving),
                None => Diagnostic::error(format!(
                    "the stiffness is not positive at {}: its pivot is {pivot_ratio:.1e} of its diagonal entry",
                    self.name(*row)
                ))
                .hint("an element or spring there has negative stiffness"),
            },
            FactorError::TooLarge { needed, limit } => Diagnostic::error(format!(
                "the factorisation needs {:.1} GB and {:.1} GB are available",
                *needed as f64 * 1e-9,
                *limit as f64 * 1e-9
            ))
            .hint("use a coarser mesh or a machine with more memory"),
            other => Diagnostic::error(format!("the factorisation failed: {other}")),
        }
    }

    /// Something has neither stiffness nor mass; `A` is K + τM.
    pub(super) fn massless_mechanism(&self) -> Diagnostic {
        let moving = softest_motion(self.A).unwrap_or_default();
        self.singular(moving.first().copied().unwrap_or(0), &moving)
    }

    fn name(&self, row: usize) -> String {
        self.system.dofs.name(self.rows[row])
    }

    fn singular(&self, row: usize, moving: &[usize]) -> Diagnostic {
        let Self { mesh, system, constraints, .. } = *self;
        let dofs = &system.dofs;
        let zero = (0..self.rows.len()).find(|i| diagonal(self.A, *i) == 0.0);
        let row = zero.unwrap_or(row);
        let (node, _) = dofs.node_and_component(self.rows[row]);
        let location = mesh.node(node).source.0;
        let largest: Vec<String> = moving.iter().take(6).map(|row| self.name(*row)).collect();
        let largest = largest.join("; ");
        let parts = Parts::new(dofs, &system.K, constraints);
        let part = parts.of(node);
        let members: Vec<NodeIndex> =
            (0..mesh.nodes.len()).map(NodeIndex::from).filter(|n| parts.of(*n) == part).collect();
        let list: Vec<String> = members.iter().take(6).map(|n| mesh.node(*n).id.to_string()).collect();
        let more = if members.len() > 6 { ", …" } else { "" };
        let list = format!("{}{more}", list.join(", "));
        if self.with_mass {
            let alone = members.len() < parts.largest();
            let apart = if alone { format!(": disconnected part of grids {list}") } else { String::new() };
            return Diagnostic::error(format!(
                "a motion without stiffness has no mass either, so it has no frequency; it is largest at {largest}{apart}"
            ))
            .at(location)
            .hint("hold it with an SPC, or give it inertia: the lumped mass of a CBAR has none about its axis (PARAM,COUPMASS or CBEAM has)");
        }
        let what = format!("the stiffness matrix is singular at {}", self.name(row));
        if zero.is_some() {
            return Diagnostic::error(format!("{what}: nothing gives it stiffness")).at(location).hint(
                "connect it to an element, fix it with an SPC, or let AUTOSPC do so (PARAM,AUTOSPC,YES)",
            );
        }
        let held = |part: usize| {
            constraints.fixed.iter().any(|row| {
                let (node, component) = dofs.node_and_component(*row);
                let automatic = constraints.autospc.iter().any(|(n, c)| *n == node && c.contains(component));
                !automatic && parts.of(node) == part
            })
        };
        if held(part) {
            return Diagnostic::error(format!(
                "{what}: mechanism: the structure can move without strain; the motion is largest at {largest}"
            ))
            .at(location)
            .hint("look for pin flags, springs or supports that leave a rotation or translation free there");
        }
        let mut all = (0..mesh.nodes.len()).map(NodeIndex::from);
        if !all.any(|n| parts.of(n) != part && held(parts.of(n))) {
            return Diagnostic::error(format!("{what}: missing SPC: nothing holds the structure"))
                .at(location)
                .hint("select an SPC set in the case control");
        }
        Diagnostic::error(format!(
            "{what}: disconnected part: its {} grids ({list}) are connected to nothing that is held",
            members.len(),
        ))
        .at(location)
        .hint("merge coincident grids, or connect the part with a rigid element, or hold it with an SPC")
    }
}

/// Rows that move most in the softest motion of a semi-definite matrix, largest first; `None` when it has a
/// negative eigenvalue. A small part of its diagonal is added to make it definite, then inverse iteration
/// ends in that motion.
fn softest_motion(A: &CscMatrix<f64>) -> Option<Vec<usize>> {
    let mut lifted = A.clone();
    for (row, column, value) in lifted.triplet_iter_mut() {
        if row == column {
            *value *= 1.0 + 1e-10;
        }
    }
    let ordering = Ordering::new(&lifted, None, OrderingMethod::Auto);
    let symbolic = std::sync::Arc::new(Symbolic::new(&lifted, &ordering));
    let params = FactorParams { suspicious_ratio: 0.0, ..FactorParams::default() };
    let factor = Factor::new(&lifted, symbolic, &params).ok()?;
    let n = A.ncols();
    // Any vector that is not orthogonal to the motion; the sines of the integers favour none.
    let mut x = Mat::from_fn(n, 1, |i, _| (i as f64 + 1.0).sin());
    for _ in 0..2 {
        factor.solve_in_place(x.as_mut());
        let largest = (0..n).map(|i| x[(i, 0)].abs()).fold(0.0, f64::max);
        x.col_mut(0).iter_mut().for_each(|v| *v /= largest);
    }
    let mut moving: Vec<usize> = (0..n).collect();
    moving.sort_by(|a, b| x[(*b, 0)].abs().total_cmp(&x[(*a, 0)].abs()));
    moving.truncate(12);
    Some(moving)
}

fn diagonal(K: &CscMatrix<f64>, row: usize) -> f64 {
    K.get_entry(row, row).map_or(0.0, |entry| entry.into_value())
}

/// Nodes joined by stiffness or by constraints.
struct Parts(Vec<u32>);

impl Parts {
    fn new(dofs: &DofMap, K: &CscMatrix<f64>, constraints: &Constraints) -> Self {
        let mut parent: Vec<u32> = (0..dofs.node_count() as u32).collect();
        let node_of = |row: usize| dofs.node_and_component(row).0.0;
        for (column, entries) in K.col_iter().enumerate() {
            let b = node_of(column);
            for row in entries.row_indices() {
                union(&mut parent, node_of(*row), b);
            }
        }
        for (row, state) in constraints.states.iter().enumerate() {
            if *state != DofState::Dependent {
                continue;
            }
            let a = node_of(row);
            for column in constraints.T.row(row).col_indices() {
                union(&mut parent, a, node_of(constraints.free[*column]));
            }
            for column in constraints.T_s.row(row).col_indices() {
                union(&mut parent, a, node_of(constraints.fixed[*column]));
            }
        }
        let roots = (0..parent.len() as u32).map(|n| root(&mut parent, n)).collect();
        Self(roots)
    }

    fn of(&self, node: NodeIndex) -> usize {
        self.0[node.index()] as usize
    }

    /// How many nodes the largest part has.
    fn largest(&self) -> usize {
        let mut counts = vec![0; self.0.len()];
        self.0.iter().for_each(|part| counts[*part as usize] += 1);
        counts.into_iter().max().unwrap_or(0)
    }
}

fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        parent[node as usize] = parent[parent[node as usize] as usize];
        node = parent[node as usize];
    }
    node
}

fn union(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
    }
}
