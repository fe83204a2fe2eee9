//! A constrained mesh with its free components split into interior (i) and boundary (b).

use faer::{Mat, MatRef};
use nalgebra_sparse::{CooMatrix, CscMatrix};
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::assembly::{Masses, transformed};
use pliant_fem::constraint::DofState;
use pliant_fem::dof::DofMap;
use pliant_fem::element::MassKind;
use pliant_fem::{AssemblyOptions, ConstraintOptions, Constraints, System, assemble, constrain};
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};
use pliant_sparse::{Congruent, Operator};

/// The matrices of a constrained mesh and where its boundary is in them, without its stiffness: that is the
/// largest of them, and stands apart so that it can be given back first. Deck units, displacement frames.
#[derive(Debug)]
pub struct Substructure {
    /// Numbering of all components, unconstrained.
    pub dofs: DofMap,
    /// Mass M of all components, lower triangle.
    pub M: CscMatrix<f64>,
    /// Viscous damping D of all components, lower triangle.
    pub D: CscMatrix<f64>,
    /// The transformation to free components; a link's inboard interface is among the fixed ones.
    pub constraints: Constraints,
    /// The entries of K in rows or columns of components that follow others: all that is needed of it once it
    /// has been given back.
    pub K_dependent: CscMatrix<f64>,
    /// Free column of each boundary component, in the order asked for.
    pub boundary: Vec<usize>,
    /// What the constraints had to say (AUTOSPC).
    pub diagnostics: Diagnostics,
}

/// Assembles a mesh, applies `options` and finds the `boundary` components among the free ones. The second
/// part is the stiffness K of all components, lower triangle.
///
/// # Errors
/// Elements that cannot be built, constraints that conflict, boundary components without stiffness or that
/// follow another grid.
pub fn substructure(
    mesh: &LinkMesh,
    mass: MassKind,
    options: &ConstraintOptions,
    boundary: &[(NodeIndex, Components)],
) -> Result<(Substructure, CscMatrix<f64>), Diagnostics> {
    let nsm = mesh.case_control.subcases.first().and_then(|subcase| subcase.nsm);
    let system = assemble(mesh, AssemblyOptions { mass, nsm })?;
    let constrained = constrain(mesh, &system.dofs, &system.K, options)?;
    let constraints = constrained.output;
    let mut problems = loose_clamps(mesh, &system, &constraints, options);
    let mut columns = Vec::new();
    for (node, components) in boundary {
        for component in components.iter() {
            match column(&system, &constraints, *node, component) {
                Ok(column) => columns.push(column),
                Err(why) => {
                    problems.push(interface_problem(mesh, *node, Components::one(component), why));
                }
            }
        }
    }
    if problems.has_errors() {
        return Err(problems);
    }
    let K_dependent = dependent_entries(&system.K, &constraints);
    let diagnostics = constrained.diagnostics;
    let System { dofs, K, M, D } = system;
    Ok((Substructure { dofs, M, D, constraints, K_dependent, boundary: columns, diagnostics }, K))
}

/// Entries of a lower triangle in rows or columns of dependent components.
fn dependent_entries(K: &CscMatrix<f64>, constraints: &Constraints) -> CscMatrix<f64> {
    let follows = |row: usize| constraints.states[row] == DofState::Dependent;
    let mut chosen = CooMatrix::new(K.nrows(), K.ncols());
    for (row, column, value) in K.triplet_iter().filter(|(row, column, _)| follows(*row) || follows(*column))
    {
        chosen.push(row, column, *value);
    }
    CscMatrix::from(&chosen)
}

/// Clamped components that nothing is tied to: a solid's grid has no rotations, so it cannot carry a link
/// frame.
fn loose_clamps(
    mesh: &LinkMesh,
    system: &System,
    constraints: &Constraints,
    options: &ConstraintOptions,
) -> Diagnostics {
    let mut followed = vec![false; constraints.fixed.len()];
    for (row, entries) in constraints.T_s.row_iter().enumerate() {
        if constraints.states[row] == DofState::Dependent {
            entries.col_indices().iter().for_each(|column| followed[*column] = true);
        }
    }
    let is_loose = |node: NodeIndex, component: Component| {
        let Some(row) = system.dofs.row(node, component) else { return false };
        let stiff = system.K.get_entry(row, row).is_some_and(|entry| entry.into_value() != 0.0);
        let tied = matches!(constraints.states[row], DofState::Fixed(column) if followed[column as usize]);
        !stiff && !tied
    };
    let of_node = |(node, components): &(NodeIndex, Components)| {
        let loose = components.iter().filter(|component| is_loose(*node, *component));
        let loose = loose.fold(Components::NONE, Components::with);
        let why = "without stiffness, so nothing holds the link to it";
        (!loose.is_empty()).then(|| interface_problem(mesh, *node, loose, why))
    };
    options.clamped.iter().filter_map(of_node).collect()
}

