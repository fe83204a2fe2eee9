//! Non-structural mass that a subcase adds to elements (NSM, NSM1, NSML, NSML1, NSMADD).

use std::collections::HashMap;

use pliant_diag::Diagnostics;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{LinkMesh, SetId};

use crate::element::{ElementContext, build, element_error};

/// Mass per length or area by element.
pub type ExtraNsm = HashMap<ElementRef, f64>;

/// What the NSM set of a subcase adds to each element. A total (NSML) is spread over its elements in
/// proportion to length or area.
///
/// # Errors
/// Elements that cannot be built, or that have neither length nor area.
pub fn extra_nsm(mesh: &LinkMesh, set: Option<SetId>) -> Result<ExtraNsm, Diagnostics> {
    let mut by_element = ExtraNsm::new();
    let mut problems = Diagnostics::new();
    let Some(set) = set else { return Ok(by_element) };
    let members: Vec<SetId> = mesh
        .nsm_combinations
        .iter()
        .filter(|c| c.set == set)
        .flat_map(|c| c.members.iter().copied())
        .chain([set])
        .collect();
    for entry in mesh.nonstructural_masses.iter().filter(|e| members.contains(&e.set)) {
        if entry.distributed {
            for element in &entry.elements {
                *by_element.entry(*element).or_default() += entry.value;
            }
            continue;
        }
        let mut total = 0.0;
        for element in &entry.elements {
            match build(ElementContext { mesh, extra_nsm: 0.0 }, *element) {
                Ok(built) if built.measure() > 0.0 => total += built.measure(),
                Ok(_) => problems.push(*element_error(
                    mesh,
                    *element,
                    "cannot carry a share of a non-structural mass (no length or area)",
                )),
                Err(problem) => problems.push(*problem),
            }
        }
        for element in &entry.elements {
            *by_element.entry(*element).or_default() += entry.value / total;
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(by_element) }
}
