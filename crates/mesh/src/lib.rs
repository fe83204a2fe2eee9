//! The solver-neutral link: what a deck says, with every reference resolved.
//!
//! A [`LinkMesh`] is in deck units, in the deck's basic frame. References between its parts are indices
//! ([`NodeIndex`], [`PropertyIndex`], …) that are valid by construction; the user's own numbers stay with
//! each part as ids ([`GridId`], [`ElementId`], …), and each part keeps the location it came from.

mod case;
mod component;
mod constraint;
mod coordinate;
pub mod element;
mod id;
mod inertia;
mod load;
mod mass;
mod material;
mod mesh;
mod names;
mod node;
mod parameter;
mod part;
mod pieces;
pub mod property;
mod quality;
mod rigid;
mod units;

pub use case::{
    CaseControl, DirectSelection, EigenMethod, Normalisation, Subcase, SubcaseCombination,
    UnavailableSelection,
};
pub use component::{Component, Components};
pub use constraint::{DofSets, Mpc, MpcTerm, SetCombination, Spc};
pub use coordinate::{CoordinateKind, CoordinateSystem};
pub use id::{CoordId, ElementId, GridId, MaterialId, PropertyId, SetId};
pub use id::{CoordIndex, MaterialIndex, NodeIndex, PropertyIndex};
pub use inertia::{InertiaProblem, inertia_problem};
pub use load::{
    BarLoad, BarLoadScale, BarLoadType, BarTemperature, Load, LoadCombination, LoadKind, PressureFace,
};
pub use mass::NonStructuralMass;
pub use material::{Material, MaterialLaw};
pub use mesh::{DirectMatrix, DirectMatrixForm, DirectMatrixTerm, LinkMesh, NamedSet};
pub use names::Names;
pub use node::{Node, NodeKind};
pub use parameter::{Parameter, ParameterValue};
pub use pieces::Piece;
pub use quality::{ShapeQuality, Worst, shape_quality};
pub use rigid::{Rigid, RigidKind, WeightGroup};
pub use units::Units;
