//! What a deck holds or carries that means something else in a link: SPC sets, which a moving link does not
//! use, permanent constraints inside of it, and mass on grids that nothing connects.

use nalgebra_sparse::CscMatrix;
use pliant_diag::{Diagnostic, Diagnostics};
use pliant_fem::constraint::DofState;
use pliant_mesh::{Component, Components, LinkMesh, NodeIndex, SetId};

use crate::substructure::Substructure;

/// Grids that a message lists by number.
const SHOWN: usize = 8;

/// Reports them.
pub(crate) fn about_leftovers(
    mesh: &LinkMesh,
    part: &Substructure,
    K: &CscMatrix<f64>,
    inboard: NodeIndex,
) -> Diagnostics {
    let about = [unused_spc(mesh, part), inner_constraints(mesh, part, K, inboard), loose_mass(mesh, part)];
    about.into_iter().flatten().collect()
}

/// Components that the deck's own case holds and that move in the link. Those of the inboard interface, and
/// of grids that follow it, are held in the link as well.
fn unused_spc(mesh: &LinkMesh, part: &Substructure) -> Option<Diagnostic> {
    let subcase = mesh.case_control.subcases.first()?;
    let set = subcase.spc?;
    let combined =
        mesh.spc_combinations.iter().filter(|c| c.set == set).flat_map(|c| c.members.iter().copied());
    let sets: Vec<SetId> = combined.chain([set]).collect();
    let moves = |node: NodeIndex, component: Component| {
        let Some(row) = part.dofs.row(node, component) else { return false };
        match part.constraints.states[row] {
            DofState::Free(_) => true,
            DofState::Fixed(_) => false,
            DofState::Dependent => part.constraints.T.row(row).nnz() > 0,
        }
    };
    let mut grids = Vec::new();
    for spc in mesh.spcs.iter().filter(|spc| sets.contains(&spc.set)) {
        if spc.components.iter().any(|component| moves(spc.node, component)) {
            grids.push(spc.node);
        }
    }
    let list = listed(mesh, grids)?;
    let message =
        format!("SPC = {set} of the deck holds {list}; a link moves, and holds its inboard interface only");
    Some(
        Diagnostic::warning(message)
            .at(subcase.source.0)
            .hint("what the SPC stands for belongs to an interface; otherwise these grids are free"),
    )
}

/// GRID cards that hold components with stiffness (PS) away from the inboard interface, to whose frame they
/// are then tied.
fn inner_constraints(
    mesh: &LinkMesh,
    part: &Substructure,
    K: &CscMatrix<f64>,
    inboard: NodeIndex,
) -> Option<Diagnostic> {
    let is_stiff = |node: NodeIndex, component: Component| {
        part.dofs
            .row(node, component)
            .is_some_and(|row| K.get_entry(row, row).is_some_and(|entry| entry.into_value() != 0.0))
    };
    let holds = |node: &NodeIndex| {
        let mut held = mesh.node(*node).permanent_spc.iter();
        *node != inboard && held.any(|component| is_stiff(*node, component))
    };
    let grids: Vec<NodeIndex> = (0..mesh.nodes.len()).map(NodeIndex::from).filter(holds).collect();
    let first = grids.first().copied();
    let list = listed(mesh, grids)?;
    let message = format!(
        "permanent constraints (PS) hold {list} in the middle of the link: these components cannot move against the \
         inboard interface"
    );
    Some(
        Diagnostic::warning(message)
            .at(first.and_then(|node| mesh.node(node).source.0))
            .hint("take PS out of the GRID or GRDSET cards unless this is meant"),
    )
}

/// Mass on grids that AUTOSPC holds because they have no stiffness.
fn loose_mass(mesh: &LinkMesh, part: &Substructure) -> Option<Diagnostic> {
    let has_mass = |node: NodeIndex| {
        part.dofs
            .rows_of(node)
            .take(3)
            .any(|row| part.M.get_entry(row, row).is_some_and(|entry| entry.into_value() != 0.0))
    };
    let all = |components: Components| {
        components.intersection(Components::TRANSLATIONS) == Components::TRANSLATIONS
    };
    let held = part.constraints.autospc.iter().filter(|(_, components)| all(*components));
    let grids: Vec<NodeIndex> = held.map(|(node, _)| *node).filter(|node| has_mass(*node)).collect();
    let first = grids.first().copied();
    let list = listed(mesh, grids)?;
    let message = format!(
        "{list} with mass, which no stiffness or rigid element connects: the mass moves as if it were fixed to the \
         inboard interface"
    );
    Some(
        Diagnostic::warning(message)
            .at(first.and_then(|node| mesh.node(node).source.0))
            .hint("connect it, for instance by an RBE2 or RBE3"),
    )
}

/// `3 grids (1 2 3)`; `None` for no grids.
fn listed(mesh: &LinkMesh, mut grids: Vec<NodeIndex>) -> Option<String> {
    grids.sort_unstable();
    grids.dedup();
    let shown: Vec<String> = grids.iter().take(SHOWN).map(|node| mesh.node(*node).id.to_string()).collect();
    let more = if grids.len() > SHOWN { " …" } else { "" };
    match grids.len() {
        0 => None,
        1 => Some(format!("grid {}", shown[0])),
        count => Some(format!("{count} grids ({}{more})", shown.join(" "))),
    }
}
