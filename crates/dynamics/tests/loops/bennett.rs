//! Bennett's linkage: four links and four revolutes that close in space and move although counting says −2.
//!
//! Opposite links have equal lengths a, b and twists α, β with `a / sin α = b / sin β`; neighbouring angles
//! then obey `tan(θ₁/2) tan(θ₂/2) = sin ½(β + α) / sin ½(β − α)` and opposite ones sum to a full turn (the
//! linkage is G. T. Bennett's, Engineering 76 (1903) 777–778; that these angles close it is a test below).
//! That leaves one equation of motion, integrated here on its own, and compared with answers that know
//! nothing of these relations: `PEERS`.

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_dynamics::{Settings, Simulation, SimulationError};
use pliant_link::ReducedLink;
use pliant_mechanism::joint::Revolute;
use pliant_mechanism::{Model, ModelBuilder, Placement, Redundancy};
use pliant_spatial::Transform;

use crate::support::{named, revolute};

/// Lengths (m) and twists (rad) of the moving links 1, 2, 3; the ground is as link 2.
const ALPHA: f64 = 0.5;
const BETA: f64 = 1.1;
const A: f64 = 0.6;

fn link_of(i: usize) -> (f64, f64) {
    if i.is_multiple_of(2) { (A, ALPHA) } else { (A * BETA.sin() / ALPHA.sin(), BETA) }
}

const START: f64 = 1.2;

/// The angle that goes with θ₁ at the next joint.
fn next_angle(theta: f64) -> f64 {
    2.0 * ((0.5 * (BETA + ALPHA)).sin() / (0.5 * (BETA - ALPHA)).sin()).atan2((0.5 * theta).tan())
}

/// Angles of joints 1 to 4 (Denavit and Hartenberg, axis z, then a link along x with its twist about x).
fn angles(theta: f64) -> [f64; 4] {
    let next = next_angle(theta);
    [theta, next, -theta, -next]
}

fn twist(i: usize) -> Matrix3<f64> {
    Rotation3::new(Vector3::x() * link_of(i).1).into_inner()
}

/// A thin square bar of 1 kg per m along x.
fn inertia(i: usize) -> (f64, Matrix3<f64>) {
    let l = link_of(i).0;
    let (m, s) = (l, 0.02 * 0.02);
    (m, Matrix3::from_diagonal(&Vector3::new(m * s / 6.0, m * (l * l + s) / 12.0, m * (l * l + s) / 12.0)))
}

fn model(redundancy: Redundancy) -> Model {
    let tip = |i: usize| Transform { R: twist(i), p: Vector3::x() * link_of(i).0 };
    let links = (0..3).map(|i| {
        let (m, I) = inertia(i);
        let at = [("tip".to_owned(), tip(i))];
        named(ReducedLink::rigid(format!("link{i}"), m, Vector3::x() * (0.5 * link_of(i).0), I, at))
    });
    let mut joints: Vec<_> = (0..3)
        .map(|i| {
            let parent = if i == 0 { String::new() } else { format!("link{}", i - 1) };
            let mut joint = revolute(&format!("joint{i}"), &parent, &format!("link{i}"), Vector3::z());
            joint.coordinates[0].initial = angles(START)[i];
            joint
        })
        .collect();
    joints[0].coordinates[0].exact = true;
    // Ground is the fourth link: joint 3 turns it against link 2, and its tip is the first axis.
    let mut last = revolute("joint3", "", "link2", Vector3::z());
    last.joint = Box::new(Revolute::new(Vector3::z()).unwrap());
    last.child_interface = Some("tip".into());
    last.placement = Placement::Frames { X_TP: tip(3).inverse(), X_LC: Transform::identity() };
    joints.push(last);
    ModelBuilder {
        gravity: Vector3::y() * -9.81,
        links: links.collect(),
        joints,
        redundancy,
        ..ModelBuilder::default()
    }
    .build()
    .unwrap()
}

/// Inertia and potential energy at θ₁, per unit of its rate, by central differences of the poses.
fn reduced(theta: f64) -> (f64, f64) {
    let poses = |theta: f64| {
        let (mut R, mut p) = (Matrix3::identity(), Vector3::zeros());
        let mut out = Vec::new();
        for (i, angle) in angles(theta)[..3].iter().enumerate() {
            R *= Rotation3::new(Vector3::z() * *angle).into_inner();
            out.push((R, p + R * Vector3::x() * (0.5 * link_of(i).0)));
            p += R * Vector3::x() * link_of(i).0;
            R *= twist(i);
        }
        out
    };
    // Truncation and rounding together below 1e-9.
    let h = 1e-5;
    let (mut J, mut V) = (0.0, 0.0);
    for (i, ((R, c), ((_, before), (R_after, after)))) in
        poses(theta).into_iter().zip(poses(theta - h).into_iter().zip(poses(theta + h))).enumerate()
    {
        let (m, I) = inertia(i);
        let v = (after - before) / (2.0 * h);
        let W = (R_after - poses(theta - h)[i].0) * R.transpose() / (2.0 * h);
        let omega = Vector3::new(W[(2, 1)] - W[(1, 2)], W[(0, 2)] - W[(2, 0)], W[(1, 0)] - W[(0, 1)]) * 0.5;
        J += m * v.norm_squared() + omega.dot(&(R * I * R.transpose() * omega));
        V += 9.81 * m * c.y;
    }
    (J, V)
}