/// The constraints of a link: its inboard grid clamped, its MPCs and permanent constraints. The SPC sets of
/// the deck's own case control do not apply to a link, which moves.
pub fn link_constraints(mesh: &LinkMesh, inboard: Option<NodeIndex>) -> ConstraintOptions {
    let clamped = inboard.map(|node| (node, Components::ALL)).into_iter().collect();
    let mpc = mesh.case_control.subcases.first().and_then(|subcase| subcase.mpc);
    ConstraintOptions { clamped, mpc, ..ConstraintOptions::default() }
}

fn column(
    system: &System,
    constraints: &Constraints,
    node: NodeIndex,
    component: Component,
) -> Result<usize, &'static str> {
    let row = system.dofs.row(node, component).ok_or("is not a component of it")?;
    match constraints.states[row] {
        DofState::Free(column) => Ok(column as usize),
        DofState::Fixed(_) => Err("is fixed or has no stiffness"),
        DofState::Dependent => Err("follows another grid through a rigid element or MPC"),
    }
}

fn interface_problem(mesh: &LinkMesh, node: NodeIndex, components: Components, why: &str) -> Diagnostic {
    let node = mesh.node(node);
    let many = if components.len() > 1 { "s" } else { "" };
    Diagnostic::error(format!("interface GRID {}: component{many} {components} {why}", node.id))
        .at(node.source.0)
        .hint("an interface needs six components: a shell or beam grid, or the centre of a spider")
}

impl Substructure {
    /// TᵀKT of the stiffness of all components, lower triangle: as large as that.
    pub(crate) fn free_stiffness(&self, K: &CscMatrix<f64>) -> CscMatrix<f64> {
        transformed(K, &self.constraints.T)
    }

    /// What loads need.
    pub fn masses(&self) -> Masses<'_> {
        Masses { dofs: &self.dofs, M: &self.M }
    }

    /// TᵀMT of some free columns, as the mass of the mesh has it.
    pub(crate) fn mass_of(&self, columns: &[usize]) -> Congruent<'_> {
        Congruent::new(&self.M, &self.constraints.T, columns)
    }

    /// TᵀMT X.
    pub(crate) fn mass_product(&self, X: MatRef<'_, f64>) -> Mat<f64> {
        let all: Vec<usize> = (0..self.free_count()).collect();
        let mut Y = Mat::zeros(X.nrows(), X.ncols());
        self.mass_of(&all).multiply(X, Y.as_mut());
        Y
    }

    /// TᵀMT, lower triangle, made anew.
    pub fn mass(&self) -> CscMatrix<f64> {
        transformed(&self.M, &self.constraints.T)
    }

    /// True when nothing that can move has mass.
    pub(crate) fn is_massless(&self) -> bool {
        let moves = |row: usize| self.constraints.T.row(row).nnz() > 0;
        self.M.triplet_iter().all(|(i, j, m)| i != j || *m == 0.0 || !moves(i))
    }

    /// Number of free components.
    pub(crate) fn free_count(&self) -> usize {
        self.constraints.free.len()
    }

    /// Free columns that are not of the boundary, ascending.
    pub fn interior(&self) -> Vec<usize> {
        let mut is_boundary = vec![false; self.free_count()];
        for column in &self.boundary {
            is_boundary[*column] = true;
        }
        (0..self.free_count()).filter(|column| !is_boundary[*column]).collect()
    }

    /// The node of each of some free columns: the groups of a fill-reducing ordering.
    pub fn groups(&self, columns: &[usize]) -> Vec<usize> {
        columns
            .iter()
            .map(|column| self.dofs.node_and_component(self.constraints.free[*column]).0.index())
            .collect()
    }

    /// The grid and component of a free column, for messages.
    pub fn name(&self, column: usize) -> String {
        self.dofs.name(self.constraints.free[column])
    }
}
