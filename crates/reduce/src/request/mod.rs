//! What a link is asked to be, in terms of this stage: no file format and no table of one.
//!
//! Whoever reads a file (or is called as a library) builds a [`LinkRequest`]. Locations are kept where a
//! message about a value must show where it was asked for; they are no part of the request's identity, see
//! [`LinkRequest::identity`].

mod damping;
mod identity;
mod interface;
mod residual;
mod source;

use pliant_diag::Origin;
use pliant_mesh::Units;

pub use damping::{Damping, DampingRatio, Rayleigh};
pub use identity::{IdentityOf, REQUEST_VERSION};
pub use interface::{Grids, InterfaceRequest, Interfaces, Spider};
pub use pliant_diag::Located;
pub use pliant_fem::element::MassKind;
pub use residual::{ResidualLoad, unknown_load};
pub use source::{
    BeamElement, BeamPath, BeamSource, DeckSegment, DeckSource, GroupProperty, ImportedSource,
    IsotropicMaterial, LinkSource, Matrices, OverrideValue, PartMesh, RigidSource, Section,
};

/// One link to be reduced.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRequest {
    /// Its name.
    pub name: String,
    /// Where it is asked for.
    pub origin: Origin,
    /// What it is made of.
    pub source: LinkSource,
    /// Units of the source.
    pub units: Units,
    /// Where its neighbours sit. Those of a beam and of a rigid body belong to the source.
    pub interfaces: Interfaces,
    /// A line along which it can be gripped.
    pub rail: Option<RailRequest>,
    /// The reduction basis.
    pub basis: BasisKind,
    /// How many modes to keep; `DEFAULT_MODES` when it does not matter.
    pub modes: Option<Modes>,
    /// Loads for which a static residual vector is kept.
    pub residuals: Option<Vec<Located<ResidualLoad>>>,
    /// Damping of the elastic coordinates.
    pub damping: Option<Damping>,
    /// The mass matrix it is reduced with.
    pub mass: MassKind,
    /// Displacement of second order.
    pub second_order: SecondOrderKind,
    /// Names of [health checks](crate::CHECKS) that may fail.
    pub accept: Vec<String>,
}

/// The reduction basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BasisKind {
    /// Constraint modes of the outboard interfaces and modes with all interfaces fixed.
    #[default]
    CraigBampton,
    /// Modes clamped at the inboard interface and free elsewhere.
    Cantilever,
    /// Modes with all interfaces fixed, without constraint modes: stiffer than the truth.
    ClampedClamped,
    /// Constraint modes only.
    Guyan,
    /// Free-free modes, combined to vanish at the inboard interface.
    FreeFree,
}

/// How many modes to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Modes {
    /// This many.
    Count(usize),
    /// All below this frequency (Hz), and what it takes for the link's own free-free frequencies up to half
    /// of it.
    Below(f64),
    /// Enough that the link's own free-free frequencies up to `up_to_hz` are right to the relative error
    /// `error`.
    Accurate {
        /// Relative error.
        error: f64,
        /// Highest frequency that must be right (Hz).
        up_to_hz: f64,
    },
}

/// Displacement of second order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SecondOrderKind {
    /// None: linear in the frame of the inboard interface.
    Off,
    /// The shortening of the mesh itself, from the geometric stiffness of its elements.
    #[default]
    Full,
    /// That of a turned chord alone: the link is linear in a frame that points from the inboard to the
    /// outboard interfaces.
    Chord,
}

/// A straight line of the link along which a sliding joint grips it.
#[derive(Clone, Debug, PartialEq)]
pub struct RailRequest {
    /// Where it is asked for.
    pub origin: Origin,
    /// Its stations.
    pub stations: RailStations,
    /// Only edges within this distance of the rail belong to sections (deck units); all of them when `None`.
    pub radius: Option<f64>,
    /// Where the grip is when the boom is all the way out (m).
    pub from: Option<f64>,
    /// Where it is when the boom is all the way in (m).
    pub to: Option<f64>,
}

/// Where a rail has its stations.
#[derive(Clone, Debug, PartialEq)]
pub enum RailStations {
    /// At these GRIDs of a deck, from the inner end to the outer one.
    Grids(Vec<u32>),
    /// So many sections from one end of a line to the other (deck units).
    Line {
        /// Its ends.
        ends: [[f64; 3]; 2],
        /// How many sections, both ends included.
        count: u32,
    },
    /// At all grids of a beam.
    Beam,
}

impl LinkRequest {
    /// A request for a source with everything else at its default.
    pub fn new(name: impl Into<String>, source: LinkSource) -> Self {
        Self {
            name: name.into(),
            origin: Origin::default(),
            source,
            units: Units::SI,
            interfaces: Interfaces::default(),
            rail: None,
            basis: BasisKind::default(),
            modes: None,
            residuals: None,
            damping: None,
            mass: MassKind::Consistent,
            second_order: SecondOrderKind::default(),
            accept: Vec::new(),
        }
    }

    /// Names of the outboard interfaces that the link will have.
    pub fn outboard_names(&self) -> Vec<&str> {
        match &self.source {
            LinkSource::Beam(_) => vec![BeamSource::TIP],
            LinkSource::Rigid(rigid) => rigid.interfaces.iter().map(|(name, _)| name.as_str()).collect(),
            LinkSource::Deck { segment, .. } => {
                let own = self.interfaces.outboard.iter().map(|(name, _)| name.as_str());
                own.chain(segment.as_ref().and_then(DeckSegment::onward)).collect()
            }
            LinkSource::Imported(_) => {
                self.interfaces.outboard.iter().map(|(name, _)| name.as_str()).collect()
            }
        }
    }

    /// False for a rigid body.
    pub fn is_flexible(&self) -> bool {
        !matches!(self.source, LinkSource::Rigid(_))
    }
}
