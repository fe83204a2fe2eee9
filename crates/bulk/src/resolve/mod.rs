//! From cards to a mesh in which every reference holds.
//!
//! [`Builder`] is what a card sees while it is read: the mesh so far, and lookups that turn the numbers on
//! the card into rows of the mesh or say what is missing. The other modules finish a stage: points and
//! coordinate systems, duplicates, geometry, what nothing uses.

mod build;
mod control;
mod coordinates;
mod duplicates;
mod geometry;
mod lookup;
mod orientation;
mod outline;
mod parameter;
mod points;
mod property;
mod superelement;
mod table;
mod usage;

pub(crate) use build::build;
pub(crate) use property::Family;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use nalgebra::Vector3;
use pliant_diag::Span;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{CoordIndex, LinkMesh, NodeIndex, PropertyIndex};

use crate::cards::{BarDefaults, Class, DirectHeaders};
use crate::deck::DefaultProperties;
use coordinates::CoordinateCard;
use points::GridRow;
use table::IdTable;

pub(crate) use coordinates::CoordinateGiven;
pub(crate) use points::{GridDefaults, NewGrid};
pub(crate) use superelement::{SuperelementPair, Superelements};

/// The mesh under construction, and what is needed to resolve references into it.
#[derive(Default)]
pub(crate) struct Builder {
    /// The mesh so far.
    pub(crate) mesh: LinkMesh,
    /// Part of the deck (superelement) whose cards are read now.
    pub(crate) part: usize,
    /// GRDSET by part.
    pub(crate) grid_defaults: HashMap<usize, GridDefaults>,
    /// BAROR by part.
    pub(crate) bar_defaults: HashMap<usize, BarDefaults>,
    /// BEAMOR by part.
    pub(crate) beam_defaults: HashMap<usize, BarDefaults>,
    /// What the caller supplies for elements whose property is not in the deck.
    pub(crate) default_properties: DefaultProperties,
    /// Matrices whose DMIG header was read.
    pub(crate) direct_headers: DirectHeaders,
    /// How many more entries THRU and ALL may make: in proportion to the deck, so that a few characters
    /// cannot fill the memory.
    pub(crate) expansion: Cell<usize>,
    /// Sets of SUPORT1 cards that the case control selects.
    pub(crate) selected_supports: Vec<u32>,
    /// Superelements and how they are joined.
    pub(crate) superelements: Superelements,
    grids: Vec<GridRow>,
    /// Scalar points named by elements: number, location and part.
    implicit_points: Vec<(u32, Span, u16)>,
    coordinate_cards: Vec<CoordinateCard>,
    coordinate_ids: HashSet<u32>,
    nodes: IdTable,
    coordinates: HashMap<u32, CoordIndex>,
    materials: HashMap<u32, pliant_mesh::MaterialIndex>,
    properties: HashMap<(Family, u32), PropertyIndex>,
    /// The property found last: neighbours mostly share theirs.
    last_property: Option<(Family, u32, PropertyIndex)>,
    /// True when the deck has scalar points at all.
    has_scalar_points: bool,
    /// Cards that name a property or material and cannot be read: their number and name.
    foreign: HashMap<(Class, u32), (String, Span)>,
    broken: HashSet<(Class, u32)>,
    elements: Vec<(u32, ElementRef)>,
    supplied: property::Supplied,
    outlines: property::Outlines,
}

impl Builder {
    /// Position of a node in the basic frame.
    pub(crate) fn position(&self, node: NodeIndex) -> Vector3<f64> {
        self.mesh.nodes[node.index()].position
    }

    /// A vector given in the displacement frame of a node, turned to the basic frame.
    pub(crate) fn turned_from_node(&self, node: NodeIndex, v: Vector3<f64>) -> Vector3<f64> {
        let frame = self.mesh.nodes[node.index()].displacement_frame;
        self.turned_from_frame(frame, self.position(node), v)
    }

    /// A vector given in the directions that a coordinate system has at a point, turned to the basic frame.
    pub(crate) fn turned_from_frame(
        &self,
        frame: CoordIndex,
        point: Vector3<f64>,
        v: Vector3<f64>,
    ) -> Vector3<f64> {
        if frame == CoordIndex::BASIC {
            return v;
        }
        self.mesh.coordinates[frame.index()].triad_at(point) * v
    }

    /// Marks the number of a card that could not be read.
    pub(crate) fn mark_broken(&mut self, class: Class, id: u32) {
        self.broken.insert((class, id));
    }

    /// Remembers a property or material card that is not understood.
    pub(crate) fn mark_foreign(&mut self, class: Class, id: u32, name: &str, span: Span) {
        self.foreign.entry((class, id)).or_insert_with(|| (name.to_owned(), span));
    }
}
