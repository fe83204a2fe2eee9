//! The linearisation against central differences of the residual.

use std::sync::Arc;

use nalgebra::{Matrix3, Matrix6, Vector3};
use pliant_mechanism::joint::{Cylindrical, Free, Prismatic, Revolute, Spherical, Universal};
use pliant_mechanism::motion::Harmonic;
use pliant_mechanism::{
    Actuator, Attachment, Bearing, Bushing, Constant, ConstraintSpec, CoordinateSpec, CouplingSpec, Distance,
    Drive, End, ForceElement, ForceSpec, Friction, Guide, Interpolation, Joint, JointSpec, LengthCommand,
    LoadFrame, LoadSpec, ModelBuilder, Outside, PayloadSpec, Placement, Redundancy, Rotor, Servo,
    SpringDamper, SpringLaw, Table, TimeFunction,
};
use pliant_spatial::Transform;

use super::*;
use crate::State;
use crate::kinematics::residual::residual;
use crate::kinematics::state::hinges;
use crate::recursion::articulated::tests::{Kinematics, Random, random_link};

const COMPONENTS: [Option<(f64, f64)>; 6] =
    [Some((50.0, 3.0)), Some((20.0, 1.0)), None, Some((30.0, 2.0)), Some((25.0, 0.0)), Some((40.0, 1.0))];

fn axis() -> Vector3<f64> {
    Vector3::new(0.2, -0.5, 0.8)
}

fn joint(name: &str, parent: Attachment, child: &str, joint: Box<dyn Joint>) -> JointSpec {
    JointSpec {
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
    }
}

fn universal() -> Box<dyn Joint> {
    Box::new(Universal::new(Vector3::x(), Vector3::y()).unwrap())
}

/// A tree of four links with every kind of joint, bearings, payload and loads; the joint of the arm as given.
pub(crate) fn tree(kinematics: Kinematics, middle: Box<dyn Joint>, prescribed: bool) -> ModelBuilder {
    let mut random = Random(11);
    let links = [("base", 3), ("arm", 4), ("hand", 3), ("tail", 0)]
        .map(|(name, n)| (name.to_owned(), Arc::new(random_link(name, &mut random, n, kinematics))));
    let mut joints = vec![
        joint("turn", Attachment::Ground, "base", Box::new(Revolute::new(axis()).unwrap())),
        joint("middle", Attachment::interface("base", "a"), "arm", middle),
        joint(
            "screw",
            Attachment::interface("arm", "b"),
            "hand",
            Box::new(Cylindrical::new(axis()).unwrap()),
        ),
        joint("slide", Attachment::interface("arm", "a"), "tail", Box::new(Prismatic::new(axis()).unwrap())),
    ];
    for (k, coordinate) in joints[1].coordinates.iter_mut().enumerate() {
        coordinate.friction.viscous = 0.3;
        coordinate.rotor = Rotor { inertia: 0.02, ratio: 3.0 };
        if prescribed {
            let motion = Harmonic { mean: 0.3, amplitude: 0.5, freq_hz: 0.2, phase: 1.0 + k as f64 };
            coordinate.drive = Drive::Prescribed(Arc::new(motion));
        }
    }
    joints[0].coordinates[0].friction.viscous = 0.4;
    joints[2].coordinates[0].rotor = Rotor { inertia: 0.01, ratio: 5.0 };
    joints[3].coordinates[0].spring.stiffness = 7.0;
    joints[2].bearing.components = COMPONENTS;
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
}

fn at_interface(link: &str, interface: &str) -> End {
    let X = Transform::rotation(&Vector3::new(0.2, -0.3, 0.5))
        * Transform::translation(Vector3::new(0.2, 0.1, -0.4));
    End::Interface { link: link.into(), interface: interface.into(), X }
}

fn at_frame(link: &str) -> End {
    End::Frame { link: link.into(), X: Transform::translation(Vector3::new(-0.3, 0.6, 0.2)) }
}

fn ground() -> End {
    End::Ground(
        Transform::rotation(&Vector3::new(-0.4, 0.1, 0.2))
            * Transform::translation(Vector3::new(1.0, 2.0, 0.5)),
    )
}

