//! Loads of joints and on interfaces as outputs of a linear machine.
//!
//! A load w is what the equations of motion pass on through a joint: it depends on the unknowns x, their
//! rates and accelerations, on the reactions λ of constraints and on what acts from outside,
//!
//! ```text
//! δw = w_x x + w_v ẋ + w_a ẍ + w_λ δλ + w_u u,    Gᵀ δλ = M ẍ + C ẋ + K x − f,
//! ```
//!
//! f with the forces of inputs and servos. The derivatives are differences of the inverse dynamics about the
//! pose, or the nominal motion through it, where w is linear in ẍ and λ and quadratic in rates; w_a and w_λ
//! are exact, w_x and w_v have eight digits.

use nalgebra::{DMatrix, DVector, RowDVector, Vector3};
use pliant_mechanism::{BodyIndex, FrameRef, InterfaceRef, JointRef, LoopIndex, Model};
use pliant_spatial::{Transform, Wrench};

use crate::closures::closure::motion_of;
use crate::integration::initial::advance;
use crate::kinematics::residual::residual;
use crate::linear::perturbation::Perturbation;
use crate::response::PoseState;
use crate::response::channels::{Channel, Input, LoadPoint, Output, oil};
use crate::response::machine::LinearMachine;
use crate::response::matrices::{Matrices, RATE_STEP, STEP};
use crate::response::state_space::placed;
use crate::{State, Workspace};

/// Acceleration of the ground whose effect is measured (m/s²).
const UNIT: f64 = 1.0;

/// Derivatives of a load.
#[derive(Clone, Debug)]
pub(crate) struct LoadRow {
    /// By the unknowns, their rates and their accelerations.
    pub(crate) by: [RowDVector<f64>; 3],
    /// By the multipliers of constraints.
    pub(crate) by_reactions: RowDVector<f64>,
    /// By the inputs and their rates.
    pub(crate) by_inputs: Vec<[f64; 2]>,
}

/// The rows of all outputs that are loads, in their order.
pub(crate) fn load_rows(
    model: &Model,
    pose: &PoseState,
    all: &Matrices,
    inputs: &[Channel<Input>],
    outputs: &[Channel<Output>],
) -> Vec<LoadRow> {
    let wanted: Vec<(LoadPoint, usize)> = outputs.iter().filter_map(|output| output.kind.load()).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let (n, constraints) = (all.unknowns.len(), model.closures().constraint_count());
    let mut rows: Vec<LoadRow> = (0..wanted.len())
        .map(|_| LoadRow {
            by: [RowDVector::zeros(n), RowDVector::zeros(n), RowDVector::zeros(n)],
            by_reactions: RowDVector::zeros(constraints),
            by_inputs: Vec::new(),
        })
        .collect();
    let mut probe = Probe { model, state: &pose.state, work: pose.work.clone(), wanted: &wanted };
    let mut change = Perturbation::new(model);
    let base = probe.displaced(&change);
    for (i, &j) in all.unknowns.iter().enumerate() {
        for (order, step) in [STEP, RATE_STEP, 1.0].into_iter().enumerate() {
            let mut at = |x: f64| {
                [&mut change.q, &mut change.v, &mut change.a][order][j] = x;
                probe.displaced(&change)
            };
            let (above, below) = (at(step), at(-step));
            at(0.0);
            set(&mut rows, order, i, &above, &below, 2.0 * step);
        }
    }
    for k in 0..constraints {
        probe.work.closure.multipliers[k] += 1.0;
        let above = probe.displaced(&change);
        probe.work.closure.multipliers[k] -= 1.0;
        for (row, (above, base)) in rows.iter_mut().zip(above.iter().zip(&base)) {
            row.by_reactions[k] = above - base;
        }
    }
    probe.displaced(&change);
    for input in inputs {
        // The oil of a cylinder pushes by k u + d u̇.
        let [by_value, by_rate] = match input.kind {
            Input::Length(element) => oil(model, element).unwrap_or_default(),
            _ => [1.0, 0.0],
        };
        let direct = probe.direct(&input.kind, &base);
        let parts = direct.iter().map(|direct| [direct * by_value, direct * by_rate]);
        rows.iter_mut().zip(parts).for_each(|(row, parts)| row.by_inputs.push(parts));
    }
    rows
}

fn set(rows: &mut [LoadRow], order: usize, column: usize, above: &[f64], below: &[f64], step: f64) {
    for (row, (above, below)) in rows.iter_mut().zip(above.iter().zip(below)) {
        row.by[order][column] = (above - below) / step;
    }
}

struct Probe<'a> {
    model: &'a Model,
    state: &'a State,
    work: Workspace,
    wanted: &'a [(LoadPoint, usize)],
}

