//! A run in progress: state, workspace, energy, step control.

use pliant_mechanism::Model;

use crate::closures::assembly::assemble;
use crate::integration::controller::Controllers;
use crate::integration::initial::{Goal, balanced_start, consistent_accelerations};
use crate::integration::scheme::Parameters;
use crate::kinematics::energy::{Ports, measure, stored};
use crate::recursion::newton::step;
use crate::{
    Energy, NewtonSettings, NominalKind, Scheme, SimulationError, Start, State, StepControl, Workspace,
    coordinate_label,
};

/// How a run is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Scheme.
    pub scheme: Scheme,
    /// Equilibrium iteration.
    pub newton: NewtonSettings,
    /// Where it starts.
    pub start: Start,
    /// What the tip is compared with.
    pub nominal: NominalKind,
    /// Time of the start (s).
    pub t_start: f64,
    /// Time of the end (s).
    pub t_end: f64,
    /// Step.
    pub step: StepControl,
    /// Time between outputs (s); with a fixed step it is rounded to an integer of steps.
    pub output_interval: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scheme: Scheme::Newmark,
            newton: NewtonSettings::default(),
            start: Start::Undeformed,
            nominal: NominalKind::Rigid,
            t_start: 0.0,
            t_end: 1.0,
            step: StepControl::Fixed { step: 1e-3 },
            output_interval: 1e-3,
        }
    }
}

/// Counters of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStatistics {
    /// Steps taken.
    pub steps: u64,
    /// Equilibrium iterations.
    pub iterations: u64,
    /// Steps that had to be halved.
    pub cuts: u64,
    /// Steps refused by the error control.
    pub rejected: u64,
    /// Most iterations of one step.
    pub worst_iterations: u64,
}

/// A run in progress.
#[derive(Debug)]
pub struct Simulation<'m> {
    model: &'m Model,
    newton: NewtonSettings,
    scheme: Parameters,
    state: State,
    next: State,
    work: Workspace,
    /// What does work in the state, and room for the next one's.
    ports: [Ports; 2],
    energy: Energy,
    initial_energy: f64,
    statistics: SolverStatistics,
    /// Coordinate with the largest part in the last error.
    worst: usize,
    controllers: Controllers,
}

impl<'m> Simulation<'m> {
    /// Sets up the start: undeformed or in static equilibrium, with accelerations that satisfy the equations.
    ///
    /// # Errors
    /// When a setting makes no sense, the mass or stiffness is singular, or there is no equilibrium.
    pub fn new(model: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let wrong = |setting, message: String| Err(SimulationError::Setting { setting, message });
        if !settings.scheme.is_valid() {
            return wrong("scheme", format!("{:?} is outside its stable range", settings.scheme));
        }
        if !settings.t_start.is_finite() {
            return wrong("t_start", "is not finite".into());
        }
        let mut work = Workspace::new(model);
        let mut state = State::initial(model, settings.t_start);
        assemble(model, &mut state, &mut work)?;
        let mut controllers = Controllers::new(model, settings.t_start, false);
        let mut holding = None;
        if settings.start != Start::Undeformed {
            balanced_start(model, settings, Goal::Stable, &mut state, &mut work)?;
            holding = Some(work.r.clone());
        }
        controllers.begin(&state, holding.as_deref(), &mut work.memory)?;
        consistent_accelerations(model, &mut state, &mut work)?;
        let mut ports = Ports::default();
        measure(model, &state, &mut work, &mut ports);
        let (kinetic, strain, gravity) = stored(model, &state, &work);
        Ok(Self {
            model,
            newton: settings.newton,
            scheme: settings.scheme.parameters(),
            next: state.clone(),
            state,
            work,
            ports: [ports.clone(), ports],
            energy: Energy { kinetic, strain, gravity, ..Energy::default() },
            initial_energy: kinetic + strain + gravity,
            statistics: SolverStatistics::default(),
            worst: 0,
            controllers,
        })
    }

    /// Puts the run at other positions and velocities at the same time, with accelerations that satisfy the
    /// equations there: a start that is neither undeformed nor at rest.
    ///
    /// # Errors
    /// When the mass is singular there.
    pub fn set_motion(&mut self, q: &[f64], v: &[f64]) -> Result<(), SimulationError> {
        self.state.q.copy_from_slice(q);
        self.state.v.copy_from_slice(v);
        self.state.prescribe(self.model, self.state.t);
        consistent_accelerations(self.model, &mut self.state, &mut self.work)?;
        measure(self.model, &self.state, &mut self.work, &mut self.ports[0]);
        let (kinetic, strain, gravity) = stored(self.model, &self.state, &self.work);
        self.initial_energy = kinetic + strain + gravity;
        self.energy = Energy { kinetic, strain, gravity, ..Energy::default() };
        Ok(())
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Poses, twists and wrenches of the state.
    pub fn work(&self) -> &Workspace {
        &self.work
    }

    /// Counters.
    pub fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }

    /// Energies of the state; the stored ones are evaluated here, the works were summed on the way.
    pub fn energy(&mut self) -> &Energy {
        self.energy.store(stored(self.model, &self.state, &self.work), self.initial_energy);
        &self.energy
    }

    /// Takes one step of length `h`, in halves of halves where it does not converge.
    ///
    /// # Errors
    /// When it does not converge even after the allowed number of cuts.
    pub fn advance(&mut self, h: f64) -> Result<(), SimulationError> {
        self.advance_to(self.state.t + h, h)
    }

