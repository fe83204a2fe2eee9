//! Where a run starts: static equilibrium and consistent accelerations.

use pliant_mechanism::{JointCoordinate, Model};

use crate::closures::closure;
use crate::closures::schur;
use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::{Coefficients, Workspace};
use crate::recursion::articulated::factor;
use crate::recursion::newton::{NewtonSettings, StepFailure, sizes, worst};
use crate::statics::{descent, equilibrium, stability};
use crate::{Settings, SimulationError, Start, State, coordinate_label};

/// Accelerations of the unknown coordinates that satisfy the equations at the state: `M a = −r(a = 0)`,
/// refined once because rounding of one solve would show as a small jump in the first step.
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

/// Moves the elastic, bearing and spring-held coordinates to where a run starts in balance under gravity,
/// springs and the loads at the starting time: at rest, or with the joint rates of a steady motion. Joint
/// coordinates that are held on request or turn stay where they are; with loops or force elements all others
/// that are not commanded take part. For an equilibrium rates count as zero and are put back afterwards.
///
/// # Errors
/// When nothing holds a joint, the stiffness is singular, the iteration does not converge, or what it comes
/// to is not the `goal`.
pub(crate) fn balanced_start(
    model: &Model,
    settings: &Settings,
    goal: Goal,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    let steady = settings.start == Start::Steady;
    let taking_part = taking_part(model, settings)?;
    if steady {
        return relax_over(model, &settings.newton, state, work, goal, taking_part).map(|_| ());
    }
    let (v, a) = (state.v.clone(), state.a.clone());
    state.v.fill(0.0);
    state.a.fill(0.0);
    let result = relax_over(model, &settings.newton, state, work, goal, taking_part);
    state.v = v;
    state.a = a;
    result.map(|_| ())
}

/// Which joint coordinates are found with the equilibrium of the start.
///
/// # Errors
/// A coordinate that nothing holds and nobody asked to hold.
pub(crate) fn taking_part(
    model: &Model,
    settings: &Settings,
) -> Result<impl Fn(&JointCoordinate) -> bool + Copy, SimulationError> {
    let closed = !model.closures().is_empty();
    let steady = settings.start == Start::Steady;
    let stays = move |c: &JointCoordinate| c.hold || (steady && c.initial_rate != 0.0);
    let takes =
        move |c: &JointCoordinate| !stays(c) && (c.is_held() || (closed && c.drive.command().is_none()));
    for (_, coordinates, _, at) in hinges(model) {
        for (c, j) in coordinates.iter().zip(at) {
            if c.drive.command().is_none() && !takes(c) && !stays(c) {
                let subject = coordinate_label(model, j);
                return Err(SimulationError::NothingHolds { subject });
            }
        }
    }
    Ok(takes)
}

/// Moves all coordinates that are neither commanded nor held on request to static equilibrium at the time of
/// the state, from where they are; returns the number of iterations. A free joint goes where gravity and
/// loads hold it.
///
/// # Errors
/// When the stiffness is singular, the iteration does not converge, or the equilibrium is not stable.
pub(crate) fn rest(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, SimulationError> {
    rest_by(model, settings, state, work, Goal::Stable)
}

/// The same from anywhere: where Newton's iteration does not come to a stable equilibrium, a machine with
/// free joints and without loops goes down its potential energy.
///
/// # Errors
/// As of [`rest`].
pub(crate) fn rest_from_afar(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, SimulationError> {
    let free = |c: &JointCoordinate| !c.hold && !c.is_held() && c.drive.command().is_none();
    let any_free = hinges(model).any(|(_, coordinates, ..)| coordinates.iter().any(free));
    let open = work.closure.constraints == 0;
    rest_by(model, settings, state, work, if any_free && open { Goal::Downhill } else { Goal::Stable })
}

fn rest_by(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
    goal: Goal,
) -> Result<usize, SimulationError> {
    state.v.fill(0.0);
    state.a.fill(0.0);
    let moves = |c: &JointCoordinate| !c.hold && (c.is_held() || c.drive.command().is_none());
    relax_over(model, settings, state, work, goal, moves)
}

/// Moves the elastic and bearing coordinates to where they balance gravity, loads and the inertia forces of
/// the joint rates and accelerations in the state; returns the number of iterations.
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
    relax_over(model, settings, state, work, Goal::Balance, |c| closed && c.drive.command().is_none())
}

/// Relaxes with only the joint coordinates free that `select` takes, and all of bearings.
fn relax_over(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
    goal: Goal,
    select: impl Fn(&JointCoordinate) -> bool,
) -> Result<usize, SimulationError> {
    let everything = work.unknowns.clone();
    let closing = work.closure.free.clone();
    let joints = &model.closures().joints;
    work.closure.free.retain(|free| joints[free.joint].coordinates.get(free.column).is_none_or(&select));
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        w.free = w.unknown.iter().copied().filter(|k| body.coordinates.get(*k).is_none_or(&select)).collect();
    }
    for (_, coordinates, _, at) in hinges(model) {
        let held = |j: &usize| at.contains(j) && coordinates.get(j - at.start).is_some_and(|c| !select(c));
        work.unknowns.retain(|j| !held(j));
    }
    let result = relax(model, settings, state, work, goal);
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

/// What a state is to be brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Balance of all forces.
    Balance,
    /// A stable equilibrium.
    Stable,
    /// A stable equilibrium, down the potential energy where Newton's iteration does not find it.
    Downhill,
}

