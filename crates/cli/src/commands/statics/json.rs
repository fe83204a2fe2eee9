//! The static answer for machines.

use std::io::{self, Write};

use pliant::facts::diagnostics;
use serde_json::{Map, Value, json};

use super::super::solve::{forces_of, stress_of};
use super::{Answer, Found, components};
use crate::terminal::json as print_json;
use pliant_fem::Statics;
use pliant_mesh::LinkMesh;

/// Prints one object; `subcases` is null when there is no answer.
pub(super) fn print(out: &mut impl Write, answer: &Answer<'_, Found>) -> io::Result<()> {
    let mut displacements = Map::new();
    let mut reactions = Map::new();
    let mut checks = Map::new();
    let (mut stress, mut forces) = (Map::new(), Map::new());
    let mesh = &answer.deck.mesh;
    let subcases = answer.found.iter().flat_map(|found| {
        let each = found.statics.subcases.iter().enumerate();
        each.map(move |(k, subcase)| (found, k, subcase))
    });
    for (Found { statics, answer }, k, subcase) in subcases {
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
        if let Some(of_elements) = answer.stress.get(k) {
            stress.insert(key.clone(), stress_of(mesh, of_elements));
        }
        forces.insert(key.clone(), forces_of(mesh, &answer.forces[k]));
        checks.insert(key, check);
    }
    let solved = answer.found.is_some();
    let report = json!({
        "deck": answer.path.display().to_string(),
        "subcases": solved.then_some(displacements),
        "spc_forces": solved.then_some(reactions),
        "stress": solved.then_some(stress),
        "grid_forces": solved.then_some(forces),
        "checks": solved.then_some(checks),
        "diagnostics": diagnostics(&answer.diagnostics, &answer.deck.sources),
    });
    print_json(out, &report)
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
