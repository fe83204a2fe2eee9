//! The immutable model.

mod copies;
mod index;

pub use index::{BodyIndex, CoordinateRef, InterfaceIndex, InterfaceRef, JointRef, LoopIndex, StateEntry};

use std::ops::Range;
use std::sync::Arc;

use nalgebra::{Matrix6, Vector3};
use pliant_link::ReducedLink;

use crate::path::TipPath;
use crate::{
    Closures, CoupledDamping, Drive, Event, GRIP_ROWS, Grip, Hinge, Hydraulic, JointCoordinate, Load,
    LoopJoint, Servo, TimeFunction,
};

/// A link with the hinge that carries it.
#[derive(Debug)]
pub struct Body {
    /// Name of the link.
    pub name: String,
    /// Name of the joint that carries it.
    pub joint_name: String,
    /// The reduced link.
    pub link: Arc<ReducedLink>,
    /// Interface it hangs on; `None`: the ground.
    pub parent: Option<InterfaceRef>,
    /// From the parent's triad to the link frame.
    pub hinge: Hinge,
    /// What holds the boom of a sliding joint.
    pub grip: Option<Grip>,
    /// One for each velocity coordinate of the joint (the bearing's excluded).
    pub coordinates: Vec<JointCoordinate>,
    /// Spatial inertia of the payloads on each interface, in the triad (6×6); zero without.
    pub payloads: Vec<Matrix6<f64>>,
    /// First entry in the positions; joint, bearing and elastic coordinates follow each other.
    pub(crate) position_start: usize,
    /// First entry in the velocities.
    pub(crate) velocity_start: usize,
}

impl Body {
    /// Positions of joint and bearing in the state.
    pub fn hinge_positions(&self) -> Range<usize> {
        self.position_start..self.position_start + self.hinge.position_count()
    }

    /// Velocities of joint and bearing in the state.
    pub fn hinge_velocities(&self) -> Range<usize> {
        self.velocity_start..self.velocity_start + self.hinge.velocity_count()
    }

    /// Elastic coordinates among the positions.
    pub fn elastic_positions(&self) -> Range<usize> {
        let start = self.position_start + self.hinge.position_count();
        start..start + self.link.coordinate_count()
    }

    /// Elastic rates among the velocities.
    pub fn elastic_velocities(&self) -> Range<usize> {
        let start = self.velocity_start + self.hinge.velocity_count();
        start..start + self.link.coordinate_count()
    }
}

/// What a joint that carries a body and one that closes a loop have in common.
#[derive(Clone, Debug)]
pub struct JointView<'m> {
    /// Name.
    pub name: &'m str,
    /// From the parent's triad to the link frame.
    pub hinge: &'m Hinge,
    /// One for each velocity coordinate of the joint (the bearing's excluded).
    pub coordinates: &'m [JointCoordinate],
    /// Positions of joint and bearing in the state.
    pub positions: Range<usize>,
    /// Velocities of joint and bearing in the state.
    pub velocities: Range<usize>,
}

impl<'m> JointView<'m> {
    fn carrying(body: &'m Body) -> Self {
        Self {
            name: &body.joint_name,
            hinge: &body.hinge,
            coordinates: &body.coordinates,
            positions: body.hinge_positions(),
            velocities: body.hinge_velocities(),
        }
    }

    fn closing(joint: &'m LoopJoint) -> Self {
        Self {
            name: &joint.name,
            hinge: &joint.hinge,
            coordinates: &joint.coordinates,
            positions: joint.positions(),
            velocities: joint.velocities(),
        }
    }
}

/// The machine: bodies sorted so that a parent comes before its children. Shared by reference; nothing in it
/// changes during a run.
#[derive(Debug)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    pub(crate) gravity: Vector3<f64>,
    pub(crate) loads: Vec<Load>,
    pub(crate) closures: Closures,
    pub(crate) damping: Vec<CoupledDamping>,
    pub(crate) tip_path: Option<(InterfaceRef, Arc<TipPath>)>,
    pub(crate) position_count: usize,
    pub(crate) velocity_count: usize,
}

impl Model {
    /// Numbers the coordinates and puts a model together; the builder has checked it.
    pub(crate) fn assemble(
        mut bodies: Vec<Body>,
        gravity: Vector3<f64>,
        loads: Vec<Load>,
        mut closures: Closures,
    ) -> Self {
        let (mut positions, mut velocities) = (0, 0);
        for body in &mut bodies {
            body.position_start = positions;
            body.velocity_start = velocities;
            positions = body.elastic_positions().end;
            velocities = body.elastic_velocities().end;
        }
        for joint in &mut closures.joints {
            joint.position_start = positions;
            joint.velocity_start = velocities;
            positions = joint.positions().end;
            velocities = joint.velocities().end;
        }
        Self {
            bodies,
            gravity,
            loads,
            closures,
            damping: Vec::new(),
            tip_path: None,
            position_count: positions,
            velocity_count: velocities,
        }
    }

