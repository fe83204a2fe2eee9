//! The front door: a path in, a mesh out, with everything there is to say about the deck.

use std::collections::BTreeMap;
use std::path::Path;

use pliant_diag::{SourceMap, Warned};
use pliant_mesh::{LinkMesh, Material, Units};

use crate::read::{CardFile, read_cards};
use crate::resolve;

/// What a reader may be reported beside the deck.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Factors from deck units to SI.
    pub units: Units,
    /// For elements whose property is not in the deck.
    pub default_properties: DefaultProperties,
}

/// Stands in for properties that a deck leaves out, as an export of a bare mesh does. A solid takes the
/// material, a shell the material and the thickness; other elements need their property.
#[derive(Clone, Debug, Default)]
pub struct DefaultProperties {
    /// In deck units; its id is given by the reader.
    pub material: Option<Material>,
    /// Of shells, in deck units.
    pub thickness: Option<f64>,
    /// Properties by their names or numbers, before the material and thickness for all others.
    pub groups: Vec<DefaultGroup>,
}

/// What stands in for one property.
#[derive(Clone, Debug)]
pub struct DefaultGroup {
    /// Name or number of the property.
    pub name: String,
    /// In deck units; its id is given by the reader.
    pub material: Material,
    /// Of shells, in deck units.
    pub thickness: Option<f64>,
}

/// What Pliant does with cards of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardStatus {
    /// Read into the mesh.
    Used,
    /// Known, and without effect on the mesh.
    Unused,
    /// Not known.
    Unknown,
}

impl CardStatus {
    /// `used`, `unused` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Unused => "unused",
            Self::Unknown => "unknown",
        }
    }
}

/// How many cards of a name a deck has, and what was done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardCount {
    /// How many.
    pub count: usize,
    /// What was done with them.
    pub status: CardStatus,
    /// How many of them only draw edges and faces of solids, as mesh generators write them, and are left out.
    pub left_out: usize,
}

/// A deck as a mesh, with the text it came from.
#[derive(Debug, Default)]
pub struct Deck {
    /// The mesh. Complete only when no error was reported.
    pub mesh: LinkMesh,
    /// The deck's files, for locations of diagnostics.
    pub sources: SourceMap,
    /// Cards by name.
    pub cards: BTreeMap<String, CardCount>,
}

/// Reads a deck and all it includes into a mesh, checking every reference.
///
/// All problems are reported, in file order. The mesh is complete only when none of them is an error.
pub fn read(path: impl AsRef<Path>, units: Units) -> Warned<Deck> {
    read_with(path, &Options { units, ..Options::default() })
}

/// [`read`] with more to say.
pub fn read_with(path: impl AsRef<Path>, options: &Options) -> Warned<Deck> {
    deck_from_cards(read_cards(path), options)
}

/// From cards that were read, and perhaps changed, to a mesh.
pub fn deck_from_cards(cards: Warned<CardFile>, options: &Options) -> Warned<Deck> {
    let Warned { output: file, mut diagnostics } = cards;
    let (mesh, counts) = resolve::build(&file, options, &mut diagnostics);
    diagnostics.sort_by_location();
    Warned { output: Deck { mesh, sources: file.sources, cards: counts }, diagnostics }
}
