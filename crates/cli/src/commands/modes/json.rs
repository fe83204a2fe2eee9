//! The modes for machines.

use std::io::{self, Write};

use pliant::facts::diagnostics;
use serde_json::json;

use super::{Answer, Found};
use crate::terminal::json as print_json;

/// Prints one object; `frequencies_hz` is null when there is no answer.
pub(super) fn print(out: &mut impl Write, answer: &Answer<'_, Found>, mass_unit: f64) -> io::Result<()> {
    let modes = answer.found.as_ref().map(|found| &found.modes);
    let mass = answer.found.as_ref().map(|found| &found.mass);
    let sturm = modes
        .and_then(|m| m.info.sturm)
        .map(|s| json!({ "below_hz": s.shift.max(0.0).sqrt() / std::f64::consts::TAU, "count": s.count }));
    let autospc = modes.map(|m| {
        m.autospc
            .iter()
            .map(|(node, components)| {
                let id = answer.deck.mesh.node(*node).id.0;
                json!({ "grid": id, "components": components.to_string() })
            })
            .collect::<Vec<_>>()
    });
    let report = json!({
        "deck": answer.path.display().to_string(),
        "frequencies_hz": modes.map(|m| &m.frequencies_hz),
        "eigenvalues": modes.map(|m| &m.lambda),
        "rigid_body_modes": modes.map(|m| m.rigid_body_modes),
        "residuals": modes.map(|m| &m.residuals),
        "generalised_masses": modes.map(|m| &m.generalised_masses),
        "participation": modes.map(|m| &m.effective_mass.participation),
        "effective_mass": modes.map(|m| &m.effective_mass.effective),
        "total_mass_by_direction": modes.map(|m| m.effective_mass.total),
        "sturm": sturm,
        "free_components": modes.map(|m| m.free_components),
        "autospc": autospc,
        "mass": mass.map(|m| m.mass),
        "mass_kg": mass.map(|m| m.mass * mass_unit),
        "diagnostics": diagnostics(&answer.diagnostics, &answer.deck.sources),
    });
    print_json(out, &report)
}
