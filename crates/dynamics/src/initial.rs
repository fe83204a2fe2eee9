//! Where a run starts: static equilibrium and consistent accelerations.

use pliant_mechanism::{JointCoordinate, Model};

use crate::closure;
use crate::newton::{NewtonSettings, StepFailure, sizes, worst};
use crate::pivoted::RankError;
use crate::recursion::factor;
use crate::residual::residual;
use crate::schur;
use crate::state::hinges;
use crate::workspace::{Coefficients, Workspace};
use crate::{SimulationError, State, coordinate_label};

/// Accelerations of the unknown coordinates that satisfy the equations at the state: `M a = −r(a = 0)`, refined
/// once because rounding of one solve would show as a small jump in the first step.
///
/// # Errors
/// When the mass matrix is singular or a number is not finite.
pub(crate) fn consistent_accelerations(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    let fail = |failure: StepFailure, t| Err(failure.into_error(model, t, 0.0));
    for &j in &work.unknowns {
        state.a[j] = 0.0;
    }
    for pass in 0..3 {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        if pass == 2 {
            break;
        }
        if pass == 0 {
            let mass = Coefficients { m: 1.0, d: 0.0, k: 0.0 };
            if let Err(singular) = factor(model, &state.v, mass, work) {
                return fail(StepFailure::Singular(singular), state.t);
            }
            if let Err(error) = schur::factor(model, &state.v, mass, None, work) {
                return fail(StepFailure::Closure(error), state.t);
            }
        }
        schur::solve(model, |row| row.acceleration, work);
        for &j in &work.unknowns {
            state.a[j] += work.delta[j];
        }
    }
    if !sizes(work).0.is_finite() {
        return fail(StepFailure::NotFinite { coordinate: worst(work) }, state.t);
    }
    state.a_bar.copy_from_slice(&state.a);
    state.multipliers.copy_from_slice(&work.closure.multipliers);
    Ok(())
}

/// Moves the elastic, bearing and spring-held coordinates to static equilibrium under gravity, springs and the
/// loads at the starting time. Joint coordinates without stiffness are held where they are, but with loops or force
/// elements all that are not commanded take part; rates count as zero and are put back afterwards.
///
/// # Errors
/// When the stiffness is singular or the iteration does not converge.
pub(crate) fn static_equilibrium(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    let (v, a) = (state.v.clone(), state.a.clone());
    state.v.fill(0.0);
    state.a.fill(0.0);
    let closed = !model.closures().is_empty();
    let stiff = |c: &JointCoordinate| c.is_held() || (closed && c.drive.command().is_none());
    let result = relax_over(model, settings, state, work, stiff);
    state.v = v;
    state.a = a;
    result.map(|_| ())
}

/// Moves the elastic and bearing coordinates to where they balance gravity, loads and the inertia forces of the
/// joint rates and accelerations in the state; returns the number of iterations.
///
/// # Errors
/// When the stiffness is singular or the iteration does not converge.
pub(crate) fn balance_inertia(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, SimulationError> {
    // In a loop the joints give way to the deformation of the links; only commanded ones stay where they are.
    let closed = !model.closures().is_empty();
    relax_over(model, settings, state, work, |c| closed && c.drive.command().is_none())
}

/// Relaxes with only the joint coordinates free that `select` takes, and all of bearings.
fn relax_over(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
    select: impl Fn(&JointCoordinate) -> bool,
) -> Result<usize, SimulationError> {
    let everything = work.unknowns.clone();
    let closing = work.closure.free.clone();
    let joints = &model.closures().joints;
    work.closure.free.retain(|(j, k, _)| joints[*j].coordinates.get(*k).is_none_or(&select));
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        w.free = w.unknown.iter().copied().filter(|k| body.coordinates.get(*k).is_none_or(&select)).collect();
    }
    for (_, coordinates, _, at) in hinges(model) {
        let held = |j: &usize| at.contains(j) && coordinates.get(j - at.start).is_some_and(|c| !select(c));
        work.unknowns.retain(|j| !held(j));
    }
    let result = relax(model, settings, state, work);
    for w in &mut work.bodies {
        w.free.clone_from(&w.unknown);
    }
    work.unknowns = everything;
    work.closure.free = closing;
    result
}

/// `q ← q ⊕ δ` for every coordinate.
pub(crate) fn advance(model: &Model, state: &mut State, delta: &[f64]) {
    for (hinge, _, q, v) in hinges(model) {
        let before: Vec<f64> = state.q[q.clone()].to_vec();
        hinge.advance(&before, &delta[v], &mut state.q[q]);
    }
    for body in model.bodies() {
        for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
            state.q[q] += delta[v];
        }
    }
}

/// Newton's iteration with the stiffness of links, springs and bearings. What it leaves out (the change of
/// direction of the loads) is small while the deformation is, so it converges linearly and fast.
fn relax(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, SimulationError> {
    const MAX_ITERATIONS: usize = 100;
    let (t, mut last_size) = (state.t, f64::INFINITY);
    let closed = !model.closures().is_empty();
    let gripped = !work.closure.grips.is_empty();
    for iteration in 0..=MAX_ITERATIONS {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        if iteration == 0 || closed || gripped {
            // Joints of a loop have no stiffness of their own: a little mass holds them back while they find their
            // place, less and less of it.
            let mass = match (closed, gripped) {
                (true, _) => 10f64.powi(4 - iteration.min(4) as i32),
                // A boom is held by its grip, which is no part of the tree: enough mass for a pivot.
                (false, true) => 1e-3,
                (false, false) => 0.0,
            };
            let stiffness = Coefficients { m: mass, d: 0.0, k: 1.0 };
            let failed = |failure: StepFailure| failure.into_error(model, state.t, 0.0);
            factor(model, &state.v, stiffness, work).map_err(|s| failed(StepFailure::Singular(s)))?;
            schur::factor(model, &state.v, stiffness, None, work)
                .map_err(|e: RankError| failed(StepFailure::Closure(e)))?;
        }
        let (size, reference) = sizes(work);
        let failed = |work: &Workspace| SimulationError::NoEquilibrium {
            t,
            iterations: iteration,
            residual: size / reference,
            place: coordinate_label(model, worst(work)),
        };
        if !size.is_finite() {
            return Err(failed(work));
        }
        // Down to rounding: a start that is not quite at rest would ring.
        let fits = closure::worst_misfit(&work.closure).0 <= 1e-12 * work.closure.length;
        let stagnant = size > 0.5 * last_size && size <= settings.force_tolerance * reference;
        if fits && (size <= 1e-13 * reference || (iteration > 3 && stagnant)) {
            return Ok(iteration);
        }
        if iteration == MAX_ITERATIONS {
            return Err(failed(work));
        }
        last_size = size;
        schur::solve(model, |row| row.position, work);
        advance(model, state, &work.delta);
    }
    unreachable!("invariant: the last iteration returns");
}
