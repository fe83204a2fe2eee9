//! Stress of elements and forces on grids for machines, in units of the deck.

use pliant::statics::{SubcaseStress, force_origin};
use pliant_fem::solve::{GridForce, GridForces};
use pliant_mesh::LinkMesh;
use serde_json::{Map, Value, json};

use super::pressure;

/// The largest and where it is, and von Mises stress by element.
pub(in super::super) fn stress_of(mesh: &LinkMesh, stress: &SubcaseStress) -> Value {
    let unit = 1.0 / pressure(mesh);
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

/// The forces on each grid with their sum, in its CD frame, and how well all grids balance.
pub(in super::super) fn forces_of(mesh: &LinkMesh, forces: &GridForces) -> Value {
    let mut grids = Map::new();
    for (node, own, sum) in forces.by_grid() {
        let one =
            |force: &GridForce| json!({ "origin": force_origin(mesh, force.origin), "force": force.force });
        let own: Vec<Value> = own.iter().map(one).collect();
        grids.insert(mesh.node(node).id.to_string(), json!({ "forces": own, "sum": sum }));
    }
    json!({ "force_error": forces.force_error, "moment_error": forces.moment_error, "grids": grids })
}
