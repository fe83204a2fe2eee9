//! Equilibrium with the exact stiffness: Newton's iteration of a few steps where deformation turns the loads.

use pliant_mechanism::Model;

use super::stability::is_stable;
use crate::closures::closure::worst_misfit;
use crate::closures::pivoted::RankError;
use crate::closures::saddle::Saddle;
use crate::integration::initial::{Balance, advance};
use crate::kinematics::residual::residual;
use crate::kinematics::workspace::Workspace;
use crate::recursion::newton::{NewtonSettings, sizes, worst};
use crate::{SimulationError, State, coordinate_label};

/// Step of the central differences: eight digits of a stiffness that stands beside the weight.
pub(super) const STEP: f64 = 1e-6;

/// A correction of all coordinates by less (m, rad) is rounding: where a joint hangs free, forces vanish with
/// the residual and give no measure for it.
const ROUNDING: f64 = 1e-13;

/// Halvings of a correction that makes the imbalance larger.
const HALVINGS: usize = 6;

/// Solves `r(q, λ) = 0`, `g(q) = 0` for the unknowns of `work` and the multipliers, with the rates and
/// accelerations of the state:
///
/// ```text
/// ⎡ ∂r/∂q  ∂r/∂λ ⎤ ⎡ δ  ⎤     ⎡ r ⎤
/// ⎣ ∂g/∂q    0   ⎦ ⎣ δλ ⎦ = − ⎣ g ⎦
/// ```
///
/// The matrix comes from central differences of the residual and has in it the change of direction of loads
/// and reactions, second-order displacement and the inertia forces of rates. Returns the number of
/// iterations.
///
/// # Errors
/// A coordinate that nothing holds, no convergence within `max_iterations`, or an equilibrium that is not
/// stable.
pub(crate) fn solve(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, SimulationError> {
    let unknowns = work.unknowns.clone();
    let (n, constraints) = (unknowns.len(), work.closure.constraints);
    let mut saddle = Saddle::new(n + constraints);
    let mut solution = vec![0.0; n + constraints];
    let mut change = vec![0.0; model.velocity_count()];
    let mut last_size = f64::INFINITY;
    evaluate(model, state, work);
    for iteration in 0..=settings.max_iterations {
        stiffness(model, state, &unknowns, &mut saddle, work);
        if iteration == 0 {
            // Residuals are compared by the stiffness of their own coordinate, one without it by itself.
            for (k, j) in unknowns.iter().enumerate() {
                let own = saddle.column(k)[k].abs();
                work.diagonal[*j] = if own > 0.0 { own } else { 1.0 };
            }
        }
        let size = match Balance::of(settings, last_size, iteration, work) {
            Balance::Reached if is_stable(model, state, &mut saddle, work) => return Ok(iteration),
            Balance::Reached => return Err(SimulationError::UnstableEquilibrium { t: state.t }),
            Balance::Open { size, share } if !size.is_finite() || iteration == settings.max_iterations => {
                let subject = coordinate_label(model, worst(work));
                let (t, iterations) = (state.t, iteration);
                return Err(SimulationError::NoEquilibrium { t, iterations, residual: share, subject });
            }
            Balance::Open { size, .. } => size,
        };
        last_size = size;
        fill(solution.as_mut_slice(), &unknowns, work);
        saddle
            .factor(work.closure.redundant.unwrap_or(0))
            .map_err(|error| singular(model, state.t, &unknowns, error))?;
        saddle.solve(&mut solution);
        let fits = worst_misfit(&work.closure).0 <= ROUNDING * work.closure.length;
        if fits && solution[..n].iter().all(|x| x.abs() <= ROUNDING) {
            stiffness(model, state, &unknowns, &mut saddle, work);
            return match is_stable(model, state, &mut saddle, work) {
                true => Ok(iteration),
                false => Err(SimulationError::UnstableEquilibrium { t: state.t }),
            };
        }
        let (q, multipliers) = (state.q.clone(), work.closure.multipliers.clone());
        let mut part = 1.0;
        for halving in 0..=HALVINGS {
            state.q.copy_from_slice(&q);
            for (x, j) in solution.iter().zip(&unknowns) {
                change[*j] = part * x;
            }
            advance(model, state, &change);
            for (i, x) in solution[n..].iter().enumerate() {
                work.closure.multipliers[i] = multipliers[i] + part * x;
            }
            evaluate(model, state, work);
            let now = sizes(work).0;
            // A loop that closes may take more force than it had: only what runs away is held back.
            if now.is_finite() && (now <= 4.0 * size || halving == HALVINGS) {
                break;
            }
            part *= 0.5;
        }
    }
    unreachable!("invariant: the last iteration returns");
}

fn evaluate(model: &Model, state: &State, work: &mut Workspace) {
    residual(model, state.t, &state.q, &state.v, &state.a, work);
}

/// What is to be taken away: residuals, then misfits.
fn fill(out: &mut [f64], unknowns: &[usize], work: &Workspace) {
    let rows = &work.closure.rows[..work.closure.constraints];
    let values = unknowns.iter().map(|j| work.r[*j]).chain(rows.iter().map(|row| row.position));
    for (out, value) in out.iter_mut().zip(values) {
        *out = -value;
    }
}

/// The matrix, column by column. Leaves the residual of the state in `work`.
pub(super) fn stiffness(
    model: &Model,
    state: &State,
    unknowns: &[usize],
    saddle: &mut Saddle,
    work: &mut Workspace,
) {
    let size = unknowns.len() + work.closure.constraints;
    let (mut above, mut below) = (vec![0.0; size], vec![0.0; size]);
    let mut change = vec![0.0; model.velocity_count()];
    let mut moved = state.clone();
    let difference = |saddle: &mut Saddle, column: usize, above: &[f64], below: &[f64], h: f64| {
        for (entry, (above, below)) in saddle.column(column).iter_mut().zip(above.iter().zip(below)) {
            // `fill` has the opposite sign.
            *entry = (below - above) / (2.0 * h);
        }
    };
    for (column, j) in unknowns.iter().enumerate() {
        for (h, out) in [(STEP, &mut above), (-STEP, &mut below)] {
            change[*j] = h;
            moved.q.copy_from_slice(&state.q);
            advance(model, &mut moved, &change);
            evaluate(model, &moved, work);
            fill(out, unknowns, work);
        }
        change[*j] = 0.0;
        difference(saddle, column, &above, &below, STEP);
    }
    // Residuals are linear in the multipliers, of whatever size.
    let unit = work.closure.multipliers.iter().fold(1.0f64, |a, x| a.max(x.abs()));
    for row in 0..work.closure.constraints {
        for (h, out) in [(unit, &mut above), (-unit, &mut below)] {
            work.closure.multipliers[row] += h;
            evaluate(model, state, work);
            work.closure.multipliers[row] -= h;
            fill(out, unknowns, work);
        }
        difference(saddle, unknowns.len() + row, &above, &below, unit);
        let column = saddle.column(unknowns.len() + row);
        column[unknowns.len()..].fill(0.0);
    }
    evaluate(model, state, work);
}

fn singular(model: &Model, t: f64, unknowns: &[usize], error: RankError) -> SimulationError {
    let (RankError::Lost(equation) | RankError::Awake(equation)) = error;
    match unknowns.get(equation) {
        Some(j) => SimulationError::NothingHolds { subject: coordinate_label(model, *j) },
        None => {
            SimulationError::SingularConfiguration { t, subject: model.row_label(equation - unknowns.len()) }
        }
    }
}
