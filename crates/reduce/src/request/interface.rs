//! Where an interface is asked for.

use pliant_diag::{Located, Origin};
use pliant_mesh::GridId;

use crate::interface::Region;

/// The interfaces of a link that is made of grids.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Interfaces {
    /// The one that carries the link frame.
    pub inboard: Option<Located<InterfaceRequest>>,
    /// The others by name.
    pub outboard: Vec<(String, Located<InterfaceRequest>)>,
}

/// An interface: grids, and how they become one triad.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceRequest {
    /// The grids.
    pub grids: Grids,
    /// How several grids are tied to the centre.
    pub spider: Spider,
    /// Centre (deck units); the middle of the region, or the mean of the grids when `None`.
    pub centre: Option<[f64; 3]>,
    /// Directions of x and y of the triad in deck axes; the basic frame when `None`.
    pub axes: Option<[[f64; 3]; 2]>,
}

/// Which grids an interface has.
#[derive(Clone, Debug, PartialEq)]
pub enum Grids {
    /// A GRID: usually the independent grid of an RBE2 or the reference grid of an RBE3.
    One(u32),
    /// Several GRIDs, which are tied to their centre.
    Several(Vec<u32>),
    /// The members of a SET1.
    Set(u32),
    /// The members of a SET1 by the name that a preprocessor gave it.
    NamedSet(String),
    /// The grids of a hole of a STEP file, which has this name.
    Hole(String),
    /// All grids in a region of the mesh.
    On(Region),
}

/// How the grids of an interface hang on its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Spider {
    /// RBE2: the grids move as one rigid body.
    #[default]
    Rigid,
    /// RBE3: the centre moves as the mean of the grids, which stay free.
    Average,
}

impl InterfaceRequest {
    /// These grids, tied rigidly, in the basic frame.
    pub fn new(grids: Grids) -> Self {
        Self { grids, spider: Spider::Rigid, centre: None, axes: None }
    }
}

impl Interfaces {
    /// A link between two grids that are asked for where the link is, the second by this name.
    pub fn between(inboard: GridId, name: &str, outboard: GridId, origin: Origin) -> Self {
        let at = |grid: GridId| Located::at(origin.0, InterfaceRequest::new(Grids::One(grid.0)));
        Self { inboard: Some(at(inboard)), outboard: vec![(name.to_owned(), at(outboard))] }
    }
}
