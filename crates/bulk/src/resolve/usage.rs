//! Grids that nothing uses.

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{NodeIndex, NodeKind, RigidKind};

use super::Builder;

impl Builder {
    /// One note with the grids that no element, rigid element, constraint equation or imported matrix uses,
    /// as ranges.
    pub(super) fn report_unused_grids(&self, diagnostics: &mut Diagnostics) {
        let used = self.used_nodes();
        let nodes = &self.mesh.nodes;
        let unused: Vec<usize> =
            (0..nodes.len()).filter(|row| !used[*row] && nodes[*row].kind == NodeKind::Grid).collect();
        let Some(first) = unused.first() else { return };
        // Runs of numbers with no used grid between them.
        let mut runs: Vec<[usize; 2]> = Vec::new();
        for row in &unused {
            match runs.last_mut() {
                Some([_, last]) if *last + 1 == *row => *last = *row,
                _ => runs.push([*row, *row]),
            }
        }
        let mut text: Vec<String> = runs
            .iter()
            .take(12)
            .map(|[a, b]| match b - a {
                0 => nodes[*a].id.to_string(),
                1 => format!("{}, {}", nodes[*a].id, nodes[*b].id),
                _ => format!("{} to {}", nodes[*a].id, nodes[*b].id),
            })
            .collect();
        if runs.len() > 12 {
            text.push("…".to_owned());
        }
        let message = match unused.len() {
            1 => format!("GRID {} belongs to no element", text[0]),
            count => format!("{count} grids belong to no element: {}", text.join(", ")),
        };
        diagnostics.push(Diagnostic::note(message).at(nodes[*first].source.0));
    }

    fn used_nodes(&self) -> Vec<bool> {
        let mesh = &self.mesh;
        let mut used = vec![false; mesh.nodes.len()];
        let mut mark = |node: NodeIndex| {
            if node.is_some() {
                used[node.index()] = true;
            }
        };
        mesh.solid_nodes.iter().copied().for_each(&mut mark);
        mesh.shell_nodes.iter().copied().for_each(&mut mark);
        // Solids and shells, which a mesh has most of, are marked by their arrays.
        let is_marked = |element: &ElementRef| matches!(element, ElementRef::Solid(_) | ElementRef::Shell(_));
        for element in mesh.elements().filter(|element| !is_marked(element)) {
            mesh.element_nodes(element).into_iter().for_each(&mut mark);
            mesh.orientation_node(element).into_iter().for_each(&mut mark);
        }
        mesh.plot_elements.iter().flat_map(|e| e.nodes).for_each(&mut mark);
        for rigid in &mesh.rigids {
            match &rigid.kind {
                RigidKind::Rbe2 { independent, dependents, .. } => {
                    mark(*independent);
                    dependents.iter().copied().for_each(&mut mark);
                }
                RigidKind::Rbe1 { independents, dependents } => {
                    independents.iter().chain(dependents).map(|(node, _)| *node).for_each(&mut mark);
                }
                RigidKind::Rbe3 { reference, groups, dependents, .. } => {
                    mark(*reference);
                    groups.iter().flat_map(|g| g.nodes.iter().copied()).for_each(&mut mark);
                    dependents.iter().map(|(node, _)| *node).for_each(&mut mark);
                }
                RigidKind::Rbar { nodes, .. } | RigidKind::Rrod { nodes, .. } => {
                    nodes.iter().copied().for_each(&mut mark);
                }
            }
        }
        mesh.mpcs.iter().flat_map(|mpc| mpc.terms.iter().map(|t| t.node)).for_each(&mut mark);
        mesh.dof_sets.external.iter().map(|(node, _)| *node).for_each(&mut mark);
        for term in mesh.direct_matrices.iter().flat_map(|m| &m.terms) {
            for id in [term.row.0, term.column.0] {
                self.find_node(id.0).into_iter().for_each(&mut mark);
            }
        }
        used
    }
}