    /// The same, with the time it ends at given: over many equal steps times do not drift by rounding.
    pub(crate) fn advance_to(&mut self, t: f64, h: f64) -> Result<(), SimulationError> {
        self.advance_in_parts(t, h, 0)
    }

    fn advance_in_parts(&mut self, t: f64, h: f64, depth: u32) -> Result<(), SimulationError> {
        self.controllers.foretell(h, &self.state, &mut self.work.memory);
        let (model, work) = (self.model, &mut self.work);
        match step(model, &self.newton, &self.scheme, (t, h), &self.state, &mut self.next, work) {
            Ok(iterations) => self.accept(h, iterations as u64),
            Err(failure) if depth >= self.newton.max_cuts => {
                Err(singular_loop(model, &self.work, t).unwrap_or_else(|| failure.into_error(model, t, h)))
            }
            Err(_) => {
                self.statistics.cuts += 1;
                self.advance_in_parts(self.state.t + 0.5 * h, 0.5 * h, depth + 1)?;
                self.advance_in_parts(t, 0.5 * h, depth + 1)
            }
        }
    }

    /// The drives of the machine that have memory.
    pub(crate) fn controllers(&self) -> &Controllers {
        &self.controllers
    }

    fn accept(&mut self, h: f64, iterations: u64) -> Result<(), SimulationError> {
        std::mem::swap(&mut self.state, &mut self.next);
        self.statistics.steps += 1;
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        let [before, now] = &mut self.ports;
        measure(self.model, &self.state, &mut self.work, now);
        self.energy.add(&before.works(now, h));
        self.ports.swap(0, 1);
        if self.controllers.update(h, &self.state, &mut self.work.memory)? {
            self.resume()?;
        }
        Ok(())
    }

    /// A force has jumped: the next step begins with the accelerations after it.
    fn resume(&mut self) -> Result<(), SimulationError> {
        consistent_accelerations(self.model, &mut self.state, &mut self.work)?;
        measure(self.model, &self.state, &mut self.work, &mut self.ports[0]);
        Ok(())
    }

    /// Crosses an event at the state's time: forces and prescribed accelerations are those of `after`, the
    /// time is that of the stop.
    ///
    /// # Errors
    /// When the mass is singular.
    pub(crate) fn cross(&mut self, after: f64, t: f64) -> Result<(), SimulationError> {
        self.state.prescribe(self.model, after);
        self.controllers.resume(&self.state);
        self.resume()?;
        self.state.t = t;
        // What was before the event says nothing about what comes.
        self.next.t = t;
        Ok(())
    }

    /// The coordinate with the largest part in the error of the last step tried under error control, in
    /// words.
    pub(crate) fn worst_of_error(&self) -> String {
        coordinate_label(self.model, self.worst)
    }

    /// Tries one step of length `h` that ends at `t` under error control: the part `|β − 1/6| h² |ā_{n+1} −
    /// ā_n|` of the displacement that the scheme cannot resolve (Zienkiewicz and Xie 1991), in the norm of
    /// the mass, must stay below `tolerance` (s) times the largest velocity seen; velocities have a size
    /// where positions, such as quaternions, have none. Returns the ratio of error to tolerance; above 1 the
    /// step was refused and the state is as before.
    ///
    /// # Errors
    /// When the step does not converge.
    pub(crate) fn try_advance(
        &mut self,
        (t, h): (f64, f64),
        tolerance: f64,
        largest: &mut f64,
    ) -> Result<f64, SimulationError> {
        self.controllers.foretell(h, &self.state, &mut self.work.memory);
        let (model, work) = (self.model, &mut self.work);
        let iterations = step(model, &self.newton, &self.scheme, (t, h), &self.state, &mut self.next, work)
            .map_err(|failure| failure.into_error(model, t, h))?;
        let factor = (self.scheme.beta - 1.0 / 6.0).abs() * h * h;
        let (mut error, mut speed, mut largest_part) = (0.0f64, 0.0f64, 0.0f64);
        for &j in &self.work.unknowns {
            let weight = self.work.diagonal[j];
            let e = factor * (self.next.a_bar[j] - self.state.a_bar[j]);
            error += weight * e * e;
            if weight * e * e > largest_part {
                (largest_part, self.worst) = (weight * e * e, j);
            }
            speed += weight * self.next.v[j] * self.next.v[j];
        }
        *largest = largest.max(speed.sqrt());
        let ratio = if *largest > 0.0 { error.sqrt() / (tolerance * *largest) } else { 0.0 };
        if ratio <= 1.0 {
            self.accept(h, iterations as u64)?;
        } else {
            self.statistics.rejected += 1;
        }
        Ok(ratio)
    }
}

/// Compliances are squares: at this part of what it was at best, a constraint is a thirtieth of what it
/// should be.
const NEARLY_SINGULAR: f64 = 1e-3;

/// The error of a step that fails where the constraints are about to lose their rank.
fn singular_loop(model: &Model, work: &Workspace, t: f64) -> Option<SimulationError> {
    let (ratio, at) = work.closure.lu.weakest()?;
    let row = work.closure.equation[at];
    let nearly = ratio < NEARLY_SINGULAR * work.closure.healthy && row < work.closure.constraints;
    nearly.then(|| SimulationError::SingularConfiguration { t, subject: model.closures().label(row) })
}
