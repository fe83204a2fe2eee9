//! `/joints/<joint>`: motion, drives and loads of the joints.

use pliant_dynamics::{Frame, NominalKind};
use pliant_mechanism::{
    Body, BodyIndex, CoordinateRef, Drive, Joint, JointCoordinate, LoopIndex, LoopJoint, Model,
};

use super::COMPONENT;
use crate::results::Keep;
use crate::results::channel::{Channels, LabelledAxis, Number, Take};
use crate::results::schema::{self, Item};

pub(super) fn declare(channels: &mut Channels, model: &Model, keep: &Keep, nominal: NominalKind) {
    for (b, body) in model.indexed_bodies() {
        motion(channels, b, body, nominal);
        bearing(channels, body);
    }
    for (j, joint) in model.closures().joints.iter().enumerate() {
        let j = LoopIndex(j);
        closing(channels, j, joint);
    }
    if keep.loads {
        for (joint, load) in joint_loads(model) {
            let path = schema::JOINT_LOAD.path_of(&channels.prefix, &[&joint]);
            channels.vector(schema::JOINT_LOAD, path, COMPONENT, load);
        }
    }
}

/// What a joint gives to its child at an output: force (N) and moment about its origin (N m) in its axes on
/// the child, of one that slides along its parent in those on the parent.
pub type JointLoad = Box<dyn Fn(&Frame<'_>) -> [f64; 6] + Send>;

/// The loads of all joints, by their names; those that close loops come last.
pub fn joint_loads(model: &Model) -> Vec<(String, JointLoad)> {
    let tree = model.indexed_bodies().map(|(b, body)| {
        // X_CL carries the wrench from the link frame to the joint frame on the child.
        let (X_CL, X_TP) = (body.hinge.X_CL, body.hinge.X_TP);
        let load: JointLoad = match body.grip.is_some() {
            true => Box::new(move |frame| frame.work.hinge_wrench_on_parent(b, &X_TP).into()),
            false => Box::new(move |frame| X_CL.return_wrench(frame.work.hinge_wrench(b)).into()),
        };
        (body.joint_name.clone(), load)
    });
    let loops = model.closures().joints.iter().enumerate().map(|(j, joint)| {
        let (j, X_CL) = (LoopIndex(j), joint.hinge.X_CL);
        let load: JointLoad = Box::new(move |frame| X_CL.return_wrench(&frame.work.loop_wrench(j)).into());
        (joint.name.clone(), load)
    });
    tree.chain(loops).collect()
}

/// A joint that closes a loop: its motion and drives. Quaternions are left out, the poses of its links show
/// them.
fn closing(channels: &mut Channels, j: LoopIndex, closing: &LoopJoint) {
    let joint = &closing.hinge.joint;
    let count = joint.velocity_count();
    if count == 0 {
        return;
    }
    let prefix = channels.prefix.clone();
    let path = |item: Item| item.path_of(&prefix, &[&closing.name]);
    let labels = joint.coordinates().iter().map(|name| (*name).to_owned()).collect();
    let tail = axis(channels, path(schema::JOINT_COORDINATE), schema::JOINT_COORDINATE, labels);
    let units = |angle: &str, length: &str| units_of(&**joint, angle, length);
    let (q, v) = (closing.positions().start, closing.velocities().start);
    if joint.has_scalar_coordinates() {
        let take: Take = Box::new(move |frame, row| row.extend(&frame.state.q[q..q + count]));
        let item = schema::JOINT_POSITION;
        channels.add(item, path(item), &units("rad", "m"), &tail, Number::Real, take);
    }
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.v[v..v + count]));
    let item = schema::JOINT_VELOCITY;
    channels.add(item, path(item), &units("rad/s", "m/s"), &tail, Number::Real, take);
    describe(channels, path(item), &**joint, &closing.coordinates);
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.a[v..v + count]));
    let item = schema::JOINT_ACCELERATION;
    channels.add(item, path(item), &units("rad/s2", "m/s2"), &tail, Number::Real, take);
    let take: Take =
        Box::new(move |frame, row| row.extend((0..count).map(|k| frame.drive_force(j.coordinate(k)))));
    let item = schema::JOINT_TORQUE;
    channels.add(item, path(item), &units("N m", "N"), &tail, Number::Real, take);
}

/// Units and drive of each coordinate, as attributes of the joint's velocity.
fn describe(channels: &mut Channels, path: String, joint: &dyn Joint, coordinates: &[JointCoordinate]) {
    let units: Vec<&str> =
        (0..joint.velocity_count()).map(|k| if joint.is_angle(k) { "rad" } else { "m" }).collect();
    let drive = |coordinate: &JointCoordinate| match coordinate.drive {
        Drive::Free => "free",
        Drive::Torque(_) => "torque",
        Drive::Prescribed(_) => "prescribed",
        Drive::Servo(_) => "servo",
        Drive::Hydraulic(_) => "hydraulic",
    };
    let drives: Vec<&str> = coordinates.iter().map(drive).collect();
    channels.attributes.push((path.clone(), "coordinate_units", units.join(", ")));
    channels.attributes.push((path, "drives", drives.join(", ")));
}

