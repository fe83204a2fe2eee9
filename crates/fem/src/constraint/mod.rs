//! Constraints as one sparse transformation, no penalty: u = T u_f + T_s u_s.
//!
//! f: the free components; s: the fixed ones (SPC, permanent SPC, AUTOSPC) with their enforced values u_s.
//! Rows of dependent components (MPC and rigid elements) hold their combination of free and fixed ones,
//! chains resolved; so do those of components that AUTOSPC takes to hold a direction between the axes.

mod autospc;
mod dependency;
mod rbe3;
mod rigid_body;
mod single_point;
#[cfg(test)]
mod tests;

pub use dependency::{Dependency, dependencies};

use std::collections::BTreeMap;

use nalgebra_sparse::{CscMatrix, CsrMatrix};
use pliant_diag::{Diagnostic, Diagnostics, Origin, Warned};
use pliant_mesh::{Components, LinkMesh, NodeIndex, ParameterValue, SetId, Subcase};

use crate::dof::DofMap;
use crate::sparse_rows::SparseRows;
use dependency::resolve;

/// Which of a deck's constraints to apply.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConstraintOptions {
    /// SPC set of the subcase.
    pub spc: Option<SetId>,
    /// MPC set of the subcase.
    pub mpc: Option<SetId>,
    /// Components fixed besides the deck's own.
    pub clamped: Vec<(NodeIndex, Components)>,
    /// Components that AUTOSPC leaves alone: the boundary of a reduction may lack stiffness of its own.
    pub kept: Vec<(NodeIndex, Components)>,
    /// Components with mass, which stay free without stiffness where AUTOSPC is off; empty when mass plays no
    /// part.
    pub heavy: Vec<bool>,
    /// Where the sets were selected.
    pub source: Origin,
}

impl ConstraintOptions {
    /// Those of a subcase.
    pub fn of_subcase(subcase: &Subcase) -> Self {
        Self { spc: subcase.spc, mpc: subcase.mpc, source: subcase.source, ..Self::default() }
    }
}

/// What a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DofState {
    /// Free: column of T.
    Free(u32),
    /// Fixed: column of T_s.
    Fixed(u32),
    /// Dependent on others.
    Dependent,
}

/// The transformation.
#[derive(Clone, Debug)]
pub struct Constraints {
    /// State of every component.
    pub states: Vec<DofState>,
    /// Components of the columns of `T`, ascending.
    pub free: Vec<usize>,
    /// Components of the columns of `T_s`, ascending.
    pub fixed: Vec<usize>,
    /// All components × free ones.
    pub T: CsrMatrix<f64>,
    /// All components × fixed ones.
    pub T_s: CsrMatrix<f64>,
    /// Values that SPC cards give to fixed components; the others are 0.
    pub enforced: Vec<f64>,
    /// Components that AUTOSPC fixed, by node.
    pub autospc: Vec<(NodeIndex, Components)>,
}

impl Constraints {
    /// u = T u_f + T_s u_s.
    pub fn expand(&self, u_f: &[f64], u_s: &[f64]) -> Vec<f64> {
        let mut u = product(&self.T, u_f);
        if u_s.iter().any(|v| *v != 0.0) {
            for (sum, value) in u.iter_mut().zip(product(&self.T_s, u_s)) {
                *sum += value;
            }
        }
        u
    }

    /// Tᵀf.
    pub fn reduce(&self, f: &[f64]) -> Vec<f64> {
        transposed_product(&self.T, f)
    }

    /// Components that equations (MPC, rigid elements) connect: dependent ones and those they depend on.
    pub(crate) fn connected(&self) -> Vec<bool> {
        let mut connected = vec![false; self.states.len()];
        for (row, state) in self.states.iter().enumerate() {
            let (free, fixed) = (self.T.row(row), self.T_s.row(row));
            let alone = match state {
                DofState::Free(_) => free.nnz() == 1 && fixed.nnz() == 0,
                DofState::Fixed(_) => free.nnz() == 0 && fixed.nnz() == 1,
                DofState::Dependent => false,
            };
            if !alone {
                connected[row] = true;
                free.col_indices().iter().for_each(|column| connected[self.free[*column]] = true);
                fixed.col_indices().iter().for_each(|column| connected[self.fixed[*column]] = true);
            }
        }
        connected
    }

    /// T_sᵀf: with f = K u − p the forces of the single-point constraints.
    pub(crate) fn reduce_to_fixed(&self, f: &[f64]) -> Vec<f64> {
        transposed_product(&self.T_s, f)
    }
}

fn product(A: &CsrMatrix<f64>, x: &[f64]) -> Vec<f64> {
    A.row_iter()
        .map(|row| {
            // An empty sum of floats would be −0.
            row.col_indices()
                .iter()
                .zip(row.values())
                .fold(0.0, |sum, (column, value)| sum + value * x[*column])
        })
        .collect()
}

