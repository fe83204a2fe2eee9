//! What the deck's own case control asks for.

use pliant_diag::Origin;

use crate::SetId;

/// Executive and case control: SOL and the subcases.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CaseControl {
    /// SOL number (101, 103, 105, …) where given.
    pub solution: Option<u32>,
    /// TITLE.
    pub title: String,
    /// Subcases in order; a deck without SUBCASE has one, numbered 1, when it has any case control at all.
    pub subcases: Vec<Subcase>,
}

/// One subcase, with what stands above the first SUBCASE inherited.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Subcase {
    /// Number.
    pub id: u32,
    /// LABEL or SUBTITLE.
    pub label: String,
    /// SPC = sid.
    pub spc: Option<SetId>,
    /// MPC = sid.
    pub mpc: Option<SetId>,
    /// LOAD = sid.
    pub load: Option<SetId>,
    /// METHOD = sid.
    pub method: Option<SetId>,
    /// NSM = sid.
    pub nsm: Option<SetId>,
    /// TEMPERATURE(LOAD) = sid.
    pub temperature: Option<SetId>,
    /// STATSUB = id: the subcase whose stress a buckling subcase is about.
    pub static_subcase: Option<u32>,
    /// Where it began.
    pub source: Origin,
}

/// Eigenvector scaling asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Normalisation {
    /// Unit generalised mass.
    #[default]
    Mass,
    /// Largest component 1.
    Max,
}

/// EIGRL or EIGR.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenMethod {
    /// The set number.
    pub set: SetId,
    /// Lower bound: a frequency in hertz, or a load factor of buckling.
    pub above_hz: Option<f64>,
    /// Upper bound: a frequency in hertz, or a load factor of buckling.
    pub below_hz: Option<f64>,
    /// Number of modes wanted.
    pub count: Option<u32>,
    /// Scaling.
    pub normalisation: Normalisation,
    /// EIGR's METHOD word (`LAN`, `GIV`, `MGIV`, `INV`, …); empty for EIGRL.
    pub method: String,
    /// Where it was given.
    pub source: Origin,
}
