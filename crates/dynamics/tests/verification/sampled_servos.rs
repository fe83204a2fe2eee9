//! Servos with memory: integral, samples, delay, limits; and a gear that gives way.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{AnalysisKind, Frame, Settings, Simulation, SimulationError, StepControl, simulate};
use pliant_mechanism::motion::Hold;
use pliant_mechanism::{
    Bearing, Constant, ControlError, ControlLaw, Controller, Drive, Measurement, Model, ModelBuilder, Rotor,
    Sampling, Servo,
};
use pliant_spatial::Transform;

use crate::support::{named, revolute, rigid, tight};

const INERTIA: f64 = 0.5;

fn wheel(servo: Servo, initial: f64) -> Model {
    let mut joint = revolute("axle", "", "wheel", Vector3::z());
    joint.coordinates[0].drive = Drive::Servo(servo);
    joint.coordinates[0].initial = initial;
    let link = rigid("wheel", 2.0, Vector3::zeros(), Matrix3::identity() * INERTIA, Transform::identity());
    ModelBuilder { links: vec![named(link)], joints: vec![joint], ..ModelBuilder::default() }.build().unwrap()
}

fn sampled(time: f64, delay: f64) -> Servo {
    let follow = Arc::new(Hold { value: 1.0 });
    let sampling = Some(Sampling { time, delay, rate_limit: f64::INFINITY });
    Servo { integral_gain: 30.0, sampling, ..Servo::new(follow, 50.0, 4.0) }
}

/// Angle after each output of 0.02 s.
fn angles(model: &Model, end: f64, step: StepControl) -> Vec<f64> {
    let settings =
        Settings { t_end: end, step, output_interval: 0.02, newton: tight(), ..Settings::default() };
    let mut found = Vec::new();
    simulate(model, AnalysisKind::Nonlinear, &settings, &mut |frame: &Frame<'_>| {
        found.push(frame.state.q[0])
    })
    .unwrap();
    found
}

