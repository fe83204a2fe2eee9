//! The linear analysis of machines with loops and force elements: closed forms, and the nonlinear one at
//! small deflections.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_dynamics::{
    AnalysisKind, Flow, Frame, Observer, Settings, Start, StepControl, Warning, natural_frequencies, simulate,
};
use pliant_mechanism::joint::Spherical;
use pliant_mechanism::motion::{Cycloidal, Hold};
use pliant_mechanism::{
    BodyIndex, CoordinateSpec, Drive, End, ForceSpec, JointSpec, Model, ModelBuilder, Placement, Redundancy,
    Sampling, Servo, SpringDamper, SpringLaw,
};
use pliant_spatial::Transform;

use crate::features::mass_on_a_rod;
use crate::forces::slide;
use crate::four_bar::{LENGTHS, joints, rod};
use crate::support::{Beam, ROD, driven, named, point_payload, revolute};

const GRAVITY: f64 = 9.81;

/// A servo that holds a position: the nominal motion is rest there, and with gains of zero the joint is free
/// about it.
fn held(mut joint: JointSpec, at: f64, gain: f64, offset: f64) -> JointSpec {
    joint.coordinates[0].drive = Drive::Servo(Servo::new(Arc::new(Hold { value: at }), gain, 0.0));
    joint.coordinates[0].initial = offset;
    joint
}

fn settings(end: f64, step: f64) -> Settings {
    Settings {
        t_end: end,
        step: StepControl::Fixed { step },
        output_interval: 10.0 * step,
        ..Settings::default()
    }
}