impl Probe<'_> {
    /// The loads where the machine is a small change from its pose or nominal motion.
    fn displaced(&mut self, change: &Perturbation) -> Vec<f64> {
        let (model, mut state) = (self.model, self.state.clone());
        let (mut dv, mut da) = (change.v.clone(), change.a.clone());
        change.rates(model, (&state.v, &state.a), (&mut dv, &mut da));
        advance(model, &mut state, &change.q);
        state.v.iter_mut().zip(&dv).chain(state.a.iter_mut().zip(&da)).for_each(|(x, dx)| *x += dx);
        residual(model, state.t, &state.q, &state.v, &state.a, &mut self.work);
        self.wanted.iter().map(|(point, c)| measure(model, &self.work, *point)[*c]).collect()
    }

    /// What a unit of an input changes while nothing moves; the machine is evaluated at its pose.
    fn direct(&self, input: &Input, base: &[f64]) -> Vec<f64> {
        match *input {
            Input::Force { at, component } => {
                let X_WT = self.work.X_WT(at);
                let mut unit = Vector3::zeros();
                unit[component % 3] = 1.0;
                let acting = match component {
                    0..=2 => Acting { p: X_WT.p, force: unit, moment: Vector3::zeros() },
                    _ => Acting { p: X_WT.p, force: Vector3::zeros(), moment: unit },
                };
                self.shares(&[(at.body, Some(at), acting)])
            }
            Input::Push(element) | Input::Length(element) => self.shares(&self.push(element)),
            Input::Ground(axis) => {
                let mut gravity = self.model.gravity();
                gravity[axis] -= UNIT;
                let falling = self.model.with_gravity(gravity);
                let mut probe = Probe { model: &falling, work: self.work.clone(), ..*self };
                let found = probe.displaced(&Perturbation::new(&falling));
                found.iter().zip(base).map(|(found, base)| (found - base) / UNIT).collect()
            }
            // A torque turns two neighbours against each other, and what it moves is in ẍ.
            Input::Torque(_) | Input::Command(_) | Input::Valve(_) | Input::Stroke(_) => {
                vec![0.0; self.wanted.len()]
            }
        }
    }

    /// The two forces of a push along a force element.
    fn push(&self, element: usize) -> Vec<(BodyIndex, Option<InterfaceRef>, Acting)> {
        let pair = &self.model.closures().forces[element];
        let ends = [(pair.parent, pair.X_parent), (pair.child, pair.X_child)];
        let points = ends.map(|(frame, X)| motion_of(&self.work.bodies, frame).carried(&X).X.p);
        let n = (points[1] - points[0]).normalize();
        let of = |k: usize| {
            let force = if k == 0 { -n } else { n };
            let acting = Acting { p: points[k], force, moment: Vector3::zeros() };
            match ends[k].0 {
                FrameRef::Ground => None,
                FrameRef::Link(body) => Some((body, None, acting)),
                FrameRef::Interface(at) => Some((at.body, Some(at), acting)),
            }
        };
        [of(0), of(1)].into_iter().flatten().collect()
    }

    /// What loads lose to forces on what they carry.
    fn shares(&self, acting: &[(BodyIndex, Option<InterfaceRef>, Acting)]) -> Vec<f64> {
        let share = |(point, c): &(LoadPoint, usize)| -> f64 {
            let X = match *point {
                LoadPoint::Joint(JointRef::Closing(_)) => return 0.0,
                LoadPoint::Joint(JointRef::Carrying(b)) => joint_frame(self.model, &self.work, b),
                LoadPoint::Interface(at) => *self.work.X_WT(at),
            };
            let carried = acting.iter().filter(|(body, on, _)| self.carries(*point, *body, *on));
            -carried.map(|(_, _, acting)| acting.in_frame(&X)[*c]).sum::<f64>()
        };
        self.wanted.iter().map(share).collect()
    }

    /// Whether a load is passed on to a point of a body, on its frame or on an interface.
    fn carries(&self, point: LoadPoint, body: BodyIndex, on: Option<InterfaceRef>) -> bool {
        match point {
            LoadPoint::Joint(JointRef::Closing(_)) => false,
            LoadPoint::Joint(JointRef::Carrying(b)) => self.outboard(b, body),
            LoadPoint::Interface(at) => on == Some(at) || self.carried_by(at, body),
        }
    }

    /// Whether a body hangs on another, or is it.
    fn outboard(&self, of: BodyIndex, body: BodyIndex) -> bool {
        let bodies = self.model.bodies();
        std::iter::successors(Some(body), |b| bodies[*b].parent.map(|at| at.body)).any(|b| b == of)
    }

    /// Whether a body hangs on an interface.
    fn carried_by(&self, at: InterfaceRef, body: BodyIndex) -> bool {
        let bodies = self.model.bodies();
        std::iter::successors(bodies[body].parent, |on| bodies[on.body].parent).any(|on| on == at)
    }
}

/// A force and a moment at a point, in world axes.
struct Acting {
    p: Vector3<f64>,
    force: Vector3<f64>,
    moment: Vector3<f64>,
}

