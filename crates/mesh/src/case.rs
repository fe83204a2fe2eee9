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
    /// SUBCOM and SYMCOM: sums of the answers of subcases.
    pub combinations: Vec<SubcaseCombination>,
    /// DMIG matrices that K2GG, M2GG, B2GG and P2G select.
    pub direct: DirectSelection,
}

/// SUBCOM or SYMCOM: Σ factorᵢ · answer of subcaseᵢ.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SubcaseCombination {
    /// Number.
    pub id: u32,
    /// LABEL or SUBTITLE.
    pub label: String,
    /// Subcases by number with their factors (SUBSEQ, SYMSEQ).
    pub terms: Vec<(u32, f64)>,
    /// Where it began.
    pub source: Origin,
}

/// Names of DMIG matrices with their factors; PARAM,CK2, CM2, CB2 and CP2 come on top.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DirectSelection {
    /// K2GG.
    pub stiffness: Vec<(f64, String)>,
    /// M2GG.
    pub mass: Vec<(f64, String)>,
    /// B2GG.
    pub damping: Vec<(f64, String)>,
    /// P2G: column i is a load of the i-th subcase.
    pub loads: Vec<(f64, String)>,
    /// Where the first of them is selected.
    pub source: Origin,
}

/// A case control command that would change the answer of a subcase in a way that is not available.
#[derive(Clone, Debug, PartialEq)]
pub struct UnavailableSelection {
    /// The command, such as `DEFORM`.
    pub command: String,
    /// The set it selects.
    pub set: SetId,
    /// Where it was given.
    pub source: Origin,
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
    /// Loads of kinds that are not available (DEFORM, BOLTLD, …): statics of the subcase are refused.
    pub unavailable: Vec<UnavailableSelection>,
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
