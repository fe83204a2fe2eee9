//! The nominal motion: the same machine with rigid links.

use pliant_mechanism::Model;

use crate::residual::residual;
use crate::state::hinges;
use crate::{Settings, Simulation, SimulationError, Start, State, Workspace};

/// The rigid machine beside the flexible one. When all joints are prescribed it is kinematics and inverse
/// dynamics; otherwise it is integrated with the same steps.
#[derive(Clone, Debug)]
pub struct Nominal<'m> {
    model: &'m Model,
    kind: Kind<'m>,
}

#[derive(Clone, Debug)]
enum Kind<'m> {
    Prescribed { state: State, work: Box<Workspace> },
    Integrated(Box<Simulation<'m>>),
}

impl<'m> Nominal<'m> {
    /// `rigid` is [`Model::nominal`] of the machine.
    ///
    /// # Errors
    /// When the rigid machine cannot start.
    pub fn new(rigid: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        let kind = if rigid.is_fully_prescribed() {
            let state = State::initial(rigid, settings.t_start);
            Kind::Prescribed { state, work: Box::new(Workspace::new(rigid)) }
        } else {
            // Held by force elements, the rigid machine has a place to rest too.
            let start = if rigid.closures().is_empty() { Start::Undeformed } else { settings.start };
            let settings = Settings { start, ..*settings };
            Kind::Integrated(Box::new(Simulation::new(rigid, &settings)?))
        };
        let mut nominal = Self { model: rigid, kind };
        nominal.evaluate(settings.t_start);
        Ok(nominal)
    }

    /// Takes the same step as the machine, `h` long and ending at `t`; does nothing when the motion is prescribed.
    ///
    /// # Errors
    /// When the rigid machine's step does not converge.
    pub(crate) fn advance_to(&mut self, t: f64, h: f64) -> Result<(), SimulationError> {
        match &mut self.kind {
            Kind::Prescribed { .. } => Ok(()),
            Kind::Integrated(simulation) => simulation.advance_to(t, h),
        }
    }

    /// Crosses an event as the machine does.
    ///
    /// # Errors
    /// When the mass of the rigid machine is singular.
    pub(crate) fn cross(&mut self, after: f64, t: f64) -> Result<(), SimulationError> {
        match &mut self.kind {
            Kind::Prescribed { .. } => Ok(()),
            Kind::Integrated(simulation) => simulation.cross(after, t),
        }
    }

    /// Brings poses and drive forces to time `t`; for output times.
    pub(crate) fn evaluate(&mut self, t: f64) {
        if let Kind::Prescribed { state, work } = &mut self.kind {
            state.prescribe(self.model, t);
            residual(self.model, t, &state.q, &state.v, &state.a, work);
        }
    }

    /// Puts the joints of the flexible machine where the rigid one has them, with their rates and accelerations.
    pub(crate) fn lend_joints(&self, model: &Model, to: &mut State) {
        let rigid = self.state();
        to.t = rigid.t;
        for ((_, _, q, v), (_, _, to_q, to_v)) in hinges(self.model).zip(hinges(model)) {
            // The rigid machine has no bearings, so its hinge coordinates are those of the joint.
            let (to_q, to_v) = (to_q.start, to_v.start);
            to.q[to_q..to_q + q.len()].copy_from_slice(&rigid.q[q]);
            to.v[to_v..to_v + v.len()].copy_from_slice(&rigid.v[v.clone()]);
            to.a[to_v..to_v + v.len()].copy_from_slice(&rigid.a[v]);
        }
    }

    /// The rigid machine.
    pub fn model(&self) -> &Model {
        self.model
    }

    /// Its state.
    pub fn state(&self) -> &State {
        match &self.kind {
            Kind::Prescribed { state, .. } => state,
            Kind::Integrated(simulation) => simulation.state(),
        }
    }

    /// Its poses, twists and wrenches.
    pub fn work(&self) -> &Workspace {
        match &self.kind {
            Kind::Prescribed { work, .. } => work,
            Kind::Integrated(simulation) => simulation.work(),
        }
    }
}
