//! Where the machine stands while it is linearised.

use pliant_mechanism::{CoordinateRef, Drive, InterfaceRef, Model};

use crate::closures::assembly::{assemble, assemble_near};
use crate::integration::initial::{consistent_accelerations, rest};
use crate::integration::nominal::lend_joints;
use crate::kinematics::residual::residual;
use crate::{Nominal, NominalKind, Settings, SimulationError, Start, State, StepControl, Workspace};

/// What the machine is linearised about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum About {
    /// The pose at rest with undeformed links; gravity and loads act on it.
    #[default]
    Undeformed,
    /// The static equilibrium under gravity and loads, commanded joints held where the pose has them.
    Equilibrium,
    /// The nominal motion with undeformed links: gyroscopic and centrifugal terms, and the stiffness that
    /// forces of inertia give to links.
    Motion,
}

/// Where the joints are.
#[derive(Clone, Debug, PartialEq)]
pub enum Pose {
    /// Where the nominal motion has them at a time (s).
    Time(f64),
    /// Commanded joints at these values (rad, m); the others follow from loops, or stay where they start.
    Joints(Vec<(CoordinateRef, f64)>),
    /// The same with all joints where [`inverse`](crate::response::inverse) has found them.
    Found(FoundPose),
}

/// Joints that bring the tip to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPose {
    /// Commanded joints (rad, m).
    pub joints: Vec<(CoordinateRef, f64)>,
    /// Positions of the nominal machine.
    pub(crate) positions: Vec<f64>,
}

/// A machine put to a pose.
#[derive(Clone, Debug)]
pub struct PoseState {
    pub(crate) state: State,
    /// Evaluated nowhere yet; knows which constraints are redundant, and the reactions at the pose.
    pub(crate) work: Workspace,
    pub(crate) about: About,
}

impl PoseState {
    /// Time of the pose (s).
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// The machine displaced by unknowns: its state, and where its links are.
    pub fn displaced(&self, model: &Model, unknowns: &[usize], x: &[f64]) -> (State, Workspace) {
        let mut change = vec![0.0; model.velocity_count()];
        unknowns.iter().zip(x).for_each(|(j, x)| change[*j] = *x);
        let mut state = self.state.clone();
        crate::integration::initial::advance(model, &mut state, &change);
        let zeros = vec![0.0; model.velocity_count()];
        let mut work = self.work.clone();
        crate::kinematics::poses::forward(model, &state.q, &zeros, &zeros, &mut work);
        (state, work)
    }

    /// Position of an interface in the world (m).
    pub fn interface(&self, model: &Model, at: InterfaceRef) -> [f64; 3] {
        let (_, work) = self.displaced(model, &[], &[]);
        work.X_WT(at).p.into()
    }

    /// Value of a joint coordinate (rad, m).
    pub fn joint(&self, model: &Model, coordinate: CoordinateRef) -> f64 {
        self.state.q[model.state_entry(coordinate).position]
    }
}

/// Puts a machine to poses. `open` is [`Model::without_servos`] of `model`. Times must not fall. With
/// `commands` the poses of an equilibrium are commands, and servos without integral give way.
///
/// # Errors
/// The index of the pose that the machine cannot take, and why.
pub fn pose_states(
    model: &Model,
    open: &Model,
    settings: &Settings,
    poses: &[Pose],
    (about, commands): (About, bool),
) -> Result<Vec<PoseState>, (usize, SimulationError)> {
    let rigid = model.nominal();
    let first = |error| (0, error);
    let settings = Settings { nominal: NominalKind::Rigid, start: Start::Undeformed, ..*settings };
    // The machine as a run starts it, servos on their commands, says which constraints are redundant.
    let mut template = Workspace::new(open);
    assemble(model, &mut State::initial(model, settings.t_start), &mut template).map_err(first)?;
    let needs_time = poses.iter().any(|pose| matches!(pose, Pose::Time(_)));
    let mut along = match needs_time {
        true => Some(Nominal::new(&rigid, &settings).map_err(first)?),
        false => None,
    };
    let mut t = settings.t_start;
    let h = match settings.step {
        StepControl::Fixed { step } => step,
        StepControl::ErrorControlled { max_step, .. } => max_step,
    };
    let mut states = Vec::with_capacity(poses.len());
    let give_way = commands.then_some(model);
    for (index, pose) in poses.iter().enumerate() {
        let fail = |error| (index, error);
        let state = match (pose, &mut along) {
            (Pose::Time(to), Some(nominal)) => {
                advance(nominal, &mut t, *to, h).map_err(fail)?;
                put((open, give_way), &Rigid::of(nominal), &template, &settings, about).map_err(fail)?
            }
            (Pose::Joints(values), _) => {
                let held = model.nominal_at(values);
                let nominal = Nominal::new(&held, &settings).map_err(fail)?;
                put((open, give_way), &Rigid::of(&nominal), &template, &settings, about).map_err(fail)?
            }
            (Pose::Found(found), _) => {
                let held = model.nominal_at(&found.joints);
                let (mut state, mut work) = (State::initial(&held, settings.t_start), Workspace::new(&held));
                state.v.fill(0.0);
                state.q.copy_from_slice(&found.positions);
                assemble_near(&held, &mut state, &mut work).map_err(fail)?;
                let rigid = Rigid { model: &held, state: &state, work: &work };
                put((open, give_way), &rigid, &template, &settings, about).map_err(fail)?
            }
            (Pose::Time(_), None) => unreachable!("invariant: a pose by time has its motion"),
        };
        states.push(state);
    }
    Ok(states)
}