/// θ₁ at each of `count` equal times to `end`, from rest, by Runge and Kutta's rule with `inner` steps in
/// between.
fn reference(end: f64, count: usize, inner: usize) -> Vec<f64> {
    let step = 1e-4;
    let acceleration = |theta: f64, rate: f64| {
        let ((J0, V0), (J1, V1), (J, _)) = (reduced(theta - step), reduced(theta + step), reduced(theta));
        -((J1 - J0) * 0.5 * rate * rate + (V1 - V0)) / (2.0 * step * J)
    };
    let h = end / (count * inner) as f64;
    let (mut q, mut v) = (START, 0.0);
    let mut out = Vec::new();
    for _ in 0..count {
        for _ in 0..inner {
            let (v1, a1) = (v, acceleration(q, v));
            let (v2, a2) = (v + 0.5 * h * a1, acceleration(q + 0.5 * h * v1, v + 0.5 * h * a1));
            let (v3, a3) = (v + 0.5 * h * a2, acceleration(q + 0.5 * h * v2, v + 0.5 * h * a2));
            let (v4, a4) = (v + h * a3, acceleration(q + h * v3, v + h * a3));
            q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        }
        out.push(q);
    }
    out
}

/// θ₁ (rad) at 0.5, 1.0 … 5.0 s by tests/peers/bennett.py: three free bodies, twenty constraints, Newton and
/// Euler's equations with the smallest multipliers, by SciPy's DOP853. Exudyn 1.13.6
/// (tests/peers/exudyn_machines.py), whose constraints may not repeat each other, follows until the first
/// folded position: 0.73429713 at 0.5 s. With each value the scatter of the reference itself between
/// tolerances of 1e-11 and 1e-13.
const PEERS: [(f64, f64); 10] = [
    (0.734_297_13, 1e-8),
    (-2.023_296_16, 1e-8),
    (-3.442_577_99, 1e-8),
    (-4.521_004_24, 1e-8),
    (-4.789_340_88, 3e-8),
    (-4.413_132_07, 2e-7),
    (-3.265_983_49, 3e-7),
    (-1.638_954_14, 7e-7),
    (0.895_580_29, 8e-7),
    (1.193_376, 8e-6),
];

#[test]
fn the_closed_form_closes() {
    let X = (0..4).fold(Transform::identity(), |X, i| {
        let turn = Transform {
            R: Rotation3::new(Vector3::z() * angles(START)[i]).into_inner(),
            p: Vector3::zeros(),
        };
        X * turn * Transform { R: twist(i), p: Vector3::x() * link_of(i).0 }
    });
    assert!((X.R - Matrix3::identity()).amax() < 1e-14 && X.p.amax() < 1e-14, "{X:?}");
}

#[test]
fn three_constraints_repeat_others_and_are_named() {
    let error = Simulation::new(&model(Redundancy::Refuse), &Settings::default()).unwrap_err();
    let SimulationError::Redundant { constraints } = &error else { panic!("{error}") };
    // 3 links with 6 freedoms, 4 revolutes that take 5 each: −2, and it moves with 1.
    assert_eq!(constraints.len(), 3, "{constraints:?}");
    assert!(constraints.iter().all(|name| name.contains("joint3")), "{constraints:?}");
}

#[test]
fn the_linkage_moves_as_its_one_equation_says() {
    let (end, count) = (5.0, 50);
    let exact = reference(end, count, 50);
    for (exact, (peer, scatter)) in exact.iter().skip(4).step_by(5).zip(PEERS) {
        println!("one equation {exact:.8}, free bodies {peer:.8}");
        // Differences of poses leave 1e-9 in the forces of the one equation, which grow where the linkage is
        // folded as they do in the reference.
        assert!((exact - peer).abs() < 2.0 * scatter + 3e-7, "{exact} for {peer}");
    }
    let model = model(Redundancy::LeastNorm);
    let run = |inner: usize| {
        let mut simulation = Simulation::new(&model, &Settings::default()).unwrap();
        let (mut out, mut balance, mut open) = (Vec::new(), 0.0f64, 0.0f64);
        for n in 1..=count * inner {
            let target = end * n as f64 / (count * inner) as f64;
            simulation.advance(target - simulation.state().t).unwrap();
            balance = balance.max(simulation.energy().balance.abs());
            open = open.max(simulation.work().constraint_error().0);
            if n % inner == 0 {
                out.push(simulation.state().q[0]);
            }
        }
        (out, balance, open)
    };
    let ((coarse, ..), (fine, balance, open)) = (run(200), run(400));
    let (mut worst, mut extrapolated) = (0.0f64, 0.0f64);
    for ((coarse, fine), exact) in coarse.iter().zip(&fine).zip(&exact) {
        worst = worst.max((fine - exact).abs());
        extrapolated = extrapolated.max((fine + (fine - coarse) / 3.0 - exact).abs());
    }
    println!("error {worst:.2e} rad, extrapolated {extrapolated:.2e}, {balance:.2e} J, {open:.2e} m");
    // With both steps extrapolated the error is that of the reference's differences.
    assert!(worst < 1e-4 && extrapolated < 2e-6 && balance < 1e-4 && open < 1e-10);
}
