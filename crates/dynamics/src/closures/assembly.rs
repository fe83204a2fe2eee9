//! Assembly: joints moved from where they were said to start to where the loops close.

use pliant_mechanism::{JointCoordinate, Model};

use crate::closures::closure::{LoopUnknown, motion_of, worst_misfit};
use crate::closures::schur;
use crate::integration::initial::advance;
use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::{Coefficients, Workspace};
use crate::recursion::articulated::factor;
use crate::recursion::newton::StepFailure;
use crate::{SimulationError, Start, State, Warning};
use pliant_mechanism::{Redundancy, Row};

/// Misfit that counts as closed, as a part of the machine's length: what rounding leaves is a hundredth of
/// it.
const CLOSED: f64 = 1e-13;

/// Misfit at which a run may start.
const GOOD_ENOUGH: f64 = 1e-11;

/// Misfit, as a part of the machine's length, that is taken for the rounding of given measures.
const ROUNDED: f64 = 1e-6;

/// The same that elastic links may have been strained by.
const STRAINED: f64 = 1e-2;

/// A pivot below this part of the largest one says nothing new. Compliances are squares of the rows, so that
/// the rows differ by 3e-5 at least.
const NOTHING_NEW: f64 = 1e-9;

/// The largest turn of one iteration (rad); lengths in the same part of the machine's.
const LARGEST_STEP: f64 = 0.4;

const MAX_ITERATIONS: usize = 200;

const MASS: Coefficients = Coefficients { m: 1.0, d: 0.0, k: 0.0 };

/// Closes the loops at position and velocity level, links rigid first, and finds redundant constraints.
///
/// # Errors
/// When the loops cannot be closed, constraints are redundant while that is refused, or the mass is singular.
pub(crate) fn assemble(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    if work.closure.is_empty() {
        return Ok(());
    }
    if work.closure.constraints > 0 {
        let rigid = model.rigid();
        let mut rigid_state = State::initial(&rigid, state.t);
        let mut rigid_work = Workspace::new(&rigid);
        fit_loop_joints(&rigid, &mut rigid_state, &mut rigid_work);
        // What drives command is where they start, if the loops close there: the others follow.
        let mut verdict = None;
        let mut closed = false;
        if has_commands(model) {
            let mut commanded = rigid_state.clone();
            verdict = close(&rigid, &mut commanded, &mut rigid_work, (MASS, Movable::NotCommanded))?;
            closed = verdict.is_none();
            if closed {
                rigid_state = commanded;
            }
        }
        // What rigid links cannot do elastic ones may: the verdict is theirs.
        if !closed {
            verdict = close(&rigid, &mut rigid_state, &mut rigid_work, (MASS, Movable::All))?;
        }
        copy_joints((&rigid, &rigid_state), (model, state));
        if verdict.is_some() {
            let stiff = Coefficients { m: 1.0, d: 0.0, k: 1.0 };
            if let Some(error) = close(model, state, work, (stiff, Movable::All))?
                && !make_fit(model, state, work)
            {
                return Err(error);
            }
        }
    }
    complete(model, state, work)
}

/// Closes the loops of a machine that is nearly closed.
///
/// # Errors
/// As of [`assemble`].
pub(crate) fn assemble_near(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
) -> Result<(), SimulationError> {
    if work.closure.is_empty() {
        return Ok(());
    }
    if let Some(error) = close(model, state, work, (MASS, Movable::All))? {
        return Err(error);
    }
    complete(model, state, work)
}

/// The same, and nothing else: for positions alone. False when the loops stay open.
pub(crate) fn close_near(model: &Model, state: &mut State, work: &mut Workspace) -> bool {
    matches!(close(model, state, work, (MASS, Movable::All)), Ok(None))
}

/// Finds redundant constraints of a closed machine, and closes it at velocity level.
fn complete(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), SimulationError> {
    find_redundant(model, state, work)?;
    // Velocities: the smallest change of momentum that satisfies the constraints, that of joints which follow
    // commands last.
    if has_commands(model) && state.v.iter().any(|v| *v != 0.0) {
        level_velocities(model, state, work, Movable::NotCommanded)?;
    }
    level_velocities(model, state, work, Movable::All)
}

fn level_velocities(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
    movable: Movable,
) -> Result<(), SimulationError> {
    hold(model, work, movable);
    prepare(model, state, work, MASS, NOTHING_NEW)?;
    for _ in 0..2 {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        schur::level_out(model, |row: &Row| row.rate, work);
        for (v, change) in state.v.iter_mut().zip(&work.delta) {
            *v += change;
        }
    }
    release(work);
    Ok(())
}

