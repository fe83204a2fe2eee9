//! Copies of a machine: with rigid links, with ideal drives, without its servos, with commands that stand
//! still, or with other forces over time.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_link::ReducedLink;
use pliant_spatial::Transform;

use super::{Body, CoordinateRef, InterfaceRef, LoopIndex, Model};
use crate::joint::{Fixed, Spherical};
use crate::motion::Hold;
use crate::path::Orientation;
use crate::{
    Bearing, Closures, Drive, FrameRef, Grip, Hinge, Joint, JointCoordinate, LoopJoint, Pair, Redundancy,
    TimeFunction,
};

impl Model {
    /// The same machine with rigid links and rigid bearings: the `rigid` analysis. Loops that only elasticity
    /// distinguishes repeat themselves in it, and what the links were strained by they are made to fit.
    #[must_use]
    pub fn rigid(&self) -> Self {
        let link = |body: &Body| (Arc::new(body.link.rigidified()), None);
        let mut model = self.copy_with(link, without_bearing, JointCoordinate::clone);
        if !self.is_rigid() {
            model.closures.redundancy = Redundancy::MadeToFit;
        }
        model.tip_path.clone_from(&self.tip_path);
        model
    }

    /// The machine of the nominal motion: rigid, with servos and cylinders that follow their commands
    /// exactly.
    #[must_use]
    pub fn nominal(&self) -> Self {
        let mut model = self.rigid();
        // The motion does not depend on which reaction is taken.
        model.closures.redundancy = Redundancy::MadeToFit;
        let closing = model.closures.joints.iter_mut().flat_map(|j| &mut j.coordinates);
        for coordinate in model.bodies.iter_mut().flat_map(|b| &mut b.coordinates).chain(closing) {
            if let Drive::Servo(_) | Drive::Hydraulic(_) = &coordinate.drive
                && let Some(command) = coordinate.drive.command()
            {
                coordinate.drive = Drive::Prescribed(Arc::clone(command));
            }
        }
        let closures = &mut model.closures;
        closures.forces.retain(|element| match element.kind.held() {
            Some(kind) => {
                closures.constraints.push(copied(element, kind));
                false
            }
            None => true,
        });
        model
    }

    /// The same machine with open servo loops: a joint that a servo or hydraulic drive turns moves freely. It
    /// is marked as held, so that an equilibrium leaves it where the pose has it.
    #[must_use]
    pub fn without_servos(&self) -> Self {
        let link = |body: &Body| (Arc::clone(&body.link), body.grip.clone());
        let mut model = self.copy_with(link, copy_of, open);
        model.damping.clone_from(&self.damping);
        model
    }

    /// The same with a spring in place of each servo without integral, of its gain and about the command that
    /// is given for its coordinate, with the torque that it is fed: an equilibrium of it is where such servos
    /// bring the machine.
    #[must_use]
    pub fn with_servo_springs(&self, command: impl Fn(CoordinateRef) -> [f64; 2]) -> Self {
        let mut model = self.without_servos();
        for (coordinate, servo) in self.servos().filter(|(_, servo)| servo.integral_gain == 0.0) {
            let Some(own) = model.coordinate_mut(coordinate) else { continue };
            let (k, spring) = (servo.position_gain, &mut own.spring);
            let [value, torque] = command(coordinate);
            // k_s (q − n) + k (q − c) − τ of one spring.
            let moment = spring.stiffness * spring.neutral + k * value + torque;
            spring.stiffness += k;
            spring.neutral = if spring.stiffness > 0.0 { moment / spring.stiffness } else { 0.0 };
            own.hold = k == 0.0;
        }
        model
    }

    /// The same machine under another gravity (m/s²).
    #[must_use]
    pub fn with_gravity(&self, gravity: Vector3<f64>) -> Self {
        let link = |body: &Body| (Arc::clone(&body.link), body.grip.clone());
        let mut model = self.copy_with(link, copy_of, JointCoordinate::clone);
        model.damping.clone_from(&self.damping);
        model.gravity = gravity;
        model
    }

    /// The machine of the nominal motion with commands that stand still at these values (rad, m).
    #[must_use]
    pub fn nominal_at(&self, values: &[(CoordinateRef, f64)]) -> Self {
        let mut model = self.nominal();
        model.closures.redundancy = Redundancy::MadeToFit;
        for (coordinate, value) in values {
            if let Some(own) = model.coordinate_mut(*coordinate) {
                own.drive = Drive::Prescribed(Arc::new(Hold { value: *value }));
            }
        }
        model
    }