/// Closes a loop between two links with a joint that has friction, spring, servo and a bearing.
fn loop_joint(kind: Box<dyn Joint>) -> JointSpec {
    let mut closing = joint("closing", Attachment::interface("hand", "b"), "tail", kind);
    closing.closes_loop = true;
    closing.bearing.components = COMPONENTS;
    let scalar = closing.joint.has_scalar_coordinates();
    for coordinate in &mut closing.coordinates {
        coordinate.friction = Friction { viscous: 0.3, coulomb: 2.0, slip_rate: 1.0 };
        coordinate.rotor = Rotor { inertia: 0.02, ratio: 3.0 };
        if scalar {
            coordinate.spring.stiffness = 11.0;
            let follow = Harmonic { mean: 0.2, amplitude: 0.5, freq_hz: 0.2, phase: 0.3 };
            coordinate.drive = Drive::Servo(Servo::new(Arc::new(follow), 20.0, 3.0));
        }
    }
    closing
}

/// The tree with one more thing in it, by name.
pub(crate) fn closed_machines(kinematics: Kinematics) -> Vec<(&'static str, ModelBuilder)> {
    let base = || {
        let builder = tree(kinematics, Box::new(Spherical), false);
        ModelBuilder { redundancy: Redundancy::LeastNorm, ..builder }
    };
    let mut machines = Vec::new();
    let joints: [(&str, Box<dyn Joint>); 6] = [
        ("revolute", Box::new(Revolute::new(axis()).unwrap())),
        ("prismatic", Box::new(Prismatic::new(axis()).unwrap())),
        ("cylindrical", Box::new(Cylindrical::new(axis()).unwrap())),
        ("universal", universal()),
        ("spherical", Box::new(Spherical)),
        ("free", Box::new(Free)),
    ];
    for (name, kind) in joints {
        let mut builder = base();
        builder.joints.push(loop_joint(kind));
        machines.push((name, builder));
    }
    let length =
        || LengthCommand::Motion(Arc::new(Harmonic { mean: 2.0, amplitude: 0.5, freq_hz: 0.3, phase: 0.1 }));
    let constraints: [(&str, Box<dyn pliant_mechanism::Constraint>); 3] = [
        ("distance", Box::new(Distance { length: length() })),
        ("line", Box::new(Guide::on_line(axis()).unwrap())),
        ("plane", Box::new(Guide::in_plane(axis()).unwrap())),
    ];
    for (name, kind) in constraints {
        let mut builder = base();
        let (parent, child) = (at_interface("base", "b"), at_interface("hand", "a"));
        builder.constraints.push(ConstraintSpec { name: name.into(), parent, child, kind });
        machines.push((name, builder));
    }
    let mut geared = base();
    let terms = vec![("turn".to_owned(), 0, 1.0), ("screw".to_owned(), 1, -2.5)];
    geared.couplings.push(CouplingSpec { name: "gear".into(), terms, value: 0.1 });
    machines.push(("coupling", geared));
    let table = |x: f64| {
        let force = |u: f64| x * (u + 0.3 * u * u * u);
        let points: Vec<f64> = (-4..=4).map(|i| 0.8 * f64::from(i)).collect();
        let forces = points.iter().map(|u| force(*u)).collect();
        SpringLaw::Table(Table::new(points, forces, Interpolation::Cubic, Outside::Hold).unwrap())
    };
    let spring = |spring, damper| SpringDamper { spring, damper, free_length: 1.0 };
    let mut K = Matrix6::from_fn(|i, j| 3.0 / (1.0 + i as f64 + j as f64));
    K += Matrix6::identity() * 5.0;
    let forces: [(&str, Box<dyn ForceElement>); 5] = [
        ("spring", Box::new(spring(SpringLaw::Linear(30.0), SpringLaw::Linear(4.0)))),
        ("table", Box::new(spring(table(30.0), table(4.0)))),
        ("bushing", Box::new(Bushing { stiffness: K, damping: K * 0.2 })),
        ("push", Box::new(Actuator::Force(Arc::new(Constant(12.0))))),
        ("oil", Box::new(Actuator::Oil { length: length(), stiffness: 40.0, damping: 3.0 })),
    ];
    for (name, kind) in forces {
        let mut builder = base();
        builder.forces.push(ForceSpec {
            name: name.into(),
            parent: ground(),
            child: at_interface("hand", "a"),
            kind: kind.clone_box(),
        });
        builder.forces.push(ForceSpec {
            name: format!("{name} 2"),
            parent: at_frame("tail"),
            child: at_frame("base"),
            kind,
        });
        machines.push((name, builder));
    }
    machines
}

