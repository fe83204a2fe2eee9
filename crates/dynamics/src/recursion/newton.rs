//! One step: equilibrium iteration at t_{n+1}.

use pliant_mechanism::Model;

use crate::closures::closure::is_closed;
use crate::closures::pivoted::RankError;
use crate::closures::schur;
use crate::integration::scheme::Parameters;
use crate::kinematics::residual::residual;
use crate::kinematics::workspace::{Coefficients, Workspace};
use crate::recursion::articulated::{Singular, factor};
use crate::recursion::damped;
use crate::{SimulationError, State, coordinate_label};

/// When an equilibrium iteration stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// Most iterations before the step is cut.
    pub max_iterations: usize,
    /// Energy criterion: `|ΔU·r|` of the correction that is left over that of the step's entire change.
    pub energy_tolerance: f64,
    /// Force criterion: size of the residual over the size of the forces in it.
    pub force_tolerance: f64,
    /// How often a step may be halved.
    pub max_cuts: u32,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { max_iterations: 16, energy_tolerance: 1e-10, force_tolerance: 1e-8, max_cuts: 10 }
    }
}

/// Residuals below this part of the forces are rounding.
const ROUNDING: f64 = 1e-13;

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StepFailure {
    Singular(Singular),
    Closure(RankError),
    NotFinite { coordinate: usize },
    NotConverged { iterations: usize, residual: f64, coordinate: usize },
}

impl StepFailure {
    pub(crate) fn into_error(self, model: &Model, t: f64, step: f64) -> SimulationError {
        let label = |index| coordinate_label(model, index);
        match self {
            Self::Singular(s) => SimulationError::Singular { t, subject: label(s.coordinate) },
            Self::Closure(error) => closure_error(model, error, t),
            Self::NotFinite { coordinate } => {
                SimulationError::NotFinite { t, step, subject: label(coordinate) }
            }
            Self::NotConverged { iterations, residual, coordinate } => {
                SimulationError::NotConverged { t, step, iterations, residual, subject: label(coordinate) }
            }
        }
    }
}

/// A rank that changes under way, in words.
fn closure_error(model: &Model, error: RankError, t: f64) -> SimulationError {
    let rows = model.row_count();
    let label = |row: usize| {
        if row < rows { model.row_label(row) } else { "the coordinates of a loop joint".to_owned() }
    };
    match error {
        RankError::Lost(row) => SimulationError::SingularConfiguration { t, subject: label(row) },
        RankError::Awake(row) => SimulationError::RedundancyLost { t, subject: label(row) },
    }
}

/// Sizes of residual and forces in the norm of the Newton matrix's diagonal, which gives every coordinate the
/// same unit (the root of an energy).
pub(crate) fn sizes(work: &Workspace) -> (f64, f64) {
    let (mut r, mut reference) = (0.0, 0.0);
    for &j in &work.unknowns {
        r += work.r[j] * work.r[j] / work.diagonal[j];
        reference += work.reference[j] * work.reference[j] / work.diagonal[j];
    }
    (r.sqrt(), reference.sqrt())
}

/// The unknown with the largest residual in that norm.
pub(crate) fn worst(work: &Workspace) -> usize {
    let size = |j: &usize| work.r[*j] * work.r[*j] / work.diagonal[*j];
    let mut worst = work.unknowns.first().copied().unwrap_or(0);
    for j in &work.unknowns {
        if !size(j).is_finite() {
            return *j;
        }
        if size(j) > size(&worst) {
            worst = *j;
        }
    }
    worst
}

/// True when no residual would move a position of a closed machine by more than rounding does. Loops hold
/// positions to the last digit, and what rounding leaves there times the stiffness of a link can be more than
/// the forces of a slow motion.
fn is_negligible(work: &Workspace, c_k: f64) -> bool {
    // Ten times as much, kept up over 1e5 steps, would show in the seventh digit of a crank's angle.
    let limit = 1e-15 * work.closure.length;
    work.closure.constraints > 0
        && work.unknowns.iter().all(|&j| (c_k * work.r[j]).abs() <= limit * work.diagonal[j])
}

/// Takes a step of length `h` from `last` to `next` at time `t`; returns the number of iterations. On success
/// `work` holds the residual, poses and wrenches of `next`.
pub(crate) fn step(
    model: &Model,
    settings: &NewtonSettings,
    scheme: &Parameters,
    (t, h): (f64, f64),
    last: &State,
    next: &mut State,
    work: &mut Workspace,
) -> Result<usize, StepFailure> {
    let gain = scheme.gain();
    let c = Coefficients { m: 1.0, d: scheme.gamma * h * gain, k: scheme.beta * h * h * gain };
    foretell(h, last, &work.diagonal, next);
    next.prescribe(model, t);
    work.closure.begin_step(&next.multipliers);
    let (mut step_energy, mut last_energy, mut last_size) = (0.0, 0.0, f64::INFINITY);
    let mut stale = true;
    for iteration in 0..=settings.max_iterations {
        kinematic_update(model, scheme, h, last, next, work);
        residual(model, next.t, &next.q, &next.v, &next.a, work);
        if stale {
            factor(model, &next.v, c, work).map_err(StepFailure::Singular)?;
            schur::factor(model, &next.v, c, None, work).map_err(StepFailure::Closure)?;
        }
        let (size, reference) = sizes(work);
        let closed = is_closed(work, &work.closure.rows, h);
        if !size.is_finite() {
            return Err(StepFailure::NotFinite { coordinate: worst(work) });
        }
        // The energy is quadratic in the residual, so the last one scaled tells it without another solve.
        let ratio = size / last_size;
        let energy = last_energy * ratio * ratio;
        let balanced = iteration > 0 && size <= settings.force_tolerance * reference;
        let converged = balanced && energy <= settings.energy_tolerance * step_energy;
        let rounding = size <= ROUNDING * reference || is_negligible(work, c.k);
        // Rounding of large forces can keep the residual from falling further: then it must be small already.
        let stagnant = iteration > 3 && size > 0.9 * last_size && size <= 1e-6 * reference;
        if closed && (converged || rounding || stagnant) {
            next.multipliers.copy_from_slice(&work.closure.multipliers);
            return Ok(iteration);
        }
        if iteration == settings.max_iterations {
            let (residual, coordinate) = (size / reference, worst(work));
            return Err(StepFailure::NotConverged { iterations: iteration, residual, coordinate });
        }
        schur::correct(model, c, work);
        damped::solve(model, c.d, work);
        // The factor is of the first iterate; renew it when it no longer pulls.
        stale = size > 0.1 * last_size;
        last_size = size;
        last_energy = work.unknowns.iter().map(|&j| work.r[j] * work.delta[j]).sum::<f64>().abs();
        // The estimate was too careful: this correction is not worth another evaluation.
        if balanced && work.closure.is_empty() && last_energy <= settings.energy_tolerance * step_energy {
            return Ok(iteration);
        }
        for &j in &work.unknowns {
            next.a[j] += work.delta[j];
        }
        if iteration == 0 {
            step_energy = energy_of_step(last_energy, last, next, work);
        }
    }
    unreachable!("invariant: the last iteration returns");
}