    /// The machine of the nominal motion with these coordinates free, and with an interface held by a joint
    /// to the ground: rigidly, or its point alone. [`Model::move_loop_joint`] says where. Its positions are
    /// those of the nominal machine, with those of that joint behind them.
    #[must_use]
    pub fn nominal_reaching(
        &self,
        joints: &[CoordinateRef],
        tip: InterfaceRef,
        orientation: Orientation,
    ) -> (Self, LoopIndex) {
        let mut model = self.nominal();
        for at in joints {
            if let Some(own) = model.coordinate_mut(*at) {
                (own.drive, own.exact) = (Drive::Free, false);
            }
        }
        let joint: Box<dyn Joint> = match orientation {
            Orientation::Free => Box::new(Spherical),
            Orientation::Guided => Box::new(Fixed),
        };
        let coordinates = vec![JointCoordinate::default(); joint.velocity_count()];
        let (bearing, X) = (Bearing::default(), Transform::identity());
        let closing = &mut model.closures.joints;
        closing.push(LoopJoint {
            name: "tip".to_owned(),
            parent: FrameRef::Ground,
            child: FrameRef::Interface(tip),
            hinge: Hinge { joint, bearing, X_TP: X, X_CL: X },
            coordinates,
            position_start: 0,
            velocity_start: 0,
        });
        let last = LoopIndex(closing.len() - 1);
        (Self::assemble(model.bodies, model.gravity, model.loads, model.closures), last)
    }

    /// Moves a loop joint on its parent.
    pub fn move_loop_joint(&mut self, joint: LoopIndex, X_TP: Transform) {
        self.closures.joints[joint.0].hinge.X_TP = X_TP;
    }

    /// The same machine with other forces over time: torques, components of loads, pushes.
    #[must_use]
    pub fn with_time_forces(
        &self,
        replace: impl Fn(&Arc<dyn TimeFunction>) -> Arc<dyn TimeFunction>,
    ) -> Self {
        let link = |body: &Body| (Arc::clone(&body.link), body.grip.clone());
        let mut model = self.copy_with(link, copy_of, |coordinate| match &coordinate.drive {
            Drive::Torque(torque) => {
                JointCoordinate { drive: Drive::Torque(replace(torque)), ..coordinate.clone() }
            }
            Drive::Free | Drive::Prescribed(_) | Drive::Servo(_) | Drive::Hydraulic(_) => coordinate.clone(),
        });
        for component in model.loads.iter_mut().flat_map(|load| load.components.iter_mut().flatten()) {
            *component = replace(component);
        }
        for element in &mut model.closures.forces {
            if let Some(push) = element.kind.push() {
                element.kind = element.kind.with_push(replace(push));
            }
        }
        model.damping.clone_from(&self.damping);
        model.tip_path.clone_from(&self.tip_path);
        model
    }

    /// The same machine with other links and grips, hinges and joint coordinates. It has no coupled damping
    /// and no path.
    fn copy_with(
        &self,
        link: impl Fn(&Body) -> (Arc<ReducedLink>, Option<Grip>),
        hinge: impl Fn(&Hinge) -> Hinge,
        coordinate: impl Fn(&JointCoordinate) -> JointCoordinate,
    ) -> Self {
        let bodies = self.bodies.iter().map(|body| {
            let (link, grip) = link(body);
            Body {
                name: body.name.clone(),
                joint_name: body.joint_name.clone(),
                link,
                parent: body.parent,
                hinge: hinge(&body.hinge),
                grip,
                coordinates: body.coordinates.iter().map(&coordinate).collect(),
                payloads: body.payloads.clone(),
                position_start: 0,
                velocity_start: 0,
            }
        });
        let old = &self.closures;
        let joints = old.joints.iter().map(|joint| LoopJoint {
            name: joint.name.clone(),
            parent: joint.parent,
            child: joint.child,
            hinge: hinge(&joint.hinge),
            coordinates: joint.coordinates.iter().map(&coordinate).collect(),
            position_start: 0,
            velocity_start: 0,
        });
        let closures = Closures {
            joints: joints.collect(),
            constraints: old.constraints.iter().map(|c| copied(c, c.kind.clone_box())).collect(),
            couplings: old.couplings.clone(),
            forces: old.forces.iter().map(|f| copied(f, f.kind.clone_box())).collect(),
            redundancy: old.redundancy,
        };
        Self::assemble(bodies.collect(), self.gravity, self.loads.clone(), closures)
    }
}

fn open(coordinate: &JointCoordinate) -> JointCoordinate {
    match coordinate.drive {
        Drive::Servo(_) | Drive::Hydraulic(_) => {
            JointCoordinate { drive: Drive::Free, hold: true, ..coordinate.clone() }
        }
        Drive::Free | Drive::Torque(_) | Drive::Prescribed(_) => coordinate.clone(),
    }
}

fn copy_of(hinge: &Hinge) -> Hinge {
    let (joint, bearing) = (hinge.joint.clone_box(), hinge.bearing.clone());
    Hinge { joint, bearing, X_TP: hinge.X_TP, X_CL: hinge.X_CL }
}

fn without_bearing(hinge: &Hinge) -> Hinge {
    Hinge { joint: hinge.joint.clone_box(), bearing: Bearing::default(), X_TP: hinge.X_TP, X_CL: hinge.X_CL }
}

/// A pair between the same frames, of another kind.
fn copied<K: ?Sized, T: ?Sized>(pair: &Pair<K>, kind: Box<T>) -> Pair<T> {
    Pair {
        name: pair.name.clone(),
        parent: pair.parent,
        X_parent: pair.X_parent,
        child: pair.child,
        X_child: pair.X_child,
        kind,
    }
}
