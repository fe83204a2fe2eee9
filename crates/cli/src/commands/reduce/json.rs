//! The facts for machines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant::facts::{DiagnosticFacts, FrequencyFacts, LinkNumbers, diagnostics};
use serde::Serialize;

use super::Facts;

#[derive(Serialize)]
struct Report {
    pipeline: String,
    links: BTreeMap<String, LinkNumbers>,
    /// Of decks that are cut: free-free and elastic, of the segments joined rigidly (`reduced`) and of the
    /// full mesh of the entire deck.
    segments: BTreeMap<String, FrequencyFacts>,
    cache: Option<String>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    /// Of the pipeline file.
    diagnostics: Vec<DiagnosticFacts>,
}

pub(super) fn print(out: &mut impl Write, facts: &Facts<'_>) -> io::Result<()> {
    let report = Report {
        pipeline: facts.path.display().to_string(),
        links: facts
            .links
            .iter()
            .map(|link| (link.name.clone(), LinkNumbers::new(link, facts.sources)))
            .collect(),
        segments: facts
            .joined
            .iter()
            .map(|joined| (joined.name.clone(), FrequencyFacts::new(&joined.frequencies_hz)))
            .collect(),
        cache: facts.cache.map(|folder| folder.display().to_string()),
        seconds: facts.seconds,
        peak_memory_bytes: facts.peak_memory,
        diagnostics: diagnostics(&facts.diagnostics, facts.sources),
    };
    crate::terminal::json(out, &report)
}
