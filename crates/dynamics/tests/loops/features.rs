//! Slider-crank, gears, distances, guides, drives on loop joints, failures.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{Settings, Simulation, SimulationError};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::{Free, Prismatic};
use pliant_mechanism::motion::{Harmonic, SpinUp};
use pliant_mechanism::{
    Bearing, Constant, ConstraintSpec, CouplingSpec, Distance, Drive, End, Friction, Guide, LengthCommand,
    Model, ModelBuilder, Placement, Redundancy, Stiffness,
};
use pliant_spatial::Transform;

use crate::four_bar::{LENGTHS, angles, compare, joints, rod};
use crate::support::{driven, named, revolute};

const CRANK: f64 = 0.1;
const ROD: f64 = 0.3;

/// Crank and connecting rod, with a slider, or with the rod's end on a line and its mass as payload.
fn slider_crank(guide: bool) -> Model {
    let mut crank = revolute("crank", "", "crank", Vector3::z());
    crank.coordinates[0].initial = 0.4;
    crank.coordinates[0].initial_rate = 20.0;
    crank.coordinates[0].exact = true;
    let mut elbow = revolute("elbow", "crank", "rod", Vector3::z());
    elbow.coordinates[0].initial = -0.5;
    let mut builder = ModelBuilder {
        links: vec![named(rod("crank", CRANK, 0.2)), named(rod("rod", ROD, 0.3))],
        joints: vec![crank, elbow],
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    };
    if guide {
        builder.payloads.push(crate::support::point_payload("rod", 0.5));
        builder.constraints.push(ConstraintSpec {
            name: "guide".into(),
            parent: End::Ground(Transform::identity()),
            child: End::Interface { link: "rod".into(), interface: "tip".into(), X: Transform::identity() },
            kind: Box::new(Guide::on_line(Vector3::x()).unwrap()),
        });
    } else {
        let block = ReducedLink::rigid("slider", 0.5, Vector3::zeros(), Matrix3::identity() * 1e-4, []);
        builder.links.push(named(block));
        let mut slide = revolute("slide", "", "slider", Vector3::z());
        slide.joint = Box::new(Prismatic::new(Vector3::x()).unwrap());
        slide.coordinates[0].initial = 0.35;
        let pin = revolute("pin", "rod", "slider", Vector3::z());
        builder.joints.extend([slide, pin]);
    }
    builder.build().unwrap()
}

/// Kinetic energy of the slider-crank over ½θ̇².
fn slider_crank_inertia(theta: f64) -> f64 {
    let (sin, cos) = theta.sin_cos();
    // sin β = (r/l) sin θ, β the angle of the rod below the line.
    let beta = (CRANK / ROD * sin).asin();
    let beta_rate = CRANK * cos / (ROD * beta.cos());
    let slider = -CRANK * sin - ROD * beta.sin() * beta_rate;
    let middle = [-CRANK * sin - 0.5 * ROD * beta.sin() * beta_rate, 0.5 * CRANK * cos];
    0.2 * CRANK * CRANK / 3.0
        + 0.3 * (middle[0] * middle[0] + middle[1] * middle[1] + ROD * ROD / 12.0 * beta_rate * beta_rate)
        + 0.5 * slider * slider
}

#[test]
fn a_slider_crank_turns_as_its_energy_says() {
    // θ̇ = √(2E/J(θ)).
    let E = 0.5 * slider_crank_inertia(0.4) * 400.0;
    let end = 0.5;
    let exact = angles(0.4, end, 50, |theta| (2.0 * E / slider_crank_inertia(theta)).sqrt());
    for guide in [false, true] {
        let (error, open, balance) = compare(&slider_crank(guide), end, &exact, 400);
        println!("guide {guide}: error {error:.2e} rad, open {open:.2e} m, balance {balance:.2e}");
        assert!(error < 1e-6 && open < 1e-10 && balance.abs() < 1e-6, "{error} {open} {balance}");
    }
}

