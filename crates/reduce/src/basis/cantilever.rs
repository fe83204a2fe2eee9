//! Modes clamped at the inboard interface and free elsewhere.

use nalgebra_sparse::CscMatrix;
use pliant_sparse::{EigenParams, Want, lowest};

use super::{Basis, ModeChoice};
use crate::ReduceError;
use crate::substructure::Substructure;

/// KΦ = MΦΩ² on all free components, from the stiffness `K` of all; V = Φ. `prove`: a given number of
/// modes is followed by a Sturm count.
///
/// # Errors
/// No mass, a singular stiffness, or no convergence.
pub fn cantilever(
    part: &Substructure,
    K: &CscMatrix<f64>,
    choice: ModeChoice,
    prove: bool,
) -> Result<Basis, ReduceError> {
    let want = match choice {
        ModeChoice::Count(count) => Want::Count(count),
        ModeChoice::Below(lambda) => Want::Below(lambda),
    };
    let all: Vec<_> = (0..part.free_count()).collect();
    let params = EigenParams { want, prove, ..EigenParams::count(0) };
    let modes = lowest(&part.free_stiffness(K), &part.mass(), Some(&part.groups(&all)), &params)?;
    Ok(Basis::of_modes(modes.Phi, &modes.lambda, modes.info))
}
