//! Static analysis: equilibrium under gravity and the loads and commands of each time, which is the parameter
//! of a load continuation.

use pliant_mechanism::Model;

use super::balanced::{Balanced, Solver};
use crate::integration::initial::{rest, rest_from_afar};
use crate::{Settings, SimulationError};

impl<'m> Balanced<'m> {
    /// In static equilibrium at the start.
    ///
    /// # Errors
    /// When loops do not close, constraints are redundant while that is refused, or there is no equilibrium.
    pub(crate) fn at_rest(model: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let mut statics = Self::new(model, settings)?;
        statics.rest_at(settings.t_start, rest_from_afar)?;
        statics.finish_step();
        Ok(statics)
    }

    /// The equilibrium at time `t`, from the one before, over times in between where it is too far.
    ///
    /// # Errors
    /// When the continuation comes to an end, as at a limit point.
    pub(crate) fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.advance_in_parts(t, 0)?;
        self.finish_step();
        Ok(())
    }

    /// Crosses an event at the state's time: the equilibrium is that of the loads at `after`, the time is
    /// that of the stop.
    ///
    /// # Errors
    /// When there is no equilibrium behind it.
    pub(crate) fn cross(&mut self, after: f64, t: f64) -> Result<(), SimulationError> {
        self.rest_at(after, rest_from_afar)?;
        self.state.t = t;
        self.measure();
        Ok(())
    }

    fn advance_in_parts(&mut self, t: f64, depth: u32) -> Result<(), SimulationError> {
        let (before, multipliers) = (self.state.clone(), self.work.closure.multipliers.clone());
        match self.rest_at(t, rest) {
            Ok(()) => Ok(()),
            Err(error) if depth >= self.newton.max_cuts => Err(error),
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

    fn rest_at(&mut self, t: f64, solver: Solver) -> Result<(), SimulationError> {
        self.state.prescribe(self.model, t);
        self.balance(solver)?;
        self.state.multipliers.copy_from_slice(&self.work.closure.multipliers);
        Ok(())
    }
}
