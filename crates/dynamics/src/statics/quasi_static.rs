//! Quasi-static analysis: the links deformed by the inertia, gravity and loads of the nominal motion, K q =
//! f(t), without vibration.

use pliant_mechanism::Model;

use crate::closures::assembly::assemble;
use crate::integration::initial::balance_inertia;
use crate::kinematics::energy::stored;
use crate::{Energy, NewtonSettings, Nominal, Settings, SimulationError, SolverStatistics, State, Workspace};

/// The machine in balance with the inertia forces of its nominal motion, time by time.
#[derive(Clone, Debug)]
pub(crate) struct QuasiStatic<'m> {
    model: &'m Model,
    newton: NewtonSettings,
    state: State,
    work: Workspace,
    statistics: SolverStatistics,
    energy: Energy,
}

impl<'m> QuasiStatic<'m> {
    /// # Errors
    /// When loops do not close, or constraints are redundant while that is refused.
    pub(crate) fn new(model: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let mut work = Workspace::new(model);
        let mut state = State::initial(model, settings.t_start);
        assemble(model, &mut state, &mut work)?;
        Ok(Self {
            model,
            newton: settings.newton,
            state,
            work,
            statistics: SolverStatistics::default(),
            energy: Energy::default(),
        })
    }

    /// Takes the joint motion of the nominal machine at its time and balances the links with it. The
    /// deformation of the time before is the first guess.
    ///
    /// # Errors
    /// When there is no balance.
    pub(crate) fn evaluate(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.state.v.fill(0.0);
        self.state.a.fill(0.0);
        nominal.lend_joints(self.model, &mut self.state);
        let iterations = balance_inertia(self.model, &self.newton, &mut self.state, &mut self.work)? as u64;
        self.statistics.steps += 1;
        self.statistics.iterations += iterations;
        self.statistics.worst_iterations = self.statistics.worst_iterations.max(iterations);
        (self.energy.kinetic, self.energy.strain, self.energy.gravity) =
            stored(self.model, &self.state, &self.work);
        Ok(())
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
