//! What goes into a linear machine and what comes out of it.

use std::sync::Arc;

use nalgebra::{RowDVector, Vector3};
use pliant_mechanism::{BodyIndex, CoordinateRef, InterfaceRef, JointRef, Model};
use pliant_spatial::Twist;
use thiserror::Error;

use crate::response::matrices::Matrices;

/// A named input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel<T> {
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: T,
}

/// What goes in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    /// A torque or force on a joint coordinate, added to that of its drive (N·m, N).
    Torque(CoordinateRef),
    /// The command of a servo (rad, m). Rate and acceleration of the command go in with it.
    Command(CoordinateRef),
    /// The input of the valve of a hydraulic drive, added to what its electronics ask for.
    Valve(CoordinateRef),
    /// A force (0 to 2) or moment (3 to 5) on an interface, in world axes (N, N·m).
    Force {
        /// Body and interface.
        at: InterfaceRef,
        /// Component.
        component: usize,
    },
    /// A push along a force element of one row, apart (N).
    Push(usize),
    /// The commanded length of a cylinder with oil (m). Its rate goes in with it.
    Length(usize),
    /// The commanded length of a cylinder without oil, a constraint whose row this is (m). Its rate and
    /// acceleration go in with it.
    Stroke(usize),
    /// Acceleration of the ground along a world axis (m/s²).
    Ground(usize),
}

/// Time derivative of what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Position or angle.
    Position,
    /// Rate.
    Rate,
    /// Acceleration.
    Acceleration,
}

/// Where a joint is measured, when its bearing gives way about its axis as a gear does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At the motor: the coordinate that the drive turns.
    Motor,
    /// At the joint: with what the bearing gives way.
    Joint,
}

/// Where a load is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadPoint {
    /// From a joint to its child, at and in the joint frame on the child; of a sliding joint in the grip.
    Joint(JointRef),
    /// From a link to payload and children at an interface, at and in its deformed triad.
    Interface(InterfaceRef),
}

/// A number of a link that is linear in its elastic coordinates: a strain, a stress, a force in a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticRow {
    /// The link.
    pub body: BodyIndex,
    /// Its value for unit coordinates.
    pub row: Arc<[f64]>,
    /// Units.
    pub units: &'static str,
}

/// What comes out.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A strain or stress of a link.
    Elastic(ElasticRow),
    /// Force (0 to 2) or moment (3 to 5) of a joint or interface (N, N·m).
    Load(LoadPoint, usize),
    /// A joint coordinate (rad, m and their rates).
    Joint(CoordinateRef, Side, Order),
    /// Translation (0 to 2) or rotation (3 to 5) of an interface, in world axes. Positions and rates are
    /// relative to the ground; the acceleration of a translation includes that of the ground.
    Interface {
        /// Body and interface.
        at: InterfaceRef,
        /// Component.
        component: usize,
        /// Derivative.
        order: Order,
    },
    /// Length of a force element of one row (m).
    Length(usize, Order),
    /// Signal of the tachometer of a hydraulic drive.
    Tachometer(CoordinateRef),
    /// Load pressure of a hydraulic drive (Pa).
    Pressure(CoordinateRef),
}

/// A channel that means nothing in a machine.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ChannelError {
    /// A torque on a joint whose motion is given.
    #[error("`{0}`: the motion of this joint is given, so that a torque on it changes nothing")]
    Given(String),
    /// A command of a joint that no servo turns.
    #[error("`{0}`: no servo turns this joint in the loops that are closed, so that it has no command")]
    NoServo(String),
    /// A command that feeds torques which do not follow from it.
    #[error(
        "`{0}`: servos are fed the torque of the rigid machine (`rigid_torque`), which follows from a command only where the machine has no \
         loops and no free joints"
    )]
    Fed(String),
    /// A quantity of a hydraulic drive where there is none.
    #[error("`{0}`: no hydraulic drive turns this joint, or it is held")]
    NoHydraulic(String),
    /// A length that other constraints hold too.
    #[error("`{0}`: other constraints of its loop hold this length too, so that it cannot change")]
    Redundant(String),
    /// A commanded length of a force element that has none.
    #[error("`{0}`: only a cylinder with `oil` has a commanded length that moves the machine")]
    NoOil(String),
}

