//! The facts of links for programs.

use pliant_diag::SourceMap;
use pliant_reduce::Completeness;
use serde::Serialize;

use super::diagnostics::{DiagnosticFacts, diagnostics};
use super::link::LinkFacts;

/// The facts of a link for programs. Numbers are null when there is no link.
#[derive(Debug, Serialize)]
pub struct LinkNumbers {
    kind: &'static str,
    /// It may be used.
    usable: bool,
    interfaces: Vec<String>,
    interface_dofs: Option<usize>,
    mesh_dofs: Option<usize>,
    coordinates: Option<usize>,
    modes_hz: Option<Vec<f64>>,
    /// Null for a rigid link.
    completeness: Option<CompletenessFacts>,
    mass: Option<f64>,
    mass_error: Option<f64>,
    inertia_error: Option<f64>,
    grounding: Option<f64>,
    /// Free-free and elastic, of the reduced link and of the full mesh.
    frequencies_hz: Option<FrequencyFacts>,
    effective_mass: Option<Vec<f64>>,
    failed_checks: Vec<CheckFacts>,
    from_cache: Option<bool>,
    seconds: Option<f64>,
    diagnostics: Vec<DiagnosticFacts>,
}

/// Frequencies beside each other.
#[derive(Debug, Serialize)]
pub struct FrequencyFacts {
    reduced: Vec<f64>,
    full: Vec<f64>,
}

impl FrequencyFacts {
    /// Of pairs of reduced and full.
    pub fn new(pairs: &[(f64, f64)]) -> Self {
        let (reduced, full) = pairs.iter().copied().unzip();
        Self { reduced, full }
    }
}

/// Whether the modes are known to be all up to the last of them.
#[derive(Debug, Serialize)]
struct CompletenessFacts {
    proven: bool,
    /// Where they were counted, if they were.
    counted_below_hz: Option<f64>,
    /// How many were counted there.
    counted_modes: Option<usize>,
    /// In words; why not, if not proven.
    message: String,
}

impl CompletenessFacts {
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

#[derive(Debug, Serialize)]
struct CheckFacts {
    name: &'static str,
    message: String,
    accepted: bool,
}

impl LinkNumbers {
    /// Of a link; `request` are the texts of the pipeline file.
    pub fn new(link: &LinkFacts, request: &SourceMap) -> Self {
        let mut reported = diagnostics(&link.deck, &link.sources);
        reported.extend(diagnostics(&link.request, request));
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
                .map(|health| CompletenessFacts::new(&health.completeness)),
            mass: health.map(|health| health.mass),
            mass_error: compared.map(|health| health.mass_error),
            inertia_error: compared.map(|health| health.inertia_error),
            grounding: health.map(|health| health.grounding),
            frequencies_hz: compared.map(|health| FrequencyFacts::new(&health.frequencies_hz)),
            effective_mass: health.map(|health| health.effective_mass.clone()),
            failed_checks: failed
                .map(|(name, message, accepted)| CheckFacts {
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