/// The units of a joint's coordinates, once where they are all the same.
fn units_of(joint: &dyn Joint, angle: &str, length: &str) -> String {
    let mut all: Vec<&str> =
        (0..joint.velocity_count()).map(|k| if joint.is_angle(k) { angle } else { length }).collect();
    all.dedup();
    all.join(", ")
}

fn motion(channels: &mut Channels, b: BodyIndex, body: &Body, nominal: NominalKind) {
    let joint = &body.hinge.joint;
    let count = joint.velocity_count();
    if count == 0 {
        return;
    }
    let prefix = channels.prefix.clone();
    let path = |item: Item| item.path_of(&prefix, &[&body.joint_name]);
    let labels = joint.coordinates().iter().map(|name| (*name).to_owned()).collect();
    let tail = axis(channels, path(schema::JOINT_COORDINATE), schema::JOINT_COORDINATE, labels);
    let units = |angle: &str, length: &str| units_of(&**joint, angle, length);
    let positions = body.hinge_positions();
    let positions = positions.start..positions.start + joint.position_count();
    let velocities = body.hinge_velocities().start..body.hinge_velocities().start + count;

    let item = schema::JOINT_POSITION;
    let (position_tail, position_units) = if joint.has_scalar_coordinates() {
        (tail.clone(), units("rad", "m"))
    } else {
        // Four numbers of a quaternion and, for a free joint, the position before them.
        let labels = position_names(joint.position_count());
        let tail = axis(channels, path(schema::JOINT_POSITION_NAME), schema::JOINT_POSITION_NAME, labels);
        (tail, if joint.position_count() > 4 { "m, 1".to_owned() } else { "1".to_owned() })
    };
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.q[positions.clone()]));
    channels.add(item, path(item), &position_units, &position_tail, Number::Real, take);
    let of = velocities.clone();
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.v[of.clone()]));
    let item = schema::JOINT_VELOCITY;
    channels.add(item, path(item), &units("rad/s", "m/s"), &tail, Number::Real, take);
    describe(channels, path(item), &**joint, &body.coordinates);
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.a[velocities.clone()]));
    let item = schema::JOINT_ACCELERATION;
    channels.add(item, path(item), &units("rad/s2", "m/s2"), &tail, Number::Real, take);
    let force: fn(&Frame<'_>, CoordinateRef) -> f64 = |frame, at| frame.drive_force(at);
    let of_rigid: fn(&Frame<'_>, CoordinateRef) -> f64 = |frame, at| frame.nominal_drive_force(at);
    let is_rigid = nominal == NominalKind::Rigid;
    let forces = [(schema::JOINT_TORQUE, force), (schema::JOINT_RIGID_TORQUE, of_rigid)];
    for (item, of) in forces.into_iter().take(if is_rigid { 2 } else { 1 }) {
        let free: Vec<bool> = body.coordinates.iter().map(|c| matches!(c.drive, Drive::Free)).collect();
        let take: Take = Box::new(move |frame, row| {
            let forces = free.iter().enumerate();
            row.extend(forces.map(|(k, free)| if *free { 0.0 } else { of(frame, b.coordinate(k)) }));
        });
        channels.add(item, path(item), &units("N m", "N"), &tail, Number::Real, take);
    }
    let found = body.coordinates.iter().any(|c| c.motion().is_none());
    if is_rigid && found && joint.has_scalar_coordinates() {
        let item = schema::JOINT_NOMINAL;
        let take: Take = Box::new(move |frame, row| {
            let start = frame.nominal.model().bodies()[b].hinge_positions().start;
            row.extend(&frame.nominal.state().q[start..start + count]);
        });
        channels.add(item, path(item), &units("rad", "m"), &tail, Number::Real, take);
    }
}

/// The axis after time: none when there is one coordinate only.
fn axis(channels: &mut Channels, path: String, item: Item, labels: Vec<String>) -> Vec<(usize, String)> {
    if labels.len() == 1 {
        return Vec::new();
    }
    let length = labels.len();
    channels.axes.push(LabelledAxis { path: path.clone(), item, labels });
    vec![(length, path)]
}

fn position_names(count: usize) -> Vec<String> {
    let position = ["x", "y", "z"].iter().take(count.saturating_sub(4));
    position.chain(["qw", "qx", "qy", "qz"].iter()).map(|name| (*name).to_owned()).collect()
}

fn bearing(channels: &mut Channels, body: &Body) {
    let labels: Vec<String> =
        body.hinge.bearing.compliant().map(|(component, ..)| (component + 1).to_string()).collect();
    if labels.is_empty() {
        return;
    }
    let scale = schema::JOINT_BEARING_COMPONENT.path_of(&channels.prefix, &[&body.joint_name]);
    let tail = [(labels.len(), scale.clone())];
    channels.axes.push(LabelledAxis { path: scale, item: schema::JOINT_BEARING_COMPONENT, labels });
    let all = body.hinge_positions();
    let range = all.start + body.hinge.joint.position_count()..all.end;
    let path = schema::JOINT_BEARING.path_of(&channels.prefix, &[&body.joint_name]);
    let take: Take = Box::new(move |frame, row| row.extend(&frame.state.q[range.clone()]));
    channels.add(schema::JOINT_BEARING, path, schema::JOINT_BEARING.units, &tail, Number::Real, take);
}
