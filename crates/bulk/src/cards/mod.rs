//! The cards Pliant understands, one file per family.
//!
//! A card is read in one step from its fields to its part of the [`LinkMesh`](pliant_mesh::LinkMesh), whose
//! structs are the typed cards: a second set of structs with unresolved numbers would only say the same
//! twice. What a card refers to must exist by then, so cards are read in [`Stage`]s, each in file order.
//!
//! Adding a card is one function that reads it, with its layout in the doc comment, and one line in the
//! `CARDS` of its family; a new family is one more line in [`FAMILIES`].

mod bar;
mod bar_property;
mod beam_property;
mod bush;
mod constraint;
mod contact;
mod coordinate;
mod direct;
mod dof_set;
mod grid;
mod laminate;
mod load;
mod mass;
mod material;
mod method;
mod nonstructural;
mod pressure;
mod rigid;
mod rod;
mod scalar;
mod shell;
mod shell_property;
mod solid;
mod superelement;
mod unavailable;
mod unused;

pub(crate) use unused::UnusedCard;

pub(crate) use bar::BarDefaults;
pub(crate) use contact::{Contact, about as about_contact, contact};
pub(crate) use direct::DirectHeaders;
pub(crate) use scalar::{defines_scalar_points, implicit_points};
pub(crate) use shell_property::SHEAR_RATIO;
pub(crate) use superelement::TOLERANCE as SUPERELEMENT_TOLERANCE;
pub(crate) use unused::{cuts_the_bolt, unused};

use std::collections::HashMap;

use crate::card::CardName;
use crate::resolve::Builder;
use crate::typed::Reader;

/// When a card is read: after everything it may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// GRDSET, BAROR, BEAMOR, PARAM and the like.
    Defaults,
    /// Coordinate systems, as given.
    Coordinates,
    /// Grids and scalar points.
    Points,
    /// Materials.
    Materials,
    /// Properties.
    Properties,
    /// Elements.
    Elements,
    /// Constraints, loads and everything else that refers to grids or elements.
    Rest,
}

impl Stage {
    /// In order.
    pub(crate) const ALL: [Self; 7] = [
        Self::Defaults,
        Self::Coordinates,
        Self::Points,
        Self::Materials,
        Self::Properties,
        Self::Elements,
        Self::Rest,
    ];
}

/// What the number in the first field of a card names. When a card cannot be read, references to that number
/// are not reported as missing: the one error is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// A GRID or SPOINT.
    Point,
    /// A coordinate system.
    Coordinate,
    /// A material.
    Material,
    /// A property.
    Property,
    /// An element.
    Element,
    /// Nothing that others refer to by this number.
    Other,
}

/// Reads one card into the mesh. `None` after a problem was reported.
pub(crate) type Read = fn(&mut Reader<'_>, &mut Builder) -> Option<()>;

/// A card that is understood and used.
pub(crate) struct CardType {
    pub(crate) name: &'static str,
    pub(crate) stage: Stage,
    pub(crate) class: Class,
    pub(crate) read: Read,
    /// False for loads that are read only so that a case which selects them can be refused.
    pub(crate) is_used: bool,
}

const fn card(name: &'static str, stage: Stage, class: Class, read: Read) -> CardType {
    CardType { name, stage, class, read, is_used: true }
}

const fn element(name: &'static str, read: Read) -> CardType {
    card(name, Stage::Elements, Class::Element, read)
}

const fn property(name: &'static str, read: Read) -> CardType {
    card(name, Stage::Properties, Class::Property, read)
}

const fn rest(name: &'static str, read: Read) -> CardType {
    card(name, Stage::Rest, Class::Other, read)
}

/// A load that is not available.
const fn unavailable(name: &'static str, read: Read) -> CardType {
    CardType { is_used: false, ..rest(name, read) }
}

/// All families.
const FAMILIES: &[&[CardType]] = &[
    grid::CARDS,
    superelement::CARDS,
    coordinate::CARDS,
    material::CARDS,
    rod::CARDS,
    bar::CARDS,
    bar_property::CARDS,
    beam_property::CARDS,
    shell::CARDS,
    shell_property::CARDS,
    laminate::CARDS,
    solid::CARDS,
    scalar::CARDS,
    bush::CARDS,
    mass::CARDS,
    nonstructural::CARDS,
    rigid::CARDS,
    constraint::CARDS,
    dof_set::CARDS,
    load::CARDS,
    pressure::CARDS,
    unavailable::CARDS,
    method::CARDS,
    direct::CARDS,
];

/// The card types by name.
pub(crate) struct Registry(HashMap<CardName, &'static CardType>);

impl Registry {
    pub(crate) fn new() -> Self {
        let all = FAMILIES.iter().flat_map(|family| family.iter());
        Self(all.map(|card| (CardName::new(card.name.as_bytes()), card)).collect())
    }

    pub(crate) fn get(&self, name: CardName) -> Option<&'static CardType> {
        self.0.get(&name).copied()
    }
}
