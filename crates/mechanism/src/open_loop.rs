//! Copies of a machine for linear analysis: without its servos, or with commands that stand still.

use std::sync::Arc;

use crate::motion::Hold;
use crate::{
    Body, CoordinateRef, Drive, Hinge, Hydraulic, JointCoordinate, JointRef, JointView, Model, Redundancy,
    Servo,
};

impl Model {
    /// The same machine with open servo loops: a joint that a servo or hydraulic drive turns moves freely. It
    /// is marked as held, so that an equilibrium leaves it where the pose has it.
    #[must_use]
    pub fn without_servos(&self) -> Self {
        let link = |body: &Body| (Arc::clone(&body.link), body.grip.clone());
        let mut model = self.copy_with(link, copy_of, open);
        model.damping.clone_from(&self.damping);
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
