//! The facts for machines. One deck gives an object, several give an array of such objects.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pliant::facts::{DiagnosticFacts, diagnostics};
use serde::Serialize;

use super::Facts;
use crate::terminal::json;

/// JSON objects collected so far.
pub(super) struct Report {
    decks: Vec<serde_json::Value>,
    is_one: bool,
}

impl Report {
    pub(super) fn new(deck_count: usize) -> Self {
        Self { decks: Vec::new(), is_one: deck_count == 1 }
    }

    pub(super) fn push(&mut self, facts: &Facts) {
        let value = serde_json::to_value(DeckReport::new(facts));
        self.decks.push(value.expect("invariant: reports hold nothing that JSON cannot"));
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        match self.decks.as_slice() {
            [deck] if self.is_one => json(out, deck),
            decks => json(out, &decks),
        }
    }
}

#[derive(Serialize)]
struct DeckReport {
    deck: String,
    /// The number of SOL.
    solution: Option<u32>,
    title: String,
    subcases: Vec<u32>,
    units: UnitsReport,
    grids: usize,
    scalar_points: usize,
    elements: BTreeMap<String, usize>,
    /// Deck units, as the two below; null when the deck has errors.
    mass: Option<f64>,
    centre_of_mass: Option<[f64; 3]>,
    /// About the centre, in deck axes.
    inertia: Option<[[f64; 3]; 3]>,
    mass_kg: Option<f64>,
    cards: BTreeMap<String, CardReport>,
    quality: Vec<QualityReport>,
    diagnostics: Vec<DiagnosticFacts>,
}

/// Factors to SI.
#[derive(Serialize)]
struct UnitsReport {
    name: String,
    length: f64,
    mass: f64,
    time: f64,
}

#[derive(Serialize)]
struct CardReport {
    count: usize,
    /// `used`, `unused` or `unknown`.
    status: &'static str,
}

#[derive(Serialize)]
struct QualityReport {
    card: &'static str,
    nodes: usize,
    count: usize,
    aspect: WorstReport,
    skew_deg: WorstReport,
    jacobian: WorstReport,
}

#[derive(Serialize)]
struct WorstReport {
    value: f64,
    element: u32,
}

impl DeckReport {
    fn new(facts: &Facts) -> Self {
        let mesh = &facts.deck.mesh;
        let (grids, scalar_points) = facts.node_counts();
        let factors = facts.units.factors;
        let cards = facts.deck.cards.iter();
        let mass = facts.mass.as_ref();
        let worst = |w: pliant_mesh::Worst| WorstReport { value: w.value, element: w.element.0 };
        let quality = facts.quality.iter().map(|q| QualityReport {
            card: q.card,
            nodes: q.node_count,
            count: q.count,
            aspect: worst(q.aspect),
            skew_deg: worst(q.skew_deg),
            jacobian: worst(q.jacobian),
        });
        Self {
            deck: facts.path.display().to_string(),
            solution: mesh.case_control.solution,
            title: mesh.case_control.title.clone(),
            subcases: mesh.case_control.subcases.iter().map(|s| s.id).collect(),
            units: UnitsReport {
                name: facts.units.name.clone(),
                length: factors.length,
                mass: factors.mass,
                time: factors.time,
            },
            grids,
            scalar_points,
            elements: facts.elements.iter().cloned().collect(),
            mass: mass.map(|m| m.mass),
            centre_of_mass: mass.map(|m| m.centre.into()),
            inertia: mass.map(|m| [0, 1, 2].map(|i| [0, 1, 2].map(|j| m.inertia[(i, j)]))),
            mass_kg: mass.map(|m| m.mass * factors.mass),
            cards: cards
                .map(|(name, c)| (name.clone(), CardReport { count: c.count, status: c.status.as_str() }))
                .collect(),
            quality: quality.collect(),
            diagnostics: diagnostics(&facts.diagnostics, &facts.deck.sources),
        }
    }
}