#[test]
fn gears_share_a_torque_by_their_inertias() {
    let disc = |name: &str, J: f64| {
        named(ReducedLink::rigid(name, 1.0, Vector3::zeros(), Matrix3::identity() * J, []))
    };
    let mut first = revolute("first", "", "a", Vector3::z());
    first.coordinates[0].drive = Drive::Torque(Arc::new(Constant(3.0)));
    let model = ModelBuilder {
        links: vec![disc("a", 0.2), disc("b", 0.05)],
        joints: vec![first, revolute("second", "", "b", Vector3::z())],
        // b turns back three times as fast.
        couplings: vec![CouplingSpec {
            name: "gear".into(),
            terms: vec![("first".into(), 0, 3.0), ("second".into(), 0, 1.0)],
            value: 0.0,
        }],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    for _ in 0..100 {
        simulation.advance(1e-2).unwrap();
    }
    // θ̈ = τ/(J_a + 9 J_b); constant, so the scheme is exact.
    let expected = 0.5 * 3.0 / (0.2 + 9.0 * 0.05);
    let q = &simulation.state().q;
    assert!((q[0] - expected).abs() < 1e-10 && (q[1] + 3.0 * expected).abs() < 1e-10, "{q:?} {expected}");
    // The teeth push b with J_b θ̈_b.
    assert!((simulation.work().multipliers()[0] + 0.05 * 6.0 * expected).abs() < 1e-10);
}

/// A mass of 2 kg on a rod without mass, at an angle to the vertical.
pub(crate) fn mass_on_a_rod(length: f64, angle: f64) -> Model {
    let mass = ReducedLink::rigid("bob", 2.0, Vector3::zeros(), Matrix3::identity() * 1e-3, []);
    let mut fly = revolute("fly", "", "bob", Vector3::z());
    fly.joint = Box::new(Free);
    fly.coordinates = vec![Default::default(); 6];
    fly.coordinates[0].initial = length * angle.sin();
    fly.coordinates[1].initial = -length * angle.cos();
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(mass)],
        joints: vec![fly],
        constraints: vec![ConstraintSpec {
            name: "rod".into(),
            parent: End::Ground(Transform::identity()),
            child: End::Frame { link: "bob".into(), X: Transform::identity() },
            kind: Box::new(Distance { length: LengthCommand::Constant(length) }),
        }],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn a_mass_on_a_rod_without_mass_is_a_pendulum() {
    let (length, angle) = (0.7f64, 1.0f64);
    let model = mass_on_a_rod(length, angle);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    // Period 4√(l/g) K(sin ½θ₀) = 2π√(l/g)/agm(1, cos ½θ₀).
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let period = std::f64::consts::TAU * (length / 9.81).sqrt() / a;
    let h = period / 20_000.0;
    for _ in 0..20_000 {
        simulation.advance(h).unwrap();
    }
    // At the turning point an error of phase shows only in its square, one of energy shows at once; the rate
    // shows the phase.
    let (q, v) = (&simulation.state().q, &simulation.state().v);
    assert!((q[0] - length * angle.sin()).abs() < 1e-6 && v[0].abs() < 1e-5, "{q:?} {v:?}");
    // The rod pulls with m g cos θ₀ at rest; the multiplier is a push.
    assert!((simulation.work().multipliers()[0] + 2.0 * 9.81 * angle.cos()).abs() < 1e-4);
}

/// The four-bar driven at its crank, with the crank's joint in the tree or closing the loop.
fn driven_four_bar(closing: bool, bearing: Bearing) -> Model {
    let [g, a, b, c] = LENGTHS;
    let motion = SpinUp { from: 0.3, rate: 12.0, start: 0.0, duration: 0.2 };
    let friction = Friction { viscous: 0.02, coulomb: 0.01, slip_rate: 0.1 };
    let spring = Stiffness { stiffness: 0.4, neutral: 0.1 };
    let names = |mut parts: Vec<pliant_mechanism::JointSpec>| {
        parts[0].coordinates[0].friction = friction;
        parts[0].coordinates[0].spring = spring;
        parts[0].bearing = bearing.clone();
        parts
    };
    let (links, parts) = if closing {
        // Everything described from the other end: bars run from their far pins to the crank's bearing.
        let back = |name: &str, length: f64, mass: f64| {
            let across = mass * length * length / 12.0;
            let I = Matrix3::from_diagonal(&Vector3::new(1e-3 * across, across, across));
            let tip = [("tip".to_owned(), Transform::translation(Vector3::x() * -length))];
            named(ReducedLink::rigid(name, mass, Vector3::x() * (-0.5 * length), I, tip))
        };
        let mut rocker = revolute("rocker", "", "rocker", Vector3::z());
        rocker.placement =
            Placement::Frames { X_TP: Transform::translation(Vector3::x() * g), X_LC: Transform::identity() };
        rocker.coordinates[0].initial = 1.2;
        let mut coupler = revolute("pin", "rocker", "coupler", Vector3::z());
        coupler.coordinates[0].initial = -0.5;
        let mut elbow = revolute("elbow", "coupler", "crank", Vector3::z());
        elbow.coordinates[0].initial = -0.4;
        let mut crank = driven(revolute("crank", "", "crank", Vector3::z()), motion);
        crank.child_interface = Some("tip".into());
        let links = vec![named(rod("rocker", c, 0.2)), back("coupler", b, 0.3), back("crank", a, 0.1)];
        (links, vec![crank, rocker, coupler, elbow])
    } else {
        let mut parts = joints(g);
        let crank = parts.remove(0);
        parts.insert(0, driven(crank, motion));
        parts[1].coordinates[0].initial = 0.5;
        parts[2].coordinates[0].initial = 1.2;
        let links =
            vec![named(rod("crank", a, 0.1)), named(rod("coupler", b, 0.3)), named(rod("rocker", c, 0.2))];
        (links, parts)
    };
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links,
        joints: names(parts),
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn a_loop_joint_is_driven_like_any_other() {
    let [tree, closed] = [false, true].map(|closing| driven_four_bar(closing, Bearing::default()));
    let mut one = Simulation::new(&tree, &Settings::default()).unwrap();
    let mut two = Simulation::new(&closed, &Settings::default()).unwrap();
    for _ in 0..400 {
        one.advance(1e-3).unwrap();
        two.advance(1e-3).unwrap();
        let at = closed.closures().joints[0].velocities().start;
        let (torque, other) = (one.work().drive_residual(0), two.work().drive_residual(at));
        // Both solve the same kinematics at every step; what differs is the rounding and the tolerance of the
        // iteration.
        assert!(
            (torque - other).abs() < 1e-6 * (1.0 + torque.abs()),
            "t = {}: {torque} {other}",
            one.state().t
        );
        let position = closed.closures().joints[0].positions().start;
        assert!((one.state().q[0] - two.state().q[position]).abs() < 1e-12);
    }
    let (a, b) = (*one.energy(), *two.energy());
    assert!((a.drive_work - b.drive_work).abs() < 1e-6 * a.drive_work.abs());
    assert!(
        (a.dissipated - b.dissipated).abs() < 1e-9 * a.dissipated && a.balance.abs() < 1e-3 * a.drive_work
    );
}

#[test]
fn the_bearing_of_a_loop_joint_gives_way_like_any_other() {
    let mut bearing = Bearing::default();
    bearing.components[..2].fill(Some((2e3, 4.0)));
    let [tree, closed] = [false, true].map(|closing| driven_four_bar(closing, bearing.clone()));
    let run = |h: f64| {
        let mut one = Simulation::new(&tree, &Settings::default()).unwrap();
        let mut two = Simulation::new(&closed, &Settings::default()).unwrap();
        let (mut apart, mut largest) = (0.0f64, 0.0f64);
        let at = closed.closures().joints[0].positions().start;
        for _ in 0..(0.4 / h).round() as usize {
            one.advance(h).unwrap();
            two.advance(h).unwrap();
            for k in 1..3 {
                let (b, other) = (one.state().q[k], two.state().q[at + k]);
                (apart, largest) = (apart.max((b - other).abs()), largest.max(b.abs()));
            }
        }
        (apart, largest)
    };
    let ((coarse, _), (fine, largest)) = (run(1e-3), run(2.5e-4));
    println!(
        "bearing gives way by {:.4} mm; apart {:.2e}, then {:.2e} mm",
        1e3 * largest,
        1e3 * coarse,
        1e3 * fine
    );
    // The same machine, discretised in other coordinates: the difference falls with h².
    assert!(largest > 1e-4 && fine < 1e-3 * largest && fine < 0.15 * coarse, "{coarse} {fine} {largest}");
}

#[test]
fn ends_of_reach_and_impossible_loops_are_reported() {
    // Shorter than the crank's circle asks for: the coupler and the rocker stretch out at cos θ = (g² + a² −
    // (b + c)²)/2ga.
    let short = |coupler: f64| {
        let [g, a, _, c] = [0.254, 0.108, 0.0, 0.12];
        let mut parts = joints(g);
        let crank = parts.remove(0);
        let motion = Harmonic { mean: 0.0, amplitude: 3.0, freq_hz: 0.5, phase: 0.0 };
        parts.insert(0, driven(crank, motion));
        parts[1].coordinates[0].initial = 0.7;
        parts[2].coordinates[0].initial = 2.0;
        ModelBuilder {
            links: vec![
                named(rod("crank", a, 0.1)),
                named(rod("coupler", coupler, 0.3)),
                named(rod("rocker", c, 0.2)),
            ],
            joints: parts,
            redundancy: Redundancy::LeastNorm,
            ..ModelBuilder::default()
        }
        .build()
        .unwrap()
    };
    let model = short(0.15);
    let reach: f64 = ((0.254f64.powi(2) + 0.108f64.powi(2) - 0.27f64.powi(2)) / (2.0 * 0.254 * 0.108)).acos();
    let expected = (reach / 3.0).asin() / std::f64::consts::PI;
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let error = loop {
        assert!(simulation.state().t < 1.0, "it must not get past {expected} s");
        if let Err(error) = simulation.advance(1e-3) {
            break error;
        }
    };
    let SimulationError::SingularConfiguration { t, subject } = &error else { panic!("{error}") };
    assert!(
        (t - expected).abs() < 5e-3 && subject.contains("loop joint `pin`"),
        "{error}; expected at {expected}"
    );

    let model = short(0.01);
    let error = Simulation::new(&model, &Settings::default()).unwrap_err();
    assert!(matches!(&error, SimulationError::NotAssembled { misfit, .. } if *misfit > 1e-3), "{error}");
}

#[test]
fn loops_stay_closed_for_a_hundred_thousand_steps() {
    let model = slider_crank(false);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    let (mut open, mut rate) = (0.0f64, 0.0f64);
    let before = simulation.energy().kinetic;
    for _ in 0..100_000 {
        simulation.advance(2e-4).unwrap();
        let error = simulation.work().constraint_error();
        (open, rate) = (open.max(error.0), rate.max(error.1));
    }
    let drift = simulation.energy().balance / before;
    println!("misfit {open:.2e} m, {rate:.2e} m/s; energy {drift:.2e}");
    assert!(open < 1e-10 && rate < 1e-8);
    // Twenty seconds at 20 rad/s with (ωh)² = 1.6e-5.
    assert!(drift.abs() < 3e-5);
}