/// Energy `ΔᵀAΔ` of the entire change Δ = a_{n+1} − a_n of a step, from its first correction δ = −A⁻¹r of
/// energy `first` = |r·δ|. Because `δᵀAΔ = −r·Δ`, it is at least `(r·Δ)²/first`, with equality when δ and Δ
/// have one shape, as they have without a first guess; at least the first correction counts.
fn energy_of_step(first: f64, last: &State, next: &State, work: &Workspace) -> f64 {
    let cross: f64 = work.unknowns.iter().map(|&j| work.r[j] * (next.a[j] - last.a[j])).sum();
    if first > 0.0 { first.max(cross * cross / first) } else { first }
}

/// First guess of accelerations and multipliers: on the line through the last two states where accelerations
/// change smoothly, the last ones where they ring: frequencies that a step cannot follow turn their sign in
/// every step, and a line through them leads astray. `next` comes with the state before `last`, or with what
/// is left of a step that failed, which has a later time and is no use.
fn foretell(h: f64, last: &State, weights: &[f64], next: &mut State) {
    let part = continuation(h, last.t - next.t, weights, &last.a, &next.a);
    let extend = |next: &mut [f64], last: &[f64]| {
        for (next, last) in next.iter_mut().zip(last) {
            *next = if part > 0.0 { last + part * (last - *next) } else { *last };
        }
    };
    extend(&mut next.a, &last.a);
    extend(&mut next.multipliers, &last.multipliers);
    next.q.copy_from_slice(&last.q);
    next.v.copy_from_slice(&last.v);
    next.a_bar.copy_from_slice(&last.a_bar);
}

/// The part of their last change by which accelerations go on in a step of length `h`, when they came from
/// `earlier` to `last` in a step of length `before`; zero where they ring.
pub(crate) fn continuation(h: f64, before: f64, weights: &[f64], last: &[f64], earlier: &[f64]) -> f64 {
    let (mut change, mut total) = (0.0, 0.0);
    for ((weight, last), earlier) in weights.iter().zip(last).zip(earlier) {
        change += weight * (last - earlier) * (last - earlier);
        total += weight * last * last;
    }
    let smooth = before > 0.0 && change <= 0.25 * total;
    if smooth { h / before } else { 0.0 }
}

/// Positions and velocities of `next` that go with its accelerations.
fn kinematic_update(
    model: &Model,
    scheme: &Parameters,
    h: f64,
    last: &State,
    next: &mut State,
    work: &mut Workspace,
) {
    let (beta, gamma) = (scheme.beta, scheme.gamma);
    for &j in &work.unknowns {
        let a_bar = scheme.a_bar(last.a[j], last.a_bar[j], next.a[j]);
        let before = last.a_bar[j];
        next.a_bar[j] = a_bar;
        next.v[j] = last.v[j] + h * ((1.0 - gamma) * before + gamma * a_bar);
        work.increment[j] = h * (last.v[j] + h * ((0.5 - beta) * before + beta * a_bar));
    }
    if !work.closure.is_empty() {
        for &j in &work.unknowns {
            next.v[j] += work.closure.shift_rate[j];
            work.increment[j] += work.closure.shift[j];
        }
        for joint in &model.closures().joints {
            let (q, v) = (joint.positions(), joint.velocities());
            for k in 0..v.len() {
                if joint.coordinates.get(k).is_some_and(|c| c.motion().is_some()) {
                    work.increment[v.start + k] = next.q[q.start + k] - last.q[q.start + k];
                }
            }
            joint.hinge.advance(&last.q[q.clone()], &work.increment[v], &mut next.q[q]);
        }
    }
    for (body, w) in model.bodies().iter().zip(&work.bodies) {
        if !w.unknown.is_empty() {
            let (q, v) = (body.hinge_positions(), body.hinge_velocities());
            // Prescribed coordinates of the same joint are where they are; only scalar ones can be.
            for k in (0..v.len()).filter(|k| !w.unknown.contains(k)) {
                work.increment[v.start + k] = next.q[q.start + k] - last.q[q.start + k];
            }
            body.hinge.advance(&last.q[q.clone()], &work.increment[v], &mut next.q[q]);
        }
        for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
            next.q[q] = last.q[q] + work.increment[v];
        }
    }
}