    /// Bodies, parents first.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Bodies with their indices, parents first.
    pub fn indexed_bodies(&self) -> impl Iterator<Item = (BodyIndex, &Body)> {
        self.bodies.iter().enumerate().map(|(b, body)| (BodyIndex(b), body))
    }

    /// Gravity in the world (m/s²).
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// Loads on interfaces.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// What it has beyond its tree.
    pub fn closures(&self) -> &Closures {
        &self.closures
    }

    /// Damping between the deformations of links, beyond what each link has of its own.
    pub fn damping(&self) -> &[CoupledDamping] {
        &self.damping
    }

    /// Adds such damping before the machine moves.
    pub fn add_damping(&mut self, damping: CoupledDamping) {
        self.damping.push(damping);
    }

    /// The tip that a path guides, and the path.
    pub fn tip_path(&self) -> Option<&(InterfaceRef, Arc<TipPath>)> {
        self.tip_path.as_ref()
    }

    /// Keeps the path that the joints follow.
    pub fn set_tip_path(&mut self, tip: InterfaceRef, path: Arc<TipPath>) {
        self.tip_path = Some((tip, path));
    }

    /// Bodies that a sliding joint carries.
    pub fn gripped(&self) -> impl Iterator<Item = (BodyIndex, &Body, &Grip)> {
        self.indexed_bodies().filter_map(|(b, body)| body.grip.as_ref().map(|grip| (b, body, grip)))
    }

    /// Rows of closures and of grips, which come last.
    pub fn row_count(&self) -> usize {
        self.closures.row_count() + GRIP_ROWS * self.gripped().count()
    }

    /// A row in words.
    pub fn row_label(&self, row: usize) -> String {
        let grip = row.checked_sub(self.closures.row_count()).map(|row| row / GRIP_ROWS);
        match grip.and_then(|k| self.gripped().nth(k)) {
            Some((_, body, _)) => format!("the grip of joint `{}`", body.joint_name),
            None => self.closures.label(row),
        }
    }

