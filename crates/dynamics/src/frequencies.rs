//! Natural frequencies of the machine where it starts.

use std::f64::consts::TAU;

use nalgebra::{Cholesky, ColPivQR, DMatrix, SymmetricEigen};
use pliant_mechanism::Model;

use crate::assembly::assemble;
use crate::initial::{advance, consistent_accelerations, static_equilibrium};
use crate::residual::residual;
use crate::{Settings, SimulationError, Start, State, Workspace};

/// Natural frequencies (Hz, ascending) of small undamped vibration about the start of a run, with every prescribed
/// coordinate held and all rates zero: `K φ = ω² M φ` with `M = ∂r/∂q̈` and `K = ∂r/∂q` of the residual `r(q, 0, q̈)`, φ in the null
/// space of the constraints.
///
/// `M` is exact, since `r` is linear in the accelerations; `K` comes from central differences and has in it the parts of gravity and of the
/// reactions of constraints: those of the equilibrium, or of the rigid machine at rest where the run starts undeformed.
/// A mode that would grow (a pendulum on its head) counts as 0 Hz, and so does a coordinate that nothing holds.
///
/// # Errors
/// Loops that do not close or are redundant while that is refused, no static equilibrium, or a coordinate without inertia.
pub fn natural_frequencies(model: &Model, settings: &Settings) -> Result<Vec<f64>, SimulationError> {
    let mut work = Workspace::new(model);
    let mut state = State::initial(model, settings.t_start);
    assemble(model, &mut state, &mut work)?;
    if settings.start == Start::StaticEquilibrium {
        static_equilibrium(model, &settings.newton, &mut state, &mut work)?;
    } else if work.closure.constraints > 0 {
        let reactions = rigid_reactions(model, settings.t_start)?;
        work.closure.multipliers[..reactions.len()].copy_from_slice(&reactions);
    }
    let rest = vec![0.0; model.velocity_count()];
    let unknowns = work.unknowns.clone();
    let (n, constraints) = (unknowns.len(), work.closure.constraints);
    // Residuals, and below them the accelerations of constraints.
    let mut at = |q: &[f64], a: &[f64]| -> Vec<f64> {
        residual(model, state.t, q, &rest, a, &mut work);
        let c = &work.closure;
        let unit = |angular: bool| if angular { c.length } else { 1.0 };
        let rows = c.rows[..constraints]
            .iter()
            .zip(&c.angular)
            .map(|(row, angular)| row.acceleration * unit(*angular));
        unknowns.iter().map(|j| work.r[*j]).chain(rows).collect()
    };
    let zero = at(&state.q, &rest);
    let (mut M, mut K) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    let mut G = DMatrix::zeros(constraints, n);
    for (column, j) in unknowns.iter().enumerate() {
        let mut unit = rest.clone();
        unit[*j] = 1.0;
        let r = at(&state.q, &unit);
        // Large enough for eight digits of a stiffness that stands beside the weight, small enough for geometry of second order.
        let h = 1e-6;
        let mut moved = |h: f64| {
            let mut moved = state.clone();
            unit[*j] = h;
            advance(model, &mut moved, &unit);
            at(&moved.q, &rest)
        };
        let (above, below) = (moved(h), moved(-h));
        for row in 0..n {
            M[(row, column)] = r[row] - zero[row];
            K[(row, column)] = (above[row] - below[row]) / (2.0 * h);
        }
        for row in 0..constraints {
            G[(row, column)] = r[n + row] - zero[n + row];
        }
    }
    let N = null_space(&G, constraints - work.closure.redundant.unwrap_or(0));
    if N.ncols() == 0 {
        return Ok(Vec::new());
    }
    let (M, K) = (N.transpose() * M * &N, N.transpose() * K * N);
    let half = |A: DMatrix<f64>| (&A + A.transpose()) * 0.5;
    let Some(factor) = Cholesky::new(half(M)) else {
        let place = "a coordinate of the machine".to_owned();
        return Err(SimulationError::Singular { t: settings.t_start, place });
    };
    let L = factor.l();
    let solved = L.solve_lower_triangular(&half(K)).map(|Y| L.solve_lower_triangular(&Y.transpose()));
    let A = solved.flatten().expect("invariant: a Cholesky factor has no zero on its diagonal");
    let mut squares: Vec<f64> = SymmetricEigen::new(half(A)).eigenvalues.iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    Ok(squares.into_iter().map(|square| square.max(0.0).sqrt() / TAU).collect())
}

/// Machines with more coordinates than this are not searched for their lowest frequency.
const MOST_COORDINATES: usize = 300;

/// The lowest of the [`natural_frequencies`] (Hz) that is not free motion; `None` when there is none or the machine is large.
pub(crate) fn lowest_frequency(model: &Model, settings: &Settings) -> Option<f64> {
    if model.velocity_count() > MOST_COORDINATES {
        return None;
    }
    let all = natural_frequencies(model, settings).ok()?;
    let highest = all.last().copied()?;
    // A coordinate that nothing holds has the frequency of rounding.
    all.into_iter().find(|hz| *hz > 1e-6 * highest)
}

/// Multipliers of the rigid machine's constraints when it starts from rest.
fn rigid_reactions(model: &Model, t: f64) -> Result<Vec<f64>, SimulationError> {
    let rigid = model.nominal();
    let mut work = Workspace::new(&rigid);
    let mut state = State::initial(&rigid, t);
    assemble(&rigid, &mut state, &mut work)?;
    state.v.fill(0.0);
    state.a.fill(0.0);
    consistent_accelerations(&rigid, &mut state, &mut work)?;
    Ok(work.closure.multipliers[..work.closure.constraints].to_vec())
}

/// An orthonormal basis of the null space of G, whose rank is known: the last columns of Q where `Gᵀ P = Q R`.
fn null_space(G: &DMatrix<f64>, rank: usize) -> DMatrix<f64> {
    let n = G.ncols();
    if rank == 0 {
        return DMatrix::identity(n, n);
    }
    // Columns of zeros make Q square.
    let mut wide = DMatrix::zeros(n, n.max(G.nrows()));
    wide.columns_mut(0, G.nrows()).copy_from(&G.transpose());
    let Q = ColPivQR::new(wide).q();
    Q.columns(rank, n - rank).into_owned()
}