/// Whether servos or hydraulic drives follow commands.
fn has_commands(model: &Model) -> bool {
    model.servos().next().is_some() || model.hydraulics().next().is_some()
}

/// Evaluates and factors at the state.
fn prepare(
    model: &Model,
    state: &State,
    work: &mut Workspace,
    c: Coefficients,
    tolerance: f64,
) -> Result<(), SimulationError> {
    residual(model, state.t, &state.q, &state.v, &state.a, work);
    let failed = |failure: StepFailure| failure.into_error(model, state.t, 0.0);
    factor(model, &state.v, c, work).map_err(|s| failed(StepFailure::Singular(s)))?;
    schur::factor(model, &state.v, c, Some(tolerance), work).map_err(|e| failed(StepFailure::Closure(e)))
}

/// Newton's iteration on the misfit. Returns the error when it stays.
fn close(
    model: &Model,
    state: &mut State,
    work: &mut Workspace,
    (c, movable): (Coefficients, Movable),
) -> Result<Option<SimulationError>, SimulationError> {
    hold(model, work, movable);
    let (mut best, mut since) = (f64::INFINITY, 0);
    let (mut misfit, mut row, mut iterations) = (f64::INFINITY, 0, 0);
    for iteration in 0..MAX_ITERATIONS {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        (misfit, row) = worst_misfit(&work.closure);
        iterations = iteration;
        since = if misfit < 0.5 * best { 0 } else { since + 1 };
        best = best.min(misfit);
        let length = work.closure.length;
        if misfit <= CLOSED * length || since > 20 || !misfit.is_finite() {
            break;
        }
        // Far from closure all directions may look independent that are not: small pivots are left out.
        let tolerance = if misfit > 1e-6 * length { 1e-6 } else { NOTHING_NEW };
        prepare(model, state, work, c, tolerance)?;
        schur::level_out(model, |row: &Row| row.position, work);
        let change = &mut work.delta;
        let largest = change.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let limit = LARGEST_STEP * length.max(1.0);
        if largest > limit {
            let factor = limit / largest;
            change.iter_mut().for_each(|x| *x *= factor);
        }
        advance(model, state, change);
    }
    release(work);
    let open = SimulationError::NotAssembled { misfit, iterations, subject: model.closures().label(row) };
    let closed = misfit <= GOOD_ENOUGH * work.closure.length;
    Ok(if closed { None } else { Some(open) })
}

/// Moves the child's frames of loop joints to where the joints have them when little enough is open: between
/// constraints that repeat each other rigid links leave what their measures were rounded by. False when
/// something stays open.
fn make_fit(model: &Model, state: &State, work: &mut Workspace) -> bool {
    let limit = match model.closures().redundancy {
        Redundancy::Refuse => 0.0,
        Redundancy::LeastNorm => ROUNDED,
        Redundancy::MadeToFit => STRAINED,
    };
    if worst_misfit(&work.closure).0 > limit * work.closure.length {
        return false;
    }
    for (j, joint) in model.closures().joints.iter().enumerate() {
        let pose = |frame| motion_of(&work.bodies, frame).X;
        let reached = pose(joint.parent) * joint.hinge.transform(&state.q[joint.positions()]);
        work.closure.fit[j] = Some(pose(joint.child).inverse() * reached);
    }
    residual(model, state.t, &state.q, &state.v, &state.a, work);
    worst_misfit(&work.closure).0 <= GOOD_ENOUGH * work.closure.length
}

/// Brings the coordinates of loop joints to where the links have their ends.
fn fit_loop_joints(model: &Model, state: &mut State, work: &mut Workspace) {
    for _ in 0..30 {
        residual(model, state.t, &state.q, &state.v, &state.a, work);
        let mut delta = vec![0.0; state.v.len()];
        for &LoopUnknown { joint: j, column: k, velocity } in &work.closure.free {
            let joint = &model.closures().joints[j];
            if joint.coordinates.get(k).is_some_and(|c| c.exact) {
                continue;
            }
            let first = if joint.hinge.joint.is_angle(k) { 3 } else { 0 };
            let S = &work.closure.S[j][k];
            let rows = &work.closure.rows[6 * j.0..];
            delta[velocity] = (first..first + 3).map(|i| S[i] * rows[i].position).sum();
        }
        advance(model, state, &delta);
    }
}