/// Moves the nominal machine on to a time, by steps of at most `h`.
fn advance(nominal: &mut Nominal<'_>, t: &mut f64, to: f64, h: f64) -> Result<(), SimulationError> {
    let steps = ((to - *t) / h).ceil().max(1.0);
    let length = (to - *t) / steps;
    if length > 0.0 && !nominal.is_prescribed() {
        let from = *t;
        for k in 1..=steps as usize {
            nominal.advance_to(from + length * k as f64, length)?;
        }
    }
    nominal.evaluate(to);
    *t = to;
    Ok(())
}

/// The nominal machine at a pose.
struct Rigid<'a> {
    model: &'a Model,
    state: &'a State,
    work: &'a Workspace,
}

impl<'a> Rigid<'a> {
    fn of(nominal: &'a Nominal<'_>) -> Self {
        Self { model: nominal.model(), state: nominal.state(), work: nominal.work() }
    }
}

/// The flexible machine where the nominal one is; with the servos that give way from there, if any.
fn put(
    (open, give_way): (&Model, Option<&Model>),
    nominal: &Rigid<'_>,
    template: &Workspace,
    settings: &Settings,
    about: About,
) -> Result<PoseState, SimulationError> {
    let mut state = State::initial(open, nominal.state.t);
    state.v.fill(0.0);
    state.a.fill(0.0);
    lend_joints((nominal.model, nominal.state), open, &mut state);
    let mut work = template.clone();
    let at_rest = rest_of(nominal)?;
    let reactions = match about {
        About::Motion => nominal.work.multipliers(),
        About::Undeformed | About::Equilibrium => {
            state.v.fill(0.0);
            state.a.fill(0.0);
            at_rest.multipliers()
        }
    };
    take_reactions(open, nominal.model, reactions, &mut work);
    if about == About::Equilibrium {
        // A servo that is fed the torque of the rigid machine has it on its command.
        let fed = |model: &Model, coordinate: CoordinateRef| match &model.coordinate(coordinate).drive {
            Drive::Servo(servo) if servo.feed_torque.is_some() => {
                at_rest.drive_residual(nominal.model.state_entry(coordinate).velocity)
            }
            _ => 0.0,
        };
        let springs = give_way.map(|model| {
            model.with_servo_springs(|coordinate| {
                [state.q[open.state_entry(coordinate).position], fed(model, coordinate)]
            })
        });
        rest(springs.as_ref().unwrap_or(open), &settings.newton, &mut state, &mut work)?;
    }
    Ok(PoseState { state, work, about })
}

/// The nominal machine at rest, with its reactions and the forces of its drives.
fn rest_of(nominal: &Rigid<'_>) -> Result<Workspace, SimulationError> {
    let (model, mut work, mut state) = (nominal.model, nominal.work.clone(), nominal.state.clone());
    state.v.fill(0.0);
    state.a.fill(0.0);
    if model.closures().is_empty() {
        residual(model, state.t, &state.q, &state.v, &state.a, &mut work);
    } else {
        consistent_accelerations(model, &mut state, &mut work)?;
    }
    Ok(work)
}

/// Takes over the multipliers of constraints. In the nominal machine cylinders on their commands are
/// constraints too; they stand before the couplings.
fn take_reactions(open: &Model, rigid: &Model, from: &[f64], work: &mut Workspace) {
    let couplings = open.closures().couplings.len();
    let own = open.closures().constraint_count() - couplings;
    let theirs = rigid.closures().constraint_count() - couplings;
    let to = &mut work.closure.multipliers;
    to[..own].copy_from_slice(&from[..own]);
    to[own..own + couplings].copy_from_slice(&from[theirs..theirs + couplings]);
}