fn transposed_product(A: &CsrMatrix<f64>, f: &[f64]) -> Vec<f64> {
    let mut reduced = vec![0.0; A.ncols()];
    for (row, value) in A.row_iter().zip(f) {
        for (column, coefficient) in row.col_indices().iter().zip(row.values()) {
            reduced[*column] += coefficient * value;
        }
    }
    reduced
}

/// Builds the transformation of a mesh. `K` is its stiffness (lower triangle), which AUTOSPC looks at.
///
/// # Errors
/// Everything that is wrong with the constraints: components dependent twice, or dependent and fixed (with
/// both cards), cycles, rigid elements that cannot be solved, sets that do not exist.
pub fn constrain(
    mesh: &LinkMesh,
    dofs: &DofMap,
    K: &CscMatrix<f64>,
    options: &ConstraintOptions,
) -> Result<Warned<Constraints>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let equations = dependencies(mesh, dofs, options, &mut diagnostics);
    let fixed = single_point::fixed_components(mesh, dofs, options, &mut diagnostics);
    single_point::check_conflicts(mesh, dofs, &equations, &fixed, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let resolved = resolve(dofs, equations, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let is_settled = |row: usize| {
        let (node, component) = dofs.node_and_component(row);
        let kept = |(n, components): &(NodeIndex, Components)| *n == node && components.contains(component);
        fixed.contains_key(&row) || options.kept.iter().any(kept)
    };
    let held = if autospc_wanted(mesh) {
        let held = autospc::singular_directions(dofs, K, &resolved, is_settled);
        diagnostics.extend(autospc::note(mesh, &held.components));
        held
    } else {
        let components = autospc::null_components(dofs, K, &resolved, &options.heavy, is_settled);
        if !components.is_empty() {
            let count: usize = components.iter().map(|(_, components)| components.len()).sum();
            let message =
                format!("{count} components that nothing acts on are held, although AUTOSPC is off");
            diagnostics.push(Diagnostic::note(message));
        }
        autospc::Held { components, ..autospc::Held::default() }
    };
    let output = transformation(dofs, &resolved, &fixed, held);
    Ok(Warned { output, diagnostics })
}

/// PARAM,AUTOSPC: yes unless the deck says no.
fn autospc_wanted(mesh: &LinkMesh) -> bool {
    match mesh.parameters.get("AUTOSPC").map(|p| &p.value) {
        Some(ParameterValue::Text(word)) => !word.starts_with('N'),
        Some(ParameterValue::Integer(i)) => *i != 0,
        _ => true,
    }
}

/// Terms of each dependent row over rows that are not dependent.
pub(crate) type Resolved = BTreeMap<usize, Vec<(usize, f64)>>;

fn transformation(
    dofs: &DofMap,
    resolved: &Resolved,
    fixed: &BTreeMap<usize, single_point::Fixed>,
    autospc: autospc::Held,
) -> Constraints {
    let count = dofs.count();
    let mut is_fixed = vec![false; count];
    fixed.keys().for_each(|row| is_fixed[*row] = true);
    for (node, components) in &autospc.components {
        for component in components.iter() {
            is_fixed[dofs.row(*node, component).expect("invariant: found among the rows")] = true;
        }
    }
    let mut states = Vec::with_capacity(count);
    let (mut free_rows, mut fixed_rows) = (Vec::new(), Vec::new());
    let mut dependent = resolved.keys().peekable();
    for (row, is_fixed) in is_fixed.into_iter().enumerate() {
        states.push(if dependent.next_if(|next| **next == row).is_some() {
            DofState::Dependent
        } else if is_fixed {
            fixed_rows.push(row);
            DofState::Fixed(fixed_rows.len() as u32 - 1)
        } else {
            free_rows.push(row);
            DofState::Free(free_rows.len() as u32 - 1)
        });
    }
    let (mut T, mut T_s) = (SparseRows::default(), SparseRows::default());
    let mut dependent = resolved.values();
    for (row, state) in states.iter().enumerate() {
        let own = [(row, 1.0)];
        let terms = match state {
            DofState::Dependent => {
                dependent.next().expect("invariant: one for each dependent row").as_slice()
            }
            _ => &own,
        };
        for (term, value) in terms {
            match states[*term] {
                DofState::Free(column) => T.push(column as usize, *value),
                DofState::Fixed(column) => T_s.push(column as usize, *value),
                DofState::Dependent => unreachable!("invariant: chains are resolved"),
            }
            // A component that AUTOSPC took follows those that are left of its grid.
            for (other, coefficient) in autospc.following.get(term).into_iter().flatten() {
                if let DofState::Free(column) = states[*other] {
                    T.push(column as usize, value * coefficient);
                }
            }
        }
        T.end_row();
        T_s.end_row();
    }
    Constraints {
        T: T.finish(free_rows.len()),
        T_s: T_s.finish(fixed_rows.len()),
        enforced: fixed_rows.iter().map(|row| fixed.get(row).map_or(0.0, |card| card.value)).collect(),
        states,
        free: free_rows,
        fixed: fixed_rows,
        autospc: autospc.components,
    }
}