impl Acting {
    fn in_frame(&self, X: &Transform) -> Wrench {
        let moment = self.moment + (self.p - X.p).cross(&self.force);
        pliant_spatial::wrench(X.R.tr_mul(&self.force), X.R.tr_mul(&moment))
    }
}

/// The frame in which the load of a joint is given: on its child; of a sliding joint on its parent.
fn joint_frame(model: &Model, work: &Workspace, b: BodyIndex) -> Transform {
    let body = &model.bodies()[b];
    match (&body.grip, body.parent) {
        (None, _) => *work.X_WL(b) * body.hinge.X_CL.inverse(),
        (Some(_), Some(at)) => *work.X_WT(at) * body.hinge.X_TP,
        (Some(_), None) => body.hinge.X_TP,
    }
}

/// A load as results files have it.
fn measure(model: &Model, work: &Workspace, point: LoadPoint) -> Wrench {
    match point {
        LoadPoint::Joint(JointRef::Carrying(b)) => {
            let body = &model.bodies()[b];
            match body.grip {
                Some(_) => work.hinge_wrench_on_parent(b, &body.hinge.X_TP),
                None => body.hinge.X_CL.return_wrench(work.hinge_wrench(b)),
            }
        }
        LoadPoint::Joint(JointRef::Closing(LoopIndex(j))) => {
            model.closures().joints[j].hinge.X_CL.return_wrench(&work.loop_wrench(LoopIndex(j)))
        }
        LoadPoint::Interface(at) => *work.interface_wrench(at),
    }
}

impl LinearMachine {
    /// Rows of C and D of a load, with the state space `A`, `B` and `back` from modal states to y, and the
    /// input and derivative of each column of B with the forces it puts on the unknowns.
    ///
    /// With `l = w_λ (G⁺)ᵀ` a load is `(w_x + l K) x + (w_v + l C) ẋ + (w_a + l M) ẍ + w_u u − l f`.
    pub(crate) fn load(
        &self,
        load: &LoadRow,
        (A, B, back): (&DMatrix<f64>, &DMatrix<f64>, &DMatrix<f64>),
        (columns, forces): (&[(usize, u32)], &[DVector<f64>]),
    ) -> (RowDVector<f64>, RowDVector<f64>) {
        let n = self.M.nrows();
        let l = &load.by_reactions * &self.reactions;
        let [x, v, a] = &load.by;
        let (mut x, mut v, a) = (x + &l * &self.all.K, v + &l * &self.all.C, a + &l * &self.all.M);
        for servo in &self.servos {
            x[servo.unknown] += l[servo.unknown] * servo.servo.position_gain;
            v[servo.unknown] += l[servo.unknown] * servo.servo.rate_gain;
        }
        for oil in &self.oils {
            x[oil.unknown] += l[oil.unknown] * oil.drive.oil_stiffness();
        }
        let [N, N_rate, N_acceleration] = &self.N;
        // Parts of y, ẏ and ÿ.
        let of_y = &x * N + &v * N_rate + &a * N_acceleration;
        let of_rate = &v * N + (&a * N_rate) * 2.0;
        let acceleration = &a * N * &self.real.shapes;
        let mut c = RowDVector::zeros(A.nrows());
        c.columns_mut(0, n).copy_from(&(of_y * back));
        c.columns_mut(n, n).copy_from(&(of_rate * &self.real.shapes));
        let integrals = self.servos.iter().filter(|servo| servo.servo.integral_gain > 0.0);
        for (k, servo) in integrals.enumerate() {
            c[2 * n + k] -= l[servo.unknown] * servo.servo.integral_gain;
        }
        for (oil, placed) in self.oils.iter().zip(placed(self)) {
            c[placed.start] -= l[oil.unknown] * oil.drive.oil_stiffness().sqrt();
        }
        c += &acceleration * A.rows(n, n);
        let mut d = &acceleration * B.rows(n, n);
        for (k, (input, power)) in columns.iter().enumerate() {
            if let Some(stroke) = self.stroke(*input) {
                d[k] += stroke.of([&x, &v, &a])[*power as usize];
            }
        }
        for (k, ((input, power), on)) in columns.iter().zip(forces).enumerate() {
            d[k] -= (&l * on)[0];
            d[k] += load.by_inputs[*input].get(*power as usize).copied().unwrap_or(0.0);
        }
        (c, d)
    }
}

/// `(G⁺)ᵀ`: δλ of the residual forces on all unknowns, the smallest where constraints repeat themselves.
pub(crate) fn reactions_of(all: &Matrices, constraints: usize) -> DMatrix<f64> {
    let G = all.G[0].rows(0, constraints).into_owned();
    if constraints == 0 || G.ncols() == 0 {
        return DMatrix::zeros(constraints, G.ncols());
    }
    let least = 1e-10 * G.amax();
    G.pseudo_inverse(least)
        .map_or_else(|_| DMatrix::zeros(constraints, all.unknowns.len()), |P| P.transpose())
}