    /// A joint, whether it carries a body or closes a loop.
    pub fn joint(&self, joint: JointRef) -> JointView<'_> {
        match joint {
            JointRef::Carrying(body) => JointView::carrying(&self.bodies[body]),
            JointRef::Closing(joint) => JointView::closing(&self.closures.joints[joint]),
        }
    }

    /// All joints: those that carry bodies in the order of the bodies, then those that close loops.
    pub fn joints(&self) -> impl Iterator<Item = (JointRef, JointView<'_>)> {
        let carrying =
            self.indexed_bodies().map(|(b, body)| (JointRef::Carrying(b), JointView::carrying(body)));
        let closing = self.closures.joints.iter().enumerate();
        carrying.chain(closing.map(|(j, joint)| (JointRef::Closing(LoopIndex(j)), JointView::closing(joint))))
    }

    /// Where a joint coordinate stands among positions and velocities.
    #[inline]
    pub fn state_entry(&self, CoordinateRef { joint, coordinate }: CoordinateRef) -> StateEntry {
        let (position, velocity) = match joint {
            JointRef::Carrying(body) => (self.bodies[body].position_start, self.bodies[body].velocity_start),
            JointRef::Closing(joint) => {
                let joint = &self.closures.joints[joint];
                (joint.position_start, joint.velocity_start)
            }
        };
        StateEntry { position: position + coordinate, velocity: velocity + coordinate }
    }

    /// Coordinates of all joints, those that close loops last.
    pub(crate) fn joint_coordinates(&self) -> impl Iterator<Item = &JointCoordinate> {
        let closing = self.closures.joints.iter().flat_map(|j| &j.coordinates);
        self.bodies.iter().flat_map(|b| &b.coordinates).chain(closing)
    }

    /// A coordinate of the joint of that name, whether it carries a link or closes a loop.
    pub fn joint_coordinate(&self, joint: &str, coordinate: usize) -> Option<CoordinateRef> {
        let (joint, _) = self.joints().find(|(_, view)| view.name == joint)?;
        Some(CoordinateRef { joint, coordinate })
    }

    /// What acts on a joint coordinate, to be changed before the machine moves.
    pub(crate) fn coordinate_mut(
        &mut self,
        CoordinateRef { joint, coordinate }: CoordinateRef,
    ) -> Option<&mut JointCoordinate> {
        let coordinates = match joint {
            JointRef::Carrying(body) => &mut self.bodies.get_mut(body.0)?.coordinates,
            JointRef::Closing(joint) => &mut self.closures.joints.get_mut(joint.0)?.coordinates,
        };
        coordinates.get_mut(coordinate)
    }

    /// All joint coordinates, those that close loops last.
    pub fn coordinate_refs(&self) -> impl Iterator<Item = CoordinateRef> + '_ {
        let of = |(joint, view): (JointRef, JointView<'_>)| {
            (0..view.coordinates.len()).map(move |coordinate| CoordinateRef { joint, coordinate })
        };
        self.joints().flat_map(of)
    }

    /// What acts on a joint coordinate.
    pub fn coordinate(&self, CoordinateRef { joint, coordinate }: CoordinateRef) -> &JointCoordinate {
        &self.joint(joint).coordinates[coordinate]
    }

    /// The servos with the coordinates that they turn.
    pub fn servos(&self) -> impl Iterator<Item = (CoordinateRef, &Servo)> {
        self.coordinate_refs().filter_map(|coordinate| match &self.coordinate(coordinate).drive {
            Drive::Servo(servo) => Some((coordinate, servo)),
            Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) | Drive::Hydraulic(_) => None,
        })
    }

    /// The hydraulic drives with the coordinates that they turn.
    pub fn hydraulics(&self) -> impl Iterator<Item = (CoordinateRef, &Hydraulic)> {
        self.coordinate_refs().filter_map(|coordinate| match &self.coordinate(coordinate).drive {
            Drive::Hydraulic(drive) => Some((coordinate, &**drive)),
            Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) | Drive::Servo(_) => None,
        })
    }

    /// The servo on a joint coordinate, to be completed before the machine moves.
    pub fn servo_mut(&mut self, coordinate: CoordinateRef) -> Option<&mut Servo> {
        match &mut self.coordinate_mut(coordinate)?.drive {
            Drive::Servo(servo) => Some(servo),
            Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) | Drive::Hydraulic(_) => None,
        }
    }

    /// Number of positions of a state.
    pub fn position_count(&self) -> usize {
        self.position_count
    }

    /// Number of velocities of a state.
    pub fn velocity_count(&self) -> usize {
        self.velocity_count
    }

    /// The body of that name.
    pub fn body(&self, name: &str) -> Option<BodyIndex> {
        self.bodies.iter().position(|b| b.name == name).map(BodyIndex)
    }

    /// The interface `link.interface`.
    pub fn interface(&self, link: &str, interface: &str) -> Option<InterfaceRef> {
        let body = self.body(link)?;
        let interface = InterfaceIndex(self.bodies[body].link.interface(interface)?);
        Some(InterfaceRef { body, interface })
    }

    /// When the last commanded motion comes to rest (s), those of loop joints and cylinders included;
    /// infinite when one has no end.
    pub fn motion_end(&self) -> f64 {
        let closures = &self.closures;
        let closing = closures.joints.iter().flat_map(|joint| &joint.coordinates);
        let coordinates = self.bodies.iter().flat_map(|body| &body.coordinates).chain(closing);
        let commands = coordinates.filter_map(|c| c.drive.command()).map(|motion| motion.end());
        let lengths = closures.constraints.iter().map(|c| c.kind.end());
        commands.chain(lengths).chain(closures.forces.iter().map(|f| f.kind.end())).fold(0.0, f64::max)
    }

    /// True when no link, bearing or grip gives way.
    pub fn is_rigid(&self) -> bool {
        let still = |body: &Body| {
            body.link.coordinate_count() == 0 && body.hinge.bearing.count() == 0 && body.grip.is_none()
        };
        self.bodies.iter().all(still) && self.closures.joints.iter().all(|j| j.hinge.bearing.count() == 0)
    }

    /// True when every joint coordinate is prescribed, so that the nominal motion is kinematics alone.
    pub fn is_fully_prescribed(&self) -> bool {
        self.closures.is_empty() && self.joint_coordinates().all(|c| matches!(c.drive, Drive::Prescribed(_)))
    }

    /// Torques, components of loads, and pushes: forces that are functions of time alone.
    pub fn time_forces(&self) -> impl Iterator<Item = &Arc<dyn TimeFunction>> {
        let torques = self.joint_coordinates().filter_map(|c| match &c.drive {
            Drive::Torque(torque) => Some(torque),
            Drive::Free | Drive::Prescribed(_) | Drive::Servo(_) | Drive::Hydraulic(_) => None,
        });
        let loads = self.loads.iter().flat_map(|load| load.components.iter().flatten());
        torques.chain(loads).chain(self.closures.forces.iter().filter_map(|element| element.kind.push()))
    }

    /// Where motions, loads, torques and pushes or their slopes jump from `from` to `to` (s), in no order;
    /// others may be among them.
    pub fn events(&self, from: f64, to: f64) -> Vec<Event> {
        let jumps = |kinks: Vec<f64>| kinks.into_iter().map(Event::jump).collect::<Vec<_>>();
        let drives = self.joint_coordinates().flat_map(|c| match &c.drive {
            Drive::Prescribed(motion) => jumps(motion.kinks()),
            Drive::Torque(torque) => torque.events(from, to),
            Drive::Servo(servo) => jumps(servo.follow.kinks()),
            Drive::Hydraulic(drive) => jumps(drive.follow.kinks()),
            Drive::Free => Vec::new(),
        });
        let loads = self.loads.iter().flat_map(|l| l.components.iter().flatten());
        let loads = loads.flat_map(|f| f.events(from, to));
        let constraints = self.closures.constraints.iter().flat_map(|c| jumps(c.kind.kinks()));
        let forces = self.closures.forces.iter().flat_map(|f| f.kind.events(from, to));
        drives.chain(loads).chain(constraints).chain(forces).collect()
    }
}
