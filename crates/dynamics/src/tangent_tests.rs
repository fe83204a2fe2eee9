//! The linearisation against central differences of the residual.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_mechanism::joint::{Cylindrical, Prismatic, Revolute, Universal};
use pliant_mechanism::motion::Harmonic;
use pliant_mechanism::{
    Attachment, Bearing, Constant, CoordinateSpec, Drive, Joint, JointSpec, LoadFrame, LoadSpec, Model,
    ModelBuilder, PayloadSpec, Placement, TimeFunction,
};

use super::*;
use crate::State;
use crate::recursion::tests::{Kinematics, Random, random_link};
use crate::residual::residual;

fn machine(kinematics: Kinematics) -> Model {
    let mut random = Random(11);
    let links = [("base", 3), ("arm", 4), ("hand", 3), ("tail", 0)]
        .map(|(name, n)| (name.to_owned(), Arc::new(random_link(name, &mut random, n, kinematics))));
    let joint = |name: &str, parent: Attachment, child: &str, joint: Box<dyn Joint>| JointSpec {
        name: name.into(),
        parent,
        child: child.into(),
        child_interface: None,
        closes_loop: false,
        coordinates: (0..joint.velocity_count())
            .map(|k| CoordinateSpec {
                initial: 0.4 - 0.3 * k as f64,
                initial_rate: 0.8 + 0.3 * k as f64,
                ..Default::default()
            })
            .collect(),
        joint,
        placement: Placement::from_axes(
            Vector3::new(0.1, -0.2, 0.3),
            Vector3::new(1.0, 0.4, 0.2),
            Vector3::new(0.0, 1.0, -0.3),
        )
        .unwrap(),
        bearing: Bearing::default(),
        grip: None,
    };
    let axis = Vector3::new(0.2, -0.5, 0.8);
    let mut joints = vec![
        joint("turn", Attachment::Ground, "base", Box::new(Revolute::new(axis).unwrap())),
        joint(
            "cardan",
            Attachment::interface("base", "a"),
            "arm",
            Box::new(Universal::new(Vector3::x(), Vector3::y()).unwrap()),
        ),
        joint("screw", Attachment::interface("arm", "b"), "hand", Box::new(Cylindrical::new(axis).unwrap())),
        joint("slide", Attachment::interface("arm", "a"), "tail", Box::new(Prismatic::new(axis).unwrap())),
    ];
    for (k, coordinate) in joints[1].coordinates.iter_mut().enumerate() {
        let motion = Harmonic { mean: 0.3, amplitude: 0.5, freq_hz: 0.2, phase: 1.0 + k as f64 };
        coordinate.drive = Drive::Prescribed(Arc::new(motion));
    }
    joints[0].coordinates[0].friction.viscous = 0.4;
    joints[2].coordinates[0].rotor = pliant_mechanism::Rotor { inertia: 0.01, ratio: 5.0 };
    joints[3].coordinates[0].spring.stiffness = 7.0;
    joints[2].bearing.components =
        [Some((50.0, 3.0)), Some((20.0, 1.0)), None, Some((30.0, 2.0)), Some((25.0, 0.0)), Some((40.0, 1.0))];
    let payload = PayloadSpec {
        name: "box".into(),
        at: Attachment::interface("hand", "b"),
        mass: 1.5,
        centre: Vector3::new(0.1, 0.2, -0.1),
        inertia: Matrix3::identity() * 0.2,
    };
    let force = |x: f64| Some(Arc::new(Constant(x)) as Arc<dyn TimeFunction>);
    let load = |frame, link: &str| LoadSpec {
        name: link.into(),
        at: Attachment::interface(link, "a"),
        frame,
        components: [force(3.0), force(-2.0), force(5.0), force(0.7), force(-0.4), force(1.1)],
    };
    ModelBuilder {
        gravity: Vector3::new(2.0, 1.0, -9.0),
        links: links.into(),
        joints,
        payloads: vec![payload],
        loads: vec![load(LoadFrame::World, "hand"), load(LoadFrame::Triad, "arm")],
        ..Default::default()
    }
    .build()
    .unwrap()
}

#[test]
fn matrices_are_the_derivatives_of_the_residual() {
    for kinematics in Kinematics::ALL {
        let model = machine(kinematics);
        let mut random = Random(23);
        let mut work = Workspace::new(&model);
        let mut scratch = TangentWork::new(&model);
        let mut state = State::initial(&model, 0.3);
        for body in model.bodies() {
            for (k, at) in body.hinge_velocities().enumerate() {
                // Bearings are at rest in the nominal motion.
                if k < body.coordinates.len() && body.coordinates[k].motion().is_none() {
                    state.a[at] = random.next();
                }
            }
        }
        let n = model.velocity_count();
        for trial in 0..12 {
            let mut direction = vec![vec![0.0; n]; 3];
            for &j in &work.unknowns {
                // Positions, rates and accelerations by themselves, then all together.
                for (part, direction) in direction.iter_mut().enumerate() {
                    if trial % 4 == 3 || trial % 4 == part {
                        direction[j] = random.next();
                    }
                }
            }
            let (q, v, a) = (&state.q, &state.v, &state.a);
            residual(&model, state.t, q, v, a, &mut work);
            let mut change = vec![0.0; n];
            let nominal = (q.as_slice(), v.as_slice(), a.as_slice());
            let parts = (direction[0].as_slice(), direction[1].as_slice(), direction[2].as_slice());
            tangent(&model, state.t, nominal, parts, (&work, &mut scratch), &mut change);
            let moved = |step: f64| {
                let mut moved = state.clone();
                for body in model.bodies() {
                    let (q, v) = (body.hinge_positions(), body.hinge_velocities());
                    let delta: Vec<f64> = direction[0][v].iter().map(|x| x * step).collect();
                    body.hinge.advance(&state.q[q.clone()], &delta, &mut moved.q[q]);
                    for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
                        moved.q[q] = step * direction[0][v];
                    }
                }
                for (x, d) in moved.v.iter_mut().zip(&direction[1]) {
                    *x += step * d;
                }
                for (x, d) in moved.a.iter_mut().zip(&direction[2]) {
                    *x += step * d;
                }
                let mut work = Workspace::new(&model);
                residual(&model, state.t, &moved.q, &moved.v, &moved.a, &mut work);
                work.r
            };
            let h = 1e-5;
            let (ahead, behind) = (moved(h), moved(-h));
            let size = change.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for j in 0..n {
                let expected = (ahead[j] - behind[j]) / (2.0 * h);
                // Truncation h² and rounding 1e-16/h of forces of the order of 1e2.
                let error = (change[j] - expected).abs();
                let place = crate::coordinate_label(&model, j);
                assert!(error < 1e-7 * size.max(10.0), "trial {trial}, {place}: {} {expected}", change[j]);
            }
        }
    }
}
