//! Fixed components: permanent (PS), SPC and SPC1 of the selected set, and those clamped on request.

use std::collections::{BTreeMap, BTreeSet};

use pliant_diag::{Diagnostic, Diagnostics, Origin};
use pliant_mesh::{LinkMesh, SetId};

use super::{ConstraintOptions, Dependency};
use crate::dof::DofMap;

/// Why and at which value a component is fixed.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    pub(super) value: f64,
    pub(super) card: String,
    pub(super) source: Origin,
}

/// Every fixed row.
pub(super) fn fixed_components(
    mesh: &LinkMesh,
    dofs: &DofMap,
    options: &ConstraintOptions,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<usize, Fixed> {
    let mut fixed: BTreeMap<usize, Fixed> = BTreeMap::new();
    for (index, node) in mesh.nodes.iter().enumerate() {
        for component in node.permanent_spc.iter() {
            if let Some(row) = dofs.row(index.into(), component) {
                let card = format!("GRID {} (PS)", node.id);
                fixed.insert(row, Fixed { value: 0.0, card, source: node.source });
            }
        }
    }
    if let Some(set) = options.spc {
        let members: BTreeSet<SetId> = mesh
            .spc_combinations
            .iter()
            .filter(|c| c.set == set)
            .flat_map(|c| c.members.iter().copied())
            .chain([set])
            .collect();
        let mut any = mesh.spc_combinations.iter().any(|c| c.set == set);
        for spc in mesh.spcs.iter().filter(|s| members.contains(&s.set)) {
            any = true;
            for row in spc.components.iter().filter_map(|c| dofs.row(spc.node, c)) {
                let card = format!("SPC of set {}", spc.set);
                let new = Fixed { value: spc.value, card, source: spc.source };
                let old = fixed.entry(row).or_insert_with(|| new.clone());
                if old.value == new.value {
                    continue;
                }
                if old.value == 0.0 {
                    *old = new;
                    continue;
                }
                let mut problem = Diagnostic::error(format!(
                    "{} is enforced to {} here and to {} by another card",
                    dofs.name(row),
                    new.value,
                    old.value
                ))
                .card(new.card)
                .at(new.source.0);
                if let Some(span) = old.source.0 {
                    problem = problem.related(span, "the other value");
                }
                diagnostics.push(problem);
            }
        }
        if !any {
            diagnostics.push(
                Diagnostic::error(format!("SPC = {set} selects no SPC, SPC1 or SPCADD card"))
                    .at(options.source.0),
            );
        }
    }
    for (node, components) in &options.clamped {
        for row in components.iter().filter_map(|c| dofs.row(*node, c)) {
            let card = format!("clamp of grid {}", mesh.node(*node).id);
            fixed.entry(row).or_insert(Fixed { value: 0.0, card, source: Origin::default() });
        }
    }
    fixed
}

/// Components that are both dependent and fixed.
pub(super) fn check_conflicts(
    mesh: &LinkMesh,
    dofs: &DofMap,
    equations: &[Dependency],
    fixed: &BTreeMap<usize, Fixed>,
    diagnostics: &mut Diagnostics,
) {
    for equation in equations {
        let Some(spc) = fixed.get(&equation.row) else { continue };
        let (node, _) = dofs.node_and_component(equation.row);
        let mut problem = Diagnostic::error(format!(
            "{} is dependent by this card and fixed by {}",
            dofs.name(equation.row),
            spc.card
        ))
        .card(equation.card.clone())
        .at(equation.source.0)
        .hint(format!("fix the independent components that grid {} follows instead", mesh.node(node).id));
        if let Some(span) = spc.source.0 {
            problem = problem.related(span, format!("{} fixes it", spc.card));
        }
        diagnostics.push(problem);
    }
}