/// Takes joint coordinates over from the rigid machine, which has no bearings.
fn copy_joints((rigid, from): (&Model, &State), (model, to): (&Model, &mut State)) {
    for ((_, _, q, _), (_, _, to_q, _)) in hinges(rigid).zip(hinges(model)) {
        let count = q.len();
        to.q[to_q.start..to_q.start + count].copy_from_slice(&from.q[q]);
    }
}

/// Which joint coordinates assembly may move, of those that are not `exact`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Movable {
    All,
    /// All but those that servos and hydraulic drives hold at their commands.
    NotCommanded,
}

/// Coordinates that may not be moved count as prescribed until [`release`].
fn hold(model: &Model, work: &mut Workspace, which: Movable) {
    let movable = |c: &JointCoordinate| !c.exact && (which == Movable::All || c.drive.command().is_none());
    for (body, w) in model.bodies().iter().zip(&mut work.bodies) {
        w.free.retain(|k| body.coordinates.get(*k).is_none_or(movable));
    }
    let joints = &model.closures().joints;
    work.closure.free.retain(|free| joints[free.joint].coordinates.get(free.column).is_none_or(movable));
}

fn release(work: &mut Workspace) {
    for w in &mut work.bodies {
        w.free.clone_from(&w.unknown);
    }
    work.closure.free.clone_from(&work.closure.unknown);
}

/// Counts the constraints that say nothing new where the machine starts.
fn find_redundant(model: &Model, state: &State, work: &mut Workspace) -> Result<(), SimulationError> {
    prepare(model, state, work, MASS, NOTHING_NEW)?;
    let c = &mut work.closure;
    c.repeated.clear();
    c.repeated.extend(c.lu.left_over().map(|at| c.equation[at]));
    c.repeated.sort_unstable();
    c.lu.keep_left_over();
    c.redundant = Some(c.repeated.len());
    if !c.repeated.is_empty() && model.closures().redundancy == Redundancy::Refuse {
        return Err(SimulationError::Redundant { constraints: redundant_constraints(model, work) });
    }
    Ok(())
}

/// Constraints that said nothing new where the machine was assembled, in words.
pub(crate) fn redundant_constraints(model: &Model, work: &Workspace) -> Vec<String> {
    let rows = work.closure.repeated.iter().copied().filter(|row| *row < model.row_count());
    rows.map(|row| model.row_label(row)).collect()
}

/// Movement of a stated start value that counts: by assembly beyond rounding, by equilibrium beyond a sag
/// (rad, m).
const MOVED: f64 = 1e-6;
const RESTED: f64 = 1e-2;

/// Start values that were asked for and that the machine does not start at, with what it starts at.
pub(crate) fn moved_starts(model: &Model, state: &State, start: Start) -> Vec<Warning> {
    let asked = State::initial(model, state.t);
    let (limit, why, key) = match start {
        Start::Undeformed => (MOVED, "its loops close", "exact"),
        Start::StaticEquilibrium => (RESTED, "it is in equilibrium", "hold"),
        Start::Steady => (RESTED, "it is in balance with its rates", "hold"),
    };
    let names = model.bodies().iter().map(|b| &b.joint_name);
    let names = names.chain(model.closures().joints.iter().map(|j| &j.name));
    let mut warnings = Vec::new();
    for ((hinge, coordinates, q, _), name) in hinges(model).zip(names) {
        let follows = |c: &JointCoordinate| start == Start::Undeformed && c.drive.command().is_some();
        for (k, c) in coordinates.iter().enumerate().filter(|(_, c)| (c.stated || follows(c)) && !c.exact) {
            let (from, to) = (asked.q[q.start + k], state.q[q.start + k]);
            if !hinge.joint.has_scalar_coordinates() || (from - to).abs() <= limit {
                continue;
            }
            let shown = |x: f64| match hinge.joint.is_angle(k) {
                true => format!("{:.4}°", x.to_degrees()),
                false => format!("{x:.6} m"),
            };
            let (from, to) = (shown(from), shown(to));
            let message = match c.stated {
                true => format!(
                    "its `start` is {from}, but the run starts at {to}, where {why}; give it that `start`, change what holds it, or hold it with `{key} = true`"
                ),
                false => format!(
                    "its drive commands {from}, but the run starts at {to}: its loops do not close with the joint on its command"
                ),
            };
            warnings.push(Warning { t: state.t, subject: format!("joint `{name}`"), message });
        }
    }
    warnings
}
