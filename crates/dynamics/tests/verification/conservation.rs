//! What must not change: energy, momentum, and the answer when the machine is looked at differently.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Scheme, Settings, Simulation};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Cylindrical, Fixed, Free, Prismatic, Spherical, Universal};
use pliant_mechanism::{Attachment, Bearing, BodyIndex, JointSpec, Model, ModelBuilder, Placement};
use pliant_spatial::{Transform, rotation_exp};

use crate::support::{Beam, ROD, SCHEMES, TUBE, driven, named, point_payload, revolute, run_to, tight};
use pliant_mechanism::motion::Cycloidal;

/// A slender rod on a free pivot, let go horizontally.
fn flexible_pendulum(rod: Beam) -> Model {
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(rod.link("rod"))],
        joints: vec![revolute("pivot", "", "rod", Vector3::z())],
        payloads: vec![point_payload("rod", 0.3)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn energy_of_undamped_motion_does_not_drift_over_ten_thousand_steps() {
    let model = flexible_pendulum(TUBE);
    let mut simulation =
        Simulation::new(&model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
    let (mut worst, mut kinetic) = (0.0f64, 0.0f64);
    for _ in 0..10_000 {
        simulation.advance(1e-4).unwrap();
        let energy = simulation.energy();
        kinetic = kinetic.max(energy.kinetic);
        worst = worst.max(energy.balance.abs());
    }
    println!("pendulum: balance {worst:.2e} J of {kinetic:.2} J");
    assert!(kinetic > 10.0 && worst < 1e-6 * kinetic, "{}", worst / kinetic);
}

#[test]
fn the_energy_of_undamped_motion_errs_by_second_order_in_every_scheme() {
    // Bending alone, to 220 Hz: every step here resolves all of it.
    let rod = Beam { modes: 2, ..ROD };
    let model = ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(rod.planar_link("rod", false))],
        joints: vec![revolute("pivot", "", "rod", Vector3::z())],
        payloads: vec![point_payload("rod", 0.3)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    for scheme in SCHEMES {
        let balance = |h: f64| {
            let settings = Settings { newton: tight(), scheme, ..Settings::default() };
            let mut simulation = Simulation::new(&model, &settings).unwrap();
            let steps = (0.5 / h).round() as usize;
            (0..steps).fold(0.0f64, |worst, _| {
                simulation.advance(h).unwrap();
                worst.max(simulation.energy().balance.abs())
            })
        };
        let (coarse, fine) = (balance(1e-4), balance(5e-5));
        let order = (coarse / fine).log2();
        println!("swinging rod, {scheme:?}: balance {coarse:.1e} and {fine:.1e} J, order {order:.2}");
        // What a damped scheme takes from the vibration is of third order.
        assert!(order > 1.9, "{scheme:?}: {order}");
    }
}

#[test]
fn every_scheme_is_of_second_order_with_flexible_links() {
    // Started smoothly, so that the stiff coordinates, which no step here resolves, stay at rest.
    let rod = Beam { modes: 1, ..ROD };
    let slew = Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.5 };
    let model = ModelBuilder {
        links: vec![named(rod.link("one")), named(rod.link("two"))],
        joints: vec![
            driven(revolute("first", "", "one", Vector3::z()), slew),
            revolute("second", "one", "two", Vector3::new(0.0, 0.3, 1.0)),
        ],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    for scheme in SCHEMES {
        let tip = |h: f64| run_to(&model, scheme, 0.4, h).1.X_WT(BodyIndex(1).interface(0)).p;
        let (a, b, c) = (tip(4e-4), tip(2e-4), tip(1e-4));
        let order = ((a - b).norm() / (b - c).norm()).log2();
        println!("flexible arm, {scheme:?}: last difference {:.1e} m, order {order:.3}", (b - c).norm());
        assert!((order - 2.0).abs() < 0.1, "{scheme:?}: {order}");
    }
}

/// A satellite: free base, two panels on sprung hinges, spinning and drifting.
fn satellite(panel: &ReducedLink) -> Model {
    let side = |name: &str, sign: f64| {
        let R = rotation_exp(&(Vector3::z() * if sign > 0.0 { 0.0 } else { std::f64::consts::PI }));
        (name.to_owned(), Transform::new(R, Vector3::x() * (0.4 * sign)))
    };
    let I = Matrix3::from_diagonal(&Vector3::new(3.0, 4.0, 5.0));
    let base = ReducedLink::rigid(
        "base",
        40.0,
        Vector3::new(0.02, -0.01, 0.03),
        I,
        [side("left", -1.0), side("right", 1.0)],
    );
    let mut flight = revolute("flight", "", "base", Vector3::z());
    flight.joint = Box::new(Free);
    flight.coordinates = (0..6).map(|_| Default::default()).collect();
    for (i, rate) in [0.1, -0.05, 0.02, 0.05, 0.1, 0.2].into_iter().enumerate() {
        flight.coordinates[i].initial_rate = rate;
    }
    let hinge = |name: &str, panel: &str, initial: f64| {
        let mut joint = revolute(name, "", panel, Vector3::y());
        joint.parent = Attachment::interface("base", name);
        joint.coordinates[0].initial = initial;
        joint.coordinates[0].spring.stiffness = 2.0;
        joint
    };
    let mut panels = [panel.clone(), panel.clone()];
    panels[0].name = "panel_left".into();
    panels[1].name = "panel_right".into();
    let [left, right] = panels;
    ModelBuilder {
        links: vec![named(base), named(left), named(right)],
        joints: vec![flight, hinge("left", "panel_left", 0.1), hinge("right", "panel_right", 0.2)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Largest change of linear and angular momentum relative to their sizes.
fn momentum_change(model: &Model, end: f64, h: f64) -> f64 {
    let settings = Settings { newton: tight(), ..Settings::default() };
    let mut simulation = Simulation::new(model, &settings).unwrap();
    let start = simulation.work().momentum();
    let mut worst = 0.0f64;
    for _ in 0..(end / h).round() as usize {
        simulation.advance(h).unwrap();
        let change = simulation.work().momentum() - start;
        for rows in [0, 3] {
            worst = worst.max(change.fixed_rows::<3>(rows).norm() / start.fixed_rows::<3>(rows).norm());
        }
    }
    worst
}

#[test]
fn momentum_of_a_free_flying_machine_is_kept() {
    let panel = Beam { modes: 2, I: 1e-7, ..ROD }.link("panel");
    let flexible = satellite(&panel);
    let rigid = momentum_change(&flexible.rigid(), 0.5, 5e-5);
    let (coarse, fine) = (momentum_change(&flexible, 0.02, 2e-5), momentum_change(&flexible, 0.02, 1e-5));
    let order = (coarse / fine).log2();
    println!("satellite momentum: rigid {rigid:.1e}; flexible {coarse:.1e}, {fine:.1e}, order {order:.2}");
    assert!(rigid < 1e-9, "{rigid}");
    assert!(order > 1.9, "{order}");
}

/// One of every joint on a free base, every other link flexible, springs so that nothing flies off, bearings
/// too.
fn zoo() -> Model {
    let axis = Vector3::new(0.2, 0.3, 0.9);
    let seats: Vec<_> = (0..6)
        .map(|i| {
            let turn = rotation_exp(&(Vector3::z() * f64::from(i)));
            (format!("seat{i}"), Transform::new(turn, turn * Vector3::x() * 0.3))
        })
        .collect();
    let I = Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 4.0));
    let base = ReducedLink::rigid("base", 20.0, Vector3::zeros(), I, seats);
    let mut links = vec![named(base)];
    let mut flight = revolute("flight", "", "base", Vector3::z());
    flight.joint = Box::new(Free);
    flight.coordinates = (0..6).map(|_| Default::default()).collect();
    flight.coordinates[5].initial_rate = 0.5;
    let mut joints = vec![flight];
    let kinds: [Box<dyn pliant_mechanism::Joint>; 6] = [
        Box::new(Fixed),
        Box::new(Prismatic::new(axis).unwrap()),
        Box::new(Cylindrical::new(axis).unwrap()),
        Box::new(Universal::new(Vector3::y(), Vector3::z()).unwrap()),
        Box::new(Spherical),
        Box::new(pliant_mechanism::joint::Revolute::new(axis).unwrap()),
    ];
    for (i, joint) in kinds.into_iter().enumerate() {
        let name = format!("arm{i}");
        let beam = Beam { modes: 1, I: 2e-7, length: 0.5, elements: 4, ..ROD };
        let mut link = if i % 2 == 0 { beam.link(&name) } else { beam.link(&name).rigidified() };
        link.name.clone_from(&name);
        links.push(named(link));
        let coordinates = (0..joint.velocity_count())
            .map(|k| {
                let mut c = pliant_mechanism::CoordinateSpec {
                    initial_rate: 0.4 - 0.3 * k as f64,
                    ..Default::default()
                };
                if joint.has_scalar_coordinates() {
                    c.spring.stiffness = if joint.is_angle(k) { 5.0 } else { 500.0 };
                }
                c
            })
            .collect();
        let mut bearing = Bearing::default();
        if i == 5 {
            bearing.components[1] = Some((1e5, 0.0));
            bearing.components[3] = Some((2e3, 0.0));
        }
        let (parent, placement) = (Attachment::interface("base", format!("seat{i}")), Placement::Triad);
        joints.push(JointSpec {
            name: format!("joint{i}"),
            parent,
            child: name,
            child_interface: None,
            closes_loop: false,
            joint,
            placement,
            coordinates,
            bearing,
            grip: None,
        });
    }
    ModelBuilder { links, joints, ..ModelBuilder::default() }.build().unwrap()
}

#[test]
fn a_tree_with_every_joint_keeps_energy_and_momentum() {
    let model = zoo();
    let run = |h: f64| {
        let settings = Settings { newton: tight(), ..Settings::default() };
        let mut simulation = Simulation::new(&model, &settings).unwrap();
        let start = simulation.work().momentum();
        let (mut energy, mut momentum) = (0.0f64, 0.0f64);
        for _ in 0..(0.04 / h).round() as usize {
            simulation.advance(h).unwrap();
            energy = energy.max(simulation.energy().balance.abs());
            momentum = momentum.max((simulation.work().momentum() - start).norm());
        }
        (energy, momentum, simulation.energy().kinetic, start.norm())
    };
    let (coarse, fine) = (run(4e-5), run(2e-5));
    let orders = ((coarse.0 / fine.0).log2(), (coarse.1 / fine.1).log2());
    println!(
        "every joint: energy {:.1e} of {:.2} J, momentum {:.1e} of {:.2}, orders {orders:.2?}",
        fine.0, fine.2, fine.1, fine.3
    );
    // A wrong velocity term would leave an error that does not fall with the step.
    assert!(fine.0 < 1e-5 * fine.2 && fine.1 < 1e-5 * fine.3);
    assert!(orders.0 > 1.8 && orders.1 > 1.8);
}

/// The 3R arm with free joints, as a heap of links let go, the entire turned by `X` and its beams built in
/// link axes turned by `R`.
fn turned_arm(X: Transform, R: Matrix3<f64>) -> Model {
    let soft = Beam { modes: 3, ..ROD };
    let mut joints = vec![
        revolute("first", "", "one", Vector3::new(0.0, 0.6, 0.8)),
        revolute("second", "one", "two", Vector3::new(0.0, 1.0, 0.1)),
    ];
    joints[0].placement = Placement::Frames { X_TP: X, X_LC: Transform::new(R, Vector3::zeros()) };
    // The tip triad of the first beam keeps its own axes; only the second link's frame is turned.
    joints[1].placement =
        Placement::Frames { X_TP: Transform::identity(), X_LC: Transform::new(R, Vector3::zeros()) };
    joints[0].coordinates[0].initial_rate = 1.0;
    let links = ["one", "two"].map(|name| (name.to_owned(), Arc::new(soft.link_in_axes(name, &R))));
    ModelBuilder {
        gravity: X.R * Vector3::new(0.0, 0.0, -9.81),
        links: links.into(),
        joints,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn the_answer_does_not_depend_on_the_frame() {
    let still = turned_arm(Transform::identity(), Matrix3::identity());
    let X = Transform::new(rotation_exp(&Vector3::new(1.0, -2.0, 0.5)), Vector3::new(10.0, -20.0, 5.0));
    let moved = turned_arm(X, rotation_exp(&Vector3::new(-0.4, 0.9, 2.0)));
    let (a, work_a) = run_to(&still, Scheme::Newmark, 0.2, 2e-4);
    let (b, work_b) = run_to(&moved, Scheme::Newmark, 0.2, 2e-4);
    let (tip_a, tip_b) =
        (X.point(&work_a.X_WT(BodyIndex(1).interface(0)).p), work_b.X_WT(BodyIndex(1).interface(0)).p);
    println!("turned machine: tip differs by {:.1e} m", (tip_a - tip_b).norm());
    // The tip has moved by decimetres; rounding of coordinates 20 m away is 4e-15 m per operation.
    assert!((tip_a - tip_b).norm() < 1e-9);
    let state = a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(state < 1e-9, "{state}");
}

#[test]
fn a_run_is_repeatable_bit_for_bit_on_any_thread() {
    let model = zoo();
    let run = || run_to(&model, Scheme::GeneralizedAlpha { rho_inf: 0.7 }, 0.01, 1e-4).0;
    let first = run();
    let others: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for other in others {
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(
            (bits(&first.q), bits(&first.v), bits(&first.a)),
            (bits(&other.q), bits(&other.v), bits(&other.a))
        );
    }
}
