//! Linear analysis: small vibration about the nominal motion of the rigid machine, with the time-varying matrices of its exact
//! linearisation.

use pliant_mechanism::{Drive, Model, Row};

use crate::assembly::assemble;
use crate::closure::is_closed;
use crate::controller::Controllers;
use crate::energy::stored;
use crate::newton::StepFailure;
use crate::pivoted::RankError;
use crate::residual::residual;
use crate::saddle::Saddle;
use crate::scheme::Parameters;
use crate::state::hinges;
use crate::tangent::{Perturbation, TangentWork, tangent};
use crate::workspace::Coefficients;
use crate::{
    Energy, Nominal, Settings, SimulationError, SolverStatistics, Start, State, Workspace, coordinate_label,
};

/// Corrections of one step; each leaves a part of the order of (step × nominal rate) of the last.
const MAX_ITERATIONS: usize = 30;

/// A correction of this part of the accelerations is the last.
const CONVERGED: f64 = 1e-11;

const MASS: Coefficients = Coefficients { m: 1.0, d: 0.0, k: 0.0 };

/// The machine as its nominal motion and a small perturbation x of all coordinates that are not prescribed.
#[derive(Clone, Debug)]
pub(crate) struct Linear<'m> {
    model: &'m Model,
    scheme: Parameters,
    /// Nominal joints, undeformed links.
    base: State,
    x: Perturbation,
    last: Perturbation,
    /// The machine as it is: nominal motion and perturbation together.
    state: State,
    work: Workspace,
    scratch: TangentWork,
    saddle: Saddle,
    /// Change of the residual by x, or by a unit of one unknown.
    column: Vec<f64>,
    unit: Perturbation,
    /// Rows of the constraints, nominal and change together.
    rows: Vec<Row>,
    /// Corrections that hold positions and rates on the constraints in the step under way.
    shift: Vec<f64>,
    shift_rate: Vec<f64>,
    solution: Vec<f64>,
    forces: Vec<f64>,
    controllers: Controllers,
    energy: Energy,
    statistics: SolverStatistics,
}

