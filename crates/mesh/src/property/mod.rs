//! Properties by family, one file each.

mod beam;
mod laminate;
mod scalar;
mod section;
mod shell;

pub use beam::{BarProperty, BeamProperty, BeamStation, RodProperty, TubeProperty};
pub use laminate::{LaminateKind, LaminateProperty, Ply};
pub use scalar::{BushProperty, DamperProperty, MassProperty, SpringProperty, ViscousProperty};
pub use section::Section;
pub use shell::{ShearProperty, ShellProperty, SolidIntegration, SolidProperty};

use pliant_diag::Origin;

use crate::{MaterialIndex, PropertyId};

/// A property card.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The user's number.
    pub id: PropertyId,
    /// What it is.
    pub kind: PropertyKind,
    /// Where it was given.
    pub source: Origin,
}

/// What a [`Property`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyKind {
    /// PROD.
    Rod(MaterialIndex, RodProperty),
    /// PTUBE.
    Tube(MaterialIndex, TubeProperty),
    /// PBAR, PBARL.
    Bar(MaterialIndex, Box<BarProperty>),
    /// PBEAM, PBEAML.
    Beam(MaterialIndex, Box<BeamProperty>),
    /// PSHELL.
    Shell(Box<ShellProperty>),
    /// PCOMP, PCOMPG.
    Laminate(Box<LaminateProperty>),
    /// PSHEAR.
    Shear(MaterialIndex, ShearProperty),
    /// PSOLID.
    Solid(MaterialIndex, SolidProperty),
    /// PELAS.
    Spring(SpringProperty),
    /// PBUSH.
    Bush(Box<BushProperty>),
    /// PMASS.
    Mass(MassProperty),
    /// PDAMP.
    Damper(DamperProperty),
    /// PVISC.
    Viscous(ViscousProperty),
}