impl ChannelError {
    /// Name of the channel.
    pub fn channel(&self) -> &str {
        match self {
            Self::Given(name)
            | Self::NoServo(name)
            | Self::Fed(name)
            | Self::NoOil(name)
            | Self::NoHydraulic(name)
            | Self::Redundant(name) => name,
        }
    }
}

impl Input {
    /// Units.
    pub fn units(&self, model: &Model) -> &'static str {
        let pick = |angle: bool, a, b| if angle { a } else { b };
        match self {
            Self::Torque(c) => pick(is_angle(model, *c), "N·m", "N"),
            Self::Command(c) => pick(is_angle(model, *c), "rad", "m"),
            Self::Force { component, .. } => pick(*component >= 3, "N·m", "N"),
            Self::Push(_) => "N",
            Self::Valve(_) => "1",
            Self::Length(_) | Self::Stroke(_) => "m",
            Self::Ground(_) => "m/s²",
        }
    }
}

impl Output {
    /// Units.
    pub fn units(&self, model: &Model) -> &'static str {
        let (angle, order) = match self {
            Self::Joint(c, _, order) => (is_angle(model, *c), order),
            Self::Interface { component, order, .. } => (*component >= 3, order),
            Self::Length(_, order) => (false, order),
            Self::Tachometer(_) => return "1",
            Self::Pressure(_) => return "Pa",
            Self::Elastic(row) => return row.units,
            Self::Load(_, component) => return if *component >= 3 { "N·m" } else { "N" },
        };
        match (angle, order) {
            (true, Order::Position) => "rad",
            (true, Order::Rate) => "rad/s",
            (true, Order::Acceleration) => "rad/s²",
            (false, Order::Position) => "m",
            (false, Order::Rate) => "m/s",
            (false, Order::Acceleration) => "m/s²",
        }
    }

    /// Which load this is, if it is one.
    pub(crate) fn load(&self) -> Option<(LoadPoint, usize)> {
        match self {
            Self::Load(point, component) => Some((*point, *component)),
            _ => None,
        }
    }

    fn order(&self) -> Order {
        match self {
            Self::Elastic(_) | Self::Load(..) => Order::Position,
            Self::Joint(_, _, order) | Self::Length(_, order) | Self::Interface { order, .. } => *order,
            Self::Tachometer(_) | Self::Pressure(_) => Order::Position,
        }
    }
}

fn is_angle(model: &Model, coordinate: CoordinateRef) -> bool {
    let (hinge, k) = (model.joint(coordinate.joint).hinge, coordinate.coordinate);
    hinge.joint.is_angle(k)
}

/// `rad` or `m`.
pub(crate) fn units_of(model: &Model, coordinate: CoordinateRef) -> &'static str {
    if is_angle(model, coordinate) { "rad" } else { "m" }
}

/// Interfaces that channels need, each once.
pub(crate) fn frames(inputs: &[Channel<Input>], outputs: &[Channel<Output>]) -> Vec<InterfaceRef> {
    let mut found = Vec::new();
    let input = inputs.iter().filter_map(|input| match input.kind {
        Input::Force { at, .. } => Some(at),
        _ => None,
    });
    let output = outputs.iter().filter_map(|output| match output.kind {
        Output::Interface { at, .. } => Some(at),
        _ => None,
    });
    for at in input.chain(output) {
        if !found.contains(&at) {
            found.push(at);
        }
    }
    found
}

/// Force of an input on the unknowns; nothing for commands.
pub(crate) fn force(
    model: &Model,
    all: &Matrices,
    frames: &[InterfaceRef],
    input: &Channel<Input>,
) -> Result<RowDVector<f64>, ChannelError> {
    let n = all.unknowns.len();
    Ok(match input.kind {
        Input::Torque(coordinate) => {
            let velocity = model.state_entry(coordinate).velocity;
            let Some(i) = all.unknowns.iter().position(|j| *j == velocity) else {
                return Err(ChannelError::Given(input.name.clone()));
            };
            let mut row = RowDVector::zeros(n);
            row[i] = 1.0;
            row
        }
        // What moves by itself.
        Input::Command(_) | Input::Stroke(_) => RowDVector::zeros(n),
        Input::Valve(_) => return Err(ChannelError::NoHydraulic(input.name.clone())),
        Input::Length(element) => {
            if oil(model, element).is_none() {
                return Err(ChannelError::NoOil(input.name.clone()));
            }
            force_row(model, all, element, 0)
        }
        Input::Force { at, component } => all.frames[index(frames, at)].P.row(component).into_owned(),
        Input::Push(element) => force_row(model, all, element, 0),
        Input::Ground(axis) => -all.momentum.row(axis).into_owned(),
    })
}

