//! The matrices of the linear equations in all unknown coordinates, before constraints are eliminated.

use nalgebra::{DMatrix, Matrix6xX, Vector3};
use pliant_mechanism::{GRIP_ROWS, InterfaceRef, Model};
use pliant_spatial::{Displacement, Transform, Twist};

use crate::Workspace;
use crate::integration::initial::advance;
use crate::kinematics::poses::forward;
use crate::kinematics::residual::residual;
use crate::linear::perturbation::Perturbation;
use crate::recursion::tangent::{TangentWork, tangent};
use crate::response::{About, PoseState};

/// Displacement of an interface in world axes, translation and rotation, by the unknowns: `δ = P x`, `δ̇ = P
/// ẋ + Ṗ x`, `δ̈ = P ẍ + 2Ṗ ẋ + P̈ x`.
#[derive(Clone, Debug)]
pub(crate) struct FrameRows {
    pub(crate) P: Matrix6xX<f64>,
    pub(crate) P_rate: Matrix6xX<f64>,
    pub(crate) P_acceleration: Matrix6xX<f64>,
}

/// `M ẍ + C ẋ + K x − Gᵀ δλ = f` with `G x = 0`, and what inputs and outputs need.
#[derive(Clone, Debug)]
pub(crate) struct Matrices {
    /// Velocity coordinates of the columns.
    pub(crate) unknowns: Vec<usize>,
    pub(crate) M: DMatrix<f64>,
    pub(crate) C: DMatrix<f64>,
    pub(crate) K: DMatrix<f64>,
    /// Rows of closures by the unknowns, constraints first, then force elements, with their first two time
    /// derivatives.
    pub(crate) G: [DMatrix<f64>; 3],
    /// Stiffness of force elements by their rows, and the rows of grips with theirs: what stores energy.
    pub(crate) stiffness: Vec<RowStiffness>,
    pub(crate) frames: Vec<FrameRows>,
    /// Linear momentum of the machine by the rates of the unknowns (3×n); zero where nobody asks for it.
    pub(crate) momentum: DMatrix<f64>,
}

/// Energy `½ (J x)ᵀ k (J x)` of a force element or grip.
#[derive(Clone, Debug)]
pub(crate) struct RowStiffness {
    pub(crate) name: String,
    pub(crate) J: DMatrix<f64>,
    pub(crate) k: DMatrix<f64>,
}

/// Step of the differences that K about a deformed state comes from: large enough for eight digits of a
/// stiffness that stands beside the weight, small enough for geometry of second order.
pub(crate) const STEP: f64 = 1e-6;

/// Step of the differences that C comes from there: small against the slip rate of friction.
pub(crate) const RATE_STEP: f64 = 1e-5;

/// Linearises the machine at a pose; `frames` are the interfaces whose motion is wanted, `ground` says
/// whether the momentum is. About undeformed links the matrices are exact (docs/theory/linear.md); about an
/// equilibrium M and the rows are, K and C come from central differences of the residual.
pub(crate) fn matrices(model: &Model, pose: &PoseState, frames: &[InterfaceRef], ground: bool) -> Matrices {
    let mut work = pose.work.clone();
    let mut all = match pose.about {
        About::Undeformed | About::Motion => exact(model, pose, frames, &mut work),
        About::Equilibrium => differences(model, pose, frames, &mut work),
    };
    all.stiffness = row_stiffness(model, &all, &work);
    if ground {
        all.momentum = momentum(model, pose, &all.unknowns, &mut work);
    }
    all
}

fn empty(model: &Model, work: &Workspace, frames: usize) -> Matrices {
    let unknowns = work.unknowns.clone();
    let (n, rows) = (unknowns.len(), model.closures().row_count());
    let square = || DMatrix::zeros(n, n);
    let row = || DMatrix::zeros(rows, n);
    let frame = || Matrix6xX::zeros(n);
    let frames = (0..frames).map(|_| FrameRows { P: frame(), P_rate: frame(), P_acceleration: frame() });
    Matrices {
        M: square(),
        C: square(),
        K: square(),
        G: [row(), row(), row()],
        stiffness: Vec::new(),
        frames: frames.collect(),
        momentum: DMatrix::zeros(3, n),
        unknowns,
    }
}

