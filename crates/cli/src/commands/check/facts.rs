//! The facts about a deck that `check` prints.

use std::path::{Path, PathBuf};

use pliant_bulk::{CardStatus, Deck};
use pliant_diag::{Diagnostics, Warned};
use pliant_fem::MassProperties;
use pliant_mesh::{NodeKind, ShapeQuality, shape_quality};

use crate::deck::DeckOptions;
use crate::units::NamedUnits;

/// All facts of a deck.
pub(crate) struct Facts {
    pub(crate) path: PathBuf,
    pub(crate) units: NamedUnits,
    pub(crate) deck: Deck,
    /// Elements by card, with the number of nodes where that varies.
    pub(crate) elements: Vec<(String, usize)>,
    pub(crate) quality: Vec<ShapeQuality>,
    /// `None` when the deck has errors: a part of the mass may be missing.
    pub(crate) mass: Option<MassProperties>,
    /// In file order.
    pub(crate) diagnostics: Diagnostics,
}

impl Facts {
    /// Reads and measures a deck.
    pub(crate) fn of(path: &Path, reading: &DeckOptions) -> Self {
        let Warned { output: deck, mut diagnostics } = reading.read(path);
        let mut mass = None;
        let mesh = &deck.mesh;
        let is_complete = !diagnostics.has_errors();
        let (quality, properties) =
            rayon::join(|| shape_quality(mesh), || is_complete.then(|| pliant_fem::mass_properties(mesh)));
        if let Some(properties) = properties {
            if !properties.diagnostics.has_errors() {
                mass = Some(properties.output);
            }
            diagnostics.extend(properties.diagnostics);
            diagnostics.extend(pliant_fem::implausible(mesh));
            diagnostics.extend(pliant_fem::separate_pieces(mesh));
            diagnostics.sort_by_location();
        }
        let elements = element_counts(&deck, &quality);
        Self {
            path: path.to_owned(),
            units: reading.units.clone(),
            deck,
            elements,
            quality,
            mass,
            diagnostics,
        }
    }

    /// Grids and scalar points.
    pub(crate) fn node_counts(&self) -> (usize, usize) {
        let grids = self.deck.mesh.nodes.iter().filter(|n| n.kind == NodeKind::Grid).count();
        (grids, self.deck.mesh.nodes.len() - grids)
    }

    /// Cards of a status: name and count, by name.
    pub(crate) fn cards(&self, status: CardStatus) -> Vec<(&str, usize)> {
        let cards = self.deck.cards.iter().filter(|(_, card)| card.status == status);
        cards.map(|(name, card)| (name.as_str(), card.count)).collect()
    }
}

/// Element cards without shapes of their own.
const OTHER_ELEMENTS: [&str; 28] = [
    "CBAR", "CBEAM", "CROD", "CONROD", "CTUBE", "CSHEAR", "CELAS1", "CELAS2", "CELAS3", "CELAS4", "CBUSH",
    "CONM1", "CONM2", "CMASS1", "CMASS2", "CMASS3", "CMASS4", "CDAMP1", "CDAMP2", "CDAMP3", "CDAMP4",
    "CVISC", "RBE1", "RBE2", "RBE3", "RBAR", "RROD", "PLOTEL",
];

/// Shells and solids by shape, the others by card.
fn element_counts(deck: &Deck, quality: &[ShapeQuality]) -> Vec<(String, usize)> {
    let shapes = quality.iter().map(|shape| (format!("{}({})", shape.card, shape.node_count), shape.count));
    let others = OTHER_ELEMENTS.iter().filter_map(|name| {
        let cards = deck.cards.get(*name)?;
        Some((name.to_string(), cards.count - cards.left_out)).filter(|(_, count)| *count > 0)
    });
    shapes.chain(others).collect()
}
