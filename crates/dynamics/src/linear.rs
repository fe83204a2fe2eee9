//! Linear analysis: small vibration about the nominal motion of the rigid machine, with the time-varying matrices of its exact
//! linearisation.

use pliant_mechanism::{Drive, Model};

use crate::energy::stored;
use crate::pivoted::{PivotedLu, Rank};
use crate::residual::residual;
use crate::scheme::Parameters;
use crate::tangent::{TangentWork, tangent};
use crate::workspace::Coefficients;
use crate::{
    Energy, Nominal, Settings, SimulationError, SolverStatistics, Start, State, Workspace, coordinate_label,
};

/// The machine as its nominal motion and a small perturbation x of all coordinates that are not prescribed.
#[derive(Clone, Debug)]
pub(crate) struct Linear<'m> {
    model: &'m Model,
    scheme: Parameters,
    /// Nominal joints, undeformed links.
    base: State,
    /// The perturbation: positions by velocity coordinate, rates, accelerations.
    x: Perturbation,
    next: Perturbation,
    /// The machine as it is: nominal motion and perturbation together.
    state: State,
    work: Workspace,
    scratch: TangentWork,
    lu: PivotedLu,
    column: Vec<f64>,
    unit: Perturbation,
    solution: Vec<f64>,
    forces: Vec<f64>,
    energy: Energy,
    statistics: SolverStatistics,
}

#[derive(Clone, Debug)]
struct Perturbation {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    a_bar: Vec<f64>,
}

impl Perturbation {
    fn new(n: usize) -> Self {
        Self { q: vec![0.0; n], v: vec![0.0; n], a: vec![0.0; n], a_bar: vec![0.0; n] }
    }

    fn parts(&self) -> (&[f64], &[f64], &[f64]) {
        (&self.q, &self.v, &self.a)
    }
}

impl<'m> Linear<'m> {
    /// Sets up the perturbation at the start: none, or in static equilibrium.
    ///
    /// # Errors
    /// When the machine has what this analysis does not cover, or its matrices are singular.
    pub(crate) fn new(
        model: &'m Model,
        settings: &Settings,
        nominal: &Nominal<'_>,
    ) -> Result<Self, SimulationError> {
        check_linear(model)?;
        let work = Workspace::new(model);
        let (n, unknowns) = (model.velocity_count(), work.unknowns.len());
        let base = State::initial(model, settings.t_start);
        let mut linear = Self {
            model,
            scheme: settings.scheme.parameters(),
            state: base.clone(),
            base,
            x: Perturbation::new(n),
            next: Perturbation::new(n),
            work,
            scratch: TangentWork::new(model),
            lu: PivotedLu::new(unknowns),
            column: vec![0.0; n],
            unit: Perturbation::new(n),
            solution: vec![0.0; unknowns],
            forces: vec![0.0; n],
            energy: Energy::default(),
            statistics: SolverStatistics::default(),
        };
        linear.set_base(nominal);
        if settings.start == Start::StaticEquilibrium {
            linear.rest()?;
        }
        linear.solve(Coefficients { m: 1.0, d: 0.0, k: 0.0 }, |x, j, da| x.a[j] += da)?;
        linear.x.a_bar.clone_from(&linear.x.a);
        linear.next = linear.x.clone();
        linear.compose();
        Ok(linear)
    }

    /// Takes the nominal motion and evaluates the flexible machine, undeformed, in it.
    fn set_base(&mut self, nominal: &Nominal<'_>) {
        let rigid = nominal.state();
        self.base.t = rigid.t;
        for (body, other) in self.model.bodies().iter().zip(nominal.model().bodies()) {
            // The rigid machine has no bearings, so its hinge coordinates are those of the joint.
            let (q, v) = (other.hinge_positions(), other.hinge_velocities());
            let (to_q, to_v) = (body.hinge_positions().start, body.hinge_velocities().start);
            self.base.q[to_q..to_q + q.len()].copy_from_slice(&rigid.q[q]);
            self.base.v[to_v..to_v + v.len()].copy_from_slice(&rigid.v[v.clone()]);
            self.base.a[to_v..to_v + v.len()].copy_from_slice(&rigid.a[v]);
        }
        let base = &self.base;
        residual(self.model, base.t, &base.q, &base.v, &base.a, &mut self.work);
    }

    /// Elastic and held coordinates to where they balance the nominal forces; joints without stiffness stay.
    fn rest(&mut self) -> Result<(), SimulationError> {
        let everything = self.work.unknowns.clone();
        let model = self.model;
        let held = |j: &usize| {
            model.bodies().iter().all(|body| {
                let at = body.hinge_velocities();
                !at.contains(j) || body.coordinates.get(j - at.start).is_none_or(|c| c.is_held())
            })
        };
        self.work.unknowns.retain(held);
        self.lu = PivotedLu::new(self.work.unknowns.len());
        let result = self.solve(Coefficients { m: 0.0, d: 0.0, k: 1.0 }, |x, j, dq| x.q[j] += dq);
        self.work.unknowns = everything;
        self.lu = PivotedLu::new(self.work.unknowns.len());
        result
    }