fn exact(model: &Model, pose: &PoseState, frames: &[InterfaceRef], work: &mut Workspace) -> Matrices {
    let state = &pose.state;
    residual(model, state.t, &state.q, &state.v, &state.a, work);
    let base = (state.q.as_slice(), state.v.as_slice(), state.a.as_slice());
    let mut scratch = TangentWork::new(model);
    scratch.prepare(model, base, work);
    let mut unit = Perturbation::new(model);
    let mut column = vec![0.0; model.velocity_count()];
    let mut all = empty(model, work, frames.len());
    for (i, &j) in work.unknowns.iter().enumerate() {
        unit.q[j] = 1.0;
        tangent(model, state.t, base, &unit, (work, &mut scratch), &mut column);
        unit.q[j] = 0.0;
        fill(&mut all.K, i, &work.unknowns, &column);
        for (r, row) in scratch.closure.rows.iter().enumerate() {
            all.G[0][(r, i)] = row.position;
            all.G[1][(r, i)] = row.rate;
            all.G[2][(r, i)] = row.acceleration;
        }
        for (rows, &InterfaceRef { body, interface }) in all.frames.iter_mut().zip(frames) {
            let T = &work.bodies[body].interfaces[interface];
            rows.set(i, &scratch.bodies[body].interfaces[interface], &T.X_WT, &T.V, &T.A);
        }
        unit.v[j] = 1.0;
        tangent(model, state.t, base, &unit, (work, &mut scratch), &mut column);
        unit.v[j] = 0.0;
        fill(&mut all.C, i, &work.unknowns, &column);
        unit.a[j] = 1.0;
        tangent(model, state.t, base, &unit, (work, &mut scratch), &mut column);
        unit.a[j] = 0.0;
        fill(&mut all.M, i, &work.unknowns, &column);
    }
    all
}

fn fill(matrix: &mut DMatrix<f64>, column: usize, unknowns: &[usize], values: &[f64]) {
    matrix.column_mut(column).iter_mut().zip(unknowns).for_each(|(entry, j)| *entry = values[*j]);
}

impl FrameRows {
    /// Column of an unknown that displaces a frame with pose `X`, twist `V` and acceleration `A`. In world
    /// axes `δ = R e`, so that `δ̇ = R(ė + ω × e)` and `δ̈ = R(ë + 2ω × ė + ω̇ × e + ω × (ω × e))`.
    fn set(&mut self, column: usize, by: &Displacement, X: &Transform, V: &Twist, A: &Twist) {
        let spin: Vector3<f64> = V.fixed_rows::<3>(3).into_owned();
        let spin_rate: Vector3<f64> = A.fixed_rows::<3>(3).into_owned();
        for first in [0, 3] {
            let part = |x: &Twist| -> Vector3<f64> { x.fixed_rows::<3>(first).into_owned() };
            let (e, rate, acceleration) = (part(&by.e), part(&by.rate), part(&by.acceleration));
            let turned = spin.cross(&e);
            let put = |rows: &mut Matrix6xX<f64>, value: Vector3<f64>| {
                rows.column_mut(column).fixed_rows_mut::<3>(first).copy_from(&(X.R * value));
            };
            put(&mut self.P, e);
            put(&mut self.P_rate, rate + turned);
            put(
                &mut self.P_acceleration,
                acceleration + spin.cross(&rate) * 2.0 + spin_rate.cross(&e) + spin.cross(&turned),
            );
        }
    }
}