/// Changes of residual, rows and multipliers against central differences, about a random motion.
fn check(name: &str, model: &Model) {
    let mut random = Random(23);
    let mut work = Workspace::new(model);
    let mut scratch = TangentWork::new(model);
    let mut state = State::initial(model, 0.3);
    for (_, coordinates, _, at) in hinges(model) {
        for (k, at) in at.enumerate() {
            // Bearings are at rest in the nominal motion.
            if k < coordinates.len() && coordinates[k].motion().is_none() {
                state.a[at] = random.next();
            }
        }
    }
    let (n, constraints) = (model.velocity_count(), model.closures().constraint_count());
    for multiplier in &mut state.multipliers[..constraints] {
        *multiplier = 3.0 * random.next();
    }
    for trial in 0..16 {
        let mut direction = Perturbation::new(model);
        // Positions, rates, accelerations and multipliers by themselves, then all together.
        for &j in &work.unknowns {
            for (part, x) in
                [&mut direction.q[j], &mut direction.v[j], &mut direction.a[j]].into_iter().enumerate()
            {
                if trial % 5 == 4 || trial % 5 == part {
                    *x = random.next();
                }
            }
        }
        if trial % 5 >= 3 {
            direction.multipliers.iter_mut().for_each(|x| *x = random.next());
        }
        let nominal = (state.q.as_slice(), state.v.as_slice(), state.a.as_slice());
        work.closure.multipliers.copy_from_slice(&state.multipliers);
        residual(model, state.t, &state.q, &state.v, &state.a, &mut work);
        let mut change = vec![0.0; n];
        scratch.prepare(model, nominal, &work);
        tangent(model, state.t, nominal, &direction, (&work, &mut scratch), &mut change);
        let moved = |step: f64| {
            let mut moved = state.clone();
            for (hinge, _, q, v) in hinges(model) {
                let delta: Vec<f64> = direction.q[v].iter().map(|x| x * step).collect();
                hinge.advance(&state.q[q.clone()], &delta, &mut moved.q[q]);
            }
            for body in model.bodies() {
                for (q, v) in body.elastic_positions().zip(body.elastic_velocities()) {
                    moved.q[q] = step * direction.q[v];
                }
            }
            let (mut dv, mut da) = (vec![0.0; n], vec![0.0; n]);
            direction.rates(model, (&state.v, &state.a), (&mut dv, &mut da));
            let add = |x: &mut [f64], d: &[f64]| x.iter_mut().zip(d).for_each(|(x, d)| *x += step * d);
            add(&mut moved.v, &dv);
            add(&mut moved.a, &da);
            add(&mut moved.multipliers[..constraints], &direction.multipliers);
            let mut work = Workspace::new(model);
            work.closure.multipliers.copy_from_slice(&moved.multipliers);
            residual(model, state.t, &moved.q, &moved.v, &moved.a, &mut work);
            let rows = work.closure.rows.iter().flat_map(|row| [row.position, row.rate, row.acceleration]);
            rows.chain(work.closure.multipliers.iter().copied())
                .chain(work.r.iter().copied())
                .collect::<Vec<_>>()
        };
        let h = 1e-5;
        let (ahead, behind) = (moved(h), moved(-h));
        let rows = scratch.closure.rows.iter().flat_map(|row| [row.position, row.rate, row.acceleration]);
        let found = rows.chain(scratch.closure.multipliers.iter().copied()).chain(change.iter().copied());
        let found: Vec<f64> = found.collect();
        assert_eq!(found.len(), ahead.len());
        let size = found.iter().fold(10.0f64, |a, b| a.max(b.abs()));
        for (k, found) in found.iter().enumerate() {
            let expected = (ahead[k] - behind[k]) / (2.0 * h);
            // Truncation h² and rounding 1e-16/h of forces of the order of 1e2.
            let error = (found - expected).abs();
            assert!(error < 1e-7 * size, "{name}, trial {trial}, entry {k}: {found} {expected}");
        }
    }
}

#[test]
fn matrices_are_the_derivatives_of_the_residual() {
    for kinematics in Kinematics::ALL {
        let joints: [(Box<dyn Joint>, bool); 4] = [
            (universal(), true),
            (universal(), false),
            (Box::new(Spherical), false),
            (Box::new(Free), false),
        ];
        for (middle, prescribed) in joints {
            let kind = middle.kind();
            check(kind, &tree(kinematics, middle, prescribed).build().unwrap());
        }
    }
}

#[test]
fn matrices_of_closures_are_the_derivatives_of_rows_and_residual() {
    for kinematics in [Kinematics::Second, Kinematics::Chord] {
        for (name, builder) in closed_machines(kinematics) {
            check(name, &builder.build().unwrap());
        }
    }
}