/// What an output measures: `p x` with `ṗ` and `p̈`, or its derivatives, and its order.
pub(crate) fn measured(
    model: &Model,
    all: &Matrices,
    frames: &[InterfaceRef],
    output: &Output,
) -> ([RowDVector<f64>; 3], Order) {
    let n = all.unknowns.len();
    let zeros = || RowDVector::zeros(n);
    let rows = match *output {
        Output::Elastic(ref of) => [elastic_row(model, all, of), zeros(), zeros()],
        // Not of x alone: `StateSpace` has them from `loads`.
        Output::Load(..) => [zeros(), zeros(), zeros()],
        Output::Joint(coordinate, side, _) => [joint_row(model, all, coordinate, side), zeros(), zeros()],
        Output::Interface { at, component, .. } => {
            let rows = &all.frames[index(frames, at)];
            [&rows.P, &rows.P_rate, &rows.P_acceleration].map(|P| P.row(component).into_owned())
        }
        Output::Length(element, _) => [0, 1, 2].map(|order| force_row(model, all, element, order)),
        // The states of the drive have them.
        Output::Tachometer(_) | Output::Pressure(_) => [zeros(), zeros(), zeros()],
    };
    (rows, output.order())
}

/// Stiffness and damping of the oil of a cylinder; none for other force elements.
pub(crate) fn oil(model: &Model, element: usize) -> Option<[f64; 2]> {
    let force = &model.closures().forces[element].kind;
    // That of a cylinder is linear.
    let response = force.respond(0.0, &[pliant_mechanism::Row::default()]);
    let stiffness = response.stiffness[0][0];
    (force.held().is_some() && stiffness > 0.0).then_some([stiffness, response.damping[0][0]])
}

fn elastic_row(model: &Model, all: &Matrices, of: &ElasticRow) -> RowDVector<f64> {
    let mut row = RowDVector::zeros(all.unknowns.len());
    for (velocity, value) in model.bodies()[of.body].elastic_velocities().zip(of.row.iter()) {
        // Unknowns stand in ascending order.
        if let Ok(i) = all.unknowns.binary_search(&velocity) {
            row[i] = *value;
        }
    }
    row
}

fn index(frames: &[InterfaceRef], at: InterfaceRef) -> usize {
    frames.iter().position(|frame| *frame == at).expect("invariant: the frames are those of the channels")
}

fn force_row(model: &Model, all: &Matrices, element: usize, order: usize) -> RowDVector<f64> {
    let before = model.closures().forces.iter().take(element).map(|f| f.kind.row_count()).sum::<usize>();
    all.G[order].row(model.closures().constraint_count() + before).into_owned()
}

/// The coordinate itself, with the bearing about or along its axis on the joint side. The bearing stands
/// before the joint, in the axes of the joint frame on the parent, in which the axis of a joint with one
/// axis does not move.
fn joint_row(model: &Model, all: &Matrices, coordinate: CoordinateRef, side: Side) -> RowDVector<f64> {
    let (hinge, k) = (model.joint(coordinate.joint).hinge, coordinate.coordinate);
    let velocity = model.state_entry(coordinate).velocity;
    let mut row = RowDVector::zeros(all.unknowns.len());
    let mut set = |velocity: usize, value: f64| {
        if let Some(i) = all.unknowns.iter().position(|j| *j == velocity) {
            row[i] = value;
        }
    };
    set(velocity, 1.0);
    if side == Side::Joint {
        let count = hinge.joint.velocity_count();
        let mut zero = vec![0.0; hinge.joint.position_count()];
        hinge.joint.set_zero(&mut zero);
        let mut S = vec![Twist::zeros(); count];
        hinge.joint.subspace(&zero, &vec![0.0; count], &mut S);
        let first = if hinge.joint.is_angle(k) { 3 } else { 0 };
        let axis: Vector3<f64> = S[k].fixed_rows::<3>(first).into_owned();
        for (c, (component, _, _)) in hinge.bearing.compliant().enumerate() {
            if (first..first + 3).contains(&component) {
                set(velocity - k + count + c, axis[component - first]);
            }
        }
    }
    row
}