fn differences(model: &Model, pose: &PoseState, frames: &[InterfaceRef], work: &mut Workspace) -> Matrices {
    let state = &pose.state;
    let unknowns = work.unknowns.clone();
    let mut all = empty(model, work, frames.len());
    let zeros = vec![0.0; model.velocity_count()];
    let mut unit = zeros.clone();
    let take = |work: &Workspace| -> Vec<f64> { unknowns.iter().map(|j| work.r[*j]).collect() };
    residual(model, state.t, &state.q, &zeros, &zeros, work);
    let at_rest = take(work);
    for (i, &j) in unknowns.iter().enumerate() {
        unit[j] = 1.0;
        residual(model, state.t, &state.q, &zeros, &unit, work);
        unit[j] = 0.0;
        for (row, (r, rest)) in take(work).iter().zip(&at_rest).enumerate() {
            all.M[(row, i)] = r - rest;
        }
        // At rest accelerations of rows and frames are those of the unknowns alone.
        for (r, row) in work.closure.rows.iter().take(all.G[0].nrows()).enumerate() {
            all.G[0][(r, i)] = row.acceleration;
        }
        for (rows, &InterfaceRef { body, interface }) in all.frames.iter_mut().zip(frames) {
            let T = &work.bodies[body].interfaces[interface];
            let by = Displacement { e: T.A, ..Displacement::default() };
            rows.set(i, &by, &T.X_WT, &Twist::zeros(), &Twist::zeros());
        }
        let mut slope = |out: &mut DMatrix<f64>, h: f64, at: &mut dyn FnMut(f64, &mut Workspace)| {
            at(h, work);
            let above = take(work);
            at(-h, work);
            for (row, (above, below)) in above.iter().zip(take(work)).enumerate() {
                out[(row, i)] = (above - below) / (2.0 * h);
            }
        };
        slope(&mut all.K, STEP, &mut |h, work| {
            let mut moved = state.clone();
            let mut change = zeros.clone();
            change[j] = h;
            advance(model, &mut moved, &change);
            residual(model, state.t, &moved.q, &zeros, &zeros, work);
        });
        slope(&mut all.C, RATE_STEP, &mut |h, work| {
            let mut rates = zeros.clone();
            rates[j] = h;
            residual(model, state.t, &state.q, &rates, &zeros, work);
        });
    }
    residual(model, state.t, &state.q, &zeros, &zeros, work);
    all
}

/// Force elements and grips as the state last evaluated has them.
fn row_stiffness(model: &Model, all: &Matrices, work: &Workspace) -> Vec<RowStiffness> {
    let mut found = Vec::new();
    let mut first = work.closure.constraints;
    for (element, response) in model.closures().forces.iter().zip(&work.closure.responses) {
        let count = element.kind.row_count();
        let J = all.G[0].rows(first, count).into_owned();
        let k = DMatrix::from_fn(count, count, |i, j| response.stiffness[i][j]);
        found.push(RowStiffness { name: element.name.clone(), J, k });
        first += count;
    }
    for ((_, body, _), grip) in model.gripped().zip(&work.closure.grips) {
        let J = DMatrix::from_fn(GRIP_ROWS, all.unknowns.len(), |i, j| {
            let column = all.unknowns[j].checked_sub(grip.velocities.start);
            column.and_then(|k| grip.state.row(i).get(k)).copied().unwrap_or(0.0)
        });
        let k = DMatrix::from_fn(GRIP_ROWS, GRIP_ROWS, |i, j| grip.state.stiffness[i][j]);
        found.push(RowStiffness { name: body.joint_name.clone(), J, k });
    }
    found
}

/// Power of a uniform field of acceleration g is g·p, so that the forces of a ground that accelerates by a
/// are −a·∂p/∂v.
fn momentum(model: &Model, pose: &PoseState, unknowns: &[usize], work: &mut Workspace) -> DMatrix<f64> {
    let zeros = vec![0.0; model.velocity_count()];
    let mut unit = zeros.clone();
    let mut found = DMatrix::zeros(3, unknowns.len());
    for (i, &j) in unknowns.iter().enumerate() {
        unit[j] = 1.0;
        forward(model, &pose.state.q, &unit, &zeros, work);
        unit[j] = 0.0;
        found.column_mut(i).copy_from(&work.momentum().fixed_rows::<3>(0));
    }
    found
}
