//! Forces of a machine whose motion is given.

use pliant_mechanism::Model;

use crate::residual::residual;
use crate::{State, Workspace};

/// The rigid machine in its nominal motion: what its drives must do, and the inertia they move.
#[derive(Clone, Debug)]
pub struct InverseDynamics<'m> {
    model: &'m Model,
    state: State,
    work: Workspace,
}

impl<'m> InverseDynamics<'m> {
    /// For [`Model::nominal`]; `None` unless every joint coordinate is prescribed and no loop is closed.
    pub fn new(nominal: &'m Model) -> Option<Self> {
        let open = nominal.closures().joints.is_empty() && nominal.closures().constraints.is_empty();
        let state = State::initial(nominal, 0.0);
        let work = Workspace::new(nominal);
        (open && nominal.is_fully_prescribed()).then_some(Self { model: nominal, state, work })
    }

    /// The force of the drive of a joint coordinate at time `t` (N·m, N): recursive Newton–Euler.
    pub fn drive_force(&mut self, t: f64, body: usize, coordinate: usize) -> f64 {
        self.state.prescribe(self.model, t);
        self.force(body, coordinate)
    }

    /// The inertia that a joint coordinate moves at time `t` with all others held (kg·m², kg), rotor included: the change of its drive
    /// force per unit of its acceleration.
    pub fn reflected_inertia(&mut self, t: f64, body: usize, coordinate: usize) -> f64 {
        let before = self.drive_force(t, body, coordinate);
        let at = self.model.bodies()[body].hinge_velocities().start + coordinate;
        self.state.a[at] += 1.0;
        self.force(body, coordinate) - before
    }

    fn force(&mut self, body: usize, coordinate: usize) -> f64 {
        let s = &self.state;
        residual(self.model, s.t, &s.q, &s.v, &s.a, &mut self.work);
        self.work.r[self.model.bodies()[body].hinge_velocities().start + coordinate]
    }
}