/// Newton's iteration with the stiffness of links, springs and bearings. What it leaves out (the change of
/// direction of the loads) is small while the deformation is, so it converges linearly and fast; where it
/// does not, the exact stiffness takes over. Each has `max_iterations`. What is found is tested with the
/// exact stiffness.
fn relax(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
    goal: Goal,
) -> Result<usize, SimulationError> {
    let (before, multipliers) = (state.q.clone(), work.closure.multipliers.clone());
    let found = match relax_roughly(model, settings, state, work) {
        Ok(iterations) if goal == Goal::Balance => return Ok(iterations),
        Ok(iterations) => stability::check(model, state, work).map(|()| iterations),
        Err((iterations, nearer)) => {
            // What has run away is no state to start from.
            if !nearer {
                state.q.copy_from_slice(&before);
                work.closure.multipliers.copy_from_slice(&multipliers);
            }
            equilibrium::solve(model, settings, state, work).map(|more| iterations + more)
        }
    };
    match found {
        // Where it stands in an unstable equilibrium, nothing says which way is down.
        Err(SimulationError::UnstableEquilibrium { .. }) if joints_stand(model, &before, &state.q) => found,
        Err(error) if goal == Goal::Downhill => {
            state.q.copy_from_slice(&before);
            descent::descend(model, settings, state, work).ok_or(error)
        }
        found => found,
    }
}

/// True where only links have deformed, but for rounding.
fn joints_stand(model: &Model, before: &[f64], now: &[f64]) -> bool {
    hinges(model).all(|(_, _, q, _)| q.into_iter().all(|q| (now[q] - before[q]).abs() <= 1e-9))
}

/// The number of iterations; where they do not reach balance, it comes with whether they came nearer to it.
fn relax_roughly(
    model: &Model,
    settings: &NewtonSettings,
    state: &mut State,
    work: &mut Workspace,
) -> Result<usize, (usize, bool)> {
    let (mut first_size, mut last_size) = (f64::INFINITY, f64::INFINITY);
    let closed = !model.closures().is_empty();
    let gripped = !work.closure.grips.is_empty();
    for iteration in 0..=settings.max_iterations {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        if iteration == 0 || closed || gripped {
            // Joints of a loop have no stiffness of their own: a little mass holds them back while they find
            // their position, less and less of it.
            let mass = match (closed, gripped) {
                (true, _) => 10f64.powi(4 - iteration.min(4) as i32),
                // A boom is held by its grip, which is no part of the tree: enough mass for a pivot.
                (false, true) => 1e-3,
                (false, false) => 0.0,
            };
            let stiffness = Coefficients { m: mass, d: 0.0, k: 1.0 };
            factor(model, &state.v, stiffness, work).map_err(|_| (iteration, false))?;
            schur::factor(model, &state.v, stiffness, None, work).map_err(|_| (iteration, false))?;
        }
        match Balance::of(settings, last_size, iteration, work) {
            Balance::Reached => return Ok(iteration),
            Balance::Open { size, .. } if size.is_finite() && iteration < settings.max_iterations => {
                first_size = if iteration == 0 { size } else { first_size };
                last_size = size;
            }
            Balance::Open { size, .. } => return Err((iteration, size < first_size)),
        }
        schur::solve(model, |row| row.position, work);
        advance(model, state, &work.delta);
    }
    unreachable!("invariant: the last iteration returns");
}

/// Whether forces and loops are in balance.
pub(crate) enum Balance {
    Reached,
    /// Size of what is left, and its share of the forces.
    Open {
        size: f64,
        share: f64,
    },
}

impl Balance {
    /// Down to rounding: a start that is not quite at rest would ring.
    pub(crate) fn of(settings: &NewtonSettings, last_size: f64, iteration: usize, work: &Workspace) -> Self {
        let (size, reference) = sizes(work);
        let fits = closure::worst_misfit(&work.closure).0 <= 1e-12 * work.closure.length;
        let stagnant = size > 0.5 * last_size && size <= settings.force_tolerance * reference;
        if size.is_finite() && fits && (size <= 1e-13 * reference || (iteration > 3 && stagnant)) {
            return Self::Reached;
        }
        Self::Open { size, share: size / reference }
    }
}
