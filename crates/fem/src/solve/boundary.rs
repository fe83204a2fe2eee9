//! What a deck's ASET, BSET, CSET, QSET, OMIT and SUPORT cards mean for its modes.

use pliant_diag::Diagnostic;
use pliant_mesh::{Components, LinkMesh, NodeIndex};

use crate::constraint::Constraints;
use crate::constraint::DofState;
use crate::dof::DofMap;

/// Components given by node.
type Given = Vec<(NodeIndex, Components)>;

/// How the deck wants its modes.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Boundary {
    /// Fixed while modes are found: BSET (component modes of a superelement), SUPORT of MYSTRAN's SOL 31, and
    /// the generalised coordinates QSET, which are no part of the mesh.
    pub(super) clamped: Given,
    /// Static condensation asked for: what is kept.
    pub(super) kept: Option<Kept>,
}

/// The a-set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    /// ASET, or everything but OMIT.
    pub(super) components: Given,
    /// True: `components` are left out rather than kept (OMIT).
    pub(super) complement: bool,
    /// Fixed-boundary modes kept besides: as many as there are QSET components.
    pub(super) generalised: usize,
}

impl Boundary {
    /// Reads the sets of a deck. With BSET the modes are the component modes with that boundary fixed; CSET
    /// stays free. With ASET or OMIT the mesh is condensed to the a-set (Guyan), plus one fixed-boundary mode
    /// for each QSET component.
    pub(super) fn of_deck(mesh: &LinkMesh) -> Self {
        let sets = &mesh.dof_sets;
        let mut clamped = sets.q.clone();
        let generalised = sets.q.iter().map(|(_, c)| c.len()).sum();
        if mesh.case_control.solution == Some(31) {
            clamped.extend(sets.support.iter().copied());
        }
        if !sets.b.is_empty() {
            clamped.extend(sets.b.iter().copied());
            return Self { clamped, kept: None };
        }
        let kept = if !sets.a.is_empty() {
            Some(Kept { components: sets.a.clone(), complement: false, generalised })
        } else if !sets.omit.is_empty() {
            Some(Kept { components: sets.omit.clone(), complement: true, generalised })
        } else {
            None
        };
        Self { clamped, kept }
    }
}

impl Kept {
    /// Columns of T that are kept, ascending. Components that are fixed or dependent are not kept, as in
    /// Nastran, where naming one is an error, and so it is here.
    pub(super) fn columns(
        &self,
        dofs: &DofMap,
        constraints: &Constraints,
    ) -> Result<Vec<usize>, Box<Diagnostic>> {
        let mut named = Vec::new();
        for (node, components) in &self.components {
            for component in components.iter() {
                let Some(row) = dofs.row(*node, component) else { continue };
                match constraints.states[row] {
                    DofState::Free(column) => named.push(column as usize),
                    DofState::Fixed(_) => {}
                    DofState::Dependent => {
                        let name = dofs.name(row);
                        let message = format!("the a-set contains {name}, which is a dependent component");
                        return Err(Box::new(Diagnostic::error(message).hint(
                            "components of the a-set (ASET, OMIT) must be free: neither the dependent side of an MPC \
                             nor of a rigid element",
                        )));
                    }
                }
            }
        }
        named.sort_unstable();
        named.dedup();
        if self.complement {
            return Ok((0..constraints.free.len()).filter(|c| named.binary_search(c).is_err()).collect());
        }
        Ok(named)
    }
}
