//! Linear analysis: small vibration about the nominal motion of the rigid machine, with the time-varying
//! matrices of its exact linearisation.

use pliant_mechanism::{Drive, Model, Row};

use crate::closures::closure::is_closed;
use crate::integration::controller::Controllers;
use crate::integration::initial::taking_part;
use crate::integration::scheme::Parameters;
use crate::kinematics::energy::{Ports, measure, stored};
use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::kinematics::workspace::Coefficients;
use crate::linear::perturbation::Perturbation;
use crate::linear::system::LinearSystem;
use crate::recursion::newton::StepFailure;
use crate::{Energy, Nominal, Settings, SimulationError, SolverStatistics, Start, State, Workspace};

/// Corrections of one step; each leaves a part of the order of (step × nominal rate) of the last.
const MAX_ITERATIONS: usize = 30;

/// A correction of this part of the accelerations is the last.
const CONVERGED: f64 = 1e-11;

/// Corrections that no longer fall, but are below this part of the accelerations, are rounding.
const ROUNDING: f64 = 1e-8;

const MASS: Coefficients = Coefficients { m: 1.0, d: 0.0, k: 0.0 };

/// The machine as its nominal motion and a small perturbation x of all coordinates that are not prescribed.
#[derive(Debug)]
pub(crate) struct Linear<'m> {
    model: &'m Model,
    scheme: Parameters,
    system: LinearSystem<'m>,
    last: Perturbation,
    /// The machine as it is: nominal motion and perturbation together.
    state: State,
    /// Corrections that hold positions and rates on the constraints in the step under way.
    shift: Vec<f64>,
    shift_rate: Vec<f64>,
    forces: Vec<f64>,
    controllers: Controllers,
    energy: Energy,
    /// What does work in the state, and room for the next one's.
    ports: [Ports; 2],
    initial_energy: f64,
    statistics: SolverStatistics,
}

impl<'m> Linear<'m> {
    /// Sets up the perturbation at the start: none but what closes loops of strained links, or static
    /// equilibrium.
    ///
    /// # Errors
    /// When the loops do not close, constraints are redundant while that is refused, or the matrices are
    /// singular.
    pub(crate) fn new(
        model: &'m Model,
        settings: &Settings,
        nominal: &Nominal<'_>,
    ) -> Result<Self, SimulationError> {
        let system = LinearSystem::new(model, settings.t_start)?;
        let zeros = || vec![0.0; model.velocity_count()];
        let mut linear = Self {
            model,
            scheme: settings.scheme.parameters(),
            state: system.base.clone(),
            last: system.x.clone(),
            system,
            shift: zeros(),
            shift_rate: zeros(),
            forces: zeros(),
            controllers: Controllers::new(model, settings.t_start, true),
            energy: Energy::default(),
            ports: Default::default(),
            initial_energy: 0.0,
            statistics: SolverStatistics::default(),
        };
        linear.begin(nominal, settings)?;
        measure(model, &linear.state, &mut linear.system.work, &mut linear.ports[0]);
        let (kinetic, strain, gravity) = stored(model, &linear.state, &linear.system.work);
        linear.initial_energy = kinetic + strain + gravity;
        linear.energy.store((kinetic, strain, gravity), linear.initial_energy);
        Ok(linear)
    }

    fn begin(&mut self, nominal: &Nominal<'_>, settings: &Settings) -> Result<(), SimulationError> {
        let position = |row: &Row| row.position;
        // Servos may start beside their commands.
        for (_, coordinates, _, at) in hinges(self.model) {
            for (c, j) in coordinates
                .iter()
                .zip(at)
                .filter(|(c, _)| matches!(c.drive, Drive::Servo(_) | Drive::Hydraulic(_)))
            {
                (self.system.x.q[j], self.system.x.v[j]) = (c.initial, c.initial_rate);
            }
        }
        if !self.system.rows.is_empty() {
            // As the assembly does, with the least of strain and displacement.
            self.system.set_base(nominal);
            self.system.factor(Coefficients { m: 1.0, d: 0.0, k: 1.0 }, position)?;
            self.system.evaluate();
            self.system.project(position);
            self.system.take(|x, j, dq| x.q[j] += dq);
        }
        let mut holding = None;
        if settings.start != Start::Undeformed {
            self.rest(nominal, settings)?;
            holding = Some(self.forces.clone());
        }
        self.system.set_base(nominal);
        if !self.system.rows.is_empty() {
            self.system.factor(MASS, |row| row.acceleration)?;
            self.system.evaluate();
            self.system.project(|row| row.rate);
            self.system.take(|x, j, dv| x.v[j] += dv);
        }
        self.compose();
        self.controllers.begin(&self.state, holding.as_deref(), &mut self.system.work.memory)?;
        self.accelerate(nominal)
    }

    /// Accelerations and multipliers that satisfy the equations where the machine is.
    fn accelerate(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.system.set_base(nominal);
        self.system.factor(MASS, |row| row.acceleration)?;
        self.system.evaluate();
        self.system.correct(|row| row.acceleration);
        self.system.take(|x, j, da| x.a[j] += da);
        self.system.take_multipliers();
        self.system.x.a_bar.clone_from(&self.system.x.a);
        self.compose();
        Ok(())
    }

