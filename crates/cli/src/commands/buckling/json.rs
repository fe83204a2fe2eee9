//! The load factors for machines.

use std::io::{self, Write};

use pliant::facts::diagnostics;
use serde_json::{Map, json};

use super::Answer;
use crate::terminal::json as print_json;
use pliant_fem::Buckling;

/// Prints one object; `subcases` is null when there is no answer.
pub(super) fn print(out: &mut impl Write, answer: &Answer<'_, Buckling>) -> io::Result<()> {
    let mut subcases = Map::new();
    for subcase in answer.found.iter().flat_map(|b| &b.subcases) {
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
    let report = json!({
        "deck": answer.path.display().to_string(),
        "subcases": answer.found.is_some().then_some(subcases),
        "diagnostics": diagnostics(&answer.diagnostics, &answer.deck.sources),
    });
    print_json(out, &report)
}
