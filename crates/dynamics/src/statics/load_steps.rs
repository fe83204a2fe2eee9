//! Static analysis: equilibrium at each time, which is the parameter of a load continuation.

use pliant_mechanism::Model;

use crate::closures::assembly::assemble;
use crate::integration::initial::rest;
use crate::kinematics::energy::stored;
use crate::{Energy, Settings, SimulationError, SolverStatistics, State, Workspace};

/// The machine in static equilibrium under gravity and the loads and commands of a time.
#[derive(Clone, Debug)]
pub(crate) struct Statics<'m> {
    model: &'m Model,
    settings: Settings,
    state: State,
    work: Workspace,
    statistics: SolverStatistics,
    energy: Energy,
}

impl<'m> Statics<'m> {
    /// The equilibrium at the start.
    ///
    /// # Errors
    /// When loops do not close, constraints are redundant while that is refused, or there is no equilibrium.
    pub(crate) fn new(model: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        let mut state = State::initial(model, settings.t_start);
        assemble(model, &mut state, &mut work)?;
        let (statistics, energy) = (SolverStatistics::default(), Energy::default());
        let mut statics = Self { model, settings: *settings, state, work, statistics, energy };
        statics.balance(settings.t_start)?;
        statics.count();
        Ok(statics)
    }

    /// The equilibrium at time `t`, from the one before, over times in between where it is too far.
    ///
    /// # Errors
    /// When the continuation comes to an end, as at a limit point.
    pub(crate) fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.advance_in_parts(t, 0)?;
        self.count();
        Ok(())
    }

    /// Crosses an event at the state's time: the equilibrium is that of the loads at `after`, the time is
    /// that of the stop.
    ///
    /// # Errors
    /// When there is no equilibrium behind it.
    pub(crate) fn cross(&mut self, after: f64, t: f64) -> Result<(), SimulationError> {
        self.advance_in_parts(after, self.settings.newton.max_cuts)?;
        self.state.t = t;
        self.store();
        Ok(())
    }

    fn advance_in_parts(&mut self, t: f64, depth: u32) -> Result<(), SimulationError> {
        let (before, multipliers) = (self.state.clone(), self.work.closure.multipliers.clone());
        match self.balance(t) {
            Ok(()) => Ok(()),
            Err(error) if depth >= self.settings.newton.max_cuts => Err(error),
            Err(_) => {
                self.state = before;
                self.work.closure.multipliers = multipliers;
                self.statistics.cuts += 1;
                let middle = 0.5 * (self.state.t + t);
                self.advance_in_parts(middle, depth + 1)?;
                self.advance_in_parts(t, depth + 1)
            }
        }
    }

    fn balance(&mut self, t: f64) -> Result<(), SimulationError> {
        self.state.prescribe(self.model, t);
        let iterations = rest(self.model, &self.settings.newton, &mut self.state, &mut self.work)? as u64;
        self.state.multipliers.copy_from_slice(&self.work.closure.multipliers);
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        Ok(())
    }

    fn count(&mut self) {
        self.statistics.steps += 1;
        self.store();
    }

    fn store(&mut self) {
        (self.energy.kinetic, self.energy.strain, self.energy.gravity) =
            stored(self.model, &self.state, &self.work);
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

    /// Stored energies; works and balance stay zero, because nothing is integrated.
    pub(crate) fn energy(&self) -> &Energy {
        &self.energy
    }
}
