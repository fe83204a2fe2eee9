//! Natural frequencies of the machine where it starts.

use std::f64::consts::TAU;

use nalgebra::{Cholesky, DMatrix, SymmetricEigen};
use pliant_mechanism::Model;

use crate::initial::static_equilibrium;
use crate::residual::residual;
use crate::{Settings, SimulationError, Start, State, Workspace};

/// Natural frequencies (Hz, ascending) of small undamped vibration about the start of a run, with every prescribed
/// coordinate held and all rates zero: `K φ = ω² M φ` with `M = ∂r/∂q̈` and `K = ∂r/∂q` of the residual `r(q, 0, q̈)`.
///
/// `M` is exact, since `r` is linear in the accelerations; `K` comes from central differences and has gravity's part in it.
/// A mode that would grow (a pendulum on its head) counts as 0 Hz, and so does a coordinate that nothing holds.
///
/// # Errors
/// A machine with loops or force elements, no static equilibrium, or a coordinate without inertia.
pub fn natural_frequencies(model: &Model, settings: &Settings) -> Result<Vec<f64>, SimulationError> {
    if !model.closures().is_empty() {
        let message = "are computed for open chains and trees only".to_owned();
        return Err(SimulationError::Setting { setting: "natural frequencies", message });
    }
    let mut work = Workspace::new(model);
    let mut state = State::initial(model, settings.t_start);
    if settings.start == Start::StaticEquilibrium {
        static_equilibrium(model, &settings.newton, &mut state, &mut work)?;
    }
    let rest = vec![0.0; model.velocity_count()];
    let unknowns = work.unknowns.clone();
    let n = unknowns.len();
    let mut at = |q: &[f64], a: &[f64]| -> Vec<f64> {
        residual(model, state.t, q, &rest, a, &mut work);
        unknowns.iter().map(|j| work.r[*j]).collect()
    };
    let zero = at(&state.q, &rest);
    let (mut M, mut K) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    for (column, j) in unknowns.iter().enumerate() {
        let mut a = rest.clone();
        a[*j] = 1.0;
        let r = at(&state.q, &a);
        // Large enough for eight digits of a stiffness that stands beside the weight, small enough for geometry of second order.
        let h = 1e-6;
        let (above, below) =
            (at(&moved(model, &state.q, *j, h), &rest), at(&moved(model, &state.q, *j, -h), &rest));
        for row in 0..n {
            M[(row, column)] = r[row] - zero[row];
            K[(row, column)] = (above[row] - below[row]) / (2.0 * h);
        }
    }
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

/// Positions with velocity coordinate `j` moved by `h`.
fn moved(model: &Model, q: &[f64], j: usize, h: f64) -> Vec<f64> {
    let mut next = q.to_vec();
    for body in model.bodies() {
        let (hinge, elastic) = (body.hinge_velocities(), body.elastic_velocities());
        if elastic.contains(&j) {
            next[body.elastic_positions().start + j - elastic.start] += h;
        } else if hinge.contains(&j) {
            let mut delta = vec![0.0; hinge.len()];
            delta[j - hinge.start] = h;
            body.hinge.advance(&q[body.hinge_positions()], &delta, &mut next[body.hinge_positions()]);
        }
    }
    next
}