    /// Solves `(c_m M + c_d C + c_k K) Δ = −(r₀ + M ẍ + C ẋ + K x)` and hands each Δ to `take`.
    fn solve(
        &mut self,
        c: Coefficients,
        take: impl Fn(&mut Perturbation, usize, f64),
    ) -> Result<(), SimulationError> {
        let (model, t) = (self.model, self.base.t);
        let nominal = (self.base.q.as_slice(), self.base.v.as_slice(), self.base.a.as_slice());
        let n = self.work.unknowns.len();
        tangent(model, t, nominal, self.x.parts(), (&self.work, &mut self.scratch), &mut self.column);
        for (s, &j) in self.solution.iter_mut().zip(&self.work.unknowns) {
            *s = -(self.work.r[j] + self.column[j]);
        }
        for (i, &j) in self.work.unknowns.iter().enumerate() {
            (self.unit.q[j], self.unit.v[j], self.unit.a[j]) = (c.k, c.d, c.m);
            tangent(model, t, nominal, self.unit.parts(), (&self.work, &mut self.scratch), &mut self.column);
            (self.unit.q[j], self.unit.v[j], self.unit.a[j]) = (0.0, 0.0, 0.0);
            for (k, &row) in self.work.unknowns.iter().enumerate() {
                self.lu.matrix()[i * n + k] = self.column[row];
            }
        }
        if self.lu.factor(Rank::Leave(0)).is_err() {
            let equation = self.lu.left_over().first().copied().unwrap_or(0);
            let place = coordinate_label(model, self.work.unknowns[equation]);
            return Err(SimulationError::Singular { t, place });
        }
        self.lu.solve(&mut self.solution[..n]);
        for (s, &j) in self.solution.iter().zip(&self.work.unknowns) {
            take(&mut self.x, j, *s);
        }
        Ok(())
    }

    /// A step of length `h` to the time of the nominal motion.
    ///
    /// # Errors
    /// When the equations are singular.
    pub(crate) fn advance(&mut self, nominal: &Nominal<'_>, h: f64) -> Result<(), SimulationError> {
        self.set_base(nominal);
        let scheme = self.scheme;
        let update = |last: &Perturbation, next: &mut Perturbation, j: usize| {
            let a_bar = scheme.a_bar(last.a[j], last.a_bar[j], next.a[j]);
            let before = last.a_bar[j];
            next.a_bar[j] = a_bar;
            next.v[j] = last.v[j] + h * ((1.0 - scheme.gamma) * before + scheme.gamma * a_bar);
            next.q[j] =
                last.q[j] + h * (last.v[j] + h * ((0.5 - scheme.beta) * before + scheme.beta * a_bar));
        };
        std::mem::swap(&mut self.x, &mut self.next);
        // `next` now holds the last step, `x` is being made: first with the accelerations of the last step.
        for &j in &self.work.unknowns {
            self.x.a[j] = self.next.a[j];
            update(&self.next, &mut self.x, j);
        }
        let gain = scheme.gain();
        let c = Coefficients { m: 1.0, d: scheme.gamma * h * gain, k: scheme.beta * h * h * gain };
        self.solve(c, |x, j, da| x.a[j] += da)?;
        for &j in &self.work.unknowns {
            update(&self.next, &mut self.x, j);
        }
        let last = &mut self.next;
        last.q.copy_from_slice(&self.x.q);
        last.v.copy_from_slice(&self.x.v);
        last.a.copy_from_slice(&self.x.a);
        last.a_bar.copy_from_slice(&self.x.a_bar);
        self.statistics.steps += 1;
        self.statistics.iterations += 1;
        self.statistics.worst_iterations = 1;
        self.compose();
        Ok(())
    }

    /// Nominal motion and perturbation together, with the drive forces of the linear equations.
    fn compose(&mut self) {
        let model = self.model;
        let nominal = (self.base.q.as_slice(), self.base.v.as_slice(), self.base.a.as_slice());
        let t = self.base.t;
        tangent(model, t, nominal, self.x.parts(), (&self.work, &mut self.scratch), &mut self.column);
        for ((force, r), change) in self.forces.iter_mut().zip(&self.work.r).zip(&self.column) {
            *force = r + change;
        }
        self.state.t = t;
        for body in model.bodies() {
            let (q, v) = (body.hinge_positions(), body.hinge_velocities());
            body.hinge.advance(&self.base.q[q.clone()], &self.x.q[v], &mut self.state.q[q]);
            for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
                self.state.q[q] = self.x.q[v];
            }
        }
        let sum = |out: &mut [f64], a: &[f64], b: &[f64]| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = a + b;
            }
        };
        sum(&mut self.state.v, &self.base.v, &self.x.v);
        sum(&mut self.state.a, &self.base.a, &self.x.a);
        residual(model, t, &self.state.q, &self.state.v, &self.state.a, &mut self.work);
        self.work.r.copy_from_slice(&self.forces);
        (self.energy.kinetic, self.energy.strain, self.energy.gravity) =
            stored(model, &self.state, &self.work);
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn work(&self) -> &Workspace {
        &self.work
    }

    pub(crate) fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// Stored energies; works and balance stay zero, because a linear machine does not balance them.
    pub(crate) fn energy(&self) -> &Energy {
        &self.energy
    }
}

/// Whether the linear analysis covers a machine.
///
/// # Errors
/// What it does not cover.
pub fn check_linear(model: &Model) -> Result<(), SimulationError> {
    let wrong = |message: String| Err(SimulationError::Setting { setting: "analysis.kind", message });
    if !model.closures().is_empty() {
        return wrong("`linear` does not cover closed loops and force elements; use `nonlinear`".into());
    }
    for body in model.bodies() {
        let joint = &body.hinge.joint;
        let unknown = body.coordinates.iter().any(|c| c.motion().is_none());
        if body.coordinates.iter().any(|c| matches!(&c.drive, Drive::Servo(servo) if servo.has_memory())) {
            let name = &body.joint_name;
            return wrong(format!("`linear` takes a servo without integral and sampling at joint `{name}`"));
        }
        if unknown && !joint.has_constant_subspace() {
            let (name, kind) = (&body.joint_name, joint.kind());
            return wrong(format!(
                "`linear` needs a prescribed motion at joint `{name}` ({kind}); use `nonlinear`"
            ));
        }
    }
    Ok(())
}
