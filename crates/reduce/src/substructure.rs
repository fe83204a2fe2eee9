//! A mesh clamped at its inboard interface, its free components split into interior (i) and outboard interfaces (b).

use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::assembly::transformed;
use pliant_fem::constraint::DofState;
use pliant_fem::element::MassKind;
use pliant_fem::{AssemblyOptions, ConstraintOptions, Constraints, System, assemble, constrain};
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex};

/// The matrices of a clamped mesh and where its interfaces are in them. Deck units, displacement frames.
#[derive(Debug)]
pub struct Substructure {
    /// All components, unconstrained.
    pub system: System,
    /// The transformation to free components; the inboard interface is among the fixed ones.
    pub constraints: Constraints,
    /// TᵀKT, lower triangle.
    pub K: CscMatrix<f64>,
    /// TᵀMT, lower triangle.
    pub M: CscMatrix<f64>,
    /// Free column of each outboard interface component, six for each interface in order.
    pub boundary: Vec<usize>,
    /// What the constraints had to say (AUTOSPC).
    pub diagnostics: Diagnostics,
}

/// Assembles a mesh, clamps `inboard` and finds the components of the `outboard` grids among the free ones.
///
/// Constraint sets of the deck's own case control do not apply to a link, which moves; permanent constraints of GRIDs
/// do, and show in the grounding check when they hold the link.
///
/// # Errors
/// Elements that cannot be built, constraints that conflict, interface components without stiffness or that follow
/// another grid.
pub fn substructure(
    mesh: &LinkMesh,
    mass: MassKind,
    inboard: Option<NodeIndex>,
    outboard: &[NodeIndex],
) -> Result<Substructure, Diagnostics> {
    let nsm = mesh.case_control.subcases.first().and_then(|subcase| subcase.nsm);
    let system = assemble(mesh, AssemblyOptions { mass, nsm })?;
    let clamped = inboard.map(|node| (node, Components::ALL)).into_iter().collect();
    let mpc = mesh.case_control.subcases.first().and_then(|subcase| subcase.mpc);
    let options = ConstraintOptions { clamped, mpc, ..ConstraintOptions::default() };
    let constrained = constrain(mesh, &system.dofs, &system.K, &options)?;
    let constraints = constrained.output;
    let mut problems = Diagnostics::new();
    let mut boundary = Vec::with_capacity(6 * outboard.len());
    for node in outboard {
        for component in Components::ALL.iter() {
            match column(&system, &constraints, *node, component) {
                Ok(column) => boundary.push(column),
                Err(why) => problems.push(interface_problem(mesh, *node, component, why)),
            }
        }
    }
    if problems.has_errors() {
        return Err(problems);
    }
    let (K, M) = (transformed(&system.K, &constraints.T), transformed(&system.M, &constraints.T));
    Ok(Substructure { system, constraints, K, M, boundary, diagnostics: constrained.diagnostics })
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

fn interface_problem(mesh: &LinkMesh, node: NodeIndex, component: Component, why: &str) -> Diagnostic {
    let node = mesh.node(node);
    Diagnostic::error(format!("interface GRID {}: component {component} {why}", node.id))
        .at(node.source.0)
        .hint("an interface needs six components: a shell or beam grid, or the centre of a spider")
}

impl Substructure {
    /// Number of free components.
    pub fn free_count(&self) -> usize {
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
            .map(|column| self.system.dofs.place(self.constraints.free[*column]).0.index())
            .collect()
    }

    /// The grid and component of a free column, for messages.
    pub fn name(&self, column: usize) -> String {
        self.system.dofs.name(self.constraints.free[column])
    }
}
