//! The nominal motion: the same machine with rigid links, or the commanded path of the tip.

use pliant_mechanism::{InterfaceRef, JointCoordinate, Model};
use pliant_spatial::Transform;

use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::{AnalysisKind, Settings, Simulation, SimulationError, Start, State, Workspace};

/// What the tip is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NominalKind {
    /// The machine with rigid links and bearings, servos and cylinders on their commands.
    #[default]
    Rigid,
    /// The commanded path of the tip.
    Path,
    /// Nothing.
    None,
}

/// The rigid machine beside the flexible one. When all joints are prescribed it is kinematics and inverse
/// dynamics; otherwise it is integrated with the same steps.
///
/// It serves the comparison and does not rule the run: where the rigid machine cannot move, it stays where it
/// was and says so.
#[derive(Debug)]
pub struct Nominal<'m> {
    model: &'m Model,
    kind: Kind<'m>,
    /// What it is compared with; `None` where that is not known.
    known: NominalKind,
    /// The tip on its path.
    on_path: Option<(InterfaceRef, Transform)>,
}

#[derive(Debug)]
enum Kind<'m> {
    Prescribed { state: State, work: Box<Workspace> },
    Integrated(Box<Simulation<'m>>),
}

/// What a run is compared with from its start on: what it asks for, or nothing where the rigid machine cannot
/// start.
pub fn nominal_motion(model: &Model, kind: AnalysisKind, settings: &Settings) -> NominalKind {
    let rigid = model.nominal();
    match Nominal::new(&rigid, settings) {
        Ok(nominal) if kind != AnalysisKind::Static || nominal.is_prescribed() => nominal.known,
        Ok(_) | Err(_) => NominalKind::None,
    }
}

impl<'m> Nominal<'m> {
    /// `rigid` is [`Model::nominal`] of the machine.
    ///
    /// # Errors
    /// When the rigid machine cannot start.
    pub fn new(rigid: &'m Model, settings: &Settings) -> Result<Self, SimulationError> {
        if settings.nominal != NominalKind::Rigid {
            return Ok(Self::without(rigid, settings));
        }
        let kind = if rigid.is_fully_prescribed() {
            let state = State::initial(rigid, settings.t_start);
            Kind::Prescribed { state, work: Box::new(Workspace::new(rigid)) }
        } else {
            // Held by force elements or springs of its joints, the rigid machine has a position of rest too.
            let sprung =
                hinges(rigid).any(|(_, coordinates, ..)| coordinates.iter().any(JointCoordinate::is_held));
            let moves = sprung || !rigid.closures().is_empty();
            let start = if moves { settings.start } else { Start::Undeformed };
            let settings = Settings { start, ..*settings };
            Kind::Integrated(Box::new(Simulation::new(rigid, &settings)?))
        };
        let mut nominal = Self { model: rigid, kind, known: NominalKind::Rigid, on_path: None };
        nominal.evaluate(settings.t_start);
        Ok(nominal)
    }

    /// Without a rigid machine that moves: the path of the tip, or nothing. The rigid machine stands where it
    /// starts.
    pub(crate) fn without(rigid: &'m Model, settings: &Settings) -> Self {
        let state = State::initial(rigid, settings.t_start);
        let mut work = Box::new(Workspace::new(rigid));
        residual(rigid, state.t, &state.q, &state.v, &state.a, &mut work);
        let known = match settings.nominal {
            NominalKind::Path if rigid.tip_path().is_some() => NominalKind::Path,
            NominalKind::Path | NominalKind::Rigid | NominalKind::None => NominalKind::None,
        };
        let mut nominal = Self { model: rigid, kind: Kind::Prescribed { state, work }, known, on_path: None };
        nominal.evaluate(settings.t_start);
        nominal
    }

    /// What the run is compared with at the time it has reached.
    pub fn known(&self) -> NominalKind {
        self.known
    }

    /// The nominal motion ends here.
    pub(crate) fn lose(&mut self) {
        self.known = NominalKind::None;
    }

    /// Takes the same step as the machine, `h` long and ending at `t`; does nothing when the motion is
    /// prescribed.
    ///
    /// # Errors
    /// When the rigid machine's step does not converge.
    pub(crate) fn advance_to(&mut self, t: f64, h: f64) -> Result<(), SimulationError> {
        match &mut self.kind {
            Kind::Integrated(simulation) if self.known == NominalKind::Rigid => simulation.advance_to(t, h),
            Kind::Prescribed { .. } | Kind::Integrated(_) => Ok(()),
        }
    }

    /// Crosses an event as the machine does.
    ///
    /// # Errors
    /// When the mass of the rigid machine is singular.
    pub(crate) fn cross(&mut self, after: f64, t: f64) -> Result<(), SimulationError> {
        match &mut self.kind {
            Kind::Integrated(simulation) if self.known == NominalKind::Rigid => simulation.cross(after, t),
            Kind::Prescribed { .. } | Kind::Integrated(_) => Ok(()),
        }
    }

    /// Brings poses and drive forces to time `t`; for output times.
    pub(crate) fn evaluate(&mut self, t: f64) {
        match (&mut self.kind, self.known) {
            (Kind::Prescribed { state, work }, NominalKind::Rigid) => {
                state.prescribe(self.model, t);
                residual(self.model, t, &state.q, &state.v, &state.a, work);
            }
            (_, NominalKind::Path) => {
                self.on_path = self.model.tip_path().map(|(tip, path)| (*tip, path.at(t).X));
            }
            _ => {}
        }
    }

    /// The same with the machine at rest on its commands.
    pub(crate) fn evaluate_at_rest(&mut self, t: f64) {
        self.evaluate(t);
        if let (Kind::Prescribed { state, work }, NominalKind::Rigid) = (&mut self.kind, self.known) {
            state.v.fill(0.0);
            state.a.fill(0.0);
            residual(self.model, t, &state.q, &state.v, &state.a, work);
        }
    }

    /// True when the rigid machine is kinematics alone.
    pub(crate) fn is_prescribed(&self) -> bool {
        matches!(self.kind, Kind::Prescribed { .. })
    }

    /// Nominal pose of an outboard triad in the world; `None` where there is none.
    pub fn X_WT(&self, at: InterfaceRef) -> Option<&Transform> {
        match self.known {
            NominalKind::Rigid => Some(self.work().X_WT(at)),
            NominalKind::Path => {
                let (tip, X) = self.on_path.as_ref()?;
                (*tip == at).then_some(X)
            }
            NominalKind::None => None,
        }
    }

    /// Puts the joints of the flexible machine where the rigid one has them.
    pub(crate) fn lend_joints(&self, model: &Model, to: &mut State) {
        lend_joints((self.model, self.state()), model, to);
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

/// Puts the joints of the flexible machine where the rigid one has them, with their rates and accelerations.
pub(crate) fn lend_joints((rigid, from): (&Model, &State), model: &Model, to: &mut State) {
    to.t = from.t;
    for ((_, _, q, v), (_, _, to_q, to_v)) in hinges(rigid).zip(hinges(model)) {
        // The rigid machine has no bearings, so its hinge coordinates are those of the joint.
        let (to_q, to_v) = (to_q.start, to_v.start);
        to.q[to_q..to_q + q.len()].copy_from_slice(&from.q[q]);
        to.v[to_v..to_v + v.len()].copy_from_slice(&from.v[v.clone()]);
        to.a[to_v..to_v + v.len()].copy_from_slice(&from.a[v]);
    }
}
