//! Rigid four-bars and slider-cranks: closed forms.

use nalgebra::{Matrix3, Vector3};
use pliant_dynamics::{NewtonSettings, Settings, Simulation, SimulationError};
use pliant_link::ReducedLink;
use pliant_mechanism::motion::Harmonic;
use pliant_mechanism::{JointSpec, Model, ModelBuilder, Placement, Redundancy};
use pliant_spatial::Transform;

use crate::support::{driven, named, revolute};

/// Ground, crank, coupler, rocker of the Exudyn four-bar (m).
pub(crate) const LENGTHS: [f64; 4] = [0.254, 0.108, 0.2794, 0.2705];

/// A uniform rod along x.
pub(crate) fn rod(name: &str, length: f64, mass: f64) -> ReducedLink {
    let across = mass * length * length / 12.0;
    let I = Matrix3::from_diagonal(&Vector3::new(1e-3 * across, across, across));
    let tip = [("tip".to_owned(), Transform::translation(Vector3::x() * length))];
    ReducedLink::rigid(name, mass, Vector3::x() * (0.5 * length), I, tip)
}

/// Joints of a four-bar: crank at the origin, coupler on it, rocker on the ground, and the pin that closes.
pub(crate) fn joints(ground: f64) -> Vec<JointSpec> {
    let mut rocker = revolute("rocker", "", "rocker", Vector3::z());
    let X_TP = Transform::translation(Vector3::x() * ground);
    rocker.placement = Placement::Frames { X_TP, X_LC: Transform::identity() };
    let mut pin = revolute("pin", "coupler", "rocker", Vector3::z());
    pin.child_interface = Some("tip".into());
    vec![
        revolute("crank", "", "crank", Vector3::z()),
        revolute("elbow", "crank", "coupler", Vector3::z()),
        rocker,
        pin,
    ]
}

/// Coupler and rocker angle for a crank angle, pin above the ground line.
pub(crate) fn closed_form(theta: f64) -> (f64, f64) {
    let [g, a, b, c] = LENGTHS;
    let (x, y) = (g - a * theta.cos(), -a * theta.sin());
    let d = x.hypot(y);
    let base = y.atan2(x);
    let at_crank = ((b * b + d * d - c * c) / (2.0 * b * d)).acos();
    let coupler = base + at_crank;
    let pin = (a * theta.cos() + b * coupler.cos(), a * theta.sin() + b * coupler.sin());
    (coupler, pin.1.atan2(pin.0 - g))
}

