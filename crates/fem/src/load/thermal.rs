//! TEMPERATURE(LOAD): equivalent loads of the elements' thermal strains.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, LoadKind, MaterialLaw, NodeIndex, SetId};

use crate::dof::{DofMap, load_to_displacement_axes};
use crate::element::{ElementContext, all_elements, build, element_error};

/// Loads of a temperature set on every component.
///
/// # Errors
/// No such set, grids without a temperature, or elements whose thermal load is not available.
pub(super) fn thermal_loads(mesh: &LinkMesh, dofs: &DofMap, set: SetId) -> Result<Vec<f64>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut f = vec![0.0; dofs.count()];
    let mut by_node: HashMap<NodeIndex, f64> = HashMap::new();
    let mut default = None;
    for load in mesh.loads.iter().filter(|l| l.set == set) {
        match load.kind {
            LoadKind::Temperature { node, value } => drop(by_node.insert(node, value)),
            LoadKind::DefaultTemperature { value } => default = Some(value),
            _ => {}
        }
    }
    if by_node.is_empty() && default.is_none() {
        diagnostics
            .push(Diagnostic::error(format!("TEMPERATURE(LOAD) = {set} selects no TEMP or TEMPD card")));
        return Err(diagnostics);
    }
    if mesh.materials.iter().all(|m| !expands(&m.law)) {
        return Ok(f);
    }
    for which in all_elements(mesh) {
        if !matches!(
            which,
            ElementRef::Rod(_) | ElementRef::Bar(_) | ElementRef::Shell(_) | ElementRef::Solid(_)
        ) {
            continue;
        }
        let element = match build(ElementContext { mesh, extra_nsm: 0.0 }, which) {
            Ok(element) => element,
            Err(problem) => {
                diagnostics.push(*problem);
                continue;
            }
        };
        let missing = element.dofs().iter().find(|d| default.is_none() && !by_node.contains_key(&d.node));
        if let Some(dof) = missing {
            let id = mesh.node(dof.node).id;
            diagnostics.push(*element_error(
                mesh,
                which,
                format!("grid {id} has no temperature in set {set}"),
            ));
            continue;
        }
        let temperature =
            |node: NodeIndex| by_node.get(&node).copied().or(default).expect("invariant: checked above");
        match element.thermal_load(&temperature) {
            Some(mut load) => {
                load_to_displacement_axes(mesh, element.as_ref(), &mut load);
                for (row, value) in dofs.rows_of_element(element.as_ref()).into_iter().zip(load.iter()) {
                    f[row as usize] += value;
                }
            }
            None => diagnostics.push(*element_error(
                mesh,
                which,
                "thermal loads (TEMPERATURE(LOAD)) are not available for this element",
            )),
        }
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(f) }
}

fn expands(law: &MaterialLaw) -> bool {
    match law {
        MaterialLaw::Isotropic { thermal_expansion, .. } => *thermal_expansion != 0.0,
        MaterialLaw::Anisotropic2d { thermal_expansion, .. } => thermal_expansion.amax() != 0.0,
        MaterialLaw::Orthotropic2d { thermal_expansion, .. } => thermal_expansion.iter().any(|a| *a != 0.0),
        MaterialLaw::Anisotropic3d { thermal_expansion, .. } => thermal_expansion.amax() != 0.0,
    }
}