/// What `take` reads of each frame, with its time.
fn history<T>(
    model: &Model,
    kind: AnalysisKind,
    settings: &Settings,
    take: impl Fn(&Frame<'_>) -> T,
) -> Vec<(f64, T)> {
    let mut out = Vec::new();
    simulate(model, kind, settings, &mut |frame: &Frame<'_>| out.push((frame.state.t, take(frame)))).unwrap();
    out
}

/// Two cranks that hang from the ground and carry a bar between them.
fn parallelogram(offset: f64) -> Model {
    let [crank, elbow, rocker, pin]: [JointSpec; 4] = joints(0.5).try_into().unwrap();
    let mut joints = vec![held(crank, -FRAC_PI_2, 0.0, offset), elbow, rocker, pin];
    joints[1].coordinates[0].initial = FRAC_PI_2;
    joints[2].coordinates[0].initial = -FRAC_PI_2;
    ModelBuilder {
        gravity: Vector3::y() * -GRAVITY,
        links: vec![
            named(rod("crank", 0.3, 0.4)),
            named(rod("coupler", 0.5, 1.1)),
            named(rod("rocker", 0.3, 0.4)),
        ],
        joints,
        redundancy: Redundancy::LeastNorm,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn a_parallelogram_swings_as_the_pendulum_that_it_is() {
    // T = ½(⅔ml² + Ml²)θ̇², V = −(m + M)gl cos θ. The bar's weight reaches the cranks through the multipliers
    // alone.
    let (l, m, M) = (0.3, 0.4, 1.1);
    let omega = ((m + M) * GRAVITY * l / (2.0 / 3.0 * m * l * l + M * l * l)).sqrt();
    let model = parallelogram(0.3);
    let found = natural_frequencies(&parallelogram(0.0), &Settings::default()).unwrap();
    assert_eq!(found.len(), 1);
    // Central differences of K: 1e-16/1e-6 of forces.
    assert!((found[0] * std::f64::consts::TAU / omega - 1.0).abs() < 1e-8, "{found:?} {omega}");
    let angles = history(&model, AnalysisKind::Linear, &settings(1.0, 1e-4), |frame| {
        [frame.state.q[0] + FRAC_PI_2, frame.state.q[2] + FRAC_PI_2, frame.state.q[1] - FRAC_PI_2]
    });
    let start = angles[0].1[0];
    assert!(start > 0.05);
    for (t, [crank, rocker, elbow]) in angles {
        // Newmark's phase error ω³h²t/12 is 2e-7.
        let expected = start * (omega * t).cos();
        for angle in [crank, rocker, -elbow] {
            assert!((angle - expected).abs() < 1e-6 * start, "{t}: {angle} {expected}");
        }
    }
}

#[test]
fn two_pendulums_with_a_spring_beat() {
    let (l, m, k, apart) = (0.8f64, 1.5f64, 4.0f64, 1.2f64);
    let J = m * l * l / 3.0;
    let mut second = revolute("second", "", "two", Vector3::z());
    let X_TP = Transform::translation(Vector3::x() * apart);
    second.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    let tip =
        |link: &str| End::Interface { link: link.into(), interface: "tip".into(), X: Transform::identity() };
    let model = ModelBuilder {
        gravity: Vector3::y() * -GRAVITY,
        links: vec![named(rod("one", l, m)), named(rod("two", l, m))],
        joints: vec![
            held(revolute("first", "", "one", Vector3::z()), -FRAC_PI_2, 0.0, 0.4),
            held(second, -FRAC_PI_2, 0.0, 0.0),
        ],
        forces: vec![ForceSpec {
            name: "spring".into(),
            parent: tip("one"),
            child: tip("two"),
            kind: Box::new(SpringDamper {
                spring: SpringLaw::Linear(k),
                damper: SpringLaw::Linear(0.0),
                free_length: apart,
            }),
        }],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let weight = 0.5 * m * GRAVITY * l;
    let omega = [(weight / J).sqrt(), ((weight + 2.0 * k * l * l) / J).sqrt()];
    for (t, [one, two]) in history(&model, AnalysisKind::Linear, &settings(3.0, 1e-4), |frame| {
        [frame.state.q[0] + FRAC_PI_2, frame.state.q[1] + FRAC_PI_2]
    }) {
        let [slow, fast] = omega.map(|w| 0.2 * (w * t).cos());
        // ω³h²t/12 of 0.2 rad is 1e-7.
        assert!((one - slow - fast).abs() < 2e-7 && (two - slow + fast).abs() < 2e-7, "{t}: {one} {two}");
    }
}

#[test]
fn a_block_on_spring_and_damper_rings_down() {
    let (k, d, m, x0) = (500.0f64, 6.0f64, 2.0f64, 0.05f64);
    let element =
        SpringDamper { spring: SpringLaw::Linear(k), damper: SpringLaw::Linear(d), free_length: 1.0 };
    let servo = Servo::new(Arc::new(Hold { value: 0.0 }), 300.0, 0.0);
    let forces = vec![ForceSpec {
        name: "element".into(),
        parent: End::Ground(Transform::translation(-Vector3::x())),
        child: End::Frame { link: "block".into(), X: Transform::identity() },
        kind: Box::new(element),
    }];
    let model = slide(x0, Drive::Servo(servo), ModelBuilder { forces, ..ModelBuilder::default() });
    let decay = d / (2.0 * m);
    let omega = ((k + 300.0) / m - decay * decay).sqrt();
    for (t, x) in history(&model, AnalysisKind::Linear, &settings(1.0, 5e-5), |frame| frame.state.q[0]) {
        let expected = x0 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
        assert!((x - expected).abs() < 2e-7, "{t}: {x} {expected}");
    }
}

#[test]
fn servos_with_integral_samples_and_delay_are_those_of_the_nonlinear_analysis() {
    // One mass without anything nonlinear about a position of rest: both are the same equations, step by
    // step.
    let follow = Arc::new(Hold { value: 0.2 });
    let continuous = Servo { integral_gain: 900.0, ..Servo::new(follow, 800.0, 60.0) };
    let sampling = Some(Sampling { time: 4e-3, delay: 2e-3, rate_limit: 4e3 });
    for servo in [continuous.clone(), Servo { sampling, ..continuous }] {
        let model = slide(0.05, Drive::Servo(servo), ModelBuilder::default());
        let settings = settings(0.8, 1e-3);
        let kinds = [AnalysisKind::Nonlinear, AnalysisKind::Linear];
        let [nonlinear, linear] =
            kinds.map(|kind| history(&model, kind, &settings, |frame| frame.state.q[0]));
        for ((t, a), (_, b)) in nonlinear.iter().zip(&linear) {
            assert!((a - b).abs() < 1e-9, "{t}: {a} {b}");
        }
    }
}

/// A four-bar of three flexible links that turns its crank by a radian in 0.2 s; mass and weight scaled by
/// `load`.
fn four_bar(load: f64) -> Model {
    let [g, a, b, c] = LENGTHS;
    let section = Beam { E: 7e8, rho: 2700.0 * load, elements: 6, modes: 2, rayleigh_beta: 1e-3, ..ROD };
    let link = |name: &str, length: f64| named(Beam { length, ..section }.link(name));
    let mut parts = joints(g);
    let crank = parts.remove(0);
    parts.insert(0, driven(crank, Cycloidal { from: 0.4, to: 1.4, start: 0.0, duration: 0.2 }));
    parts[1].coordinates[0].initial = 0.6;
    parts[2].coordinates[0].initial = 1.3;
    ModelBuilder {
        gravity: Vector3::new(0.0, -GRAVITY, 1.0),
        links: vec![link("crank", a), link("coupler", b), link("rocker", c)],
        joints: parts,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn what_the_linear_four_bar_leaves_out_falls_with_the_square_of_its_deflection() {
    for start in [Start::Undeformed, Start::StaticEquilibrium] {
        let mut last: Option<(f64, f64)> = None;
        for load in [1.0, 0.5, 0.25] {
            let model = four_bar(load);
            let settings = Settings { start, ..settings(0.2, 2e-4) };
            let read = |kind| {
                history(&model, kind, &settings, |frame| {
                    let (error, turn) = frame.error(BodyIndex(1).interface(0));
                    (error, turn, Vector3::from_column_slice(&frame.work.multipliers()[..3]))
                })
            };
            let (nonlinear, linear) = (read(AnalysisKind::Nonlinear), read(AnalysisKind::Linear));
            let peak = nonlinear.iter().map(|(_, (error, ..))| error.norm()).fold(0.0, f64::max);
            let force = nonlinear.iter().map(|(_, (.., force))| force.norm()).fold(0.0, f64::max);
            let pairs = || nonlinear.iter().zip(&linear);
            let apart = pairs().map(|((_, a), (_, b))| (a.0 - b.0).norm()).fold(0.0, f64::max);
            let turned = pairs().map(|((_, a), (_, b))| (a.1 - b.1).norm()).fold(0.0, f64::max);
            let pull = pairs().map(|((_, a), (_, b))| (a.2 - b.2).norm()).fold(0.0, f64::max);
            let order = last.map_or(f64::NAN, |(p, d): (f64, f64)| (d / apart).ln() / (p / peak).ln());
            println!(
                "{start:?}, load {load}: peak {:.4} mm, difference {:.5} mm, {turned:.2e} rad, order {order:.2}; pin {force:.3} N, {pull:.2e} N",
                1e3 * peak,
                1e3 * apart
            );
            if last.is_some() {
                assert!((order - 2.0).abs() < 0.25, "{order}");
            }
            last = Some((peak, apart));
        }
    }
}

#[test]
fn a_mass_on_a_rod_without_mass_has_the_frequency_of_a_pendulum() {
    // The stiffness is that of the constraint's reaction, Λ/l.
    let length = 0.7;
    let model = mass_on_a_rod(length, 0.0);
    let found = natural_frequencies(&model, &Settings::default()).unwrap();
    let expected = (GRAVITY / length).sqrt() / std::f64::consts::TAU;
    // Three rotations that nothing holds, and two swings.
    assert_eq!(found.len(), 5);
    assert!(found[..3].iter().all(|f| *f < 1e-3), "{found:?}");
    assert!(found[3..].iter().all(|f| (f / expected - 1.0).abs() < 1e-8), "{found:?} {expected}");
}

/// Keeps the warnings of a run.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Observer for Warnings {
    fn frame(&mut self, _: &Frame<'_>) -> Result<Flow, pliant_dynamics::ObserverError> {
        Ok(Flow::Continue)
    }

    fn warning(&mut self, warning: &Warning) {
        self.0.push(warning.message.clone());
    }
}

#[test]
fn the_rigid_analysis_of_a_flexible_loop_takes_the_smallest_reactions_and_says_so() {
    let model = four_bar(1.0);
    let mut reported = Warnings::default();
    simulate(&model, AnalysisKind::Rigid, &settings(0.01, 1e-3), &mut reported).unwrap();
    let [message] = &reported.0[..] else { panic!("{:?}", reported.0) };
    for direction in ["translation along z", "rotation about x", "rotation about y"] {
        assert!(message.contains(&format!("loop joint `pin`, {direction}")), "{message}");
    }
    let mut reported = Warnings::default();
    simulate(&model, AnalysisKind::Nonlinear, &settings(0.01, 1e-3), &mut reported).unwrap();
    assert!(reported.0.is_empty(), "{:?}", reported.0);
}

/// A driven four-bar whose coupler carries an arm on a free joint about a slanted axis, with a payload.
fn loop_with_arm() -> Model {
    let link = |name: &str, length: f64, radius: f64| {
        let A = std::f64::consts::PI * radius * radius;
        let I = 0.25 * A * radius * radius;
        named(Beam { length, A, I, J: 2.0 * I, second_order: true, ..ROD }.link(name))
    };
    let arm = revolute("arm", "coupler", "arm", Vector3::new(0.0, 1.0, 0.3));
    let slew = Cycloidal { from: 0.3, to: 2.1, start: 0.0, duration: 0.48 };
    let [crank, mut elbow, mut rocker, mut pin]: [JointSpec; 4] = joints(0.6).try_into().unwrap();
    elbow.coordinates[0].initial = 0.4;
    rocker.coordinates[0].initial = 1.9;
    pin.joint = Box::new(Spherical);
    pin.coordinates = vec![CoordinateSpec::default(); 3];
    ModelBuilder {
        gravity: Vector3::y() * -GRAVITY,
        links: vec![
            link("crank", 0.2, 0.005),
            link("coupler", 0.6, 0.006),
            link("rocker", 0.5, 0.006),
            link("arm", 0.4, 0.005),
        ],
        joints: vec![driven(crank, slew), elbow, rocker, pin, arm],
        payloads: vec![point_payload("arm", 0.15)],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

#[test]
fn a_loop_that_carries_a_free_arm_runs_to_its_end_and_accounts_for_its_energy() {
    let model = loop_with_arm();
    let settings = settings(0.6, 5e-4);
    let of = |kind| {
        history(&model, kind, &settings, |frame| {
            (*frame.energy, frame.work.X_WT(BodyIndex(1).interface(0)).p)
        })
    };
    let (linear, nonlinear) = (of(AnalysisKind::Linear), of(AnalysisKind::Nonlinear));
    assert_eq!(linear.len(), nonlinear.len());
    let size = nonlinear.iter().fold(0.0f64, |a, (_, (energy, _))| a.max(energy.kinetic));
    for ((t, (linear, p)), (_, (full, at))) in linear.iter().zip(&nonlinear) {
        // The links deflect by 1 % of their lengths: what is of second order is 0.4 % of the energy.
        for (linear, full) in [
            (linear.kinetic, full.kinetic),
            (linear.gravity, full.gravity),
            (linear.drive_work, full.drive_work),
            (linear.balance, 0.0),
        ] {
            assert!((linear - full).abs() < 5e-3 * size, "{t}: {linear} for {full} of {size}");
        }
        assert!((p - at).norm() < 2e-3, "{t}: {p} {at}");
    }
    assert!(nonlinear.iter().any(|(_, (energy, _))| energy.drive_work > 0.3 * size));
}