/// The computer and the wheel in closed form: between samples the torque is constant, so that
/// θ ← θ + θ̇T + ½(τ/I)T², θ̇ ← θ̇ + (τ/I)T. `delay` in samples.
fn by_recursion(servo: &Servo, samples: usize, delay: usize, initial: f64) -> Vec<f64> {
    let (T, limits) = (servo.sampling.unwrap().time, servo.sampling.unwrap().rate_limit);
    let (mut angle, mut rate, mut integral) = (initial, 0.0f64, 0.0);
    let mut torques = vec![0.0; delay];
    let mut last = 0.0;
    let mut found = vec![angle];
    for k in 0..samples {
        let e = 1.0 - angle;
        if k > 0 {
            integral += T * e;
        }
        let wanted = servo.position_gain * e - servo.rate_gain * rate + servo.integral_gain * integral;
        let wanted = if k > 0 { wanted.clamp(last - limits * T, last + limits * T) } else { wanted };
        last = wanted;
        torques.push(wanted);
        let a = torques[k] / INERTIA;
        angle += rate * T + 0.5 * a * T * T;
        rate += a * T;
        found.push(angle);
    }
    found
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_sampled_servo_is_the_recursion_of_its_computer_with_and_without_delay() {
    for delay in [0, 1, 2] {
        let servo = sampled(0.02, 0.02 * delay as f64);
        let expected = by_recursion(&servo, 100, delay, -0.3);
        let model = wheel(servo, -1.3);
        // Newmark's rule is exact under a constant torque: whatever the step, only rounding is left.
        for step in [StepControl::Fixed { step: 0.01 }, StepControl::Fixed { step: 0.0025 }] {
            let found = angles(&model, 2.0, step);
            assert!(apart(&found, &expected) < 1e-10, "{delay} {}", apart(&found, &expected));
        }
        let controlled = StepControl::ErrorControlled { tolerance: 1e-2, min_step: 1e-5, max_step: 0.1 };
        let found = angles(&model, 2.0, controlled);
        assert!(apart(&found, &expected) < 1e-9, "{delay} {}", apart(&found, &expected));
    }
    // Half a sample of delay: the torque changes between samples, and makes the loop less damped than none.
    let swing =
        |delay: f64| angles(&wheel(sampled(0.02, delay), -1.3), 2.0, StepControl::Fixed { step: 0.005 });
    let (none, half) = (swing(0.0), swing(0.01));
    let largest = |a: &[f64]| a.iter().copied().fold(0.0, f64::max);
    assert!(largest(&half) > largest(&none), "{} {}", largest(&half), largest(&none));
}

#[test]
fn a_rate_limit_lets_the_torque_ramp() {
    let mut servo = sampled(0.02, 0.0);
    servo.sampling = Some(Sampling { time: 0.02, delay: 0.0, rate_limit: 100.0 });
    let expected = by_recursion(&servo, 100, 0, -0.3);
    let found = angles(&wheel(servo, -1.3), 2.0, StepControl::Fixed { step: 0.01 });
    assert!(apart(&found, &expected) < 1e-10, "{}", apart(&found, &expected));
}

#[test]
fn steps_that_do_not_fit_the_samples_are_refused() {
    let model = wheel(sampled(0.02, 0.0), 0.0);
    let settings = Settings { step: StepControl::Fixed { step: 0.003 }, ..Settings::default() };
    let ended = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |_: &Frame<'_>| {});
    let Err(SimulationError::Setting { message, .. }) = ended else { panic!("{ended:?}") };
    assert!(message.contains("joint `axle` samples every 0.02 s"), "{message}");
}

#[test]
fn an_integral_takes_the_error_of_a_constant_torque_away_with_second_order() {
    // I ë + k_v ė + k_p e + k_i ∫e = −τ: integrated here by Runge and Kutta's rule with steps of 1e-4.
    let (k_p, k_v, k_i, load) = (50.0, 6.0, 80.0, 3.0);
    let right = |x: [f64; 3]| [x[1], (-load - k_v * x[1] - k_p * x[0] - k_i * x[2]) / INERTIA, x[0]];
    let exact = |end: f64| {
        let h = 1e-4;
        let mut x = [0.3, 0.0, 0.0];
        for _ in 0..(end / h).round() as usize {
            let add = |x: [f64; 3], k: [f64; 3], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
            let k1 = right(x);
            let k2 = right(add(x, k1, 0.5 * h));
            let k3 = right(add(x, k2, 0.5 * h));
            let k4 = right(add(x, k3, h));
            x = std::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        x[0]
    };
    let error = |end: f64, h: f64| {
        let follow = Arc::new(Hold { value: 1.0 });
        let fed = Some(Arc::new(Constant(load)) as _);
        let servo = Servo { integral_gain: k_i, feed_torque: fed, ..Servo::new(follow, k_p, k_v) };
        let model = wheel(servo, -0.3);
        let mut simulation =
            Simulation::new(&model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
        for _ in 0..(end / h).round() as usize {
            simulation.advance(h).unwrap();
        }
        1.0 - simulation.state().q[0]
    };
    let exact_early = exact(0.8);
    let (coarse, fine) = (error(0.8, 4e-3) - exact_early, error(0.8, 2e-3) - exact_early);
    let order = (coarse / fine).abs().log2();
    println!("PID: {coarse:.2e} and {fine:.2e}, order {order:.2}");
    assert!(order > 1.8 && fine.abs() < 1e-4, "{order} {fine}");
    // In the end nothing is left of the 3 N m, which would hold a servo without integral 60 mrad off.
    assert!(error(8.0, 4e-3).abs() < 1e-4, "{}", error(8.0, 4e-3));
}

#[test]
fn a_gear_that_gives_way_is_a_bearing_about_the_axis() {
    // Rotor, gear and wheel: a sudden torque on the rotor twists the gear by (τ/J_r)/ω² · (1 − cos ωt), ω² =
    // k(1/J_r + 1/J).
    let (k, torque, rotor) = (2e3, 4.0, Rotor { inertia: 2e-5, ratio: 100.0 });
    let mut joint = revolute("axle", "", "wheel", Vector3::z());
    joint.coordinates[0].rotor = rotor;
    joint.coordinates[0].drive = Drive::Torque(Arc::new(Constant(torque)));
    let mut components = [None; 6];
    components[5] = Some((k, 0.0));
    joint.bearing = Bearing { components };
    let link = rigid("wheel", 2.0, Vector3::zeros(), Matrix3::identity() * INERTIA, Transform::identity());
    let builder = ModelBuilder { links: vec![named(link)], joints: vec![joint], ..ModelBuilder::default() };
    let model = builder.build().unwrap();
    let omega = (k * (1.0 / rotor.reflected() + 1.0 / INERTIA)).sqrt();
    let mut simulation =
        Simulation::new(&model, &Settings { newton: tight(), ..Settings::default() }).unwrap();
    let (end, h) = (0.05f64, 1e-5);
    for _ in 0..(end / h).round() as usize {
        simulation.advance(h).unwrap();
    }
    let expected = torque / rotor.reflected() / (omega * omega) * (1.0 - (omega * end).cos());
    let twist = simulation.state().q[1];
    // Second order: (ωh)²/24·ωt of the swing, about 1e-6 of it.
    assert!((twist.abs() / expected - 1.0).abs() < 1e-4, "{twist} {expected}");
}

/// The law of [`sampled`] from outside, with its own memory.
#[derive(Debug)]
struct Outside {
    fails_at: f64,
}

#[derive(Debug)]
struct OutsideAtWork {
    integral: f64,
    calls: usize,
    fails_at: f64,
}

impl ControlLaw for Outside {
    fn start(&self, joints: &[String]) -> Box<dyn Controller> {
        assert_eq!(joints, ["axle"]);
        Box::new(OutsideAtWork { integral: 0.0, calls: 0, fails_at: self.fails_at })
    }
}

impl Controller for OutsideAtWork {
    fn torque(&mut self, measured: &Measurement<'_>) -> Result<f64, ControlError> {
        if measured.t >= self.fails_at {
            return Err(ControlError { message: "no more".to_owned() });
        }
        assert_eq!(measured.joints, [[measured.position, measured.rate]]);
        let e = measured.command.value - measured.position;
        if self.calls > 0 {
            self.integral += 0.02 * e;
        }
        self.calls += 1;
        Ok(50.0 * e + 4.0 * (measured.command.rate - measured.rate) + 30.0 * self.integral)
    }
}

fn from_outside(delay: f64, fails_at: f64) -> Servo {
    let follow = Arc::new(Hold { value: 1.0 });
    let sampling = Some(Sampling { time: 0.02, delay, rate_limit: f64::INFINITY });
    Servo { sampling, law: Some(Arc::new(Outside { fails_at })), ..Servo::new(follow, 0.0, 0.0) }
}

#[test]
fn a_law_from_outside_is_the_same_recursion() {
    for delay in [0, 1, 2] {
        let expected = by_recursion(&sampled(0.02, 0.0), 100, delay, -0.3);
        let model = wheel(from_outside(0.02 * delay as f64, f64::INFINITY), -1.3);
        // Each analysis asks for a controller of its own: the second one starts anew.
        for step in [StepControl::Fixed { step: 0.01 }, StepControl::Fixed { step: 0.0025 }] {
            let found = angles(&model, 2.0, step);
            assert!(apart(&found, &expected) < 1e-10, "{delay} {}", apart(&found, &expected));
        }
    }
}

#[test]
fn a_law_that_fails_ends_the_run_with_its_reason() {
    let model = wheel(from_outside(0.0, 0.05), 0.0);
    let settings = Settings { step: StepControl::Fixed { step: 0.01 }, ..Settings::default() };
    let ended = simulate(&model, AnalysisKind::Nonlinear, &settings, &mut |_: &Frame<'_>| {});
    let Err(SimulationError::Controller { t, joint, message }) = ended else { panic!("{ended:?}") };
    assert_eq!((joint.as_str(), message.as_str()), ("axle", "no more"));
    assert!((t - 0.06).abs() < 1e-12, "{t}");
}
