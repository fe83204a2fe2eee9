//! Cycles, damage and life of stress histories: rainflow counting, S–N curves, mean stress, Miner's sum and
//! the search for the critical plane. Stress in Pa, cycles as pure numbers; no files and no machine.
//!
//! A history goes through [`Rainflow`] (cycles), [`MeanStress`] (equivalent amplitude at the ratio of the
//! curve), [`SnCurve`] (cycles to failure) and Miner's sum D = Σ nᵢ/Nᵢ; [`Assessment`] is this sequence, and
//! [`Assessment::worst`] the same on the planes of a multiaxial history.

mod assessment;
mod curve;
mod factors;
mod material;
mod mean;
mod plane;
mod rainflow;

pub use assessment::{Assessment, AssessmentError, Criterion};
pub use curve::{Below, CurveError, SnCurve, survival_factor};
pub use factors::{Factors, Notch, roughness_factor};
pub use material::{MATERIALS, Material, MaterialGroup};
pub use mean::MeanStress;
pub use plane::{Block, PlaneDamage, Points, Search};
pub use rainflow::{Cycle, Rainflow, Residue};
