//! Modes clamped at the inboard interface and free elsewhere.

use faer::Mat;
use pliant_sparse::{EigenParams, Want, lowest};

use super::{Basis, Column, ModeChoice};
use crate::ReduceError;
use crate::substructure::Substructure;

/// KΦ = MΦΩ² on all free components; V = Φ.
///
/// # Errors
/// No mass, a singular stiffness, or no convergence.
pub fn cantilever(part: &Substructure, choice: ModeChoice) -> Result<Basis, ReduceError> {
    let want = match choice {
        ModeChoice::Count(count) => Want::Count(count),
        ModeChoice::Below(lambda) => Want::Below(lambda),
    };
    let all: Vec<_> = (0..part.free_count()).collect();
    let params = EigenParams { want, prove: false, ..EigenParams::count(0) };
    let modes = lowest(&part.stiffness(), &part.mass(), Some(&part.groups(&all)), &params)?;
    let n = modes.lambda.len();
    let K = Mat::from_fn(n, n, |i, j| if i == j { modes.lambda[i] } else { 0.0 });
    let columns = modes.lambda.iter().map(|lambda| Column::Mode(*lambda)).collect();
    Ok(Basis { V: modes.Phi, columns, K, info: modes.info })
}
