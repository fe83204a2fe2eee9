//! The static answer for machines.

use std::io::{self, Write};

use pliant::facts::diagnostics;
use pliant::statics::SubcaseStress;
use serde_json::{Map, Value, json};

use super::{Answer, Found, components, pressure};
use crate::terminal::json as print_json;
use pliant_fem::Statics;
use pliant_mesh::LinkMesh;

/// Prints one object; `subcases` is null when there is no answer.
pub(super) fn print(out: &mut impl Write, answer: &Answer<'_, Found>) -> io::Result<()> {
    let mut displacements = Map::new();
    let mut reactions = Map::new();
    let mut checks = Map::new();
    let mut stress = Map::new();
    let mesh = &answer.deck.mesh;
    let subcases = answer.found.iter().flat_map(|found| {
        let each = found.statics.subcases.iter().enumerate();
        each.map(|(k, subcase)| (&found.statics, subcase, found.stress.subcases.get(k)))
    });
    for (statics, subcase, of_elements) in subcases {
        let key = subcase.id.to_string();
        displacements.insert(key.clone(), by_grid(mesh, statics, &subcase.u, false));
        reactions.insert(key.clone(), by_grid(mesh, statics, &subcase.spc_forces, true));
        let e = &subcase.equilibrium;
        let check = json!({
            "label": subcase.label,
            "epsilon": subcase.epsilon,
            "strain_energy": subcase.strain_energy,
            "applied": e.applied,
            "reactions": e.reactions,
            "force_error": e.force_error,
            "moment_error": e.moment_error,
        });
        if let Some(of_elements) = of_elements {
            stress.insert(key.clone(), stress_of(of_elements, 1.0 / pressure(mesh)));
        }
        checks.insert(key, check);
    }
    let solved = answer.found.is_some();
    let report = json!({
        "deck": answer.path.display().to_string(),
        "subcases": solved.then_some(displacements),
        "spc_forces": solved.then_some(reactions),
        "stress": solved.then_some(stress),
        "checks": solved.then_some(checks),
        "diagnostics": diagnostics(&answer.diagnostics, &answer.deck.sources),
    });
    print_json(out, &report)
}

/// The largest with its place, and von Mises stress by element, in the deck's unit.
fn stress_of(stress: &SubcaseStress, unit: f64) -> Value {
    let peak = stress.peak.as_ref().map(|peak| {
        json!({
            "von_mises": peak.value * unit,
            "element": peak.element,
            "property": peak.property,
            "component": peak.component,
            "component_value": peak.component_value * unit,
        })
    });
    let each = stress.elements.iter().zip(&stress.von_mises);
    let elements: Map<String, Value> =
        each.map(|(id, value)| (id.to_string(), json!(value * unit))).collect();
    json!({ "peak": peak, "von_mises": elements })
}

/// Six components in the CD frame by grid.
fn by_grid(mesh: &LinkMesh, statics: &Statics, vector: &[f64], only_loaded: bool) -> Value {
    let mut grids = Map::new();
    for (i, node) in mesh.nodes.iter().enumerate() {
        let six = components(statics, vector, i);
        if !only_loaded || six.iter().any(|v| *v != 0.0) {
            grids.insert(node.id.to_string(), json!(six));
        }
    }
    Value::Object(grids)
}
