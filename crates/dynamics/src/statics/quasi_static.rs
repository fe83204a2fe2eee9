//! Quasi-static analysis: the links deformed by the inertia, gravity and loads of the nominal motion, K q =
//! f(t), without vibration.

use super::balanced::Balanced;
use crate::integration::initial::balance_inertia;
use crate::{Nominal, SimulationError};

impl Balanced<'_> {
    /// Takes the joint motion of the nominal machine at its time and balances the links with it. The
    /// deformation of the time before is the first guess.
    ///
    /// # Errors
    /// When there is no balance.
    pub(crate) fn follow(&mut self, nominal: &Nominal<'_>) -> Result<(), SimulationError> {
        self.state.v.fill(0.0);
        self.state.a.fill(0.0);
        nominal.lend_joints(self.model, &mut self.state);
        self.balance(balance_inertia)?;
        self.finish_step();
        Ok(())
    }
}
