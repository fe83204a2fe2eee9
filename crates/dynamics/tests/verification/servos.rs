//! Servo drives against the closed-form second-order response.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{AnalysisKind, Frame, Settings, Simulation, Start, StepControl, simulate};
use pliant_mechanism::motion::{Cycloidal, Hold};
use pliant_mechanism::{BodyIndex, Drive, Model, ModelBuilder, Servo};
use pliant_spatial::Transform;

use crate::support::{ROD, driven, named, revolute, rigid, tight};

const INERTIA: f64 = 0.5;

fn wheel(servo: Servo, initial: f64) -> Model {
    let mut joint = revolute("axle", "", "wheel", Vector3::z());
    joint.coordinates[0].drive = Drive::Servo(servo);
    joint.coordinates[0].initial = initial;
    let link = rigid("wheel", 2.0, Vector3::zeros(), Matrix3::identity() * INERTIA, Transform::identity());
    ModelBuilder { links: vec![named(link)], joints: vec![joint], ..ModelBuilder::default() }.build().unwrap()
}

fn run(model: &Model, end: f64, h: f64) -> (f64, f64, f64) {
    let mut simulation =
        Simulation::new(model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
    for _ in 0..(end / h).round() as usize {
        simulation.advance(h).unwrap();
    }
    let balance = simulation.energy().balance;
    (simulation.state().q[0], simulation.state().v[0], balance)
}

#[test]
fn a_wheel_on_a_servo_is_the_damped_oscillator() {
    // I e'' + k_v e' + k_p e = 0 for the error e, from e = −0.3 at rest.
    let (k_p, k_v) = (50.0, 4.0);
    let follow = Arc::new(Hold { value: 1.0 });
    let servo = Servo::new(follow, k_p, k_v);
    let model = wheel(servo, -0.3);
    let (decay, omega) = (k_v / (2.0 * INERTIA), (k_p / INERTIA - (k_v / (2.0 * INERTIA)).powi(2)).sqrt());
    let t = 0.7;
    let expected = 1.0 - 0.3 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
    let (angle, _, balance) = run(&model, t, 2e-4);
    // Second order: (ωh)²/12·ωt of the swing, about 1e-7.
    assert!((angle - expected).abs() < 1e-6, "{angle} against {expected}");
    // The sum of powers: (ωh)² ≈ 4e-6 of the 2 J that swing.
    assert!(balance.abs() < 8e-6, "{balance}");
}

#[test]
fn a_limited_servo_accelerates_with_its_limit() {
    let follow = Arc::new(Hold { value: 10.0 });
    let servo = Servo { limit: 2.0, ..Servo::new(follow, 100.0, 5.0) };
    let (angle, rate, _) = run(&wheel(servo, -10.0), 0.5, 1e-3);
    // Far from its goal it pushes with 2 N m: θ = ½(2/I)t².
    assert!((angle - 0.5).abs() < 1e-9 && (rate - 2.0).abs() < 1e-9, "{angle} {rate}");
}

#[test]
fn feed_forward_removes_the_lag_of_a_rigid_joint() {
    let follow: Arc<Cycloidal> = Arc::new(Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 1.0 });
    let lag = |feed_forward: f64| {
        let mut servo = Servo::from_frequency(follow.clone(), 4.0, INERTIA);
        servo.feed_forward = feed_forward;
        let model = wheel(servo, 0.0);
        let settings = Settings { step: StepControl::Fixed { step: 1e-3 }, ..Settings::default() };
        let mut worst = 0.0f64;
        simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
            worst = worst.max((frame.state.q[0] - frame.nominal.state().q[0]).abs());
        })
        .unwrap();
        worst
    };
    let (without, with) = (lag(0.0), lag(INERTIA));
    println!("servo lag {without:.2e} rad, fed forward {with:.2e}");
    assert!(without > 1e-2 && with < 1e-5);
}

#[test]
fn a_servo_holds_an_arm_against_gravity_with_its_sag() {
    // Static equilibrium: k_p(θ_c − θ) = m g c cos θ, solved here by its own iteration.
    let (m, c, k_p, g) = (2.0, 0.4, 300.0, 9.81);
    let follow: Arc<Hold> = Arc::new(Hold { value: 0.0 });
    let mut joint = revolute("shoulder", "", "arm", Vector3::z());
    let servo = Servo::new(follow, k_p, 10.0);
    joint.coordinates[0].drive = Drive::Servo(servo);
    let arm = rigid("arm", m, Vector3::x() * c, Matrix3::identity() * 0.1, Transform::identity());
    let model = ModelBuilder {
        gravity: Vector3::y() * -g,
        links: vec![named(arm)],
        joints: vec![joint],
        ..ModelBuilder::default()
    }
    .build()
    .unwrap();
    let settings = Settings { start: Start::StaticEquilibrium, ..Settings::default() };
    let simulation = Simulation::new(&model, &settings).unwrap();
    let mut angle = 0.0f64;
    for _ in 0..100 {
        angle = -m * g * c * angle.cos() / k_p;
    }
    assert!((simulation.state().q[0] - angle).abs() < 1e-12, "{}", simulation.state().q[0]);
}

#[test]
fn a_compliant_arm_errs_more_than_a_stiffly_driven_one() {
    // Naganathan's observation: servo compliance adds visibly to the tip error.
    let slew = Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.8 };
    let peak = |servo: bool| {
        let mut joints = vec![
            driven(revolute("first", "", "one", Vector3::z()), slew),
            driven(revolute("second", "one", "two", Vector3::z()), slew),
        ];
        if servo {
            for (joint, inertia) in joints.iter_mut().zip([3.0, 0.4]) {
                joint.coordinates[0].drive =
                    Drive::Servo(Servo::from_frequency(Arc::new(slew), 8.0, inertia));
            }
        }
        let links = vec![named(ROD.link("one")), named(ROD.link("two"))];
        let model = ModelBuilder { links, joints, ..ModelBuilder::default() }.build().unwrap();
        let settings = Settings { step: StepControl::Fixed { step: 1e-3 }, ..Settings::default() };
        let mut peak = 0.0f64;
        simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
            peak = peak.max(frame.error(BodyIndex(1).interface(0)).0.norm());
        })
        .unwrap();
        peak
    };
    let (stiff, compliant) = (peak(false), peak(true));
    println!("tip error {:.2} mm driven stiffly, {:.2} mm on servos", stiff * 1e3, compliant * 1e3);
    assert!(compliant > 1.5 * stiff);
}