    /// Crosses an event: accelerations are those of the nominal motion and the forces behind it.
    ///
    /// # Errors
    /// When the equations are singular.
    pub(crate) fn cross(&mut self, nominal: &Nominal<'_>, t: f64) -> Result<(), SimulationError> {
        self.resume(nominal)?;
        self.controllers.resume(&self.state);
        self.state.t = t;
        Ok(())
    }

    /// A force has jumped: the next step begins with the accelerations after it.
    fn resume(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.accelerate(nominal)?;
        measure(self.model, &self.state, &mut self.system.work, &mut self.ports[0]);
        Ok(())
    }

    /// Coordinates to where the start balances gravity, loads and springs, at rest or in a steady motion.
    fn rest(&mut self, nominal: &Nominal<'_>, settings: &Settings) -> Result<(), SimulationError> {
        let takes_part = taking_part(self.model, settings)?;
        self.system.set_base(nominal);
        if settings.start == Start::StaticEquilibrium {
            self.system.base.v.fill(0.0);
            self.system.base.a.fill(0.0);
            self.system.evaluate_base();
        }
        let everything = self.system.work.unknowns.clone();
        let stays = |j: &usize| {
            hinges(self.model).any(|(_, coordinates, _, at)| {
                let own = at.contains(j).then(|| coordinates.get(j - at.start)).flatten();
                own.is_some_and(|c| !takes_part(c))
            })
        };
        self.system.work.unknowns.retain(|j| !stays(j));
        self.system.resize();
        let result = self.system.factor(Coefficients { m: 0.0, d: 0.0, k: 1.0 }, |row| row.position);
        if result.is_ok() {
            self.system.evaluate();
            self.system.correct(|row| row.position);
            self.system.take(|x, j, dq| x.q[j] += dq);
            self.system.take_multipliers();
            self.compose();
        }
        self.system.work.unknowns = everything;
        self.system.resize();
        result
    }

    /// A step of length `h` to the time of the nominal motion.
    ///
    /// # Errors
    /// When the equations are singular.
    pub(crate) fn advance(&mut self, nominal: &Nominal<'_>, h: f64) -> Result<(), SimulationError> {
        self.controllers.foretell(h, &self.state, &mut self.system.work.memory);
        self.system.set_base(nominal);
        self.last.clone_from(&self.system.x);
        self.shift.fill(0.0);
        self.shift_rate.fill(0.0);
        let gain = self.scheme.gain();
        let c = Coefficients { m: 1.0, d: self.scheme.gamma * h * gain, k: self.scheme.beta * h * h * gain };
        let iterations = self.iterate(h, c)?;
        self.system.count(iterations as usize);
        self.statistics.steps += 1;
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        self.compose();
        self.account(h);
        if self.controllers.update(h, &self.state, &mut self.system.work.memory)? {
            self.resume(nominal)?;
        }
        Ok(())
    }

    /// Energies of the machine as it is, nominal motion and perturbation together, and the works of what the
    /// linear equations say of its drives, loads and dampers in a step of length `h`.
    fn account(&mut self, h: f64) {
        let [before, now] = &mut self.ports;
        measure(self.model, &self.state, &mut self.system.work, now);
        self.energy.add(&before.works(now, h));
        self.ports.swap(0, 1);
        self.energy.store(stored(self.model, &self.state, &self.system.work), self.initial_energy);
    }

    /// Accelerations that hold equilibrium and the constraints' accelerations at the end of the step, and
    /// corrections that hold their positions and rates, as in the nonlinear step. The factor may be that of
    /// an earlier step as long as the corrections fall; without constraints one solution with the step's own
    /// is exact.
    fn iterate(&mut self, h: f64, c: Coefficients) -> Result<u64, SimulationError> {
        let mut own = !self.system.serves(c);
        if own {
            self.system.factor(c, |row| row.acceleration)?;
        }
        let (mut last_size, mut left, mut iterations) = (f64::INFINITY, MAX_ITERATIONS, 0);
        self.update(h);
        self.system.evaluate();
        while left > 0 {
            (left, iterations) = (left - 1, iterations + 1);
            if !self.system.rows.is_empty() {
                self.system.project(|row| row.position - c.k * row.acceleration);
                for (s, &j) in self.system.solution.iter().zip(&self.system.work.unknowns) {
                    self.shift[j] += s;
                }
                self.system.project(|row| row.rate - c.d * row.acceleration);
                for (s, &j) in self.system.solution.iter().zip(&self.system.work.unknowns) {
                    self.shift_rate[j] += s;
                }
            }
            let size = self.system.correct(|row| row.acceleration);
            self.system.take(|x, j, da| x.a[j] += da);
            self.system.take_multipliers();
            self.update(h);
            self.system.evaluate();
            let total =
                self.system.saddle.size(self.system.work.unknowns.iter().map(|&j| self.system.x.a[j]));
            let stalled = size > 0.5 * last_size;
            let settled = size <= CONVERGED * total || (stalled && (own || size <= ROUNDING * total));
            if !size.is_finite() {
                let coordinate = self.system.work.unknowns.first().copied().unwrap_or(0);
                return Err(StepFailure::NotFinite { coordinate }.into_error(
                    self.model,
                    self.system.base.t,
                    h,
                ));
            }
            let exact = own && self.system.rows.is_empty();
            if exact || (settled && is_closed(&self.system.work, &self.system.rows, h)) {
                return Ok(iterations);
            }
            last_size = size;
            // The factor of an earlier step does not pull, or too slowly.
            if !own && (stalled || left == 0) {
                self.system.factor(c, |row| row.acceleration)?;
                self.system.evaluate();
                (own, last_size, left) = (true, f64::INFINITY, MAX_ITERATIONS);
            }
        }
        let failure = StepFailure::NotConverged {
            iterations: MAX_ITERATIONS,
            residual: last_size,
            coordinate: self.system.work.unknowns.first().copied().unwrap_or(0),
        };
        Err(failure.into_error(self.model, self.system.base.t, h))
    }

