//! The load factors for machines.

use std::io::{self, Write};

use pliant::facts::diagnostics;
use serde_json::{Map, json};

use super::super::solve::{forces_of, stress_of};
use super::{Answer, Found};
use crate::terminal::json as print_json;

/// Prints one object; `subcases` is null when there is no answer.
pub(super) fn print(out: &mut impl Write, answer: &Answer<'_, Found>) -> io::Result<()> {
    let mut subcases = Map::new();
    for subcase in answer.found.iter().flat_map(|found| &found.buckling.subcases) {
        let sturm =
            subcase.counted.map(|c| c.map(|(limit, count)| json!({ "up_to": limit, "count": count })));
        let facts = json!({
            "label": subcase.label,
            "static_subcase": subcase.static_subcase,
            "load_factors": subcase.factors,
            "residuals": subcase.residuals,
            "free_components": subcase.free_components,
            "sturm": { "positive": sturm[0], "negative": sturm[1] },
        });
        subcases.insert(subcase.id.to_string(), facts);
    }
    let mesh = &answer.deck.mesh;
    let mut preload = Map::new();
    if let Some(Found { buckling, preload: loads }) = &answer.found {
        for (k, subcase) in buckling.preload.subcases.iter().enumerate() {
            let stress = loads.stress.get(k).map(|stress| stress_of(mesh, stress));
            let forces = forces_of(mesh, &loads.forces[k]);
            preload.insert(subcase.id.to_string(), json!({ "stress": stress, "grid_forces": forces }));
        }
    }
    let report = json!({
        "deck": answer.path.display().to_string(),
        "subcases": answer.found.is_some().then_some(subcases),
        "preload": answer.found.is_some().then_some(preload),
        "diagnostics": diagnostics(&answer.diagnostics, &answer.deck.sources),
    });
    print_json(out, &report)
}