impl<'m> Linear<'m> {
    /// Sets up the perturbation at the start: none but what closes loops of strained links, or static equilibrium.
    ///
    /// # Errors
    /// When the loops do not close, constraints are redundant while that is refused, or the matrices are singular.
    pub(crate) fn new(
        model: &'m Model,
        settings: &Settings,
        nominal: &Nominal<'_>,
    ) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        // The flexible machine says what is redundant and whether its loops close.
        assemble(model, &mut State::initial(model, settings.t_start), &mut work)?;
        let (n, unknowns, rows) = (model.velocity_count(), work.unknowns.len(), work.closure.constraints);
        let base = State::initial(model, settings.t_start);
        let x = Perturbation::new(model);
        let mut linear = Self {
            model,
            scheme: settings.scheme.parameters(),
            state: base.clone(),
            base,
            last: x.clone(),
            unit: x.clone(),
            x,
            work,
            scratch: TangentWork::new(model),
            saddle: Saddle::new(unknowns + rows),
            column: vec![0.0; n],
            rows: vec![Row::default(); rows],
            shift: vec![0.0; n],
            shift_rate: vec![0.0; n],
            solution: vec![0.0; unknowns + rows],
            forces: vec![0.0; n],
            controllers: Controllers::new(model, settings.t_start),
            energy: Energy::default(),
            statistics: SolverStatistics::default(),
        };
        linear.begin(nominal, settings.start)?;
        Ok(linear)
    }

    fn begin(&mut self, nominal: &Nominal<'_>, start: Start) -> Result<(), SimulationError> {
        let position = |row: &Row| row.position;
        // Servos may start beside their commands.
        for (_, coordinates, _, at) in hinges(self.model) {
            for (c, j) in coordinates.iter().zip(at).filter(|(c, _)| matches!(c.drive, Drive::Servo(_))) {
                (self.x.q[j], self.x.v[j]) = (c.initial, c.initial_rate);
            }
        }
        if !self.rows.is_empty() {
            // As the assembly does, with the least of strain and displacement.
            self.set_base(nominal);
            self.factor(Coefficients { m: 1.0, d: 0.0, k: 1.0 }, position)?;
            self.evaluate();
            self.project(position);
            self.take(|x, j, dq| x.q[j] += dq);
        }
        let mut holding = None;
        if start == Start::StaticEquilibrium {
            self.rest(nominal)?;
            holding = Some(self.forces.clone());
        }
        self.set_base(nominal);
        if !self.rows.is_empty() {
            self.factor(MASS, |row| row.acceleration)?;
            self.evaluate();
            self.project(|row| row.rate);
            self.take(|x, j, dv| x.v[j] += dv);
        }
        self.compose();
        self.controllers.begin(&self.state, holding.as_deref(), &mut self.work.memory);
        self.accelerate(nominal)
    }

    /// Accelerations and multipliers that satisfy the equations where the machine is.
    fn accelerate(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.set_base(nominal);
        self.factor(MASS, |row| row.acceleration)?;
        self.evaluate();
        self.correct(|row| row.acceleration);
        self.take(|x, j, da| x.a[j] += da);
        self.take_multipliers();
        self.x.a_bar.clone_from(&self.x.a);
        self.compose();
        Ok(())
    }

    /// Takes the nominal motion and evaluates the flexible machine, undeformed, in it.
    fn set_base(&mut self, nominal: &Nominal<'_>) {
        nominal.lend_joints(self.model, &mut self.base);
        let constraints = self.rows.len();
        self.work.closure.multipliers[..constraints]
            .copy_from_slice(&nominal.work().multipliers()[..constraints]);
        self.evaluate_base();
    }

    fn evaluate_base(&mut self) {
        let base = &self.base;
        residual(self.model, base.t, &base.q, &base.v, &base.a, &mut self.work);
        self.scratch.prepare(self.model, (&base.q, &base.v, &base.a));
    }

    /// Coordinates to where they balance gravity, loads and springs at rest. Joints without stiffness stay, but in a machine
    /// with loops or force elements all that are not commanded take part.
    fn rest(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.set_base(nominal);
        self.base.v.fill(0.0);
        self.base.a.fill(0.0);
        self.evaluate_base();
        let everything = self.work.unknowns.clone();
        let closed = !self.model.closures().is_empty();
        let stays = |j: &usize| {
            hinges(self.model).any(|(_, coordinates, _, at)| {
                let own = at.contains(j).then(|| coordinates.get(j - at.start)).flatten();
                own.is_some_and(|c| !c.is_held() && (!closed || c.drive.command().is_some()))
            })
        };
        self.work.unknowns.retain(|j| !stays(j));
        let n = self.work.unknowns.len() + self.rows.len();
        let (saddle, solution) = (Saddle::new(n), vec![0.0; n]);
        let whole =
            (std::mem::replace(&mut self.saddle, saddle), std::mem::replace(&mut self.solution, solution));
        let result = self.factor(Coefficients { m: 0.0, d: 0.0, k: 1.0 }, |row| row.position);
        if result.is_ok() {
            self.evaluate();
            self.correct(|row| row.position);
            self.take(|x, j, dq| x.q[j] += dq);
            self.take_multipliers();
            self.compose();
        }
        self.work.unknowns = everything;
        (self.saddle, self.solution) = whole;
        result
    }

    fn nominal_change(&mut self, unit: bool) {
        let base = (self.base.q.as_slice(), self.base.v.as_slice(), self.base.a.as_slice());
        let change = if unit { &self.unit } else { &self.x };
        tangent(self.model, self.base.t, base, change, (&self.work, &mut self.scratch), &mut self.column);
    }

    /// Residual and rows of nominal motion and perturbation together.
    fn evaluate(&mut self) {
        self.nominal_change(false);
        let changes = self.work.closure.rows.iter().zip(&self.scratch.closure.rows);
        for (sum, (row, change)) in self.rows.iter_mut().zip(changes) {
            sum.position = row.position + change.position;
            sum.rate = row.rate + change.rate;
            sum.acceleration = row.acceleration + change.acceleration;
        }
    }

    /// Factors `[c_m M + c_d C + c_k K, −Gᵀ; ∂level, 0]`.
    fn factor(&mut self, c: Coefficients, level: impl Fn(&Row) -> f64) -> Result<(), SimulationError> {
        let n = self.work.unknowns.len();
        for i in 0..n + self.rows.len() {
            let coordinate = self.work.unknowns.get(i).copied();
            let put = |unit: &mut Perturbation, x: f64| match coordinate {
                Some(j) => (unit.q[j], unit.v[j], unit.a[j]) = (x * c.k, x * c.d, x * c.m),
                None => unit.multipliers[i - n] = x,
            };
            put(&mut self.unit, 1.0);
            self.nominal_change(true);
            put(&mut self.unit, 0.0);
            let column = self.saddle.column(i);
            for (entry, row) in column.iter_mut().zip(&self.work.unknowns) {
                *entry = self.column[*row];
            }
            for (entry, row) in column[n..].iter_mut().zip(&self.scratch.closure.rows) {
                *entry = if i < n { level(row) } else { 0.0 };
            }
        }
        let redundant = self.work.closure.redundant.unwrap_or(0);
        self.saddle.factor(redundant).map_err(|error| self.singular(error))
    }

    fn singular(&self, error: RankError) -> SimulationError {
        let (t, n) = (self.base.t, self.work.unknowns.len());
        let place = |equation: usize| match self.work.unknowns.get(equation) {
            Some(j) => coordinate_label(self.model, *j),
            None => self.model.row_label(equation - n),
        };
        match error {
            RankError::Lost(k) if k < n => SimulationError::Singular { t, place: place(k) },
            RankError::Lost(k) => SimulationError::SingularConfiguration { t, place: place(k) },
            RankError::Awake(k) => SimulationError::RedundancyLost { t, place: place(k) },
        }
    }

    /// Solves for what takes away the residual and a level of the constraints; returns the size of the answer.
    fn correct(&mut self, level: impl Fn(&Row) -> f64) -> f64 {
        let n = self.work.unknowns.len();
        for (s, &j) in self.solution.iter_mut().zip(&self.work.unknowns) {
            *s = -(self.work.r[j] + self.column[j]);
        }
        for (s, row) in self.solution[n..].iter_mut().zip(&self.rows) {
            *s = -level(row);
        }
        self.saddle.solve(&mut self.solution)
    }

    /// Solves for the smallest change that takes away a level of the constraints.
    fn project(&mut self, level: impl Fn(&Row) -> f64) {
        let n = self.work.unknowns.len();
        self.solution[..n].fill(0.0);
        for (s, row) in self.solution[n..].iter_mut().zip(&self.rows) {
            *s = -level(row);
        }
        self.saddle.solve(&mut self.solution);
    }

    fn take(&mut self, take: impl Fn(&mut Perturbation, usize, f64)) {
        for (s, &j) in self.solution.iter().zip(&self.work.unknowns) {
            take(&mut self.x, j, *s);
        }
    }

    /// Adds the multipliers of the solution; of redundant ones the smallest, nominal and change together, remain.
    fn take_multipliers(&mut self) {
        let (n, c) = (self.work.unknowns.len(), &self.work.closure);
        let own = &mut self.x.multipliers;
        for (multiplier, s) in own.iter_mut().zip(&self.solution[n..]) {
            *multiplier += s;
        }
        if c.redundant.unwrap_or(0) > 0 {
            own.iter_mut().zip(&c.multipliers).for_each(|(change, nominal)| *change += nominal);
            let units: Vec<f64> =
                c.angular.iter().map(|angular| if *angular { c.length } else { 1.0 }).collect();
            self.saddle.take_least_norm(&units[..own.len()], own);
            own.iter_mut().zip(&c.multipliers).for_each(|(change, nominal)| *change -= nominal);
        }
    }

    /// A step of length `h` to the time of the nominal motion.
    ///
    /// # Errors
    /// When the equations are singular.
    pub(crate) fn advance(&mut self, nominal: &Nominal<'_>, h: f64) -> Result<(), SimulationError> {
        self.controllers.foretell(h, &self.state, &mut self.work.memory);
        self.set_base(nominal);
        self.last.clone_from(&self.x);
        self.shift.fill(0.0);
        self.shift_rate.fill(0.0);
        let gain = self.scheme.gain();
        let c = Coefficients { m: 1.0, d: self.scheme.gamma * h * gain, k: self.scheme.beta * h * h * gain };
        self.factor(c, |row| row.acceleration)?;
        let iterations = self.iterate(h, c)?;
        self.statistics.steps += 1;
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        self.compose();
        if self.controllers.update(h, &self.state, &mut self.work.memory) {
            self.accelerate(nominal)?;
        }
        Ok(())
    }

    /// Accelerations that hold equilibrium and the constraints' accelerations at the end of the step, and corrections that hold their
    /// positions and rates, as in the nonlinear step. Without constraints one solution is exact.
    fn iterate(&mut self, h: f64, c: Coefficients) -> Result<u64, SimulationError> {
        let mut last_size = f64::INFINITY;
        self.update(h);
        self.evaluate();
        for iteration in 1..=MAX_ITERATIONS {
            if !self.rows.is_empty() {
                self.project(|row| row.position - c.k * row.acceleration);
                for (s, &j) in self.solution.iter().zip(&self.work.unknowns) {
                    self.shift[j] += s;
                }
                self.project(|row| row.rate - c.d * row.acceleration);
                for (s, &j) in self.solution.iter().zip(&self.work.unknowns) {
                    self.shift_rate[j] += s;
                }
            }
            let size = self.correct(|row| row.acceleration);
            self.take(|x, j, da| x.a[j] += da);
            self.take_multipliers();
            self.update(h);
            self.evaluate();
            let whole = self.saddle.size(self.work.unknowns.iter().map(|&j| self.x.a[j]));
            let settled = size <= CONVERGED * whole || size > 0.5 * last_size;
            if !size.is_finite() {
                let coordinate = self.work.unknowns.first().copied().unwrap_or(0);
                return Err(StepFailure::NotFinite { coordinate }.into_error(self.model, self.base.t, h));
            }
            if self.rows.is_empty() || (settled && is_closed(&self.work, &self.rows, h)) {
                return Ok(iteration as u64);
            }
            last_size = size;
        }
        let failure = StepFailure::NotConverged {
            iterations: MAX_ITERATIONS,
            residual: last_size,
            coordinate: self.work.unknowns.first().copied().unwrap_or(0),
        };
        Err(failure.into_error(self.model, self.base.t, h))
    }

    /// Positions and rates that go with the accelerations.
    fn update(&mut self, h: f64) {
        let (beta, gamma) = (self.scheme.beta, self.scheme.gamma);
        let (last, x) = (&self.last, &mut self.x);
        for &j in &self.work.unknowns {
            let before = last.a_bar[j];
            let a_bar = self.scheme.a_bar(last.a[j], before, x.a[j]);
            x.a_bar[j] = a_bar;
            x.v[j] = last.v[j] + h * ((1.0 - gamma) * before + gamma * a_bar) + self.shift_rate[j];
            x.q[j] = last.q[j] + h * (last.v[j] + h * ((0.5 - beta) * before + beta * a_bar)) + self.shift[j];
        }
    }

    /// Nominal motion and perturbation together, with the drive forces and multipliers of the linear equations.
    fn compose(&mut self) {
        self.nominal_change(false);
        let (model, t) = (self.model, self.base.t);
        for ((force, r), change) in self.forces.iter_mut().zip(&self.work.r).zip(&self.column) {
            *force = r + change;
        }
        let closure = &mut self.work.closure;
        for (multiplier, change) in closure.multipliers.iter_mut().zip(&self.scratch.closure.multipliers) {
            *multiplier += change;
        }
        let state = &mut self.state;
        state.t = t;
        state.multipliers.copy_from_slice(&closure.multipliers);
        for (hinge, _, q, v) in hinges(model) {
            hinge.advance(&self.base.q[q.clone()], &self.x.q[v], &mut state.q[q]);
        }
        for body in model.bodies() {
            for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
                state.q[q] = self.x.q[v];
            }
        }
        let sum = |out: &mut [f64], a: &[f64], b: &[f64]| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = a + b;
            }
        };
        sum(&mut state.v, &self.base.v, &self.scratch.dv);
        sum(&mut state.a, &self.base.a, &self.scratch.da);
        residual(model, t, &state.q, &state.v, &state.a, &mut self.work);
        self.work.r.copy_from_slice(&self.forces);
        self.work.closure.multipliers.copy_from_slice(&state.multipliers);
        (self.energy.kinetic, self.energy.strain, self.energy.gravity) =
            stored(model, &self.state, &self.work);
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn work(&self) -> &Workspace {
        &self.work
    }

    pub(crate) fn controllers(&self) -> &Controllers {
        &self.controllers
    }

    pub(crate) fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// Stored energies; works and balance stay zero, because a linear machine does not balance them.
    pub(crate) fn energy(&self) -> &Energy {
        &self.energy
    }
}