    /// Positions and rates that go with the accelerations.
    fn update(&mut self, h: f64) {
        let (beta, gamma) = (self.scheme.beta, self.scheme.gamma);
        let (last, x) = (&self.last, &mut self.system.x);
        for &j in &self.system.work.unknowns {
            let before = last.a_bar[j];
            let a_bar = self.scheme.a_bar(last.a[j], before, x.a[j]);
            x.a_bar[j] = a_bar;
            x.v[j] = last.v[j] + h * ((1.0 - gamma) * before + gamma * a_bar) + self.shift_rate[j];
            x.q[j] = last.q[j] + h * (last.v[j] + h * ((0.5 - beta) * before + beta * a_bar)) + self.shift[j];
        }
    }

    /// Nominal motion and perturbation together, with the drive forces and multipliers of the linear
    /// equations.
    fn compose(&mut self) {
        self.system.nominal_change(false);
        let (model, t) = (self.model, self.system.base.t);
        for ((force, r), change) in self.forces.iter_mut().zip(&self.system.work.r).zip(&self.system.column) {
            *force = r + change;
        }
        let closure = &mut self.system.work.closure;
        for (multiplier, change) in
            closure.multipliers.iter_mut().zip(&self.system.scratch.closure.multipliers)
        {
            *multiplier += change;
        }
        let state = &mut self.state;
        state.t = t;
        state.multipliers.copy_from_slice(&closure.multipliers);
        for (hinge, _, q, v) in hinges(model) {
            hinge.advance(&self.system.base.q[q.clone()], &self.system.x.q[v], &mut state.q[q]);
        }
        for body in model.bodies() {
            for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
                state.q[q] = self.system.x.q[v];
            }
        }
        let sum = |out: &mut [f64], a: &[f64], b: &[f64]| {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = a + b;
            }
        };
        sum(&mut state.v, &self.system.base.v, &self.system.scratch.dv);
        sum(&mut state.a, &self.system.base.a, &self.system.scratch.da);
        residual(model, t, &state.q, &state.v, &state.a, &mut self.system.work);
        self.system.work.r.copy_from_slice(&self.forces);
        self.system.work.closure.multipliers.copy_from_slice(&state.multipliers);
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn work(&self) -> &Workspace {
        &self.system.work
    }

    pub(crate) fn controllers(&self) -> &Controllers {
        &self.controllers
    }

    pub(crate) fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// Energies and works. The balance is what the linear equations leave out, of second order in the
    /// perturbation.
    pub(crate) fn energy(&self) -> &Energy {
        &self.energy
    }
}

#[cfg(test)]
mod tests {
    use pliant_mechanism::joint::Spherical;

    use super::*;
    use crate::StepControl;
    use crate::recursion::articulated::tests::Kinematics;
    use crate::recursion::tangent::tests::tree;

    /// A tree that falls and turns through large angles: the factor of an earlier step, or each step its own.
    #[test]
    fn steps_do_not_depend_on_whose_factor_serves() {
        let model = tree(Kinematics::Second, Box::new(Spherical), false).build().unwrap();
        let rigid = model.nominal();
        let (h, steps) = (1e-2, 60_u32);
        let settings = Settings { t_end: 1.0, step: StepControl::Fixed { step: h }, ..Settings::default() };
        let mut nominal = Nominal::new(&rigid, &settings).unwrap();
        let new = || Linear::new(&model, &settings, &nominal).unwrap();
        let (mut kept, mut own) = (new(), new());
        for k in 1..=steps {
            let t = h * f64::from(k);
            nominal.advance_to(t, h).unwrap();
            nominal.evaluate(t);
            kept.advance(&nominal, h).unwrap();
            own.system.resize();
            own.advance(&nominal, h).unwrap();
        }
        assert_eq!(own.statistics.iterations, u64::from(steps));
        assert!(kept.statistics.iterations > 2 * own.statistics.iterations, "no factor was kept");
        let size = own.state.q.iter().fold(0.0f64, |a, x| a.max(x.abs()));
        for (kept, own) in kept.state.q.iter().zip(&own.state.q) {
            assert!((kept - own).abs() < 1e-9 * size, "{kept} for {own}");
        }
    }
}
