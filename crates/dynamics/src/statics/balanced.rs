//! A machine in equilibrium, time by time: what static and quasi-static analyses have in common.

use pliant_mechanism::Model;

use crate::closures::assembly::assemble;
use crate::kinematics::energy::stored;
use crate::{Energy, NewtonSettings, Settings, SimulationError, SolverStatistics, State, Workspace};

/// A solver that brings a state into equilibrium and returns its iterations.
pub(super) type Solver =
    fn(&Model, &NewtonSettings, &mut State, &mut Workspace) -> Result<usize, SimulationError>;

/// The machine in equilibrium.
#[derive(Clone, Debug)]
pub(crate) struct Balanced<'m> {
    pub(super) model: &'m Model,
    pub(super) newton: NewtonSettings,
    pub(super) state: State,
    pub(super) work: Workspace,
    pub(super) statistics: SolverStatistics,
    energy: Energy,
}

impl<'m> Balanced<'m> {
    /// Assembled where it starts, in no equilibrium yet.
    ///
    /// # Errors
    /// When loops do not close, or constraints are redundant while that is refused.
    pub(crate) fn new(model: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        let mut state = State::initial(model, settings.t_start);
        assemble(model, &mut state, &mut work)?;
        let (statistics, energy) = (SolverStatistics::default(), Energy::default());
        Ok(Self { model, newton: settings.newton, state, work, statistics, energy })
    }

    /// Brings the state into equilibrium and counts the iterations.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn balance(&mut self, solver: Solver) -> Result<(), SimulationError> {
        let iterations = solver(self.model, &self.newton, &mut self.state, &mut self.work)? as u64;
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        Ok(())
    }

    /// A step is done.
    pub(super) fn finish_step(&mut self) {
        self.statistics.steps += 1;
        self.measure();
    }

    /// Measures the stored energies. Works and balance stay zero, because nothing is integrated.
    pub(super) fn measure(&mut self) {
        (self.energy.kinetic, self.energy.strain, self.energy.gravity) =
            stored(self.model, &self.state, &self.work);
    }

    /// What an output shows.
    pub(crate) fn parts(&self) -> (&State, &Workspace, Energy, &SolverStatistics) {
        (&self.state, &self.work, self.energy, &self.statistics)
    }

    /// Counters of the solver.
    pub(crate) fn statistics(&self) -> &SolverStatistics {
        &self.statistics
    }
}
