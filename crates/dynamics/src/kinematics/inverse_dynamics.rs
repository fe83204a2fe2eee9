//! Forces of a machine whose motion is given.

use pliant_mechanism::Model;

use crate::integration::initial::consistent_accelerations;
use crate::{Nominal, Settings, SimulationError};

/// The rigid machine in its nominal motion: what its drives must do, and the inertia they move.
#[derive(Debug)]
pub struct InverseDynamics<'m> {
    nominal: Nominal<'m>,
}

impl<'m> InverseDynamics<'m> {
    /// For [`Model::nominal`], at the start of a run.
    ///
    /// # Errors
    /// When the rigid machine cannot start.
    pub fn new(nominal: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        Ok(Self { nominal: Nominal::new(nominal, settings)? })
    }

    /// Goes on to time `t`, `h` later: by kinematics where commands say all of the motion, by a step where
    /// loops close or joints are free.
    ///
    /// # Errors
    /// When the rigid machine cannot make the step.
    pub fn advance_to(&mut self, t: f64, h: f64) -> Result<(), SimulationError> {
        self.nominal.advance_to(t, h)?;
        self.nominal.evaluate(t);
        Ok(())
    }

    /// The force of the drive of a commanded velocity coordinate (N·m, N).
    pub fn drive_force(&self, velocity: usize) -> f64 {
        self.nominal.work().drive_residual(velocity)
    }

    /// The inertia that a commanded velocity coordinate moves (kg·m², kg), rotor included: the change of its
    /// drive force per unit of its acceleration, while other commands stay and all else follows as loops and
    /// inertia have it.
    ///
    /// # Errors
    /// When the mass is singular.
    pub fn reflected_inertia(&self, velocity: usize) -> Result<f64, SimulationError> {
        let (model, mut work) = (self.nominal.model(), self.nominal.work().clone());
        let mut state = self.nominal.state().clone();
        let mut force = |acceleration: f64| {
            state.a[velocity] += acceleration;
            consistent_accelerations(model, &mut state, &mut work)?;
            Ok(work.r[velocity])
        };
        let before = force(0.0)?;
        Ok(force(1.0)? - before)
    }
}