fn rigid(motion: bool, redundancy: Redundancy) -> Model {
    let [g, a, b, c] = LENGTHS;
    let mut joints = joints(g);
    if motion {
        let crank = joints.remove(0);
        // A full turn and more, back and forth.
        let motion = Harmonic { mean: 0.3, amplitude: 4.0, freq_hz: 0.7, phase: 0.0 };
        joints.insert(0, driven(crank, motion));
    } else {
        joints[0].coordinates[0].initial = 0.3;
        joints[0].coordinates[0].initial_rate = 17.0;
        joints[0].coordinates[0].exact = true;
    }
    // An approximate start: the assembly finds the rest.
    joints[1].coordinates[0].initial = 0.5;
    joints[2].coordinates[0].initial = 1.2;
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: vec![named(rod("crank", a, 0.1)), named(rod("coupler", b, 0.3)), named(rod("rocker", c, 0.2))],
        joints,
        redundancy,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Kinetic energy over ½θ̇² and potential energy of the free four-bar at a crank angle.
fn reduced(theta: f64) -> (f64, f64) {
    let [_, a, b, c] = LENGTHS;
    let (coupler, rocker) = closed_form(theta);
    // a e^{iθ}θ̇ + b e^{iα}α̇ = c e^{iβ}β̇.
    let turn = (coupler - rocker).sin();
    let alpha = a * (rocker - theta).sin() / (b * turn);
    let beta = a * (coupler - theta).sin() / (c * turn);
    let (m1, m2, m3) = (0.1, 0.3, 0.2);
    let centre = [
        -a * theta.sin() - 0.5 * b * coupler.sin() * alpha,
        a * theta.cos() + 0.5 * b * coupler.cos() * alpha,
    ];
    let J = m1 * a * a / 3.0
        + m2 * (centre[0] * centre[0] + centre[1] * centre[1])
        + m2 * b * b / 12.0 * alpha * alpha
        + m3 * c * c / 3.0 * beta * beta;
    let height = m1 * 0.5 * a * theta.sin()
        + m2 * (a * theta.sin() + 0.5 * b * coupler.sin())
        + m3 * 0.5 * c * rocker.sin();
    (J, 9.81 * height)
}

/// Crank angles at `count` equal times to `end` from the conservation of energy, θ̇ = √(2E/J).
fn cranks_by_energy(end: f64, count: usize) -> Vec<f64> {
    let (J, V) = reduced(0.3);
    let E = 0.5 * J * 17.0 * 17.0 + V;
    angles(0.3, end, count, |theta| {
        let (J, V) = reduced(theta);
        (2.0 * (E - V) / J).sqrt()
    })
}

/// The angle at `count` equal times to `end`, by Runge and Kutta's rule with 500 steps in between.
pub(crate) fn angles(start: f64, end: f64, count: usize, rate: impl Fn(f64) -> f64) -> Vec<f64> {
    let inner = 500;
    let h = end / (count * inner) as f64;
    let mut theta = start;
    let mut out = Vec::new();
    for _ in 0..count {
        for _ in 0..inner {
            let k1 = rate(theta);
            let k2 = rate(theta + 0.5 * h * k1);
            let k3 = rate(theta + 0.5 * h * k2);
            let k4 = rate(theta + h * k3);
            theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        out.push(theta);
    }
    out
}

/// The largest difference of the first coordinate from `exact`, at as many equal times to `end`, with `inner`
/// steps in between; the largest misfit of the loops; the last energy balance over the kinetic energy.
pub(crate) fn compare(model: &Model, end: f64, exact: &[f64], inner: usize) -> (f64, f64, f64) {
    // What an iteration leaves adds up over ten thousands of steps.
    let newton = NewtonSettings { force_tolerance: 1e-11, ..NewtonSettings::default() };
    let settings = Settings { newton, ..Settings::default() };
    let mut simulation = Simulation::new(model, &settings).unwrap();
    let (mut worst, mut open) = (0.0f64, 0.0f64);
    let steps = exact.len() * inner;
    for (n, exact) in exact.iter().enumerate() {
        for k in 1..=inner {
            let target = end * (n * inner + k) as f64 / steps as f64;
            simulation.advance(target - simulation.state().t).unwrap();
            open = open.max(simulation.work().constraint_error().0);
        }
        worst = worst.max((simulation.state().q[0] - exact).abs());
    }
    let (balance, kinetic) = (simulation.energy().balance, simulation.energy().kinetic);
    (worst, open, balance / kinetic)
}

fn wrap(angle: f64) -> f64 {
    (angle + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
}

#[test]
fn a_driven_four_bar_goes_where_geometry_says() {
    let model = rigid(true, Redundancy::LeastNorm);
    let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
    for _ in 0..2000 {
        simulation.advance(1e-3).unwrap();
        let q = &simulation.state().q;
        let (coupler, rocker) = closed_form(q[0]);
        assert!(wrap(q[0] + q[1] - coupler).abs() < 1e-9, "{}", wrap(q[0] + q[1] - coupler));
        assert!(wrap(q[2] - rocker).abs() < 1e-9);
        let (position, rate) = simulation.work().constraint_error();
        assert!(position < 1e-10 && rate < 1e-7, "{position} {rate}");
    }
}

#[test]
fn redundant_directions_are_named_or_solved() {
    let model = rigid(true, Redundancy::Refuse);
    let error = Simulation::new(&model, &Settings::default()).unwrap_err();
    let SimulationError::Redundant { constraints } = &error else { panic!("{error}") };
    let out_of_plane = ["translation along z", "rotation about x", "rotation about y"];
    let expected: Vec<_> = out_of_plane.iter().map(|d| format!("loop joint `pin`, {d}")).collect();
    assert_eq!(*constraints, expected);
}

#[test]
fn a_free_four_bar_keeps_its_energy_and_time() {
    let model = rigid(false, Redundancy::LeastNorm);
    let end = 1.0;
    let exact = cranks_by_energy(end, 100);
    let ((coarse, ..), (fine, open, balance)) =
        (compare(&model, end, &exact, 200), compare(&model, end, &exact, 800));
    let order = (coarse / fine).ln() / 4f64.ln();
    println!("error {fine:.2e} rad, order {order:.3}, open {open:.2e} m, balance {balance:.2e}");
    // It turns three times.
    assert!(fine < 1e-6, "{fine}");
    assert!((order - 2.0).abs() < 0.1 && open < 1e-10 && balance.abs() < 1e-6);
}
