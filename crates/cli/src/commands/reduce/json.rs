//! The facts for machines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant_reduce::Completeness;
use serde::Serialize;

use super::facts::{Facts, LinkFacts};
use crate::report::{DiagnosticReport, diagnostics};

#[derive(Serialize)]
struct Report {
    pipeline: String,
    links: BTreeMap<String, LinkReport>,
    /// Of decks that are cut: free-free and elastic, of the segments joined rigidly (`reduced`) and of the
    /// full mesh of the entire deck.
    segments: BTreeMap<String, FrequencyReport>,
    cache: Option<String>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    /// Of the pipeline file.
    diagnostics: Vec<DiagnosticReport>,
}

/// Numbers are null when there is no link.
#[derive(Serialize)]
struct LinkReport {
    kind: &'static str,
    /// It may be used.
    usable: bool,
    interfaces: Vec<String>,
    interface_dofs: Option<usize>,
    mesh_dofs: Option<usize>,
    coordinates: Option<usize>,
    modes_hz: Option<Vec<f64>>,
    /// Null for a rigid link.
    completeness: Option<CompletenessReport>,
    mass: Option<f64>,
    mass_error: Option<f64>,
    inertia_error: Option<f64>,
    grounding: Option<f64>,
    /// Free-free and elastic, of the reduced link and of the full mesh.
    frequencies_hz: Option<FrequencyReport>,
    effective_mass: Option<Vec<f64>>,
    failed_checks: Vec<CheckReport>,
    from_cache: Option<bool>,
    seconds: Option<f64>,
    diagnostics: Vec<DiagnosticReport>,
}

#[derive(Serialize)]
struct FrequencyReport {
    reduced: Vec<f64>,
    full: Vec<f64>,
}

impl FrequencyReport {
    /// Of pairs of reduced and full.
    fn new(pairs: &[(f64, f64)]) -> Self {
        let (reduced, full) = pairs.iter().copied().unzip();
        Self { reduced, full }
    }
}

/// Whether the modes are known to be all up to the last of them.
#[derive(Serialize)]
struct CompletenessReport {
    proven: bool,
    /// Where they were counted, if they were.
    counted_below_hz: Option<f64>,
    /// How many were counted there.
    counted_modes: Option<usize>,
    /// In words; why not, if not proven.
    message: String,
}

impl CompletenessReport {
    fn new(completeness: &Completeness) -> Self {
        let counted = match completeness {
            Completeness::Proven { below_hz, modes } => Some((*below_hz, *modes)),
            _ => None,
        };
        Self {
            proven: completeness.is_proven(),
            counted_below_hz: counted.map(|(below_hz, _)| below_hz),
            counted_modes: counted.map(|(_, modes)| modes),
            message: completeness.to_string(),
        }
    }
}

#[derive(Serialize)]
struct CheckReport {
    name: &'static str,
    message: String,
    accepted: bool,
}

pub(super) fn print(out: &mut impl Write, facts: &Facts<'_>) -> io::Result<()> {
    let report = Report {
        pipeline: facts.path.display().to_string(),
        links: facts.links.iter().map(|link| (link.name.clone(), LinkReport::new(link, facts))).collect(),
        segments: facts
            .joined
            .iter()
            .map(|joined| (joined.name.clone(), FrequencyReport::new(&joined.frequencies_hz)))
            .collect(),
        cache: facts.cache.map(|folder| folder.display().to_string()),
        seconds: facts.seconds,
        peak_memory_bytes: facts.peak_memory,
        diagnostics: diagnostics(&facts.diagnostics, facts.sources),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

impl LinkReport {
    fn new(link: &LinkFacts, facts: &Facts<'_>) -> Self {
        let mut reported = diagnostics(&link.deck, &link.sources);
        reported.extend(diagnostics(&link.request, facts.sources));
        let reduced = link.reduced.as_ref();
        let health = reduced.map(|reduced| &reduced.health);
        // Without a mesh there is nothing to compare with.
        let compared = health.filter(|_| !matches!(link.kind, "rigid" | "imported"));
        let failed = reduced.iter().flat_map(|reduced| &reduced.failed);
        Self {
            kind: link.kind,
            usable: link.is_good(),
            interfaces: reduced.map(|reduced| reduced.interfaces.clone()).unwrap_or_default(),
            interface_dofs: reduced.map(|reduced| reduced.interface_dofs),
            mesh_dofs: health.map(|health| health.mesh_dofs),
            coordinates: health.map(|health| health.coordinates),
            modes_hz: health.map(|health| health.modes_hz.clone()),
            completeness: health
                .filter(|_| link.kind != "rigid")
                .map(|health| CompletenessReport::new(&health.completeness)),
            mass: health.map(|health| health.mass),
            mass_error: compared.map(|health| health.mass_error),
            inertia_error: compared.map(|health| health.inertia_error),
            grounding: health.map(|health| health.grounding),
            frequencies_hz: compared.map(|health| FrequencyReport::new(&health.frequencies_hz)),
            effective_mass: health.map(|health| health.effective_mass.clone()),
            failed_checks: failed
                .map(|(name, message, accepted)| CheckReport {
                    name,
                    message: message.clone(),
                    accepted: *accepted,
                })
                .collect(),
            from_cache: reduced.map(|reduced| reduced.from_cache),
            seconds: reduced.map(|reduced| reduced.seconds),
            diagnostics: reported,
        }
    }
}
