//! TEMPERATURE(LOAD): equivalent loads of the elements' thermal strains, from grid temperatures or a bar's
//! own.

use std::collections::HashMap;

use pliant_diag::{Diagnostic, Diagnostics};
use pliant_mesh::element::ElementRef;
use pliant_mesh::{BarTemperature, LinkMesh, LoadKind, MaterialLaw, NodeIndex, SetId};

use crate::dof::{DofMap, load_to_displacement_axes};
use crate::element::{ElementContext, all_elements, build, element_error};

/// Loads of a temperature set on every component.
///
/// # Errors
/// No such set, grids without a temperature, two TEMPRB for a bar, or elements whose thermal load is not
/// available.
pub(super) fn thermal_loads(mesh: &LinkMesh, dofs: &DofMap, set: SetId) -> Result<Vec<f64>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut f = vec![0.0; dofs.count()];
    let mut by_node: HashMap<NodeIndex, f64> = HashMap::new();
    let mut by_bar: HashMap<ElementRef, BarTemperature> = HashMap::new();
    let mut default = None;
    for load in mesh.loads.iter().filter(|l| l.set == set) {
        match load.kind {
            LoadKind::Temperature { node, value } => drop(by_node.insert(node, value)),
            LoadKind::DefaultTemperature { value } => default = Some(value),
            LoadKind::BarTemperature(bar) => {
                let earlier = by_bar.insert(bar.element, bar);
                if earlier.is_some() {
                    let message = format!("set {set} has two TEMPRB for it");
                    let mut problem = element_error(mesh, bar.element, message);
                    problem.span = load.source.0.or(problem.span);
                    diagnostics.push(*problem);
                }
            }
            LoadKind::Unavailable { card } => {
                let message = format!("{card} of set {set} is not available, and TEMPERATURE selects it");
                diagnostics.push(Diagnostic::error(message).at(load.source.0));
            }
            _ => {}
        }
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    if by_node.is_empty() && by_bar.is_empty() && default.is_none() {
        diagnostics.push(Diagnostic::error(format!(
            "TEMPERATURE(LOAD) = {set} selects no TEMP, TEMPD or TEMPRB card"
        )));
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
        let own = by_bar.get(&which);
        let known = |node| own.is_some() || default.is_some() || by_node.contains_key(&node);
        let missing = element.dofs().iter().find(|d| !known(d.node));
        if let Some(dof) = missing {
            let id = mesh.node(dof.node).id;
            diagnostics.push(*element_error(
                mesh,
                which,
                format!("grid {id} has no temperature in set {set}"),
            ));
            continue;
        }
        let first = element.dofs().first().map(|d| d.node);
        let temperature = |node: NodeIndex| match own {
            Some(bar) => bar.mean[usize::from(Some(node) != first)],
            None => by_node.get(&node).copied().or(default).expect("invariant: checked above"),
        };
        let gradients = own.map(|bar| bar.gradients).filter(|g| g.iter().flatten().any(|t| *t != 0.0));
        let load = element.thermal_load(&temperature).and_then(|load| match gradients {
            Some(gradients) => Some(load + element.temperature_gradient_load(gradients)?),
            None => Some(load),
        });
        match load {
            Some(mut load) => {
                load_to_displacement_axes(mesh, element.as_ref(), &mut load);
                for (row, value) in dofs.rows_of_element(element.as_ref()).into_iter().zip(load.iter()) {
                    f[row as usize] += value;
                }
            }
            None => diagnostics.push(*element_error(
                mesh,
                which,
                "this thermal load (TEMPERATURE(LOAD)) is not available for this element",
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
