//! The machine of the N-four-bar benchmark.

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Matrix3, Vector3};
use pliant_mechanism::{JointSpec, Model, ModelBuilder, Placement, Redundancy};
use pliant_spatial::Transform;

use crate::support::{named, revolute, rigid};

/// `count` square four-bars side by side (A02 of the IFToMM benchmark library): uniform rods of 1 m and 1 kg,
/// uprights `u0`, `u1` … on the ground with a coupler from each tip to the next, gravity along −y. It starts
/// upright with its upper pins at 1 m/s along x.
pub(crate) fn n_four_bar(count: usize) -> Model {
    let rod = |name: &str| {
        let I = Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, 1.0)) / 12.0;
        named(rigid(name, 1.0, Vector3::x() * 0.5, I, Transform::translation(Vector3::x())))
    };
    let start = |mut joint: JointSpec, side: f64| {
        joint.coordinates[0].initial = side * FRAC_PI_2;
        joint.coordinates[0].initial_rate = -side;
        joint
    };
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for i in 0..=count {
        let name = format!("u{i}");
        let mut upright = start(revolute(&name, "", &name, Vector3::z()), 1.0);
        let X_TP = Transform::translation(Vector3::x() * i as f64);
        upright.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
        links.push(rod(&name));
        joints.push(upright);
    }
    for i in 0..count {
        let name = format!("c{i}");
        links.push(rod(&name));
        joints.push(start(revolute(&name, &format!("u{i}"), &name, Vector3::z()), -1.0));
        let mut pin = revolute(&format!("pin{i}"), &name, &format!("u{}", i + 1), Vector3::z());
        pin.child_interface = Some("tip".into());
        joints.push(pin);
    }
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links,
        joints,
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}
